"""Answers about chains with unknown sizes, in the language of the question.

Expressions of an answer are in Python's syntax; they become ``Sym``, expressions of sympy or ``SymInt``, like the
sizes given.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _core
from ._core import View
from ._languages import Builder, Names, write
from ._sym import Declared, Sym, by_name, joined, of_two

MOST_CHARACTERS = 20_000


class _SymBuilder(Builder):
    """Builds ``Sym`` from answers; conditions stay texts."""

    def __init__(self, names: Names, params: Mapping[str, Declared]) -> None:
        super().__init__(names)
        self.params = params

    def built(self, tree: Any) -> Any:
        found = super().built(tree)
        if isinstance(found, str):
            return Sym((((found,), 1),), {found: self.params[found]})
        return found

    def __call__(self, text: str) -> Any:
        found = super().__call__(text)
        number = found._constant() if isinstance(found, Sym) else found
        return found if number is None else number

    def operation(self, name: str, a: Any, b: Any) -> Any:
        return a / b if name == "Div" else super().operation(name, a, b)

    def extreme(self, greatest: bool, parts: List[Any]) -> Any:
        return of_two("max" if greatest else "min", *parts)

    def compared(self, name: str, a: Any, b: Any) -> Any:
        return of_two({"GtE": ">=", "Eq": "=="}[name], a, b)


class Language:
    """The parameters of a chain, and how expressions of them are written and read."""

    def __init__(self) -> None:
        self.names = Names(MOST_CHARACTERS)
        self.params: Dict[str, Declared] = {}
        self.kind: Optional[Callable[[str], Any]] = None
        """Makes an expression of the other library of an answer."""
        self.is_torch = False
        """Whether that is PyTorch's."""

    def copy(self) -> Language:
        new = Language()
        new.names, new.params, new.kind, new.is_torch = self.names, dict(self.params), self.kind, self.is_torch
        return new

    def text(self, value: Any) -> str:
        """A number or an expression as text; its parameters are declared."""
        if isinstance(value, Sym):
            self._is_of_one_kind(value, self.kind is not None and bool(value.params))
            self.params = joined(self.params, value.params)
            return str(value)
        if isinstance(value, str):
            return value
        written = write(value, self.names)
        # Numbers have no such attributes.
        symbols = getattr(getattr(getattr(value, "node", value), "expr", value), "free_symbols", None)
        self._is_of_one_kind(value, bool(symbols) and self.kind is None and bool(self.params))
        for symbol in sorted(symbols or (), key=str):
            name = self.names.of(symbol, str(symbol))
            self.params = joined(self.params, {name: self._known(symbol, name)})
        if symbols and self.kind is None:
            self.kind = lambda answer: written.build(answer, None)
            self.is_torch = hasattr(value, "node")
        return written.text

    @staticmethod
    def _is_of_one_kind(value: Any, differs: bool) -> None:
        if differs:
            raise TypeError(f"{value} is of another kind than the unknown sizes before it: make all by sym(), or all by sympy or PyTorch")

    def _known(self, symbol: Any, name: str) -> Declared:
        """The assumptions of a symbol of sympy."""
        least, greatest = self.names.bounds.get(name, (None, None))
        multiple = 2 if getattr(symbol, "is_even", False) else 1
        if least is None:
            least = 1 if getattr(symbol, "is_positive", False) else None
        if least is None:
            least = 0 if getattr(symbol, "is_nonnegative", False) else None
        return least, greatest, multiple

    def expr(self, text: str) -> Any:
        """An expression of an answer, in kind, or a number."""
        if text.lstrip("-").isdigit():
            return int(text)
        return self.kind(text) if self.kind is not None else _SymBuilder(self.names, self.params)(text)

    def condition(self, text: Optional[str]) -> Any:
        """A condition, in kind: of sympy, or as text."""
        if text is None or self.kind is None:
            return text
        from ._sympy import condition, torch_functions

        return condition(text, self.names, torch_functions() if self.is_torch else {})


@dataclass(frozen=True)
class SymbolicView:
    """A view whose numbers are expressions."""

    shape: Tuple[Any, ...]
    strides: Tuple[Any, ...]
    offset: Any
    mask: Union[None, str, Tuple[Tuple[Any, Any], ...]]
    """As that of ``View``: None, "nothing", or a pair for every axis."""

    def __str__(self) -> str:
        def listed(items: Sequence[Any]) -> str:
            return f"({','.join(map(str, items))})"

        if isinstance(self.mask, str):
            return f"{listed(self.shape)} nothing"
        offset = str(self.offset)
        text = f"{listed(self.shape)}:{listed(self.strides)}"
        text += "" if offset == "0" else offset if offset.startswith("-") else f"+{offset}"
        if self.mask is not None:
            text += f" [{','.join(f'{low}:{high}' for low, high in self.mask)}]"
        return text


