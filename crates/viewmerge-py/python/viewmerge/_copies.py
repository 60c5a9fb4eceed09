"""Why an array is copied, and the cheapest way out."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, Iterable, NamedTuple, Optional, Sequence, SupportsIndex, Tuple, Union

from ._core import Verdict, View, ViewChain, merge
from ._questions import explain
from ._records import Explanation
from ._types import Op


class Stage(NamedTuple):
    """A chain after one more op."""

    op: str
    """The op as text; what it started from, at stage 0."""
    chain: ViewChain
    is_view: bool
    """Whether the chain, up to here, is one view."""


class Fix(NamedTuple):
    """One copy after which the rest is a view."""

    stage: int
    """The copy is made after this stage; 0 is before the first op."""
    elements: int
    """How many elements are copied."""
    compact: bool
    """Whether only the distinct elements of a broadcast are copied, and broadcast again."""
    rest: View
    """What the copy is then seen through."""
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class CopyReport:
    """Whether some ops on an array are a view; true if they are, ``str`` tells all."""

    stages: Tuple[Stage, ...]
    explanation: Explanation
    fix: Optional[Fix]
    """The cheapest copy that helps; None if there is nothing to copy."""

    @property
    def chain(self) -> ViewChain:
        """The chain after all ops."""
        return self.stages[-1].chain

    @property
    def verdict(self) -> Verdict:
        """Whether the whole is one view."""
        return self.explanation.verdict

    @property
    def view(self) -> Optional[View]:
        """The one view, or None."""
        return self.verdict.view

    @property
    def is_view(self) -> bool:
        """Whether nothing needs to be copied."""
        return bool(self.verdict)

    @property
    def broke(self) -> Optional[int]:
        """The number of the first op after which it was not one view, counted from 1; None if there is none."""
        return first_break(self.stages)

    @property
    def reshape(self) -> Optional[Tuple[int, ...]]:
        """The coarsest shape with the last one's axes cut that needs no copy; None if there is none, or no need."""
        if self.is_view:
            return None
        tiling = self.chain.split()
        return tiling.shape if tiling.is_exact else None

    def __bool__(self) -> bool:
        return self.is_view

    def __str__(self) -> str:
        lines = [str(self.explanation)]
        if self.broke is not None and len(self.stages) > 2:
            lines.append(f"It broke at op {self.broke}, {self.stages[self.broke].op}.")
        if self.fix is not None:
            lines.append(f"Cheapest: {self.fix}")
        op = self.stages[-1].op
        if self.reshape is not None and op.startswith("reshape"):
            lines.append(f"Without a copy: reshape{self.reshape} instead of {op} is a view.")
        return "\n".join(lines)

    def svg(self, *, title: Optional[str] = None, most_cells: Optional[int] = None) -> str:
        """The picture: the steps between neighbours, those that differ standing out."""
        return self.explanation.svg(title=title, most_cells=most_cells)

    def _repr_svg_(self) -> str:
        return self.svg()


for _class in (Stage, Fix, CopyReport):
    _class.__module__ = "viewmerge"


def first_break(stages: Sequence[Stage]) -> Optional[int]:
    """The first stage that is not one view."""
    broken = (number for number, stage in enumerate(stages) if not stage.is_view)
    return next(broken, None)


def start(x: Any) -> ViewChain:
    """The chain to begin with: an array's view, a view or a chain."""
    if isinstance(x, ViewChain):
        return x
    return ViewChain(x if isinstance(x, (View, str)) else View.of(x))


def is_view(chain: ViewChain) -> bool:
    return len(chain.views) == 1 or bool(chain.merge())


def apply(chain: ViewChain, op: Op) -> ViewChain:
    """The chain after an op: text as in the notation, or (name, argument, ...)."""
    if isinstance(op, str):
        return ViewChain.parse(f"{chain} | {op}")
    return chain.apply(op)


def op_text(op: Op) -> str:
    """An op as people write it."""
    if isinstance(op, str):
        return op.strip()
    name, *arguments = list(op)
    return f"{name}({', '.join(_argument(a) for a in arguments)})"


