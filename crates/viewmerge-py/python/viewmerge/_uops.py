"""Expressions of tinygrad: a ``UOp`` has ``op``, ``src``, ``arg``, ``dtype``, and knows ``vmin`` and ``vmax``.

Anything but arithmetic (ranges, variables, loads) is a variable with its own range.
``condition.where(index, Invalid)`` is read as an index with a condition.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, List, Optional

from . import _languages as lang
from ._languages import Builder, Names, Text, Writer, Written

_SIGNS = {"FLOORDIV": "//", "FLOORMOD": "%"}
_CALLS = {"CDIV": "truncdiv", "IDIV": "truncdiv", "CMOD": "truncmod", "MOD": "truncmod", "MAX": "max"}
_COMPARED = {"CMPLT": "<", "CMPNE": "!=", "CMPEQ": "=="}


def write(expr: Any, names: Names) -> Written:
    """A UOp as text."""
    writer = _Writer(names)
    if _name(expr) == "WHERE" and not _is_value(expr.src[2]):
        valid = writer.written(expr.src[0], 0)[0]
        text = writer.written(expr.src[1], 0)[0]

        build, condition = _Builder(names, expr.src[1]), _Builder(names, expr.src[0])

        def rebuilt(answer: str, when: Optional[str]) -> Any:
            index = build(answer)
            return index if when is None else condition(when).where(index, expr.src[2])

        return Written(text, valid, rebuilt)
    text = writer.written(expr, 0)[0]
    build = _Builder(names, expr)
    return Written(text, None, lambda answer, valid: build(answer))


def _name(expr: Any) -> str:
    return str(getattr(expr.op, "name", expr.op))


def _is_value(expr: Any) -> bool:
    return _name(expr) != "CONST" or isinstance(expr.arg, (bool, int))


def _is_truth(expr: Any) -> bool:
    return "bool" in str(expr.dtype)


class _Writer(Writer):
    def fresh(self, expr: Any, deep: int) -> Text:
        name, src = _name(expr), expr.src
        if name == "CONST":
            if isinstance(expr.arg, bool):
                return str(expr.arg), lang._ATOM
            if not isinstance(expr.arg, int):
                raise lang.refuse(expr.arg, "is no integer")
            return lang.number(expr.arg)
        if name == "CAST" and _is_truth(src[0]) and not _is_truth(expr):
            return lang.called("int", self.written(src[0], deep))
        if name == "CAST" and "int" in str(expr.dtype) and "int" in str(src[0].dtype):
            return self.written(src[0], deep)
        if name == "ADD":
            # Long sums are flat.
            return lang.joined([self.written(part, deep) for part in _terms(expr)], " + ", lang._SUM)
        if name in ("AND", "OR") and _is_truth(expr):
            parts = [self.written(part, deep) for part in src]
            return lang.joined(parts, f" {name.lower()} ", lang._AND if name == "AND" else lang._OR)
        mask = src[1].arg if name == "AND" and _name(src[1]) == "CONST" else None
        if isinstance(mask, int) and mask > 0 and mask & (mask + 1) == 0:
            return lang.quotient("%", self.written(src[0], deep), lang.number(mask + 1))
        if name == "XOR" and _name(src[1]) == "CONST" and src[1].arg == -1 and not _is_truth(expr):
            return f"-{lang.within(self.written(src[0], deep), lang._ATOM)} - 1", lang._SUM
        shift = src[1].arg if name in ("SHL", "SHR") and _name(src[1]) == "CONST" else None
        if isinstance(shift, int) and 0 <= shift < 60:
            inner = self.written(src[0], deep)
            if name == "SHR":
                return lang.quotient("//", inner, lang.number(1 << shift))
            return f"{1 << shift}*{lang.within(inner, lang._ATOM)}", lang._PRODUCT
        known = name in ("MUL", "SUB", "NEG", "WHERE") or name in _SIGNS or name in _CALLS or name in _COMPARED
        if not known or name == "WHERE" and not _is_value(src[2]):
            return self.variable(expr)
        parts = [self.written(part, deep) for part in src]
        if name == "MUL":
            return "*".join(lang.within(part, lang._ATOM) for part in parts), lang._PRODUCT
        if name == "SUB":
            return f"{lang.within(parts[0], lang._SUM)} - {lang.within(parts[1], lang._PRODUCT)}", lang._SUM
        if name == "NEG":
            return f"-{lang.within(parts[0], lang._ATOM)}", lang._SUM
        if name == "WHERE":
            return lang.chosen(parts[0], parts[1], parts[2])
        if name in _SIGNS:
            return lang.quotient(_SIGNS[name], parts[0], parts[1])
        if name in _CALLS:
            return lang.called(_CALLS[name], *parts)
        if _is_truth(src[0]):
            # Two conditions differ where one is true and the other false.
            return f"({parts[0][0]}) {_COMPARED[name]} ({parts[1][0]})", lang._COMPARE
        return f" {_COMPARED[name]} ".join(lang.within(part, lang._SUM) for part in parts), lang._COMPARE

    def variable(self, expr: Any) -> Text:
        """Anything but arithmetic, with its own range."""
        arg = expr.arg
        told = getattr(arg, "name", None) or (arg if isinstance(arg, str) else None)
        if told is None and isinstance(arg, tuple) and arg:
            told = arg[0] if isinstance(arg[0], str) else f"r{arg[0]}"
        name = self.names.of(expr, str(told or "u"))
        low, high = expr.vmin, expr.vmax
        if isinstance(low, int) and isinstance(high, int):
            self.names.ranges.setdefault(name, (int(low), int(high)))
        return name, lang._ATOM


def _terms(expr: Any) -> List[Any]:
    """The terms of a sum of sums."""
    terms: List[Any] = []
    left = [expr]
    while left:
        part = left.pop()
        if _name(part) == "ADD":
            left.extend(reversed(part.src))
        else:
            terms.append(part)
    return terms


class _Builder(Builder):
    """Numbers stay numbers until they meet a UOp, whose operators accept them."""

    def __init__(self, names: Names, like: Any) -> None:
        super().__init__(names)
        self.like = like

    def __call__(self, text: str) -> Any:
        found = super().__call__(text)
        if isinstance(found, (bool, int)):
            return self.like.const_like(found)
        same = found.dtype == self.like.dtype or _is_truth(found)
        return found if same else found.cast(self.like.dtype)

    def made(self, value: Any) -> Any:
        """A UOp or a number as a UOp."""
        return self.like.const_like(value) if isinstance(value, (bool, int)) else value

    def divided(self, a: Any, b: Any) -> Any:
        if isinstance(a, int):
            return a // b
        found = a // b
        low = a.vmin // b if isinstance(b, int) else 0
        if _name(found) == "FLOORDIV" or low >= 0:
            return found
        # Older versions of `//` round towards 0; shift the dividend to 0 or more, where that is down.
        return (a + -low * b) // b + low

    def rest(self, a: Any, b: Any) -> Any:
        if isinstance(a, int):
            return a % b
        found = a % b
        low = a.vmin // b if isinstance(b, int) else 0
        return found if _name(found) == "FLOORMOD" or low >= 0 else (a + -low * b) % b

    def negated(self, part: Any) -> Any:
        return self.made(part).ne(True)

    def combined(self, all_of_them: bool, parts: List[Any]) -> Any:
        if all_of_them:
            return reduce(lambda a, b: a & b, map(self.made, parts))
        return reduce(lambda a, b: a | b, map(self.made, parts))

    def compared(self, name: str, a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int):
            return {"Lt": a < b, "LtE": a <= b, "Gt": a > b, "GtE": a >= b, "Eq": a == b, "NotEq": a != b}[name]
        if isinstance(a, int):
            a = b.const_like(a)
        if name in ("Eq", "NotEq"):
            return a.eq(b) if name == "Eq" else a.ne(b)
        if isinstance(b, int):
            b = a.const_like(b)
        # Of integers a <= b is not b < a.
        less = a < b if name in ("Lt", "GtE") else b < a
        return less if name in ("Lt", "Gt") else self.negated(less)

    def choice(self, when: Any, a: Any, b: Any) -> Any:
        if isinstance(when, bool):
            return a if when else b
        return when.where(a, b)

    def extreme(self, greatest: bool, parts: List[Any]) -> Any:
        numbers = [part for part in parts if isinstance(part, int)]
        others = [part for part in parts if not isinstance(part, int)]
        if numbers:
            others.append(max(numbers) if greatest else min(numbers))
        return reduce(lambda a, b: a.maximum(b) if greatest else a.minimum(b), others)
