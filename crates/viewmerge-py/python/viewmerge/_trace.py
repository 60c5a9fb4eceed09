"""Records what is done to an array in NumPy's spelling, and tells which step broke it."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Tuple

from ._copies import CopyReport, Stage, first_break, is_view, report, start
from ._core import Verdict, View, ViewChain


def trace(x: Any) -> Traced:
    """A stand-in for an array that records what is done to it.

    ``x`` is an array, a view, or a shape. Reshapes, transposes, slices, flips,
    broadcasts and pads are written as with NumPy, as methods, subscripts or
    functions of NumPy. No data is touched.

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
    Not one view: along axis 1 the step from (0,0) is 4, but from (0,2) it is -7. \
There view 0 moves on from axis 2 to axis 1, but axis 1 has stride 1 and would need 12 to be \
contiguous to axis 2. It would be one view if axis 1 of view 0 had stride 12, or if axis 1 of the \
last view were at most 3 long, or with axis 1 of 9 cut into 3 by 3, or after a copy of the 18 elements of view 1.
    It broke at op 4, reshape(2, 9).
    Cheapest: copy the 18 elements of the result of flip(0), before reshape(2, 9); \
the rest is the view (2,9):(9,1).
    """
    if isinstance(x, Traced):
        return x
    if isinstance(x, (tuple, list)) and all(hasattr(size, "__index__") for size in x):
        x = View(x)
    chain = start(x)
    return Traced((Stage(str(chain), chain, is_view(chain)),))


class Traced:
    """An array that is only a record of what was done: see ``trace``."""

    __slots__ = ("_stages",)
    _stages: Tuple[Stage, ...]

    def __init__(self, stages: Tuple[Stage, ...]) -> None:
        object.__setattr__(self, "_stages", stages)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a trace cannot be changed")

    def __reduce__(self) -> Tuple[Callable[..., Traced], Tuple[Tuple[Stage, ...]]]:
        return Traced, (self._stages,)

    # What is known.

    @property
    def stages(self) -> Tuple[Stage, ...]:
        """The start, and the chain after every op."""
        return self._stages

    @property
    def chain(self) -> ViewChain:
        """The chain of views that the ops come to."""
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
    def size(self) -> int:
        """The number of elements."""
        return self.chain.count

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
        """The number of the first op after which it was not one view, counted from 1; None if there is none."""
        return first_break(self._stages)

    def report(self) -> CopyReport:
        """Why it is not one view, and the cheapest fix: see ``why_copy``."""
        return report(self._stages)

    def __str__(self) -> str:
        first, *rest = self._stages
        lines = [f"trace of {first.chain}"]
        width = max((len(stage.op) for stage in rest), default=0)
        for number, stage in enumerate(rest, 1):
            mark = "" if stage.is_view else "  <- not one view"
            lines.append(f"  {number}. {stage.op:<{width}}  {stage.chain}{mark}")
        if self.is_view:
            lines.append(f"One view: {self.verdict.view}.")
            if self.broke is not None:
                lines.append(f"It was none after op {self.broke}, but a later one repaired it.")
        else:
            lines.append(str(self.report()))
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Traced {self.chain}>"

    def _repr_svg_(self) -> str:
        return self.chain.svg(merge=True)

    # What can be done.

    def _then(self, op: str, chain: ViewChain) -> Traced:
        return Traced((*self._stages, Stage(op, chain, is_view(chain))))

    def reshape(self, *shape: Any, order: str = "C", copy: Optional[bool] = None) -> Traced:
        """As ``numpy.ndarray.reshape``; only the order "C" is known."""
        if order != "C":
            raise TypeError(f"reshape in the order {order!r} is not traced, only 'C'")
        sizes = _spread(shape)
        return self._then(f"reshape({_join(sizes)})", self.chain.reshape(sizes))

    def ravel(self, order: str = "C") -> Traced:
        """As ``numpy.ndarray.ravel``."""
        if order != "C":
            raise TypeError(f"ravel in the order {order!r} is not traced, only 'C'")
        return self._then("ravel()", self.chain.reshape(-1 if self.size else 0))

    def flatten(self, order: str = "C") -> Traced:
        """As ``numpy.ndarray.flatten``, which always copies: the question is whether it had to."""
        if order != "C":
            raise TypeError(f"flatten in the order {order!r} is not traced, only 'C'")
        return self._then("flatten()", self.chain.reshape(-1 if self.size else 0))

    def transpose(self, *axes: Any) -> Traced:
        """As ``numpy.ndarray.transpose``."""
        if not axes or axes == (None,):
            return self._then("transpose()", self.chain.T)
        order = _spread(axes)
        return self._then(f"transpose({_join(order)})", self.chain.permute(order))

    @property
    def T(self) -> Traced:
        """All axes in reverse order."""
        return self._then("T", self.chain.T)

    @property
    def mT(self) -> Traced:
        """The last two axes exchanged."""
        return self._then("mT", self.chain.transpose(-2, -1))

    def swapaxes(self, axis1: int, axis2: int) -> Traced:
        """As ``numpy.ndarray.swapaxes``."""
        return self._then(f"swapaxes({axis1}, {axis2})", self.chain.transpose(axis1, axis2))

    def squeeze(self, axis: Any = None) -> Traced:
        """As ``numpy.ndarray.squeeze``."""
        if axis is None:
            return self._then("squeeze()", self.chain.squeeze())
        chain = self.chain
        for one in sorted((_axis(a, self.ndim) for a in _axes(axis)), reverse=True):
            chain = chain.squeeze(one)
        return self._then(f"squeeze({_plain(axis)})", chain)

    def __getitem__(self, key: Any) -> Traced:
        return self._then(f"[{_subscript(key)}]", self.chain[key])

    # NumPy's functions.

    def moveaxis(self, source: Any, destination: Any) -> Traced:
        """As ``numpy.moveaxis``."""
        rank = self.ndim
        sources = [_axis(axis, rank) for axis in _axes(source)]
        targets = [_axis(axis, rank) for axis in _axes(destination)]
        if len(sources) != len(targets):
            raise ValueError("moveaxis: source and destination must have as many axes")
        order = [axis for axis in range(rank) if axis not in sources]
        for target, axis in sorted(zip(targets, sources)):
            order.insert(target, axis)
        text = f"moveaxis({_plain(source)}, {_plain(destination)})"
        return self._then(text, self.chain.permute(order))

    def expand_dims(self, axis: Any) -> Traced:
        """As ``numpy.expand_dims``."""
        axes = _axes(axis)
        chain = self.chain
        for one in sorted(_axis(a, self.ndim + len(axes)) for a in axes):
            chain = chain.unsqueeze(one)
        return self._then(f"expand_dims({_plain(axis)})", chain)

    def flip(self, axis: Any = None) -> Traced:
        """As ``numpy.flip``."""
        axes = range(self.ndim) if axis is None else _axes(axis)
        text = "flip()" if axis is None else f"flip({_plain(axis)})"
        return self._then(text, self.chain.flip(tuple(axes)))

    def broadcast_to(self, shape: Any) -> Traced:
        """As ``numpy.broadcast_to``."""
        sizes = _axes(shape)
        return self._then(f"broadcast_to({_plain(sizes)})", self.chain.broadcast_to(sizes))

    def pad(self, pad_width: Any, mode: str = "constant", **options: Any) -> Traced:
        """As ``numpy.pad``, with a constant."""
        if mode != "constant" or set(options) - {"constant_values"}:
            raise TypeError("only a pad with a constant is traced: other modes are no views")
        amounts = _pad_amounts(pad_width, self.ndim)
        return self._then(f"pad({_plain(amounts)})", self.chain.pad(amounts))

    def __array_function__(
        self, func: Any, types: Any, args: Tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        name = getattr(func, "__name__", "")
        method = _FUNCTIONS.get(name)
        if method is None or not args or not isinstance(args[0], Traced):
            raise TypeError(f"numpy.{name} is not traced: it is no view of its argument")
        kwargs = {_RENAMED.get(key, key): value for key, value in kwargs.items()}
        return method(*args, **kwargs)


def _reshape(t: Traced, shape: Any, order: str = "C", copy: Optional[bool] = None) -> Traced:
    return t.reshape(shape, order=order, copy=copy)


def _transpose(t: Traced, axes: Any = None) -> Traced:
    return t.transpose() if axes is None else t.transpose(axes)


def _broadcast_to(t: Traced, shape: Any, subok: bool = False) -> Traced:
    return t.broadcast_to(shape)


_FUNCTIONS: dict[str, Callable[..., Traced]] = {
    "reshape": _reshape,
    "ravel": Traced.ravel,
    "transpose": _transpose,
    "permute_dims": _transpose,
    "matrix_transpose": lambda t: t.mT,
    "swapaxes": Traced.swapaxes,
    "moveaxis": Traced.moveaxis,
    "squeeze": Traced.squeeze,
    "expand_dims": Traced.expand_dims,
    "flip": Traced.flip,
    "flipud": lambda t: t.flip(0),
    "fliplr": lambda t: t.flip(1),
    "broadcast_to": _broadcast_to,
    "pad": Traced.pad,
}
_RENAMED = {"newshape": "shape"}

for _public in (trace, Traced):
    _public.__module__ = "viewmerge"


def _axes(value: Any) -> Tuple[int, ...]:
    """An int, or a sequence of them, as a tuple."""
    if hasattr(value, "__index__"):
        return (value.__index__(),)
    return tuple(item.__index__() for item in value)


def _spread(values: Sequence[Any]) -> Tuple[int, ...]:
    """Numbers one by one, or one sequence of them."""
    return _axes(values[0]) if len(values) == 1 else _axes(values)


def _axis(axis: int, rank: int) -> int:
    """The axis counted from the front."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} does not exist in {rank} axes")
    return axis % rank


