"""The questions whose answers are records."""

from __future__ import annotations

from typing import Any, Optional

from . import _core
from ._core import ViewChain
from ._records import (
    Blame,
    BlamedAxes,
    BlamedMask,
    Carry,
    CopyPlan,
    Equivalence,
    Explanation,
    MergedDim,
    OverflowRow,
    OverflowTable,
    Reason,
    Remedies,
)
from ._types import ChainLike, PatternLike, ViewLike


def equivalent(a: ChainLike, b: ChainLike) -> Equivalence:
    """Whether two chains are the same function; if not, an index where they differ.

    >>> bool(equivalent("(4,6) | permute(1,0)", "(6,4):(1,6)"))
    True
    >>> equivalent("(2,3) | reshape(6)", "(2,3) | permute(1,0) | reshape(6)").index is None
    False
    """
    return Equivalence(*_core.equivalence(a, b))


def merge_dims(view: ViewLike) -> tuple[MergedDim, ...]:
    """The groups of axes that can be fused, first axis first.

    >>> merge_dims("(2,3,4):(24,4,1)")
    (MergedDim(size=2, stride=24, real_size=2), MergedDim(size=12, stride=1, real_size=12))
    """
    return tuple(MergedDim(*part) for part in _core.merged_dims(view))


def _plan(parts: Optional[tuple[Any, ...]]) -> Optional[CopyPlan]:
    return None if parts is None else CopyPlan(*parts)


def _blame(part: tuple[Any, ...]) -> Blame:
    return BlamedAxes(*part[1:]) if part[0] == "axes" else BlamedMask(*part[1:])


def _reason(kind: str, fields: dict[str, Any]) -> Reason:
    if "overflows" in fields:
        fields["overflows"] = tuple(Carry(*part) for part in fields["overflows"])
    return Reason(kind, **fields)


def explain(chain: ChainLike) -> Explanation:
    """Explains why a chain is one view, or why not.

    >>> why = explain("(2,3) | permute(1,0) | reshape(6)")
    >>> print(why)  # doctest: +NORMALIZE_WHITESPACE
    not one view: the step along axis 0 is +3 at (0), but −2 at (1)
      view 0  (3,2):(1,3)  after permute(1,0)
      view 1  (6):(1)      reshape(6)          ← breaks here: axis 1 of view 0 carries into axis 0,
    which has stride 1 and would need 6
    why     (0) → (1) is +3: digits of view 0 (0,0) → (0,1)
            (1) → (2) is −2: digits of view 0 (0,1) → (1,0), axis 1 carries into axis 0 (−5)
    fixes   split axis 0 into 3 × 2            → (3,2):(1,3), no copy
            copy 6 elements before reshape(6)  → (6):(1)
            keep at most 2 along axis 0
            give axis 0 of view 0 the stride 6
    >>> why.blame[0].outer, why.remedies.copy.elements
    (0, 6)
    >>> explain("(10,3,3):(8,1,2) | (4):(4)").because[0].overflows
    (Carry(outer=1, inner=2, jump=-5, extra=1), Carry(outer=0, inner=1, jump=5, extra=1))
    """
    chain = chain if isinstance(chain, ViewChain) else ViewChain(chain)
    verdict, reasons, parts, (stride, length, copy), text = _core.reasons(chain)
    because = tuple(_reason(*part) for part in reasons)
    blame = tuple(_blame(part) for part in parts)
    return Explanation(chain, verdict, because, blame, Remedies(stride, length, _plan(copy)), text)


def cheapest_copy(chain: ChainLike) -> Optional[CopyPlan]:
    """Where to copy the fewest elements so that the rest is one view of the copy.

    None if the chain is one view.

    >>> cheapest_copy("(2,3) | permute(1,0) | reshape(6) | expand(100,6)")
    CopyPlan(view=0, stored=((0, 3), (0, 2)), elements=6, rest=View((100, 6), (0, 1)))
    """
    return _plan(_core.copy_plan(chain))


def overflow_table(below: PatternLike, above: ViewLike, most_rows: int = 40) -> OverflowTable:
    """How the digits of a view move as another one steps through it.

    All rows are listed if there are at most ``most_rows`` (65536 at most).

    >>> print(overflow_table("(4,3)", "(3):(2)"))
    index  digits  overflow  equation  solved
    (0)    (0,0)
    (1)    (0,2)
    (2)    (1,1)   1 → 0     σ₁ = 3σ₂  σ₁ = 3σ₂
    <BLANKLINE>
    """
    rows, elided, text, markdown, latex = _core.table(below, above, most_rows)
    return OverflowTable(tuple(OverflowRow(*row) for row in rows), elided, text, markdown, latex)
