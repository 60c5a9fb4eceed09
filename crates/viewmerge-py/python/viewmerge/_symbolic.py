"""Chains with unknown sizes: for which sizes are they one view?

Sizes may be numbers, expressions of ``sym``, of sympy, or ``SymInt`` of PyTorch, and answers are in kind. A
symbol of sympy has its own assumptions: positive, nonnegative, even; a ``SymInt`` those of PyTorch's tracing.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, SupportsIndex, Tuple

from . import _core
from ._core import ViewChain
from ._sym import Declared, Sym, by_name
from ._symbolic_answers import Language, SymbolicAnswer, SymbolicExplanation
from ._symbolic_splits import SymbolicSplitting

_Pairs = Sequence[Any]


class SymbolicChain:
    """Views with unknown sizes that compose, memory side first: made by ``contiguous``, ``strided`` or ``parse``.

    Ops are those of ``ViewChain``, with numbers or expressions; what they need of the sizes becomes a
    requirement of the answer.

    >>> N, M = sym("N"), sym("M", multiple=4)
    >>> chain = SymbolicChain.contiguous(N, M).reshape(N, M // 4, 4)
    >>> chain.shape, chain.merge().verdict
    ((Sym('N'), Sym('M//4'), 4), 'always')
    >>> print(chain.at(N=2, M=8))
    (2,2,4):(8,4,1)
    """

    __slots__ = ("_language", "_items", "_core")

    def __init__(self, language: Language, items: Tuple[str, ...], core: Optional[_core.Symbolic] = None) -> None:
        self._language = language
        self._items = items
        if core is None:
            declared = [(name, *known) for name, known in language.params.items()]
            core = _core.Symbolic.parse(declared, [], " | ".join(items))
        self._core = core

    @staticmethod
    def parse(text: str, *params: Any) -> SymbolicChain:
        """Reads views and ops, in which ``params`` may stand for numbers.

        >>> N, M = sym("N"), sym("M")
        >>> print(SymbolicChain.parse("(N,3,M) | permute(2,0,1) | reshape(M*N,3)", N, M))
        (M,N,3):(1,3*M,M) | (N*M,3):(3,1)
        """
        language = Language()
        for param in params:
            language.text(param)
        return SymbolicChain(language, (text,))

    @staticmethod
    def contiguous(*shape: Any) -> SymbolicChain:
        """The row-major view of a shape.

        >>> print(SymbolicChain.contiguous(2, sym("N")))
        (2,N):(N,1)
        """
        language = Language()
        return SymbolicChain(language, (_tuple(language, _spread(shape)),))

    @staticmethod
    def strided(shape: Sequence[Any], strides: Sequence[Any], offset: Any = 0) -> SymbolicChain:
        """A view with these strides; an arbitrary one is ``sym("s", min=None)``.

        >>> A, B, s, t = sym("A"), sym("B"), sym("s", min=None), sym("t", min=None)
        >>> print(SymbolicChain.strided((A, B), (s, t)).reshape(A * B).merge())
        one view if A == 1 or s == B*t: (A*B):(t)
        one view if B == 1: (A*B):(s)
        otherwise not one view
        """
        language = Language()
        text = f"{_tuple(language, shape)}:{_tuple(language, strides)}"
        return SymbolicChain(language, (f"{text}+({language.text(offset)})",))

    @property
    def shape(self) -> Tuple[Any, ...]:
        """The shape of the last view, in kind.

        >>> SymbolicChain.contiguous(sym("N"), 6).flatten().shape
        (Sym('6*N'),)
        """
        return tuple(map(self._language.expr, self._core.shape()))

    @property
    def params(self) -> Dict[str, Declared]:
        """Name, least and greatest value and multiple of every parameter.

        >>> SymbolicChain.contiguous(sym("N"), 6).params
        {'N': (1, None, 1)}
        """
        return dict(self._language.params)

    @property
    def ndim(self) -> int:
        """The number of axes.

        >>> SymbolicChain.contiguous(sym("N"), 6).ndim
        2
        """
        return len(self._core.shape())

    def merge(self, *, steps: Optional[int] = None) -> SymbolicAnswer:
        """For which sizes it is one view, and which; ``steps`` limits the search, and the rest is open.

        >>> SymbolicChain.contiguous(sym("N"), 6).permute(1, 0).merge().verdict
        'always'
        """
        return SymbolicAnswer(self._core.merge(steps), self._language)

    def explain(self, *, steps: Optional[int] = None) -> SymbolicExplanation:
        """Why it is one view, or for which sizes it is not, and what would help.

        >>> print(SymbolicChain.parse("(N,3) | permute(1,0) | flatten()", sym("N")).explain())
        one view if N == 1: (3*N):(1)
        otherwise not one view, for example at N = 2: the step along axis 0 is +3 at (0), but −2 at (1)
          view 0  (3,N):(1,3)  after permute(1,0)
          view 1  (3*N):(1)    flatten()           ← breaks here: axis 1 of view 0 carries into axis 0, which has stride 1 and would need 3*N
        why     at N = 2:
                  (0) → (1) is +3: digits of view 0 (0,0) → (0,1)
                  (1) → (2) is −2: digits of view 0 (0,1) → (1,0), axis 1 carries into axis 0 (−5)
        fixes   assume N == 1                       → (3*N):(1)
                copy 3*N elements before flatten()  → (3*N):(1)
        """
        return SymbolicExplanation(self._core.explain(steps), self._language)

    def split(self, *, steps: Optional[int] = None) -> SymbolicSplitting:
        """For which sizes it is one view over a split of its axes, and the coarsest such split.

        >>> N, M = sym("N"), sym("M")
        >>> print(SymbolicChain.contiguous(N, M).permute(1, 0).flatten().split())
        one view if M == 1 or N == 1: (M*N):(1)
        one view if M >= 2 and N >= 2 over ((M,N)): (M,N):(1,M)
        """
        return SymbolicSplitting(self._core.split(steps), self._language)

    def at(self, values: Optional[Mapping[Any, int]] = None, **named: int) -> ViewChain:
        """The chain at these sizes.

        >>> N = sym("N")
        >>> SymbolicChain.contiguous(N, 2).permute(1, 0).at(N=3)
        ViewChain([View((2, 3), (1, 2))])
        """
        return self._core.at(list(by_name(values, named).items()))

    def apply(self, op: str) -> SymbolicChain:
        """An op, or a view that goes on top, as text.

        >>> print(SymbolicChain.contiguous(sym("N")).apply("pad((1,0))"))
        (N + 1):(1)-1 [1:N + 1]
        """
        return self._then(self._language, op)

    def _then(self, language: Language, op: str) -> SymbolicChain:
        known = language.params.keys() == self._language.params.keys()
        return SymbolicChain(language, (*self._items, op), self._core.apply(op) if known else None)

    def _op(self, name: str, *parts: Any) -> SymbolicChain:
        """An op whose arguments are numbers, expressions, and lists of them."""
        language = self._language.copy()

        def text(part: Any) -> str:
            return _tuple(language, part, text) if isinstance(part, (tuple, list)) else language.text(part)

        return self._then(language, f"{name}({','.join(map(text, parts))})")

    def reshape(self, *shape: Any) -> SymbolicChain:
        """The elements in the same order under another shape; one size may be -1.

        >>> SymbolicChain.contiguous(sym("N"), 6).reshape(-1, 2).shape
        (Sym('3*N'), 2)
        """
        return self._op("reshape", *_spread(shape))

    def permute(self, *axes: Any) -> SymbolicChain:
        """The axes in another order."""
        return self._op("permute", *_spread(axes))

    def transpose(self, first: SupportsIndex, second: SupportsIndex) -> SymbolicChain:
        """Two axes exchanged."""
        return self._op("transpose", first, second)

    def expand(self, *shape: Any) -> SymbolicChain:
        """Axes of size 1 repeated, and new ones in front."""
        return self._op("expand", *_spread(shape))

    broadcast_to = expand

    def pad(self, *amounts: _Pairs) -> SymbolicChain:
        """Padding before and after, a pair for every axis."""
        return self._op("pad", *_pairs(amounts))

    def shrink(self, *bounds: _Pairs) -> SymbolicChain:
        """A part of every axis: first index and end."""
        return self._op("shrink", *_pairs(bounds))

    def flip(self, *axes: Any) -> SymbolicChain:
        """Axes reversed."""
        return self._op("flip", *_spread(axes))

    def step(self, *steps: Any) -> SymbolicChain:
        """Every n-th index, a number for every axis."""
        return self._op("step", *_spread(steps))

    def squeeze(self, axis: SupportsIndex) -> SymbolicChain:
        """Removes an axis of size 1."""
        return self._op("squeeze", axis)

    def unsqueeze(self, axis: SupportsIndex) -> SymbolicChain:
        """Inserts an axis of size 1."""
        return self._op("unsqueeze", axis)

    def flatten(self, start: SupportsIndex = 0, end: SupportsIndex = -1) -> SymbolicChain:
        """The axes from ``start`` to ``end``, both included, joined into one."""
        return self._op("flatten", start, end)

    def unflatten(self, axis: SupportsIndex, sizes: Sequence[Any]) -> SymbolicChain:
        """One axis split into several; one of their sizes may be -1."""
        return self._op("unflatten", axis, tuple(sizes))

    def as_strided(self, shape: Sequence[Any], strides: Sequence[Any], offset: Any = 0) -> SymbolicChain:
        """Any strided view of the elements in row-major order."""
        return self._op("as_strided", tuple(shape), tuple(strides), offset)

    def __getitem__(self, key: Any) -> SymbolicChain:
        """Slices, as in Python; an integer removes its axis.

        >>> N = sym("N", min=3)
        >>> SymbolicChain.contiguous(N, 4)[1:N, 2].shape
        (Sym('N - 1'),)
        >>> SymbolicChain.contiguous(N, 4)[:5].shape
        (Sym('min(5, N)'), 4)
        >>> k = sym("k")
        >>> print(SymbolicChain.contiguous(N * k)[::k])
        (N):(k)
        """
        items = key if isinstance(key, tuple) else (key,)
        language = self._language.copy()
        texts: List[str] = []
        dropped: List[int] = []
        for item in items:
            if isinstance(item, slice):
                ends = [("" if end is None else language.text(end)) for end in (item.start, item.stop)]
                step = "" if item.step is None else f":{language.text(item.step)}"
                texts.append(f"{ends[0]}:{ends[1]}{step}")
            elif item is None or item is Ellipsis or isinstance(item, bool):
                raise TypeError(f"a chain of unknown sizes takes slices and indices, not {item!r}")
            else:
                place = language.text(item)
                dropped.append(len(texts))
                # The last index has no successor.
                texts.append("-1:" if place == "-1" else f"({place}):({place})+1")
        chain = self._then(language, f"slice({','.join(texts)})")
        for axis in reversed(dropped):
            chain = chain.squeeze(axis)
        return chain

    def __str__(self) -> str:
        return str(self._core)

    def __repr__(self) -> str:
        return f"<SymbolicChain {self}>"


def _spread(parts: Tuple[Any, ...]) -> Sequence[Any]:
    """Arguments one by one, or one sequence of them."""
    return parts[0] if len(parts) == 1 and isinstance(parts[0], (tuple, list)) else parts


def _pairs(parts: Tuple[Any, ...]) -> Sequence[Any]:
    """Pairs one by one, or one sequence of them."""
    nested = len(parts) == 1 and all(isinstance(part, (tuple, list)) for part in parts[0])
    return [tuple(part) for part in (parts[0] if nested else parts)]


def _tuple(language: Language, parts: Sequence[Any], text: Optional[Callable[[Any], str]] = None) -> str:
    return f"({','.join(map(text or language.text, parts))})"


def is_symbolic(value: Any) -> bool:
    """Whether this is an expression, not a number."""
    if isinstance(value, Sym):
        return value._constant() is None
    inner = getattr(getattr(value, "node", None), "expr", value)
    return bool(getattr(inner, "free_symbols", None)) and not isinstance(value, str)


SymbolicChain.__module__ = "viewmerge"
