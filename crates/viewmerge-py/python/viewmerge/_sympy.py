"""Expressions of sympy, with the functions that PyTorch adds (``FloorDiv``, ``ModularIndexing`` ...).

Quotients and remainders are returned as PyTorch's ``FloorDiv`` and ``ModularIndexing`` if the expression has any of
PyTorch's functions: a rational number would be printed as a floating-point one, and be wrong. Otherwise they are
returned as ``floor(a/b)`` and ``Mod``.
"""

from __future__ import annotations

import sys
from typing import Any, Dict, List, Optional

from . import _languages as lang
from ._languages import Builder, Names, Text, Writer, Written

_RELATIONS = {
    "StrictLessThan": "<",
    "LessThan": "<=",
    "StrictGreaterThan": ">",
    "GreaterThan": ">=",
    "Equality": "==",
    "Unequality": "!=",
}
# The farthest end of a range; ends beyond it are read as unbounded, which is sound.
_FARTHEST = 1 << 60
# Functions of two numbers, with the equivalent sign.
_QUOTIENTS = {"FloorDiv": "//", "Mod": "%", "PythonMod": "%"}
# PyTorch's functions that round a quotient.
_ROUNDED = ("FloorToInt", "CeilToInt", "TruncToInt")
_CALLS = {"ModularIndexing": "ModularIndexing", "Max": "max", "Min": "min", "Abs": "abs"}


def torch_functions() -> Dict[str, Any]:
    """PyTorch's own sympy functions, which its tracing expects; empty if they are not loaded."""
    known = sys.modules.get("torch.utils._sympy.functions")
    names = ("FloorDiv", "Mod", "PythonMod", "Max", "Min", "Where")
    return {name: getattr(known, name) for name in names if hasattr(known, name)}


def write(expr: Any, names: Names, functions: Optional[Dict[str, Any]] = None) -> Written:
    """An expression of sympy as text; answers use these functions, and those of the expression."""
    writer = _Writer(names)
    text = writer.written(expr, 0)[0]
    build = _Builder(names, {**(functions or {}), **_kin(writer.functions), **writer.functions})
    return Written(text, None, lambda answer, valid: build(answer))


def _kin(functions: Dict[str, Any]) -> Dict[str, Any]:
    """The quotient defined in the module of one of these functions; None for sympy's own."""
    for function in functions.values():
        home = sys.modules.get(function.__module__)
        if hasattr(home, "FloorDiv") and not function.__module__.startswith("sympy"):
            return {"FloorDiv": getattr(home, "FloorDiv")}
    return {}


def write_symint(value: Any, names: Names) -> Written:
    """A ``SymInt`` of PyTorch, whose expression is sympy's; the answer belongs to the same tracing."""
    node = value.node
    inner = write(node.expr, names, torch_functions())
    environment = getattr(node, "shape_env", None)
    known = getattr(environment, "var_to_range", None) or {}
    for symbol in node.expr.free_symbols:
        if symbol in known:
            name = names.of(symbol, symbol.name)
            ends = [int(end) if _is_number(end) else None for end in (known[symbol].lower, known[symbol].upper)]
            names.bounds[name] = (ends[0], ends[1])
            # Tracing writes "no end" as infinity, or as about 2^63.
            first, last = (None if end is None or abs(end) > _FARTHEST else end for end in ends)
            names.ranges.setdefault(name, (first, last))

    def build(answer: str, valid: Optional[str]) -> Any:
        found = inner.build(answer, valid)
        make = getattr(environment, "create_symintnode", None)
        # Let PyTorch find its value in the example: the answer may be another expression than the given one.
        return found if make is None else make(found, hint=None)

    return Written(inner.text, None, build)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) or bool(getattr(value, "is_Integer", False))


