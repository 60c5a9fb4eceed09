"""Patterns in the notation of einops: ``b t (h d) -> b h t d``.

Names are axes; those in parentheses are one axis, split or joined; ``1`` is an
axis of size 1, ``...`` all unnamed axes. A name only on the right is a new axis, along
which the array is repeated. The length of an axis follows from the shape, or is given by
name.

A pattern is at most four moves: a reshape to its single axes, a permute, an
expand and a reshape that joins.
"""

from __future__ import annotations

import re
from math import prod
from typing import Any, Dict, List, NoReturn, Optional, Sequence, Tuple

from ._error import Error
from ._stages import Move

Axis = Tuple[str, ...]
"""The names joined in one axis; none for an axis of size 1."""

_DOTS = "…"
"""``...`` that stands for axes of its own, not joined in parentheses."""

_TOKEN = re.compile(r"\s*(\.\.\.|…|[A-Za-z_][A-Za-z0-9_]*|\d+|[()])")


def _refuse(pattern: str, at: int, message: str) -> NoReturn:
    raise Error(f"in {pattern!r}, at column {at + 1}: {message}", "pattern", {"at": at})


def read_side(pattern: str, begin: int, end: int) -> List[Axis]:
    """One side of a pattern."""
    axes: List[Axis] = []
    group: Optional[List[str]] = None
    at = begin
    while pattern[at:end].strip():
        match = _TOKEN.match(pattern, at, end)
        if match is None:
            at += len(pattern[at:end]) - len(pattern[at:end].lstrip())
            _refuse(pattern, at, f"{pattern[at]!r} is no axis: a name, 1, ... or parentheses are")
        token, at = match[1], match.end()
        place = at - len(token)
        if token == "(":
            if group is not None:
                _refuse(pattern, place, "parentheses do not nest")
            group = []
        elif token == ")":
            if group is None:
                _refuse(pattern, place, "this parenthesis was not opened")
            axes.append(tuple(group))
            group = None
        elif token.isdigit() and token != "1":
            _refuse(pattern, place, f"only 1 can be a number, {token} needs a name")
        else:
            dots = token in ("...", _DOTS)
            token = token if not dots else _DOTS if group is None else "..."
            names = () if token == "1" else (token,)
            if group is None:
                axes.append(names)
            else:
                group.extend(names)
    if group is not None:
        _refuse(pattern, end, "a parenthesis is not closed")
    return axes


def _check_names(pattern: str, axes: Sequence[Axis]) -> List[str]:
    names = ["..." if name == _DOTS else name for axis in axes for name in axis]
    for name in names:
        if names.count(name) > 1:
            _refuse(pattern, pattern.index(name), f"{name} is named twice on one side")
    return names


def read(pattern: str, shape: Sequence[int], sizes: Dict[str, int]) -> Tuple[Tuple[Move, ...], Any]:
    """The moves of a pattern on an array of this shape, and the names of the axes of the result."""
    arrow = pattern.find("->")
    if arrow < 0 or "->" in pattern[arrow + 2 :]:
        _refuse(pattern, max(arrow, 0), "a pattern has one ->")
    left, right = read_side(pattern, 0, arrow), read_side(pattern, arrow + 2, len(pattern))
    before, after = _check_names(pattern, left), _check_names(pattern, right)
    for name in before:
        if name not in after:
            _refuse(pattern, pattern.index(name), f"{name} is lost: a pattern rearranges and repeats axes, it does not sum over one")
    left, right, before, after = _spell_dots(pattern, left, right, len(shape))
    if len(left) != len(shape):
        raise Error(
            f"in {pattern!r}: {len(left)} axes on the left, the array has {len(shape)}",
            "pattern",
            {"shape": tuple(shape)},
        )
    known = _lengths(pattern, left, shape, dict(sizes))
    new = [name for name in after if name not in before]
    for name in new:
        if name not in known:
            _refuse(pattern, pattern.index(name, arrow), f"{name} is new and needs a length: {name}=")
    unused = sorted(set(sizes) - set(before) - set(after))
    if unused:
        raise Error(f"{', '.join(unused)}: no axis of {pattern!r}", "pattern", {"names": unused})

    moves: List[Move] = []
    single = tuple(known[name] for name in before)
    if single != tuple(shape):
        moves.append(("reshape", single))
    old = [name for name in after if name in before]
    order = tuple(before.index(name) for name in old)
    if order != tuple(range(len(order))):
        moves.append(("permute", order))
    if new:
        with_ones = tuple(1 if name in new else known[name] for name in after)
        moves.append(("reshape", with_ones))
        moves.append(("expand", tuple(known[name] for name in after)))
    joined = tuple(prod(known[name] for name in axis) for axis in right)
    if joined != tuple(known[name] for name in after):
        moves.append(("reshape", joined))
    names = tuple(axis[0] if len(axis) == 1 else "(" + " ".join(axis) + ")" for axis in right)
    return tuple(moves), names


def _spell_dots(
    pattern: str, left: List[Axis], right: List[Axis], rank: int
) -> Tuple[List[Axis], List[Axis], List[str], List[str]]:
    """The sides, with ``...`` replaced by a name for every axis."""
    if any("..." in axis for axis in left):
        _refuse(pattern, pattern.index("..."), "... on the left cannot be in parentheses")
    hidden = [f"...{k}" for k in range(max(rank - len(left) + 1, 0))]

    def spell(axes: List[Axis]) -> List[Axis]:
        spelled: List[Axis] = []
        for axis in axes:
            if axis == (_DOTS,):
                spelled.extend((name,) for name in hidden)
            else:
                spelled.append(
                    tuple(n for name in axis for n in (hidden if name == "..." else [name]))
                )
        return spelled

    if (_DOTS,) not in left:
        hidden = []
    left, right = spell(left), spell(right)
    return left, right, [n for axis in left for n in axis], [n for axis in right for n in axis]


def _lengths(
    pattern: str, left: List[Axis], shape: Sequence[int], known: Dict[str, int]
) -> Dict[str, int]:
    """The length of every name."""
    for place, (axis, size) in enumerate(zip(left, shape)):
        open_names = [name for name in axis if name not in known]
        given = prod(known[name] for name in axis if name in known)
        if len(open_names) > 1:
            raise Error(
                f"in {pattern!r}: of {' and '.join(open_names)} all but one need a length",
                "pattern",
                {"axis": place, "size": size},
            )
        if open_names and given and size % given == 0:
            known[open_names[0]] = size // given
        elif open_names or given != size:
            names = " ".join(axis) or "1"
            raise Error(
                f"in {pattern!r}: ({names}) has {given} elements or a multiple, axis {place} of the "
                f"array has {size}"
                if open_names
                else f"in {pattern!r}: ({names}) is {given} long, axis {place} of the array {size}",
                "pattern",
                {"axis": place, "size": size},
            )
    return known
