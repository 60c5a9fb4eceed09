"""Traces in NumPy's language: methods of arrays, and functions of NumPy."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from ._stages import Move
from ._trace import PAD_COPIES, S, Traced, axes_of, axis_of, check_parts, join, plain, spread


class NumpyTraced(Traced):
    """A trace with NumPy's ops."""

    __slots__ = ()
    library = "numpy"

    def ravel(self, order: str = "C") -> NumpyTraced:
        """As ``numpy.ndarray.ravel``."""
        return self._raveled(order)

    def flatten(self, *axes: Any, order: str = "C") -> NumpyTraced:
        """As ``numpy.ndarray.flatten``, which always copies."""
        if axes and not isinstance(axes[0], str):
            return Traced.flatten(self, *axes)
        order = axes[0] if axes else order
        return self._flat("flatten", order, copies="flatten() always copies; reshape(-1) does where it must")

    def copy(self, order: str = "C") -> NumpyTraced:
        """As ``numpy.ndarray.copy``, which always copies."""
        return self._then("copy()", copies="copy() always copies")

    def transpose(self, *axes: Any) -> NumpyTraced:
        """As ``numpy.ndarray.transpose``: an order of all axes."""
        if not axes or axes == (None,):
            return self._then("transpose()", ("permute", tuple(reversed(range(self.ndim)))))
        order = spread(axes)
        places = tuple(axis_of(axis, self.ndim) for axis in order)
        return self._then(f"transpose({join(order)})", ("permute", places))

    def flip(self, axis: Any = None, *more: int) -> NumpyTraced:
        """As ``numpy.flip``: all axes if none is named."""
        axes = range(self.ndim) if axis is None else (*axes_of(axis), *more)
        text = "flip()" if axis is None else f"flip({join(axes) if more else plain(axis)})"
        return self._then(text, ("flip", tuple(axes)))

    def pad(  # type: ignore[override]
        self, pad_width: Any, *more: Any, mode: str = "constant", **options: Any
    ) -> NumpyTraced:
        """As ``numpy.pad``, with a constant."""
        if more and isinstance(more[0], str):
            mode, more = more[0], more[1:]
        if mode != "constant" or set(options) - {"constant_values"}:
            raise TypeError("only a pad with a constant is traced: other modes are no views")
        amounts = _pad_amounts((pad_width, *more) if more else pad_width, self.ndim)
        return self._then(f"pad({plain(amounts)})", ("pad", amounts), copies=PAD_COPIES)

    def rot90(self, k: int = 1, axes: Any = (0, 1)) -> NumpyTraced:
        """As ``numpy.rot90``."""
        one, other = (axis_of(axis, self.ndim) for axis in axes)
        if one == other:
            raise ValueError("rot90: the two axes must differ")
        turned: Dict[int, Tuple[Move, ...]] = {0: (), 1: (("flip", (other,)), ("transpose", one, other))}
        turned[2] = (("flip", (one, other)),)
        turned[3] = (("transpose", one, other), ("flip", (other,)))
        return self._then(f"rot90({k}, {plain(tuple(axes))})", *turned[k.__index__() % 4])

    def sliding_window_view(self, window_shape: Any, axis: Any = None) -> NumpyTraced:
        """As ``numpy.lib.stride_tricks.sliding_window_view``."""
        sizes = axes_of(window_shape)
        axes = range(self.ndim) if axis is None else [axis_of(a, self.ndim) for a in axes_of(axis)]
        if len(sizes) != len(axes):
            raise ValueError(f"sliding_window_view: {len(sizes)} windows for {len(axes)} axes")
        if len(set(axes)) != len(axes):
            return self._windows_again(sizes, list(axes))
        where = "" if axis is None else f", {plain(axis)}"
        return self._windows(f"sliding_window_view({plain(window_shape)}{where})", sizes, list(axes))

    def _windows_again(self, sizes: Sequence[int], axes: List[int]) -> NumpyTraced:
        """Several windows along one axis, as NumPy allows: one after the other."""
        t = self
        for size, axis in zip(sizes, axes):
            t = t._windows(f"sliding_window_view({size}, {axis})", [size], [axis])
        return t

    def array_split(self, indices_or_sections: Any, axis: int = 0) -> List[NumpyTraced]:
        """As ``numpy.array_split``."""
        size = self.shape[axis_of(axis, self.ndim)]
        if hasattr(indices_or_sections, "__index__"):
            count = indices_or_sections.__index__()
            if count <= 0:
                raise ValueError(f"array_split: into {count} parts, there must be 1 or more")
            each, more = divmod(size, check_parts(count))
            cuts = [k * each + min(k, more) for k in range(count + 1)]
        else:
            cuts = [0, *axes_of(indices_or_sections), size]
        text = f"array_split({plain(indices_or_sections)}, {axis})"
        return self._parts(text, axis, list(zip(cuts, cuts[1:])))

    def split(self, indices_or_sections: Any, axis: int = 0) -> List[NumpyTraced]:
        """As ``numpy.split``."""
        size = self.shape[axis_of(axis, self.ndim)]
        count = indices_or_sections
        if hasattr(count, "__index__") and (count.__index__() <= 0 or size % count.__index__()):
            raise ValueError(f"split: {size} indices do not divide into {count} equal parts")
        return self.array_split(indices_or_sections, axis)

    def _atleast(self, rank: int) -> NumpyTraced:
        """As ``numpy.atleast_1d`` and so on."""
        ahead = {(1, 0): 1, (2, 0): 2, (2, 1): 1, (3, 0): 3, (3, 1): 1}.get((rank, self.ndim), 0)
        behind = max(rank - self.ndim - ahead, 0)
        moves = [("unsqueeze", 0)] * ahead + [("unsqueeze", -1)] * behind
        return self._then(f"atleast_{rank}d()", *moves)

    def repeat(self, repeats: int, axis: Optional[int] = None) -> NumpyTraced:
        """As ``numpy.repeat``, which always copies: each element n times."""
        times = repeats.__index__()
        flat = self if axis is not None else self._flat("ravel", "C")
        place = axis_of(0 if axis is None else axis, flat.ndim)
        shape = flat.shape
        wide = (*shape[: place + 1], times, *shape[place + 1 :])
        joined = (*shape[:place], shape[place] * times, *shape[place + 1 :])
        moves = (("unsqueeze", place + 1), ("expand", wide), ("reshape", joined))
        text = f"repeat({times}{'' if axis is None else f', {axis}'})"
        return flat._then(text, *moves, copies="repeat() always copies; broadcast_to() does not")

    def tile(self, reps: Any) -> NumpyTraced:
        """As ``numpy.tile``, which always copies: the whole array n times."""
        return tile(self, axes_of(reps), f"tile({plain(reps)})", "tile() always copies")

    def __array_function__(
        self, func: Any, types: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]
    ) -> Any:
        name = getattr(func, "__name__", "")
        method = FUNCTIONS.get(name)
        if method is None or not args or not isinstance(args[0], Traced):
            raise TypeError(
                f"numpy.{name} is not traced: only ops that are views of one array, or could be, are"
            )
        kwargs = {RENAMED.get(key, key): value for key, value in kwargs.items()}
        return method(*args, **kwargs)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        raise TypeError(f"numpy.{ufunc.__name__} computes: a trace records where data is, and has none")