@dataclass(frozen=True)
class SymbolicCase:
    """A view, and the condition of its case."""

    when: Any
    """A condition in Python's syntax, or of sympy for a chain of sympy's sizes; None for always."""
    view: SymbolicView


class SymbolicAnswer:
    """For which sizes a chain is one view, and which; true if it is for all.

    The first case whose condition holds applies; if none does, it is not one view. The answer is exact
    in both directions except where ``open`` holds.

    >>> B, T, H, D = map(sym, "BTHD")
    >>> answer = SymbolicChain.contiguous(B, H, T, D).permute(0, 2, 1, 3).reshape(B, T, H * D).merge()
    >>> print(answer)
    one view if T == 1 or H == 1: (B,T,D*H):(D*H*T,D*H,1)
    one view if D == 1: (B,T,D*H):(H*T,1,T)
    otherwise not one view
    >>> answer.verdict, bool(answer), answer.cases[0].view.strides[0]
    ('when', False, Sym('D*H*T'))
    >>> answer.at(B=2, T=1, H=8, D=64)
    View((2, 1, 512), (512, 0, 1))
    """

    def __init__(self, core: _core.SymbolicMerge, language: Language) -> None:
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
        self.cases: Tuple[SymbolicCase, ...] = tuple(case_of(case, language) for case in found["cases"])
        """The views and when they count."""

    def at(self, values: Optional[Mapping[Any, int]] = None, **named: int) -> Union[View, str]:
        """The one view at these sizes; "copy" if there is none, "open" if undecided, "refused" if an op
        is not allowed there.

        >>> N = sym("N")
        >>> SymbolicChain.contiguous(N, 2).permute(1, 0).reshape(2 * N).merge().at({N: 3})
        'copy'
        """
        kind, view = self._core.at(list(by_name(values, named).items()))
        return kind if view is None else view

    def conditions(self, style: str = "c") -> Tuple[str, ...]:
        """The conditions of the cases as C ("c") or as mathematics ("math") has them.

        >>> N, M = sym("N"), sym("M")
        >>> SymbolicChain.contiguous(N, M).permute(1, 0).flatten().merge().conditions()
        ('M == 1 || N == 1',)
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
            lines.append(f"one view {when}: {case.view}")
        if self.open is not None:
            lines.append(f"undecided if {self.open}")
        if self.verdict == "never":
            lines.append("never one view")
        elif self.rest:
            lines.append("otherwise not one view")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<SymbolicAnswer {self.verdict}: {len(self.cases)} case{'' if len(self.cases) == 1 else 's'}>"


class SymbolicExplanation:
    """Why a chain is one view or not, and what would help; ``str`` is the text.

    >>> N = sym("N")
    >>> why = SymbolicChain.contiguous(N, 3).permute(1, 0).flatten().explain()
    >>> why.example, why.assumptions[0].when
    ({'N': 2}, 'N == 1')
    """

    def __init__(self, written: str, language: Language) -> None:
        found = json.loads(written)
        self.text: str = found["text"]
        """The lines."""
        self.assumptions: Tuple[SymbolicCase, ...] = tuple(case_of(case, language) for case in found["assume"])
        """What could be assumed of the sizes to make it one view, the shortest first."""
        example = found["example"]
        self.example: Optional[Dict[str, int]] = None if example is None else example["point"]
        """Sizes at which it is not one view, if some were met."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<SymbolicExplanation: {self.text.splitlines()[0]}>"


def case_of(case: Dict[str, Any], language: Language) -> SymbolicCase:
    """A case of an answer."""
    return SymbolicCase(language.condition(case["when"]), view_of(case["view"], language))


def view_of(parts: Dict[str, Any], language: Language) -> SymbolicView:
    """A view of an answer."""
    mask = parts["mask"]
    if mask is not None and mask != "nothing":
        mask = tuple((language.expr(low), language.expr(high)) for low, high in mask)
    shape, strides = (tuple(map(language.expr, parts[name])) for name in ("shape", "strides"))
    return SymbolicView(shape, strides, language.expr(parts["offset"]), mask)


for _public in (SymbolicAnswer, SymbolicCase, SymbolicView):
    _public.__module__ = "viewmerge"