def _pad_amounts(pad_width: Any, rank: int) -> Tuple[Tuple[int, int], ...]:
    """What numpy.pad takes, as a pair for every axis."""
    if isinstance(pad_width, dict):
        amounts = [(0, 0)] * rank
        for axis, width in pad_width.items():
            amounts[_axis(axis, rank)] = _pair(width)
        return tuple(amounts)
    if hasattr(pad_width, "__index__"):
        return ((pad_width.__index__(),) * 2,) * rank
    rows = list(pad_width)
    if all(hasattr(row, "__index__") for row in rows):
        return (_pair(rows),) * rank
    pairs = tuple(_pair(row) for row in rows)
    return pairs * rank if len(pairs) == 1 else pairs


def _pair(width: Any) -> Tuple[int, int]:
    numbers = _axes(width)
    if len(numbers) not in (1, 2):
        raise ValueError(f"pad: {numbers} is no (before, after)")
    return numbers[0], numbers[-1]


def _join(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def _plain(value: Any) -> str:
    return str(tuple(value)) if isinstance(value, list) else str(value)


def _subscript(key: Any) -> str:
    def one(item: Any) -> str:
        if isinstance(item, slice):
            start, stop = (("" if b is None else str(b)) for b in (item.start, item.stop))
            return f"{start}:{stop}" + ("" if item.step is None else f":{item.step}")
        return "..." if item is Ellipsis else str(item)

    return ", ".join(one(item) for item in key) if isinstance(key, tuple) else one(key)
