"""Records the ops on an array, and reports which one breaks it.

``Traced`` has the ops on which NumPy and PyTorch agree, and otherwise PyTorch's, like
``View``; ``_trace_numpy`` and ``_trace_torch`` have the rest with each library's own
meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, List, Literal, Optional, Protocol, Sequence, Tuple, TypeVar, overload

from . import _patterns
from ._core import Verdict, View, ViewChain
from ._stages import Move, Source, Stage, first_break, first_stage, next_stage, subscript_data

if TYPE_CHECKING:
    from ._copies import CopyReport
    from ._trace_numpy import NumpyTraced
    from ._trace_torch import TorchTraced


S = TypeVar("S", bound="Traced")
PAD_COPIES = "pad() always copies: padding is in no memory"


class _Tensor(Protocol):
    """Attributes that PyTorch tensors have and NumPy arrays lack."""

    def storage_offset(self) -> Any: ...


@overload
def trace(  # type: ignore[overload-overlap]
    x: _Tensor, *, like: None = None, names: Optional[Sequence[str]] = None
) -> TorchTraced: ...
@overload
def trace(x: object, *, like: Literal["torch"], names: Optional[Sequence[str]] = None) -> TorchTraced: ...
@overload
def trace(x: object, *, like: Optional[Literal["numpy"]] = None, names: Optional[Sequence[str]] = None) -> NumpyTraced: ...
def trace(x: Any, *, like: Optional[str] = None, names: Optional[Sequence[str]] = None) -> Any:
    """A stand-in for an array that records the ops on it.

    ``x`` is an array, a view, or a shape. Reshapes, transposes, slices, flips,
    broadcasts and pads are written as with NumPy, as methods, subscripts or
    functions of NumPy; for a tensor as with PyTorch. ``like`` is "numpy" (the default) or
    "torch" for anything else; ``names`` are the names of the axes. No data is touched.

    >>> import numpy
    >>> t = trace(numpy.zeros((2, 3, 4)))
    >>> t = numpy.flip(t.transpose(0, 2, 1)[:, 1:], 0).reshape(2, 9)
    >>> t.shape, t.is_view, t.broke
    ((2, 9), False, 4)
    >>> print(t)
    trace of (2,3,4):(12,4,1)
      1. transpose(0, 2, 1)  (2,4,3):(12,1,4)
      2. [:, 1:]             (2,3,3):(12,1,4)+1
      3. flip(0)             (2,3,3):(-12,1,4)+13
      4. reshape(2, 9)       (2,3,3):(-12,1,4)+13 | (2,9):(9,1)  <- not one view
    Not one view: reshape(2, 9) must copy 18 elements (144 bytes).
    Why: the step along axis 1 of the result is +4 at (0,0), but −7 at (0,2). There axis 2 \
of the array after flip(0) carries into axis 1, which has stride 1 and would need 12.
    Remedies:
      - copy the 18 elements (144 bytes) of the array after flip(0), before reshape(2, 9): \
np.ascontiguousarray(y); the rest is a view
      - allocate the array in another layout, then nothing is copied: np.empty((2, 4, 3)).transpose(0, 2, 1)
      - with axis 1 of 9 cut into 3 by 3: leave out reshape(2, 9), over (2, 3, 3) it is as it is before
    >>> trace((2, 3, 4), like="torch").transpose(1, 2).flatten(1).broke
    2
    """
    if isinstance(x, Traced):
        return x
    source = source_of(x)
    if isinstance(x, (tuple, list)) and all(hasattr(size, "__index__") for size in x):
        x = View(x)
    library = like or source.library or "numpy"
    return front(library)((first_stage(start(x), names),), source)


def front(library: str) -> Callable[[Tuple[Stage, ...], Source], Traced]:
    """The trace class of a library."""
    if library == "numpy":
        from ._trace_numpy import NumpyTraced

        return NumpyTraced
    if library == "torch":
        from ._trace_torch import TorchTraced

        return TorchTraced
    raise ValueError(f'like is "numpy" or "torch", not {library!r}')


def start(x: Any, base: Any = None) -> ViewChain:
    """The chain to begin with: an array's view, a view or a chain."""
    if isinstance(x, ViewChain):
        return x
    return ViewChain(x if isinstance(x, (View, str)) else View.of(x, base=base))