class _Writer(Writer):
    def __init__(self, names: Names) -> None:
        super().__init__(names)
        self.functions: Dict[str, Any] = {}

    def fresh(self, expr: Any, deep: int) -> Text:
        if isinstance(expr, (bool, int)):
            return (str(expr), lang._ATOM) if isinstance(expr, bool) else lang.number(expr)
        if getattr(expr, "is_Integer", False):
            return lang.number(int(expr))
        if getattr(expr, "is_Rational", False):
            raise lang.refuse(expr, "is no integer")
        if getattr(expr, "is_Symbol", False):
            return self.names.of(expr, expr.name), lang._ATOM
        name = type(expr).__name__
        if name in ("floor", "ceiling"):
            above, below = expr.args[0].as_numer_denom()
            a, b = self.written(above, deep), self.written(below, deep)
            return lang.quotient("//", a, b) if name == "floor" else _rounded_up(a, b)
        if name in _ROUNDED and type(expr.args[0]).__name__ == "IntTrueDiv":
            above, below = expr.args[0].args
            a, b = self.written(above, deep), self.written(below, deep)
            if name == "FloorToInt":
                return lang.quotient("//", a, b)
            return _rounded_up(a, b) if name == "CeilToInt" else lang.called("truncdiv", a, b)
        if name in ("BooleanTrue", "BooleanFalse"):
            return str(bool(expr)), lang._ATOM
        if name == "Piecewise":
            return self.cases(expr, deep)
        if name == "Pow":
            base, exponent = expr.args
            if not getattr(exponent, "is_Integer", False) or not 0 < int(exponent) < 8:
                raise lang.refuse(expr, "a power must be one by a small number")
            return lang.joined([self.written(base, deep)] * int(exponent), "*", lang._PRODUCT)
        if name in _RELATIONS:
            return self.compared(expr, _RELATIONS[name], deep)
        if any(getattr(part, "is_Rational", False) and not part.is_Integer for part in expr.args):
            if not getattr(expr, "is_integer", False):
                raise lang.refuse(expr, "is no integer everywhere; write a quotient as floor(a/b)")
            # It is known to be exact, like half of an even number.
            above, below = expr.as_numer_denom()
            return lang.quotient("//", self.written(above, deep), self.written(below, deep))
        parts = [self.written(part, deep) for part in expr.args]
        if name == "Add":
            return lang.joined(parts, " + ", lang._SUM)
        if name == "Mul":
            return lang.joined(parts, "*", lang._PRODUCT) if _plain(parts) else _product(parts)
        if name in ("And", "Or"):
            return lang.joined(parts, f" {name.lower()} ", lang._AND if name == "And" else lang._OR)
        if name == "Not":
            return f"not {lang.within(parts[0], lang._COMPARE)}", lang._AND
        if name in _QUOTIENTS and len(parts) == 2:
            self.functions[name] = type(expr)
            return lang.quotient(_QUOTIENTS[name], parts[0], parts[1])
        if name in _CALLS:
            self.functions[name] = type(expr)
            return lang.called(_CALLS[name], *parts)
        if name == "CleanDiv" and len(parts) == 2:
            return lang.quotient("//", parts[0], parts[1])
        if name == "CeilDiv" and len(parts) == 2:
            return _rounded_up(parts[0], parts[1])
        if name in ("Where", "ITE") and len(parts) == 3:
            return lang.chosen(parts[0], parts[1], parts[2])
        if name == "Identity" and len(parts) == 1:
            return parts[0]
        raise lang.refuse(expr, f"{name} is no function of integers that is known here")

    def compared(self, expr: Any, sign: str, deep: int) -> Text:
        """A comparison of numbers or conditions; sympy divides both sides by common factors, so 3*i < 8 is i < 8/3."""
        a, b = expr.args
        if not hasattr(a, "as_numer_denom") or not hasattr(b, "as_numer_denom"):
            return f"({self.written(a, deep)[0]}) {sign} ({self.written(b, deep)[0]})", lang._COMPARE
        above, below = (a - b).as_numer_denom()
        if below != 1:
            below = int(below) if getattr(below, "is_Integer", False) else 0
            if below <= 0:
                raise lang.refuse(expr, "is no comparison of integers")
            a, b = above, 0
        parts = [self.written(part, deep) for part in (a, b)]
        return f" {sign} ".join(lang.within(part, lang._SUM) for part in parts), lang._COMPARE

    def cases(self, expr: Any, deep: int) -> Text:
        """The first value whose condition holds; the last must hold always."""
        pieces = [(piece.args[0], piece.args[1]) for piece in expr.args]
        value, when = pieces.pop()
        if when != True:  # noqa: E712  (sympy's own truth is no bool)
            raise lang.refuse(expr, "a Piecewise needs a last value for all else, (value, True)")
        found = self.written(value, deep)
        for value, when in reversed(pieces):
            found = lang.chosen(self.written(when, deep), self.written(value, deep), found)
        return found


