"""CuTe layouts, decided exactly: every operation returns a layout, or raises with the reason why none exists.

>>> from viewmerge.cute import Layout
>>> print(Layout("(10,2):(16,4)") @ Layout("(3,4):(1,5)"))
(3,(2,2)):(16,(80,4))
>>> Layout("(6,2):(1,7)") @ Layout("(3,2):(2,3)")
Traceback (most recent call last):
    ...
viewmerge.cute.NoLayout: along mode 0 the move by 1 from (1, 1) is 3, but from (1, 0) it is 2
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple, Union

from . import _core
from ._core import View

IntTuple = Union[int, Tuple[Any, ...]]

__all__ = ["Conflicts", "Layout", "NoLayout", "Tiler", "banks"]


class NoLayout(ValueError):
    """No layout exists; ``witness`` shows why."""

    def __init__(self, witness: Dict[str, Any]) -> None:
        self.witness = witness
        super().__init__(_words(witness))


def _words(witness: Dict[str, Any]) -> str:
    def at(name: str) -> str:
        return str(tuple(witness[name]))

    kind = witness["kind"]
    if kind in ("not_separable", "uneven"):
        return (
            f"along mode {witness['mode']} the move by {witness['by']} from {at('at')} is "
            f"{witness['step']}, but from {at('other')} it is {witness['other_step']}"
        )
    if kind == "off_grid":
        return (
            f"mode {witness['mode']} of {witness['size']} must be cut at every {witness['place']} elements, "
            f"which does not fit {witness['next']}"
        )
    rest = ", ".join(f"{name} {value}" for name, value in witness.items() if name != "kind")
    return f"{kind}: {rest}"


def _spelled(numbers: Any) -> str:
    if isinstance(numbers, (tuple, list)):
        return f"({','.join(_spelled(number) for number in numbers)})"
    return str(int(numbers))


def _nested(text: str) -> IntTuple:
    value = json.loads(text.replace("(", "[").replace(")", "]"))

    def tuples(value: Any) -> IntTuple:
        return tuple(tuples(item) for item in value) if isinstance(value, list) else int(value)

    return tuples(value)


class Layout:
    """A layout: a shape and strides, nested alike, the first mode fastest.

    From text, from a shape and strides, from a view, or from any object with ``shape`` and
    ``stride``, such as the layouts of pycute and tensor-layouts.

    >>> Layout((4, (2, 2)), (1, (8, 4)))
    Layout((4, (2, 2)), (1, (8, 4)))
    >>> Layout("4:2").cosize()
    7
    >>> Layout((4, 8)).stride
    (1, 4)
    """

    __slots__ = ("_text",)
    _text: str

    def __init__(self, shape: Any, stride: Optional[IntTuple] = None) -> None:
        if isinstance(shape, Layout):
            text = shape._text
        elif isinstance(shape, str):
            text = shape
        elif isinstance(shape, View):
            if shape.offset != 0 or shape.mask is not None:
                raise ValueError("a layout has neither offset nor padding")
            text = f"{_spelled(shape.shape[::-1])}:{_spelled(shape.strides[::-1])}"
        elif stride is not None:
            text = f"{_spelled(shape)}:{_spelled(stride)}"
        elif hasattr(shape, "shape") and hasattr(shape, "stride") and not callable(shape.stride):
            text = f"{_spelled(shape.shape)}:{_spelled(shape.stride)}"
        else:
            text = _spelled(shape)
        # Parse once, so that errors are raised here; this also fills in missing strides.
        self._text = json.loads(_core.cute("plain", text))["layout"]

    @property
    def shape(self) -> IntTuple:
        """The sizes, nested."""
        return _nested(self._text.split(":")[0])

    @property
    def stride(self) -> IntTuple:
        """The strides, nested."""
        return _nested(self._text.split(":")[1])

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Layout({self.shape!r}, {self.stride!r})"

    def __eq__(self, other: object) -> bool:
        """Whether the spelling is the same; ``equal`` compares the functions."""
        return isinstance(other, Layout) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __matmul__(self, other: Any) -> Layout:
        return self.compose(other)

    def __call__(self, position: int) -> int:
        """The value at a position."""
        value = self.view().at(position)
        # A layout has no padding.
        assert value is not None
        return value

    def view(self) -> View:
        """The view that is this function of the row-major position: the flattened modes in reverse."""
        return View(_flat(self.shape)[::-1], _flat(self.stride)[::-1])

    def svg(self, *, title: Optional[str] = None, most_cells: Optional[int] = None) -> str:
        """The picture: mode 0 in rows, mode 1 in columns, and lines where modes are nested.

        >>> Layout("((2,2),4):((1,8),2)").svg().startswith("<svg")
        True
        """
        return _core.layout_svg(self._text, title=title, most_cells=most_cells)

    def thread_value_svg(
        self,
        tile: Optional[Tuple[int, int]] = None,
        *,
        colour: str = "thread",
        title: Optional[str] = None,
        most_cells: Optional[int] = None,
    ) -> str:
        """The picture of (thread, value) -> position: the tile, with the holder of every cell.

        Cells are coloured by "thread" or by "value".

        >>> "T7" in Layout("((4,2),2):((2,8),1)").thread_value_svg((2, 8))
        True
        """
        if colour not in ("thread", "value"):
            raise ValueError(f'colour is {colour!r}, but must be "thread" or "value"')
        return _core.layout_svg(self._text, colour, tile, title, most_cells)

    def _repr_svg_(self) -> str:
        return self.svg()

    def to(self, kind: Any) -> Any:
        """The same layout as an object of another class, called with shape and stride."""
        return kind(self.shape, self.stride)

    def _value(self, operation: str, b: Optional[str] = None) -> int:
        return int(json.loads(_core.cute(operation, self._text, b))["value"])

    def _layout(self, operation: str, b: Optional[str] = None, extend: bool = False) -> Layout:
        answer = json.loads(_core.cute(operation, self._text, b, extend))
        if answer["layout"] is None:
            raise NoLayout(answer["witness"])
        return Layout(answer["layout"])

    def size(self) -> int:
        """The number of positions."""
        return self._value("size")

    def cosize(self) -> int:
        """One more than the largest value."""
        return self._value("cosize")

    def compose(self, other: Any, *, extend: bool = False) -> Layout:
        """This layout ∘ other; with ``extend``, the last mode is extended as far as needed."""
        return self._layout("compose", _operand(other), extend)

    def coalesce(self, profile: Optional[IntTuple] = None) -> Layout:
        """The same function with the fewest modes."""
        return self._layout("coalesce", None if profile is None else _spelled(profile))

    def complement(self, size: Optional[int] = None) -> Layout:
        """What this layout leaves out, up to a size."""
        return self._layout("complement", None if size is None else str(int(size)))

    def left_inverse(self) -> Layout:
        """A layout that maps this one's values back to their positions."""
        return self._layout("left_inverse")

    def right_inverse(self) -> Layout:
        """The longest layout R with ``self(R(i)) == i``."""
        return self._layout("right_inverse")

    def logical_divide(self, tiler: Any) -> Layout:
        """(tile, tiles); with a ``Tiler``, in every mode."""
        return self._layout("logical_divide", _operand(tiler))

    def zipped_divide(self, tiler: Any) -> Layout:
        """The same, with the tiles' modes together."""
        return self._layout("zipped_divide", _operand(tiler))

    def tiled_divide(self, tiler: Any) -> Layout:
        """The same, with each rest as a mode of its own."""
        return self._layout("tiled_divide", _operand(tiler))

    def logical_product(self, other: Any) -> Layout:
        """This layout, and its copies at the places of the other one."""
        return self._layout("logical_product", _operand(other))

    def blocked_product(self, other: Any) -> Layout:
        """The same, mode by mode, in blocks."""
        return self._layout("blocked_product", _operand(other))

    def raked_product(self, other: Any) -> Layout:
        """The same, mode by mode, interleaved."""
        return self._layout("raked_product", _operand(other))

    def equal(self, other: Any) -> bool:
        """Whether both are the same function."""
        return bool(self._value("equal", _operand(other)))

    def is_injective(self) -> bool:
        """Whether no value occurs twice."""
        return bool(self._value("is_injective"))


