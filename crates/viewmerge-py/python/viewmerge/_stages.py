"""Stages: an array after each op, from which every report on copies is made.

A stage keeps the chain of views so far and the moves (ops of ``ViewChain`` as
data) that led to it, so that the rest can be repeated from elsewhere: from a copy, or
from another layout. Every remedy was tried this way.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple, Optional, Sequence, Tuple

from ._core import View, ViewChain

Move = Tuple[Any, ...]


class Source(NamedTuple):
    """The source of the ops."""

    library: str = ""
    """"numpy", "torch", or "" for a view, a chain or a shape."""
    itemsize: Optional[int] = None
    """The bytes of an element, if it is an array's."""
    unit: Optional[int] = None
    """The bytes that a stride of 1 steps over: those of an element, or 1 where they do not divide."""

    @property
    def noun(self) -> str:
        """A noun for it."""
        return "the tensor" if self.library == "torch" else "the array"

    def size(self, elements: int) -> str:
        """A number of elements, with their bytes."""
        what = "1 element" if elements == 1 else f"{elements} elements"
        return what if self.itemsize is None else f"{what} ({spell_bytes(elements * self.itemsize)})"

    def size_in_bytes(self, elements: int) -> Optional[int]:
        """The bytes of this many elements, if known."""
        return None if self.itemsize is None else elements * self.itemsize


class Stage(NamedTuple):
    """A chain after one more op."""

    op: str
    """The op as text; what it started from, at stage 0."""
    chain: ViewChain
    is_view: bool
    """Whether all ops up to here are one view."""
    moves: Tuple[Move, ...] = ()
    """The ops of ``ViewChain`` that it comes to."""
    copies: Optional[str] = None
    """Why the op copies in any case, if it does."""
    names: Optional[Tuple[str, ...]] = None
    """The names of the axes, if there are any."""


def spell_bytes(number: int) -> str:
    """A readable number of bytes."""
    if number < 1024:
        return "1 byte" if number == 1 else f"{number} bytes"
    size = float(number)
    for unit in ("KiB", "MiB", "GiB"):
        size /= 1024
        if size < 1024:
            return f"{size:.1f} {unit}"
    return f"{size / 1024:.1f} TiB"


def is_view(chain: ViewChain) -> bool:
    return len(chain.views) == 1 or bool(chain.merge())


def first_break(stages: Sequence[Stage]) -> Optional[int]:
    """The first stage that is not one view."""
    broken = (number for number, stage in enumerate(stages) if not stage.is_view)
    return next(broken, None)


def first_stage(chain: ViewChain, names: Optional[Sequence[str]] = None) -> Stage:
    """The stage before the first op."""
    told = None if names is None else tuple(map(str, names))
    if told is not None and len(told) != chain.rank:
        raise ValueError(f"{len(told)} names for {chain.rank} axes")
    return Stage(str(chain), chain, is_view(chain), names=told)


def next_stage(
    stages: Sequence[Stage],
    op: str,
    moves: Sequence[Move],
    copies: Optional[str] = None,
    names: Optional[Tuple[str, ...]] = None,
) -> Stage:
    """The stage after some moves."""
    before = stages[-1]
    chain = replay(before.chain, moves)
    if names is None:
        names = moved_names(before.names, before.chain, moves)
    copied = copies is not None or any(stage.copies for stage in stages)
    return Stage(op, chain, not copied and is_view(chain), tuple(moves), copies, names)


def moved_names(
    names: Optional[Tuple[str, ...]], chain: ViewChain, moves: Sequence[Move]
) -> Optional[Tuple[str, ...]]:
    """The names of the axes after moves that do not join or split axes."""
    for name, *arguments in moves:
        if names is None:
            return None
        if name == "permute":
            names = tuple(names[axis] for axis in arguments[0])
        elif name == "transpose":
            one, other = (axis % len(names) for axis in arguments)
            swapped = list(names)
            swapped[one], swapped[other] = swapped[other], swapped[one]
            names = tuple(swapped)
        elif name not in ("flip", "shrink", "pad", "step", "slice"):
            return None
    return names


def replay(chain: ViewChain, moves: Sequence[Move]) -> ViewChain:
    """The chain after some moves."""
    for move in moves:
        if move[0] == "getitem":
            chain = chain[subscript(move[1])]
        else:
            chain = chain.apply(move)
    return chain


def subscript_data(key: Any) -> Tuple[Any, ...]:
    """A subscript as hashable data: integers, None, "..." and (start, stop, step)."""

    def one(item: Any) -> Any:
        if isinstance(item, slice):
            parts = (item.start, item.stop, item.step)
            return tuple(None if part is None else part.__index__() for part in parts)
        if item is Ellipsis:
            return "..."
        if item is None or isinstance(item, bool) or not hasattr(item, "__index__"):
            return item
        return item.__index__()

    return tuple(one(item) for item in (key if isinstance(key, tuple) else (key,)))


def subscript(data: Tuple[Any, ...]) -> Tuple[Any, ...]:
    """A subscript from such data."""

    def one(item: Any) -> Any:
        if isinstance(item, tuple):
            return slice(*item)
        return Ellipsis if isinstance(item, str) else item

    return tuple(one(item) for item in data)


def distinct(view: View) -> int:
    """The number of distinct elements: broadcast ones count once."""
    return prod(size for size, stride in zip(view.shape, view.strides) if stride or size == 1)


Stage.__module__ = Source.__module__ = "viewmerge"