def _rounded_up(a: Text, b: Text) -> Text:
    """A quotient rounded up, written with one rounded down, which can be read for unknown sizes too."""
    return f"-({lang.quotient('//', (f'-{lang.within(a, lang._ATOM)}', lang._SUM), b)[0]})", lang._SUM


def _plain(parts: List[Text]) -> bool:
    # After a sign that binds as tightly, a quotient in a product needs brackets.
    return all("//" not in text and "%" not in text or binds == lang._ATOM for text, binds in parts)


def _product(parts: List[Text]) -> Text:
    return "*".join(lang.within(part, lang._ATOM) for part in parts), lang._PRODUCT


class _Builder(Builder):
    def __init__(self, names: Names, functions: Dict[str, Any]) -> None:
        super().__init__(names)
        self.functions = functions
        # Set only if sympy is imported.
        self.sympy: Any = None

    def __call__(self, text: str) -> Any:
        self.sympy = lang.module("sympy")
        return super().__call__(text)

    def constant(self, value: Any) -> Any:
        return self.sympy.sympify(value)

    def divided(self, a: Any, b: Any) -> Any:
        make = self.functions.get("FloorDiv")
        return make(a, b) if make is not None else self.sympy.floor(a / b)

    def rest(self, a: Any, b: Any) -> Any:
        modular = self.functions.get("ModularIndexing")
        if modular is not None:
            divided = type(a).__name__ == "FloorDiv"
            return modular(a.args[0], a.args[1], b) if divided else modular(a, self.sympy.Integer(1), b)
        plain = self.functions.get("Mod")
        if plain is not None and getattr(a, "is_nonnegative", False) and getattr(b, "is_positive", False):
            return plain(a, b)
        make = self.functions.get("PythonMod") or plain or self.sympy.Mod
        return make(a, b)

    def negated(self, part: Any) -> Any:
        return self.sympy.Not(part)

    def combined(self, all_of_them: bool, parts: List[Any]) -> Any:
        return (self.sympy.And if all_of_them else self.sympy.Or)(*parts)

    def compared(self, name: str, a: Any, b: Any) -> Any:
        names = {"Lt": "Lt", "LtE": "Le", "Gt": "Gt", "GtE": "Ge", "Eq": "Eq", "NotEq": "Ne"}
        if getattr(a, "is_Integer", False):
            # The number to the right, as sympy writes it.
            a, b, name = b, a, {"Lt": "Gt", "LtE": "GtE", "Gt": "Lt", "GtE": "LtE"}.get(name, name)
        return getattr(self.sympy, names[name])(a, b)

    def choice(self, when: Any, a: Any, b: Any) -> Any:
        make = self.functions.get("Where")
        return self.sympy.Piecewise((a, when), (b, True)) if make is None else make(when, a, b)

    def extreme(self, greatest: bool, parts: List[Any]) -> Any:
        name = "Max" if greatest else "Min"
        return (self.functions.get(name) or getattr(self.sympy, name))(*parts)


def condition(text: str, names: Names, functions: Dict[str, Any]) -> Any:
    """A condition of an answer, with these functions."""
    return _Builder(names, functions)(text)