def tile(t: S, reps: Tuple[int, ...], text: str, copies: Optional[str]) -> S:
    """The whole array n times along each axis; new axes in front."""
    reps = (1,) * (t.ndim - len(reps)) + reps
    shape = (1,) * (len(reps) - t.ndim) + t.shape
    ones = tuple(size for n in shape for size in (1, n))
    wide = tuple(size for r, n in zip(reps, shape) for size in (r, n))
    joined = tuple(r * n for r, n in zip(reps, shape))
    moves = (("reshape", ones), ("expand", wide), ("reshape", joined))
    return t._then(text, *moves, copies=copies)


def _reshape(t: Any, shape: Any, order: str = "C", copy: Optional[bool] = None) -> Any:
    return t.reshape(shape, order=order, copy=copy)


def _transpose(t: Any, axes: Any = None) -> Any:
    return t.transpose() if axes is None else t.transpose(axes)


def _sliding_window_view(
    t: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    return t.sliding_window_view(window_shape, axis)


def _rollaxis(t: Any, axis: int, start: int = 0) -> Any:
    place, target = axis_of(axis, t.ndim), start + t.ndim if start < 0 else start
    return t._moved("rollaxis", place, target - 1 if place < target else target)


def _split_along(rank: int, axis: int) -> Callable[..., List[Any]]:
    def split(t: Any, indices_or_sections: Any) -> List[Any]:
        if t.ndim < rank:
            raise ValueError(f"this split works only on arrays of {rank} or more axes")
        parts: List[Any] = t.split(indices_or_sections, axis if t.ndim > 1 else 0)
        return parts

    return split


def _atleast(rank: int) -> Callable[..., Any]:
    def atleast(*arrays: Any) -> Any:
        found = [t._atleast(rank) for t in arrays]
        return found[0] if len(found) == 1 else found

    return atleast


def _broadcast_arrays(*arrays: Any, subok: bool = False) -> Any:
    import numpy

    for x in arrays:
        if not isinstance(x, Traced):
            kind = type(x).__name__
            raise TypeError(f"numpy.broadcast_arrays of a trace takes traces alone, not {kind}: trace(x) is one of an array")
    shape = numpy.broadcast_shapes(*(x.shape for x in arrays))
    return [t.broadcast_to(shape) for t in arrays]


FUNCTIONS: Dict[str, Callable[..., Any]] = {
    "reshape": _reshape,
    "ravel": NumpyTraced.ravel,
    "transpose": _transpose,
    "permute_dims": _transpose,
    "matrix_transpose": lambda t: t.mT,
    "swapaxes": Traced.swapaxes,
    "moveaxis": Traced.moveaxis,
    "rollaxis": _rollaxis,
    "squeeze": Traced.squeeze,
    "expand_dims": Traced.expand_dims,
    "flip": NumpyTraced.flip,
    "flipud": lambda t: t.flip(0),
    "fliplr": lambda t: t.flip(1),
    "rot90": NumpyTraced.rot90,
    "broadcast_to": lambda t, shape, subok=False: t.broadcast_to(shape),
    "broadcast_arrays": _broadcast_arrays,
    "diagonal": Traced.diagonal,
    "sliding_window_view": _sliding_window_view,
    "split": NumpyTraced.split,
    "array_split": NumpyTraced.array_split,
    "hsplit": _split_along(1, 1),
    "vsplit": _split_along(2, 0),
    "dsplit": _split_along(3, 2),
    "atleast_1d": _atleast(1),
    "atleast_2d": _atleast(2),
    "atleast_3d": _atleast(3),
    "pad": NumpyTraced.pad,
    "repeat": NumpyTraced.repeat,
    "tile": NumpyTraced.tile,
    "copy": lambda t, order="K", subok=False: t.copy(),
    "shape": lambda t: t.shape,
    "ndim": lambda t: t.ndim,
    "size": lambda t: t.size,
}
RENAMED = {"newshape": "shape"}


def _pad_amounts(pad_width: Any, rank: int) -> Tuple[Tuple[int, int], ...]:
    """The amounts of numpy.pad as a pair for every axis."""
    if isinstance(pad_width, dict):
        amounts = [(0, 0)] * rank
        for axis, width in pad_width.items():
            amounts[axis_of(axis, rank)] = _pair(width)
        return tuple(amounts)
    if hasattr(pad_width, "__index__"):
        return ((pad_width.__index__(),) * 2,) * rank
    rows = list(pad_width)
    if all(hasattr(row, "__index__") for row in rows):
        return (_pair(rows),) * rank
    pairs = tuple(_pair(row) for row in rows)
    return pairs * rank if len(pairs) == 1 else pairs


def _pair(width: Any) -> Tuple[int, int]:
    numbers = axes_of(width)
    if len(numbers) not in (1, 2):
        raise ValueError(f"pad: {numbers} is no (before, after)")
    return numbers[0], numbers[-1]
