"""The cost of an expression: its divisions, what they divide, and its length.

An answer of the core has the fewest divisions, but may be longer than the given expression, or
divide numbers below 0, which C's ``/`` and ``%`` round otherwise than Python's. These measures
decide whether an answer is an improvement.

Example: ``ModularIndexing(i, 4, 8)`` has two divisions, of ``i`` and of ``i // 4``; ``(i - 3) // 7`` divides a number
below 0 at ``i = 0``.

Cost: linear in the text, and one range of values for each number that is divided.
"""

from __future__ import annotations

import ast
from typing import Callable, List, NamedTuple, Optional

# Functions that divide their first argument by the second.
_QUOTIENTS = ("FloorDiv", "CleanDiv", "CeilDiv", "floordiv", "ceildiv", "truncdiv", "div_euclid")
_REMAINDERS = ("Mod", "PythonMod", "mod", "truncmod", "rem_euclid")


class Measure(NamedTuple):
    """The counts of an expression."""

    divisions: int
    """Quotients and remainders; one that comes again is counted once."""
    parts: int
    """Numbers, variables and signs."""
    divided: List[str]
    """The numbers that are divided."""


class _Operators(ast.NodeTransformer):
    """Rewrites functions that divide with the signs of Python."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _QUOTIENTS and len(node.args) == 2:
            return ast.BinOp(node.args[0], ast.FloorDiv(), node.args[1])
        if name in _REMAINDERS and len(node.args) == 2:
            return ast.BinOp(node.args[0], ast.Mod(), node.args[1])
        if name == "ModularIndexing" and len(node.args) == 3:
            value, divisor, modulus = node.args
            if not (isinstance(divisor, ast.Constant) and divisor.value == 1):
                value = ast.BinOp(value, ast.FloorDiv(), divisor)
            return ast.BinOp(value, ast.Mod(), modulus)
        if name in ("floor", "ceil", "ceiling") and len(node.args) == 1:
            inner = node.args[0]
            if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Div):
                return ast.BinOp(inner.left, ast.FloorDiv(), inner.right)
        return node


def measure(text: str) -> Optional[Measure]:
    """The cost of an expression; None if it is not in Python's syntax."""
    try:
        tree = _Operators().visit(ast.parse(text.strip(), mode="eval"))
        nodes = list(ast.walk(tree))
        found = {
            ast.unparse(node): ast.unparse(node.left)
            for node in nodes
            if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.Div))
        }
    except (SyntaxError, ValueError, RecursionError):
        return None
    counted = (ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Compare, ast.IfExp, ast.Call)
    parts = sum(isinstance(node, counted) for node in nodes)
    return Measure(len(found), parts, sorted(set(found.values())))


def divides_negative(measured: Measure, least: Callable[[str], Optional[int]]) -> bool:
    """Whether a dividend may be below 0; ``least`` gives the least value, None if unknown."""
    for text in measured.divided:
        low = least(text)
        if low is None or low < 0:
            return True
    return False


def is_better(given: str, answer: str, least: Callable[[str], Optional[int]]) -> bool:
    """Whether an answer is an improvement: it is shorter or divides less, and does not newly divide negative numbers."""
    if given == answer:
        return True
    before, after = measure(given), measure(answer)
    if before is None or after is None:
        return True
    if after.divisions >= before.divisions and (after.parts, len(answer)) > (before.parts, len(given)):
        return False
    # The remainder of ModularIndexing is C's, so it must never divide a number below 0.
    return not divides_negative(after, least) or "ModularIndexing" not in given and divides_negative(before, least)
