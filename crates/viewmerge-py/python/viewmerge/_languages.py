"""Expressions of other libraries: writes them as text, and converts answers back.

An expression may be a text, a number, an expression of sympy (with the functions PyTorch adds to it), a
``SymInt`` of PyTorch, or a ``UOp`` of tinygrad. None of these libraries is imported: expressions are
recognised by their attributes. An answer is a text in Python's syntax; the library's own operators
rebuild an expression from its tree.

Example: ``FloorDiv(i, 4)*8`` of sympy is written ``8*(i // 4)``, and the answer ``2*i`` is built from the
same symbol.

Cost: linear in the text; shared parts are written at every occurrence, up to the greatest
length of a text.
"""

from __future__ import annotations

import ast
import keyword
import sys
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ._error import Error

# Words with a meaning in expressions, which cannot name variables.
_WORDS = {
    "min", "max", "abs", "floor", "ceil", "ceiling", "where", "int", "mod", "floordiv", "ceildiv", "div_euclid",
    "rem_euclid", "truncdiv", "truncmod", "FloorDiv", "CeilDiv", "CleanDiv", "Mod", "PythonMod", "ModularIndexing",
    "Min", "Max", "Abs", "Where", "Piecewise", "true", "false", "affine_map", "affine_set", "exists",
}  # fmt: skip
# How tightly an operator binds: a choice, an alternative, a conjunction, a comparison, a sum, a product, an atom.
_CHOICE, _OR, _AND, _COMPARE, _SUM, _PRODUCT, _ATOM = range(7)
_DEEPEST = 200

Text = Tuple[str, int]


class Written(NamedTuple):
    """An expression as text."""

    text: str
    valid: Optional[str]
    """When it counts, if it says so itself."""
    build: Callable[[str, Optional[str]], Any]
    """Makes an expression of the same kind of an answer and of when that counts."""


class Names:
    """Names for the variables of expressions, and the ranges that variables know themselves."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.ranges: Dict[str, Tuple[Optional[int], Optional[int]]] = {}
        self.bounds: Dict[str, Tuple[Optional[int], Optional[int]]] = {}
        """The same where one end, or both, may be open."""
        self._names: Dict[Any, str] = {}
        self._variables: Dict[str, Any] = {}

    def of(self, variable: Any, wanted: str) -> str:
        """The name of a variable; its own, if that can be parsed and is not taken."""
        if variable in self._names:
            return self._names[variable]
        usable = wanted.isidentifier() and wanted.isascii() and not keyword.iskeyword(wanted) and wanted not in _WORDS
        name, number = wanted if usable else "v", 0
        while name in self._variables or name in _WORDS:
            number += 1
            name = f"{wanted if usable else 'v'}_{number}"
        self._names[variable], self._variables[name] = name, variable
        return name

    def variable(self, name: str) -> Any:
        """The variable of a name as it was given, or the name itself."""
        return self._variables.get(name, name)

    def checked(self, text: str) -> str:
        """The text, if it is not too long."""
        if len(text) > self.most:
            fields = {"length": len(text), "most": self.most}
            raise Error(f"the expression has more than {self.most} characters", "text_too_long", fields)
        return text


def refuse(value: Any, why: str) -> Error:
    """The error for a part of an expression that cannot be read."""
    told = str(value)
    told = told if len(told) <= 80 else told[:77] + "..."
    return Error(f"{told}: {why}", "no_expression", {"part": told})


def within(text: Text, least: int) -> str:
    """A text, in brackets if it binds less tightly than this."""
    return text[0] if text[1] >= least else f"({text[0]})"


def joined(parts: List[Text], sign: str, binds: int) -> Text:
    """Parts joined by a sign."""
    if len(parts) == 1:
        return parts[0]
    # Parts that bind as tightly need no brackets: these signs are associative.
    return sign.join(within(part, binds) for part in parts), binds


def quotient(sign: str, a: Text, b: Text) -> Text:
    """A quotient or a remainder."""
    return f"{within(a, _ATOM)} {sign} {within(b, _ATOM)}", _PRODUCT


def called(name: str, *parts: Text) -> Text:
    """A call of a function."""
    return f"{name}({', '.join(text for text, _ in parts)})", _ATOM


def chosen(when: Text, a: Text, b: Text) -> Text:
    """A choice between two values."""
    return f"{within(a, _OR)} if {within(when, _OR)} else {within(b, _CHOICE)}", _CHOICE


def number(value: int) -> Text:
    """A number."""
    return str(int(value)), _ATOM if value >= 0 else _SUM


def write(expr: Any, names: Names) -> Written:
    """An expression as text."""
    if isinstance(expr, str):
        return Written(expr, None, lambda text, valid: text)
    from . import _sympy, _uops

    if hasattr(getattr(expr, "node", None), "expr"):
        return _sympy.write_symint(expr, names)
    if hasattr(expr, "op") and hasattr(expr, "src") and hasattr(expr, "arg"):
        return _uops.write(expr, names)
    if hasattr(expr, "free_symbols") and hasattr(expr, "args"):
        return _sympy.write(expr, names)
    if not hasattr(expr, "__index__"):
        kind = type(expr).__name__
        raise TypeError(f"an expression is a text, a number, or one of sympy, PyTorch or tinygrad, not {kind}")
    return Written(str(expr.__index__()), None, lambda text, valid: int(text))


def key_name(key: Any, names: Names) -> str:
    """The name of a variable, given by name or as an object."""
    if isinstance(key, str):
        return key
    return write(key, names).text


class Writer:
    """Writes expressions of a library as text; subclasses write one from its parts."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._done: Dict[Any, Text] = {}

    def written(self, expr: Any, deep: int) -> Text:
        """An expression and how tightly it binds."""
        found = self._done.get(expr)
        if found is None:
            if deep > _DEEPEST:
                raise refuse(type(expr).__name__, f"nested more than {_DEEPEST} deep")
            found = self.fresh(expr, deep + 1)
            self.names.checked(found[0])
            self._done[expr] = found
        return found

    def fresh(self, expr: Any, deep: int) -> Text:
        """The same, for an expression met for the first time."""
        raise NotImplementedError


