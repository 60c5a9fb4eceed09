"""Shared code of the tests."""

from __future__ import annotations

import json
import os
from math import prod
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, Optional, Sequence, Tuple, TypeVar

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from viewmerge import View

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(__file__).resolve().parents[1]
T = TypeVar("T")

# How many remedies the tests got, and how many of them removed the copy when applied.
REMEDIES: Dict[str, int] = {"given": 0, "helped": 0}


class Choices:
    """Choices drawn from bytes, so that a case is quick to draw and can be shrunk; 0 when they run
    out."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def __repr__(self) -> str:
        return f"Choices({self.data!r})"

    def below(self, count: int) -> int:
        """A number from 0 to count - 1."""
        byte = self.data[self.place] if self.place < len(self.data) else 0
        self.place += 1
        return byte % count

    def between(self, low: int, high: int) -> int:
        """A number from low to high."""
        return low + self.below(high - low + 1)

    def flag(self) -> bool:
        return self.below(2) == 1

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def order(self, count: int) -> list[int]:
        """The numbers below count in some order."""
        left = list(range(count))
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shape(self, smallest: int = 1) -> Tuple[int, ...]:
        sizes = [self.between(smallest, 6) for _ in range(self.below(5))]
        while prod(sizes) > 400:
            sizes.pop()
        return tuple(sizes)

    def regrouping(self, count: int) -> Tuple[int, ...]:
        """A shape of this many elements, with unit axes, and perhaps one size open."""
        sizes: list[int] = []
        rest = count
        while rest > 1 and len(sizes) < 5:
            sizes.append(self.pick([d for d in range(2, rest + 1) if rest % d == 0]))
            rest //= sizes[-1]
        if rest != 1:
            sizes.append(rest)
        if self.below(4) == 0:
            sizes.insert(self.below(len(sizes) + 1), 1)
        if sizes and count and self.below(4) == 0:
            sizes[self.below(len(sizes))] = -1
        return tuple(sizes)

    def slice(self, size: int, steps: Sequence[int] = (1, 1, 2, 3, -1, -2)) -> slice:
        def bound() -> Optional[int]:
            return self.between(-size - 1, size + 1) if self.flag() else None

        return slice(bound(), bound(), self.pick(steps) if self.flag() else None)


def cases(number: int) -> Callable[[Callable[[Choices], None]], Callable[[], None]]:
    """Runs a test on this many random choices, times VIEWMERGE_CASES; the same every time."""
    times = int(os.environ.get("VIEWMERGE_CASES", "1"))

    def decorate(test: Callable[[Choices], None]) -> Callable[[], None]:
        choices = st.binary(min_size=48, max_size=48).map(Choices)
        phases = (Phase.generate, Phase.shrink)
        with_choices = given(choices)(test)
        return settings(max_examples=number * times, phases=phases)(with_choices)

    return decorate


def lines(name: str) -> Iterator[Any]:
    """The cases of a file in testdata/."""
    with open(ROOT / "testdata" / name, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def view_of(parts: Any) -> View:
    return View(
        parts["shape"], parts.get("strides"), parts.get("offset", 0), parts.get("mask")
    )