def source_of(x: Any, base: Any = None) -> Source:
    """What is known about an array besides its view."""
    if isinstance(x, (View, ViewChain, str, tuple, list)):
        return Source()
    from ._arrays import counts_elements, tell

    told = tell(x)
    module = type(x).__module__.split(".")[0]
    torch = callable(getattr(x, "storage_offset", None))
    distance = 0
    if base is not None and told.address is not None:
        distance = told.address - (tell(base).address or 0)
    whole = told.unit == 1 and not distance or counts_elements(told, distance)
    library = "torch" if torch else "numpy" if module == "numpy" else ""
    return Source(library, told.itemsize, told.itemsize if whole else 1)


class Traced:
    """A record of the ops on an array: see ``trace``."""

    __slots__ = ("_stages", "_source")
    _stages: Tuple[Stage, ...]
    _source: Source
    library = ""

    def __init__(self, stages: Tuple[Stage, ...], source: Source = Source()) -> None:
        object.__setattr__(self, "_stages", stages)
        object.__setattr__(self, "_source", source)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a trace cannot be changed")

    def __reduce__(self) -> Tuple[Callable[..., Traced], Tuple[Tuple[Stage, ...], Source]]:
        return type(self), (self._stages, self._source)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            "a trace has no data, so it cannot become an array: use its own methods and the "
            "functions of NumPy that are traced (trace.as_strided, trace.reshape, ...), or do the "
            "same to the array itself"
        )

    # What is known.

    @property
    def stages(self) -> Tuple[Stage, ...]:
        """The start, and the chain after every op."""
        return self._stages

    @property
    def chain(self) -> ViewChain:
        """The chain of views of the ops."""
        return self._stages[-1].chain

    @property
    def shape(self) -> Tuple[int, ...]:
        """The sizes of the axes."""
        return self.chain.shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Any:
        """The number of elements."""
        return self.chain.count

    @property
    def names(self) -> Optional[Tuple[str, ...]]:
        """The names of the axes, if they are known."""
        return self._stages[-1].names

    @property
    def is_view(self) -> bool:
        """Whether all ops together are one view."""
        return self._stages[-1].is_view

    @property
    def verdict(self) -> Verdict:
        """Whether all ops together are one view, with the view or the witness."""
        return self.chain.merge()

    @property
    def broke(self) -> Optional[int]:
        """The number of the first op after which it was not one view, counted from 1, or None."""
        return first_break(self._stages)

    def report(self) -> CopyReport:
        """Why it is not one view, and what would help: a ``CopyReport``, see ``why_copy``."""
        from ._copies import report

        return report(self._stages, self._source, self.library)

    def __str__(self) -> str:
        from ._words import steps

        lines = steps(self._stages)
        if self.is_view:
            lines.append(f"One view: {self.verdict.view}.")
            if any(not stage.is_view for stage in self._stages):
                lines.append(f"It was none after op {self.broke}, but a later one repaired it.")
        else:
            lines.append(str(self.report()))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Traced {self.chain}>"

    def _repr_html_(self) -> str:
        from ._words import trace_html

        return trace_html(self)

    def svg(self, *, title: Optional[str] = None, most_cells: Optional[int] = None) -> str:
        """The picture: the steps between neighbours, with those that differ highlighted."""
        return self.chain.svg(merge=True, title=title, most_cells=most_cells)

    def _repr_svg_(self) -> str:
        return self.svg()

    # What can be done.

    def _then(
        self: S,
        op: str,
        *moves: Move,
        copies: Optional[str] = None,
        names: Optional[Tuple[str, ...]] = None,
    ) -> S:
        stage = next_stage(self._stages, op, moves, copies, names)
        return type(self)((*self._stages, stage), self._source)

    def reshape(self: S, *shape: Any, order: str = "C", copy: Optional[bool] = None) -> S:
        """The elements in the same order under another shape, in the order "C", "F" or "A"."""
        sizes = spread(shape)
        column = self._is_column_major(order)
        text = f"reshape({join(sizes)})" if order == "C" else f'reshape({join(sizes)}, order="{order}")'
        forced = "reshape(copy=True) copies in any case" if copy else None
        return self._then(text, *reshape_moves(sizes, self.ndim, column), copies=forced)

    def _is_column_major(self, order: str) -> bool:
        if order == "A":
            view = self.chain.merge().view
            return view is not None and _is_column_major(view)
        if order not in ("C", "F"):
            raise TypeError(f'the order {order!r} is not traced, only "C", "F" and "A" are')
        return order == "F"

    def _flat(self: S, text: str, order: str, copies: Optional[str] = None) -> S:
        sizes = (-1 if self.size_known() else 0,)
        text = f"{text}()" if order == "C" else f'{text}("{order}")'
        moves = reshape_moves(sizes, self.ndim, self._is_column_major(order))
        return self._then(text, *moves, copies=copies)

    def _raveled(self: S, order: str = "C") -> S:
        """Flat and contiguous: NumPy and PyTorch copy anything else in ``ravel``."""
        flat = self._flat("ravel", order)
        one = flat.chain.merge().view
        if one is None or one.mask is not None or one.count <= 1 or one.strides == (1,):
            return flat
        return self._flat("ravel", order, copies="ravel() copies what is not contiguous; reshape(-1) only where it must")

    def size_known(self) -> int:
        """The number of elements, whatever ``size`` means in the library."""
        return self.chain.count

    def flatten(self: S, start: int = 0, end: int = -1) -> S:
        """The axes from ``start`` to ``end`` joined into one."""
        shown = "" if (start, end) == (0, -1) else f"{start}" if end == -1 else f"{start}, {end}"
        return self._then(f"flatten({shown})", ("flatten", start, end))

    def unflatten(self: S, axis: int, sizes: Any) -> S:
        """One axis split into several."""
        return self._then(f"unflatten({axis}, {plain(sizes)})", ("unflatten", axis, axes_of(sizes)))

    def permute(self: S, *axes: Any) -> S:
        """The axes in another order."""
        order = tuple(axis_of(axis, self.ndim) for axis in spread(axes))
        return self._then(f"permute({join(spread(axes))})", ("permute", order))

    def transpose(self: S, *axes: Any) -> S:
        """Two axes exchanged."""
        one, other = axes if len(axes) == 2 else (None, None)
        if one is None:
            return self.permute(*axes) if axes else self.T
        return self._then(f"transpose({one}, {other})", ("transpose", one, other))

    @property
    def T(self: S) -> S:
        """All axes in reverse order."""
        return self._then("T", ("permute", tuple(reversed(range(self.ndim)))))

    @property
    def mT(self: S) -> S:
        """The last two axes exchanged."""
        return self._then("mT", ("transpose", -2, -1))

    def swapaxes(self: S, axis1: int, axis2: int) -> S:
        """Two axes exchanged."""
        return self._then(f"swapaxes({axis1}, {axis2})", ("transpose", axis1, axis2))

    def moveaxis(self: S, source: Any, destination: Any) -> S:
        """Axes moved to other places; the others stay in order."""
        return self._moved("moveaxis", source, destination)

    def _moved(self: S, text: str, source: Any, destination: Any) -> S:
        sources = [axis_of(axis, self.ndim) for axis in axes_of(source)]
        targets = [axis_of(axis, self.ndim) for axis in axes_of(destination)]
        if len(sources) != len(targets):
            raise ValueError(f"{text}: source and destination must have as many axes")
        order = [axis for axis in range(self.ndim) if axis not in sources]
        for target, axis in sorted(zip(targets, sources)):
            order.insert(target, axis)
        return self._then(f"{text}({plain(source)}, {plain(destination)})", ("permute", tuple(order)))

    def squeeze(self: S, axis: Any = None) -> S:
        """Axes of size 1 removed; without an argument, all of them."""
        if axis is None:
            return self._then("squeeze()", ("squeeze_all",))
        axes = sorted((axis_of(a, self.ndim) for a in axes_of(axis)), reverse=True)
        return self._then(f"squeeze({plain(axis)})", *(("squeeze", one) for one in axes))

    def expand_dims(self: S, axis: Any) -> S:
        """New axes of size 1."""
        axes = axes_of(axis)
        places = sorted(axis_of(a, self.ndim + len(axes)) for a in axes)
        return self._then(f"expand_dims({plain(axis)})", *(("unsqueeze", one) for one in places))

    def unsqueeze(self: S, axis: int) -> S:
        """A new axis of size 1."""
        return self._then(f"unsqueeze({axis})", ("unsqueeze", axis))

    def flip(self: S, *axes: Any) -> S:
        """The named axes reversed."""
        return self._then(f"flip({join(spread(axes))})", ("flip", spread(axes)))

    def broadcast_to(self: S, shape: Any) -> S:
        """Axes of size 1 repeated."""
        sizes = axes_of(shape)
        return self._then(f"broadcast_to({plain(sizes)})", ("broadcast_to", sizes))

    def expand(self: S, *shape: Any) -> S:
        """Axes of size 1 repeated; -1 keeps a size."""
        sizes = spread(shape)
        return self._then(f"expand({join(sizes)})", ("expand", sizes))

    def pad(self: S, *amounts: Any) -> S:
        """(before, after) of padding on every axis."""
        pairs = amounts[0] if len(amounts) == 1 and self.ndim != 1 else amounts
        if len(amounts) == 1 and self.ndim == 1 and not hasattr(amounts[0][0], "__index__"):
            pairs = amounts[0]
        told = tuple(tuple(axes_of(pair)) for pair in pairs)
        return self._then(f"pad({join(told)})", ("pad", told), copies=PAD_COPIES if self.library else None)

    def shrink(self: S, *bounds: Any) -> S:
        """Only the indices lo <= i < hi of every axis."""
        pairs = bounds[0] if len(bounds) == 1 and self.ndim != 1 else bounds
        if len(bounds) == 1 and self.ndim == 1 and not hasattr(bounds[0][0], "__index__"):
            pairs = bounds[0]
        told = tuple(tuple(axes_of(pair)) for pair in pairs)
        return self._then(f"shrink({join(told)})", ("shrink", told))

    def step(self: S, *steps: Any) -> S:
        """Every n-th index of each axis."""
        return self._then(f"step({join(spread(steps))})", ("step", spread(steps)))

    def slice(self: S, *slices: Any) -> S:
        """Slices of the leading axes."""
        told = tuple(str(part) if not isinstance(part, slice) else subscript_text(part) for part in slices)
        return self._then(f"slice({join(told)})", ("slice", *told))

    def masked(self: S, *bounds: Any) -> S:
        """Fewer valid indices."""
        told = tuple(tuple(axes_of(pair)) for pair in bounds)
        return self._then(f"masked({join(told)})", ("masked", *told))

    def append(self: S, view: Any) -> S:
        """One more view on top, which counts the elements."""
        return self._then(str(view), ("append", view))

    def squeeze_all(self: S) -> S:
        """All axes of size 1 removed."""
        return self._then("squeeze_all()", ("squeeze_all",))

    def as_strided(self: S, shape: Any, strides: Any, offset: int = 0) -> S:
        """Any strided view of the elements in row-major order: strides count elements."""
        sizes, steps = axes_of(shape), axes_of(strides)
        text = f"as_strided({plain(sizes)}, {plain(steps)}, {offset})"
        return self._then(text, ("as_strided", sizes, steps, offset))

    def diagonal(self: S, offset: int = 0, axis1: int = 0, axis2: int = 1) -> S:
        """A diagonal of two axes, as a new last axis."""
        one, other = axis_of(axis1, self.ndim), axis_of(axis2, self.ndim)
        if one == other:
            raise ValueError("diagonal: the two axes must differ")
        rows, columns = self.shape[one], self.shape[other]
        length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
        steps = View(self.shape).strides
        first = 0 if not length else offset * steps[other] if offset >= 0 else -offset * steps[one]
        kept = [axis for axis in range(self.ndim) if axis not in (one, other)]
        shape = (*(self.shape[axis] for axis in kept), length)
        strides = (*(steps[axis] for axis in kept), steps[one] + steps[other])
        text = f"diagonal({offset}, {axis1}, {axis2})"
        return self._then(text, ("as_strided", shape, strides, first))

    def unfold(self: S, dimension: int, size: int, step: int) -> S:
        """As ``torch.Tensor.unfold``: windows, with their inner index as a new last axis."""
        text = f"unfold({dimension}, {size}, {step})"
        if step <= 0:
            raise ValueError(f"{text}: the step must be greater than 0")
        return self._windows(text, [size], [axis_of(dimension, self.ndim)], step)

    def _windows(self: S, text: str, sizes: Sequence[int], axes: Sequence[int], step: int = 1) -> S:
        """Windows along axes, with their inner indices as new last axes."""
        steps = View(self.shape).strides
        shape, strides = list(self.shape), list(steps)
        for axis, size in zip(axes, sizes):
            if not 0 <= size <= shape[axis]:
                raise ValueError(f"{text}: a window of {size} does not fit axis {axis} of size {shape[axis]}")
            shape[axis] = (shape[axis] - size) // step + 1
            strides[axis] *= step
        windows = [steps[axis] for axis in axes]
        return self._then(text, ("as_strided", (*shape, *sizes), (*strides, *windows), 0))

    def __getitem__(self: S, key: Any) -> S:
        return self._then(f"[{subscript_text(key)}]", ("getitem", subscript_data(key)))

    def _parts(self: S, text: str, axis: int, bounds: Sequence[Tuple[int, int]]) -> List[S]:
        """Slices of one axis."""
        place = axis_of(axis, self.ndim)
        keys = [(*((None, None, None),) * place, (low, high, None)) for low, high in bounds]
        return [self._then(f"{text}[{k}]", ("getitem", key)) for k, key in enumerate(keys)]

    def rearrange(self: S, pattern: str, **sizes: int) -> S:
        """A pattern of einops, ``"b t (h d) -> b h t d"``; new axes repeat."""
        moves, names = _patterns.read(pattern, self.shape, sizes)
        given = "".join(f", {name}={size}" for name, size in sizes.items())
        return self._then(f'rearrange("{pattern}"{given})', *moves, names=names)