def _argument(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_argument(v) for v in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)


def why_copy(
    x: Any,
    new_shape: Union[SupportsIndex, Sequence[SupportsIndex], None] = None,
    *,
    ops: Optional[Iterable[Op]] = None,
) -> CopyReport:
    """Whether a reshape of an array, or a list of ops on it, is a view; if not, why, and what helps.

    ``x`` is an array, a view or a chain. An op is text as in ``ViewChain.parse``, or
    (name, argument, ...).

    >>> import numpy
    >>> report = why_copy(numpy.zeros((2, 3)).T, 6)
    >>> report.is_view, report.fix.elements
    (False, 6)
    >>> print(report)  # doctest: +NORMALIZE_WHITESPACE
    Not one view: along axis 0 the step from (0) is 3, but from (1) it is -2. There view 0 moves
    on from axis 1 to axis 0, but axis 0 has stride 1 and would need 6 to be contiguous to axis 1.
    It would be one view if axis 0 of view 0 had stride 6, or if axis 0 of the last view were at
    most 2 long, or with axis 0 of 6 cut into 3 by 2, or after a copy of the 6 elements of view 1.
    Cheapest: copy the 6 elements of the array, before reshape(6); the rest is the view (6):(1).
    Without a copy: reshape(3, 2) instead of reshape(6) is a view.
    >>> why_copy(numpy.zeros((2, 3)), (3, 2)).view
    View((3, 2), (2, 1))
    >>> why_copy(View((2, 3)), ops=["permute(1,0)", ("reshape", 6), ("expand", 100, 6)]).broke
    2
    """
    if (new_shape is None) == (ops is None):
        raise TypeError("why_copy takes either a new shape or ops=")
    chosen: list[Op] = [("reshape", new_shape)] if ops is None else list(ops)
    chain = start(x)
    stages = [Stage(str(chain), chain, is_view(chain))]
    for op in chosen:
        chain = apply(chain, op)
        stages.append(Stage(op_text(op), chain, is_view(chain)))
    return report(stages)


def report(stages: Sequence[Stage]) -> CopyReport:
    """What there is to say on some stages."""
    explanation = explain(stages[-1].chain)
    fix = None if explanation else cheapest_fix(stages)
    return CopyReport(tuple(stages), explanation, fix)


def cheapest_fix(stages: Sequence[Stage]) -> Optional[Fix]:
    """The copy of fewest elements after which the rest is a view."""
    views = stages[-1].chain.views
    best: Optional[Tuple[int, int, bool, View]] = None
    for number, view in enumerate(views):
        for compact, copied in ((True, _compact(view)), (False, View(view.shape))):
            if copied is None:
                continue
            elements = _distinct(copied)
            if best is None or elements < best[0]:
                rest = merge(copied, *views[number + 1 :]).view
                if rest is not None:
                    best = (elements, number, compact, rest)
    if best is None:
        return None
    elements, number, compact, rest = best
    # The view was last changed by the stage before a further one went on top of it.
    last = [k for k, stage in enumerate(stages) if len(stage.chain.views) <= number + 1]
    stage = last[-1] if last else 0
    distinct = "distinct elements" if compact else "elements"
    what = "the array" if stage == 0 else f"the result of {stages[stage].op}"
    if not last:
        what = f"view {number} of the chain at the start"
    when = f", before {stages[stage + 1].op}" if stage + 1 < len(stages) else ""
    text = f"copy the {elements} {distinct} of {what}{when}; the rest is the view {rest}."
    return Fix(stage, elements, compact, rest, text)


def _compact(view: View) -> Optional[View]:
    """A broadcast view, after its distinct elements were copied in order; None if it is none."""
    if view.mask is not None or view.is_empty or _distinct(view) == view.count:
        return None
    sizes = [size if stride else 1 for size, stride in zip(view.shape, view.strides)]
    return View(sizes).expand(view.shape)


def _distinct(view: View) -> int:
    """The number of elements without those that are broadcast."""
    return prod(size for size, stride in zip(view.shape, view.strides) if stride)