class Builder:
    """Builds an expression from the tree of an answer; subclasses define the operators."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def __call__(self, text: str) -> Any:
        return self.built(ast.parse(text, mode="eval").body)

    def built(self, tree: ast.expr) -> Any:
        """The expression of a tree."""
        if isinstance(tree, ast.Constant):
            return self.constant(tree.value)
        if isinstance(tree, ast.Name):
            return self.names.variable(tree.id)
        if isinstance(tree, ast.BinOp):
            return self.operation(type(tree.op).__name__, self.built(tree.left), self.built(tree.right))
        if isinstance(tree, ast.UnaryOp):
            inner = self.built(tree.operand)
            return -inner if isinstance(tree.op, ast.USub) else self.negated(inner)
        if isinstance(tree, ast.BoolOp):
            parts = [self.built(part) for part in tree.values]
            return self.combined(isinstance(tree.op, ast.And), parts)
        if isinstance(tree, ast.Compare):
            sides = [self.built(side) for side in (tree.left, *tree.comparators)]
            names = [type(op).__name__ for op in tree.ops]
            parts = [self.compared(name, a, b) for name, a, b in zip(names, sides, sides[1:])]
            return parts[0] if len(parts) == 1 else self.combined(True, parts)
        if isinstance(tree, ast.IfExp):
            return self.choice(self.built(tree.test), self.built(tree.body), self.built(tree.orelse))
        if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
            parts = [self.built(part) for part in tree.args]
            if tree.func.id == "int":
                return self.choice(parts[0], self.constant(1), self.constant(0))
            if tree.func.id in ("min", "max"):
                return self.extreme(tree.func.id == "max", parts)
        raise Error(f"{ast.dump(tree)} is no part of an answer", "no_expression")

    def constant(self, value: Any) -> Any:
        """A number, or True or False."""
        return value

    def operation(self, name: str, a: Any, b: Any) -> Any:
        """A sum, difference, product, quotient or remainder, by the operators of Python."""
        if name == "Add":
            return a + b
        if name == "Sub":
            return a - b
        if name == "Mult":
            return a * b
        # An exact quotient is one rounded down.
        return self.rest(a, b) if name == "Mod" else self.divided(a, b)

    def divided(self, a: Any, b: Any) -> Any:
        """A quotient, rounded down."""
        return a // b

    def rest(self, a: Any, b: Any) -> Any:
        """The remainder of that."""
        return a % b

    def negated(self, part: Any) -> Any:
        """Not."""
        raise NotImplementedError

    def combined(self, all_of_them: bool, parts: List[Any]) -> Any:
        """All, or any."""
        raise NotImplementedError

    def compared(self, name: str, a: Any, b: Any) -> Any:
        """A comparison, by its name in Python's trees."""
        raise NotImplementedError

    def choice(self, when: Any, a: Any, b: Any) -> Any:
        """A choice between two values."""
        raise NotImplementedError

    def extreme(self, greatest: bool, parts: List[Any]) -> Any:
        """The least or the greatest."""
        raise NotImplementedError


def module(name: str) -> Any:
    """A library that the maker of the expression has imported."""
    return sys.modules[name]