for _public in (trace, Traced):
    _public.__module__ = "viewmerge"


def reshape_moves(sizes: Tuple[int, ...], rank: int, column_major: bool) -> Tuple[Move, ...]:
    """A reshape; in the order "F", between two reversals of the axes."""
    if not column_major:
        return (("reshape", sizes),)
    before, after = tuple(reversed(range(rank))), tuple(reversed(range(len(sizes))))
    return ("permute", before), ("reshape", sizes[::-1]), ("permute", after)


def _is_column_major(view: View) -> bool:
    """Whether NumPy would call it F-contiguous but not C-contiguous."""
    columns, expected = True, 1
    for size, stride in zip(view.shape, view.strides):
        columns = columns and (size == 1 or stride == expected)
        expected *= size
    return columns and not view.is_contiguous


def axes_of(value: Any) -> Tuple[int, ...]:
    """An int, or a sequence of them, as a tuple."""
    if hasattr(value, "__index__"):
        return (value.__index__(),)
    return tuple(item.__index__() for item in value)


def spread(values: Sequence[Any]) -> Tuple[int, ...]:
    """Numbers one by one, or one sequence of them."""
    return axes_of(values[0]) if len(values) == 1 else axes_of(values)


def axis_of(axis: Any, rank: int) -> int:
    """The axis counted from the front."""
    number: int = axis.__index__()
    if not -rank <= number < rank:
        raise ValueError(f"axis {number} does not exist in {rank} axes")
    return number % rank


MOST_PARTS = 10_000
"""A trace is split into at most so many parts."""


def check_parts(count: int) -> int:
    """Refuses to split into very many parts."""
    if count > MOST_PARTS:
        raise ValueError(f"a split into {count} parts: at most {MOST_PARTS} are traced")
    return count


def join(items: Sequence[Any]) -> str:
    return ", ".join(map(str, items))


def plain(value: Any) -> str:
    return str(tuple(value)) if isinstance(value, list) else str(value)


def subscript_text(key: Any) -> str:
    def one(item: Any) -> str:
        if isinstance(item, slice):
            start, stop = (("" if b is None else str(b)) for b in (item.start, item.stop))
            return f"{start}:{stop}" + ("" if item.step is None else f":{item.step}")
        return "..." if item is Ellipsis else str(item)

    return ", ".join(one(item) for item in key) if isinstance(key, tuple) else one(key)
