"""Answers as plain data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Tuple, Union

from ._core import Verdict, View, ViewChain

Index = Tuple[int, ...]


class MergedDim(NamedTuple):
    """Neighbouring axes that can be fused."""

    size: int
    """The product of the sizes."""
    stride: int
    """The stride of the last axis."""
    real_size: int
    """How many elements in memory back the group."""


class CopyPlan(NamedTuple):
    """Copy once, and the rest is one view of the copy."""

    view: int
    """Elements of this view, counted from the memory side, are copied in order."""
    stored: Tuple[Tuple[int, int], ...]
    """Those with these indices: an interval for every axis, of one index where they repeat."""
    elements: int
    """How many that is."""
    rest: View
    """What the copy is then seen through."""


class Linear(NamedTuple):
    """``constant + sum(axes[l] * i[l]) + sum(floors[k] * f[k])``."""

    constant: int
    axes: Tuple[int, ...]
    floors: Tuple[int, ...]


class FloorTerm(NamedTuple):
    """A floor of a form, ``operand // divisor``."""

    operand: Linear
    divisor: int
    range: Tuple[int, int]
    """The smallest and largest value where it is looked at."""


class Guard(NamedTuple):
    """A condition on an index, ``lower <= function < upper`` where given."""

    function: Linear
    lower: Optional[int]
    upper: Optional[int]


class Equation(NamedTuple):
    """A sum of coefficient times stride that must be 0, and the two steps it comes from."""

    coefficients: Tuple[int, ...]
    axis: int
    """The axis of the upper view along which the steps are taken."""
    at: Index
    other: Index
    grown: int
    """The axis that has to be long enough for it, those behind it at their full length."""
    length: int
    """The length of the grown axis from which on the equation is needed."""
    text: str

    def __str__(self) -> str:
        return self.text


def equations(parts: list[Tuple[Any, ...]]) -> Tuple[Equation, ...]:
    return tuple(Equation(*part) for part in parts)


class BlamedAxes(NamedTuple):
    """Two axes that are not contiguous to each other, where the position carries from one into the other."""

    view: int
    outer: int
    inner: int
    stride: int
    """The stride of the outer axis."""
    contiguous: int
    """The stride it would have if it were contiguous to the inner one."""


class BlamedMask(NamedTuple):
    """An axis's mask, which leaves a set of valid indices that is not a box."""

    view: int
    axis: int
    across: Tuple[int, ...]
    """The axes of the last view in which the two valid indices differ."""


Blame = Union[BlamedAxes, BlamedMask]


class Carry(NamedTuple):
    """A carry from one axis into another, compared with the first step along the axis."""

    outer: int
    inner: int
    jump: int
    """What one carry adds."""
    extra: int
    """How many times more often: 1 or -1."""


class Reason(NamedTuple):
    """A part of the reason why a chain is one view; fields of other kinds are None."""

    kind: str
    """"single", "nothing_valid", "line", "contiguous", "one_index", "steady", "cancel" or "together"."""
    view: Optional[int] = None
    outer: Optional[int] = None
    inner: Optional[int] = None
    axis: Optional[int] = None
    at: Optional[Index] = None
    """Where the first step starts at which something overflows otherwise."""
    carries: Optional[Tuple[int, ...]] = None
    """For each axis whether its steps carry: 0, or 1, or -1 where the position falls."""
    overflows: Optional[Tuple[Carry, ...]] = None
    """What overflows there, and cancels."""
    first: Optional[int] = None
    last: Optional[int] = None
    """The views that are one only together."""


class Remedies(NamedTuple):
    """What would make a chain one view; every entry was tried."""

    stride: Optional[Tuple[int, int, int]]
    """Another stride: (view, axis, stride)."""
    length: Optional[Tuple[int, int]]
    """A shorter axis of the last view: (axis, length)."""
    copy: Optional[CopyPlan]
    """A copy."""


@dataclass(frozen=True)
class Equivalence:
    """Whether two chains are the same function; true if they are."""

    kind: str
    """"same", "shapes" if the shapes differ, or "differ"."""
    index: Optional[Index] = None
    """An index where they differ."""

    @property
    def same(self) -> bool:
        """Whether they are the same."""
        return self.kind == "same"

    def __bool__(self) -> bool:
        return self.same


@dataclass(frozen=True)
class Explanation:
    """A verdict with its reasons; true if the chain is one view, and ``str`` is the text."""

    chain: ViewChain
    verdict: Verdict
    because: Tuple[Reason, ...]
    """Why it is one view; empty if it is not."""
    blame: Tuple[Blame, ...]
    remedies: Remedies
    text: str = field(repr=False)

    def __bool__(self) -> bool:
        return bool(self.verdict)

    def __str__(self) -> str:
        return self.text

    def svg(self, *, title: Optional[str] = None, most_cells: Optional[int] = None) -> str:
        """The picture: the steps between neighbours, with those that differ highlighted."""
        return self.chain.svg(merge=True, title=title, most_cells=most_cells)

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True)
class OverflowRow:
    """One index of the upper view, and the step that leads to it."""

    index: Index
    position: Optional[int]
    """Its linear position in the lower view; None for padding."""
    digits: Optional[Index]
    """The digits of the position; None for padding, of either view."""
    axis: Optional[int]
    """The axis of the step that leads here; None where no step between valid indices does."""
    overflows: Tuple[int, ...]
    """The axes of the lower view whose digit overflowed into the one before it."""
    equation: Optional[Tuple[int, ...]]
    """The coefficients of the equation the step gives, if it is not 0 = 0."""
    new: bool
    """Whether the equation does not follow from those above it."""
    holds: Optional[bool]
    """Whether the given strides satisfy the equation, if they are all given."""
    solved: Tuple[str, ...]
    """All equations so far, solved."""


@dataclass(frozen=True)
class OverflowTable:
    """How the digits of the lower view move, index by index."""

    rows: Tuple[OverflowRow, ...]
    elided: bool
    """Whether only the rows with a new equation, and those they start from, are listed."""
    _text: str = field(repr=False)
    _markdown: str = field(repr=False)
    _latex: str = field(repr=False)

    def to_text(self) -> str:
        """Aligned columns; digits are numbered from 1, like the strides."""
        return self._text

    def to_markdown(self) -> str:
        """A Markdown table."""
        return self._markdown

    def to_latex(self) -> str:
        """A LaTeX ``tabular``."""
        return self._latex

    def __str__(self) -> str:
        return self._text

    def _repr_markdown_(self) -> str:
        return self._markdown


for _class in (
    MergedDim,
    CopyPlan,
    Linear,
    FloorTerm,
    Guard,
    Equation,
    BlamedAxes,
    BlamedMask,
    Carry,
    Reason,
    Remedies,
    Equivalence,
    Explanation,
    OverflowRow,
    OverflowTable,
):
    _class.__module__ = "viewmerge"
