"""The splits over which a chain with unknown sizes is one view."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Tuple, Union

from . import _core
from ._core import View
from ._sym import by_name
from ._symbolic_answers import Language, SymbolicView, view_of


@dataclass(frozen=True)
class SymbolicSplit:
    """A split, the view over its factors, and the condition of their case."""

    when: Any
    """A condition in Python's syntax, or of sympy for a chain of sympy's sizes; None for always."""
    factors: Tuple[Tuple[Any, ...], ...]
    """For every axis the factors it is cut into, slowest first; one factor if it is not cut."""
    view: SymbolicView
    """The view over all the factors."""

    @property
    def is_trivial(self) -> bool:
        """Whether no axis is cut: the chain is one view as it stands."""
        return all(len(axis) == 1 for axis in self.factors)

    def __str__(self) -> str:
        if self.is_trivial:
            return str(self.view)
        axes = [str(axis[0]) if len(axis) == 1 else f"({','.join(map(str, axis))})" for axis in self.factors]
        return f"over ({','.join(axes)}): {self.view}"


class SymbolicSplitting:
    """For which sizes a chain is one view over a split, and the coarsest such split; true if one exists for
    all sizes.

    The first case whose condition holds applies; if none does, it is not one view over any split. The
    answer is exact in both directions except where ``open`` holds.

    >>> K = sym("K")
    >>> answer = SymbolicChain.parse("(9,4):(7,1) | flatten() | shrink((0,K))", K).split()
    >>> answer.verdict, answer.cases[-1].factors
    ('when', ((Sym('K//4'), 4),))
    >>> answer.at(K=12)
    (((3, 4),), View((3, 4), (7, 1)))
    >>> answer.at(K=10)
    'none'
    """

    def __init__(self, core: _core.SymbolicCut, language: Language) -> None:
        found = json.loads(core.to_json())
        self._core = core
        self.verdict: str = found["verdict"]
        """"always", "when" or "never"."""
        self.requires: Any = language.condition(found["requires"])
        """What the ops need of the sizes; None for nothing."""
        self.rest: bool = found["rest"]
        """Whether no case holds for some parameters, where nothing is open."""
        self.open: Any = language.condition(found["open"])
        """Where it is not decided; None for nowhere."""
        self.cases: Tuple[SymbolicSplit, ...] = tuple(
            SymbolicSplit(
                language.condition(case["when"]),
                tuple(tuple(map(language.expr, axis)) for axis in case["split"]),
                view_of(case["view"], language),
            )
            for case in found["cases"]
        )
        """The splits and when they count."""

    def at(
        self, values: Optional[Mapping[Any, int]] = None, **named: int
    ) -> Union[Tuple[Tuple[Tuple[int, ...], ...], View], str]:
        """The factors and the view over them at these sizes; "none" if there are none, "open" if undecided, "refused"
        if an op is not allowed there.

        >>> N = sym("N")
        >>> SymbolicChain.contiguous(N, 2).permute(1, 0).flatten().split().at({N: 3})
        (((2, 3),), View((2, 3), (1, 2)))
        """
        kind, found = self._core.at(list(by_name(values, named).items()))
        if found is None:
            return kind
        factors, view = found
        return tuple(tuple(axis) for axis in factors), view

    def conditions(self, style: str = "c") -> Tuple[str, ...]:
        """The conditions of the cases as C ("c") or as mathematics ("math") has them.

        >>> N, M = sym("N"), sym("M")
        >>> SymbolicChain.contiguous(N, M).permute(1, 0).flatten().split().conditions()
        ('M == 1 || N == 1', 'M >= 2 && N >= 2')
        """
        if style not in ("c", "math"):
            raise TypeError(f'conditions are written in the style "c" or "math", not {style!r}')
        return tuple(self._core.written(style == "math")[0])

    def __bool__(self) -> bool:
        return self.verdict == "always"

    def __str__(self) -> str:
        lines = [] if self.requires is None else [f"requires {self.requires}"]
        for case in self.cases:
            when = "always" if case.when is None else f"if {case.when}"
            between = ": " if case.is_trivial else " "
            lines.append(f"one view {when}{between}{case}")
        if self.open is not None:
            lines.append(f"undecided if {self.open}")
        if self.verdict == "never":
            lines.append("never one view over a split")
        elif self.rest:
            lines.append("otherwise not one view over any split")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<SymbolicSplitting {self.verdict}: {len(self.cases)} case{'' if len(self.cases) == 1 else 's'}>"


for _public in (SymbolicSplit, SymbolicSplitting):
    _public.__module__ = "viewmerge"