class Tiler:
    """A layout for each mode.

    >>> print(Layout((12, 32)).zipped_divide(Tiler(Layout(4), Layout(8))))
    ((4,8),(3,4)):((1,12),(4,96))
    """

    __slots__ = ("layouts",)

    def __init__(self, *layouts: Any) -> None:
        self.layouts: Sequence[Layout] = tuple(Layout(layout) for layout in layouts)

    def __str__(self) -> str:
        return f"<{','.join(str(layout) for layout in self.layouts)}>"


@dataclass(frozen=True)
class Conflicts:
    """How often threads that read at once need different words of one bank; ``str`` is the text."""

    degree: int
    """The most words that one bank is asked for at once: 1 for no conflict."""
    lanes: int
    """The threads of a transaction."""
    transactions: int
    cycles: int
    """What all transactions take; as many as there are transactions if nothing conflicts."""
    degrees: Tuple[Tuple[int, int], ...]
    """Every degree that occurs, and in how many transactions."""
    worst: Optional[Dict[str, Any]]
    """The bank of the worst transaction, and the threads and words there."""
    text: str

    def __str__(self) -> str:
        return self.text


def banks(
    memory: Any,
    pattern: Any = None,
    *,
    bytes: int = 4,
    vector: int = 1,
    banks: int = 32,
    width: int = 4,
    lanes: Optional[int] = None,
) -> Conflicts:
    """Bank conflicts of threads that read a memory, counted exactly: ``viewmerge cute banks``.

    ``memory`` is a layout, or the text of a layout, possibly swizzled; ``pattern`` maps (thread, values) to its positions, and
    defaults to the memory's own layout. An element has ``bytes`` bytes; a thread reads ``vector`` values at once.

    >>> print(banks("(32,32):(32,1)", "32:1"))
    32-way conflicts: threads 0, 1, 2, 3, … read words 0, 32, 64, 96, …, all in bank 0
    1 transaction of 32 threads takes 32 cycles, 1 without conflicts
    >>> banks("Sw<3,3,3> o 0 o (8,64):(64,1)", "(8,8):(1,8)", bytes=2, vector=8).degree
    1
    """
    text, answer = _core.cute_banks(
        str(memory), None if pattern is None else str(pattern), bytes, vector, banks, width, lanes
    )
    found = json.loads(answer)
    degrees = tuple((degree, count) for degree, count in found.pop("degrees"))
    return Conflicts(degrees=degrees, text=text, **found)


def _operand(other: Any) -> str:
    return str(other) if isinstance(other, Tiler) else str(Layout(other))


def _flat(numbers: IntTuple) -> Tuple[int, ...]:
    if isinstance(numbers, tuple):
        return tuple(number for item in numbers for number in _flat(item))
    return (numbers,)
