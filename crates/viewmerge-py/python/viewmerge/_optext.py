"""Ops as text, one or several.

``"permute(2, 0, 1) | reshape(24)"`` is two ops. Arguments are numbers, sequences of
them and keywords, as in Python; those of ``slice`` are slices. An item in parentheses is
a view that goes on top, one with ``->`` is a pattern of axes. Errors point into the given
text.
"""

from __future__ import annotations

import ast
import difflib
import re
from typing import Any, Dict, Iterable, Iterator, List, NamedTuple, NoReturn, Tuple, Union

from ._error import Error
from ._types import Op

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Call(NamedTuple):
    """An op to do."""

    name: str
    arguments: Tuple[Any, ...]
    keywords: Dict[str, Any]
    text: str
    """The text it was read from."""
    given: str
    """All of the text, for messages."""
    at: int
    """Where in it the op begins."""


def calls(ops: Union[str, Iterable[Op]], known: Iterable[str]) -> Iterator[Call]:
    """The ops of a text, or of a list of texts and (name, argument, ...)."""
    names = sorted(known)
    if isinstance(ops, str):
        ops = [ops]
    for op in ops:
        if isinstance(op, str):
            yield from _read(op, names)
        else:
            parts = list(op) if hasattr(op, "__iter__") else []
            if not parts or not isinstance(parts[0], str):
                raise TypeError(f'an op is text, "flip(0)", or (name, argument, ...), ("flip", 0), not {op!r}')
            if parts[0] not in names:
                _unknown(parts[0], 0, parts[0], names)
            text = f"{parts[0]}({', '.join(_argument(part) for part in parts[1:])})"
            yield Call(parts[0], tuple(parts[1:]), {}, text, text, 0)


def _argument(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        inner = ", ".join(_argument(v) for v in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return str(value)


def _refuse(given: str, at: int, expected: str, found: str) -> NoReturn:
    raise Error(
        f"in {given!r}, at column {at + 1}: expected {expected}, found {found}",
        "syntax",
        {"at": at, "expected": expected, "found": found},
    )


def _unknown(given: str, at: int, name: str, known: List[str]) -> NoReturn:
    near = difflib.get_close_matches(name, known, 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f"; there are {', '.join(known)}"
    raise Error(
        f"in {given!r}, at column {at + 1}: unknown op {name}{hint}",
        "unknown_op",
        {"at": at, "op": name, "near": tuple(near)},
    )


def _items(given: str) -> Iterator[Tuple[int, str]]:
    """The parts between bars outside parentheses."""
    depth = start = 0
    for at, letter in enumerate(given):
        depth += (letter in "([") - (letter in ")]")
        if letter == "|" and depth <= 0:
            yield start, given[start:at]
            start = at + 1
    yield start, given[start:]


def _read(given: str, known: List[str]) -> Iterator[Call]:
    for start, item in _items(given):
        text = item.strip()
        at = start + len(item) - len(item.lstrip())
        if not text:
            _refuse(given, at, "an op", "nothing")
        if "->" in text:
            yield Call("rearrange", (text,), {}, text, given, at)
        elif text[0] == "(":
            yield Call("append", (text,), {}, text, given, at)
        else:
            yield _call(given, at, text, known)


def _call(given: str, at: int, text: str, known: List[str]) -> Call:
    """One ``name(argument, ...)``."""
    match = _NAME.match(text)
    if match is None:
        _refuse(given, at, "an op, as flip(0), or a view", repr(text[0]))
    name, rest = match[0], text[match.end() :]
    if name not in known:
        _unknown(given, at, name, known)
    if name in ("T", "mT") and not rest:
        return Call(name, (), {}, text, given, at)
    inside = at + match.end() + len(rest) - len(rest.lstrip())
    rest = rest.strip()
    if not rest.startswith("("):
        _refuse(given, inside, "`(`", repr(rest[0]) if rest else "the end")
    if not rest.endswith(")"):
        _refuse(given, inside + len(rest), "`)`", "the end")
    body = rest[1:-1]
    if name == "slice":
        parts = tuple(part.strip() for part in body.split(",") if part.strip())
        return Call(name, parts, {}, text, given, at)
    try:
        tree = ast.parse(f"f({body})", mode="eval").body
    except SyntaxError as error:
        column = min(max((error.offset or 1) - 3, 0), len(body))
        found = repr(body[column]) if column < len(body) else "the end"
        _refuse(given, inside + 1 + column, "numbers and sequences of them", found)
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        _refuse(given, inside, "one pair of parentheses", repr(rest))
    arguments = tuple(_value(part, given, inside) for part in tree.args)
    keywords = {key.arg: _value(key.value, given, inside) for key in tree.keywords if key.arg}
    return Call(name, arguments, keywords, text, given, at)


def _value(node: ast.expr, given: str, inside: int) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        found = ast.unparse(node)
        _refuse(given, inside + 1 + node.col_offset - 2, "a number or a sequence of them", repr(found))
