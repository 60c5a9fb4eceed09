"""Index expressions: simplification, equality, ranges and views, all decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, SupportsIndex, Tuple, TypeVar, Union

from . import _core
from ._core import View
from ._error import Error
from ._languages import Names, Written, key_name, write
from ._measures import is_better, measure

T = TypeVar("T")
Range = Union[SupportsIndex, range, Sequence[Optional[SupportsIndex]], None]
Ranges = Mapping[Any, Range]
_Ends = Tuple[Optional[int], Optional[int]]
_Asked = Tuple[List[Tuple[str, Optional[int], Optional[int]]], Optional[str], bool, int]

MOST_CHARACTERS = 20_000
"""Longer expressions are refused, unless another number is given."""


@dataclass(frozen=True)
class Simplified:
    """An expression with the fewest divisions, and where it is valid with the fewest comparisons."""

    expr: Any
    """The expression, in kind: a text for a text, of sympy for one of sympy."""
    valid: Any
    """When it counts, in the kind in which that was given; None for always."""
    divisions: int
    """How many quotients and remainders are left; one that comes again is counted once."""
    view: Optional[View]
    """The one view that it is, if it is one: axis k is variable k, from its first value on."""
    is_decided: bool
    """Whether it was settled; otherwise it is as it was given."""

    def __str__(self) -> str:
        return str(self.expr) if self.valid is None else f"{self.expr} if {self.valid}"


@dataclass(frozen=True)
class Same:
    """Whether two expressions are the same; true if so."""

    point: Optional[Dict[Any, int]]
    """The variables where they differ; None if they are the same."""
    values: Optional[Tuple[Optional[int], Optional[int]]]
    """Their values there, None where one does not count; conditions are 1 or 0."""

    def __bool__(self) -> bool:
        return self.point is None

    def __str__(self) -> str:
        if self.point is None or self.values is None:
            return "the same"
        at = ", ".join(f"{_spoken(name)} = {value}" for name, value in self.point.items())
        one, other = ("not valid" if value is None else str(value) for value in self.values)
        return f"computes a different function: at {at} the one is {one}, the other {other}"


def _spoken(variable: Any) -> str:
    """A variable in words; tinygrad's render themselves."""
    render = getattr(variable, "render", None)
    return str(render()) if callable(render) else str(variable)


@dataclass(frozen=True)
class Extremes:
    """The least and the greatest value of an expression, and where it takes them.

    None for one that does not exist, over unbounded variables.
    """

    least: Optional[int]
    least_at: Optional[Dict[Any, int]]
    greatest: Optional[int]
    greatest_at: Optional[Dict[Any, int]]


class Domain:
    """Variables with ranges, and where an expression of them is valid.

    ``ranges`` gives every variable, by its name or as the symbol itself, its values: a ``range``, a number n
    for 0 to n - 1, or a pair of the first and the last value, None for a missing end; None alone means every
    number. Variables of tinygrad, and those of PyTorch's tracing, know their own ranges. ``valid`` is a
    condition. Expressions are texts, or expressions of sympy, ``SymInt`` of PyTorch or ``UOp`` of tinygrad.
    ``c=True`` reads ``/`` and ``%`` of texts as C does.

    >>> domain = Domain({"i": range(32)}, valid="3 <= i and i < 10")
    >>> print(domain.simplify("(i - 3) // 7 + i"))
    i if 3 <= i < 10
    >>> domain.range("i % 4")
    Extremes(least=0, least_at={'i': 4}, greatest=3, greatest_at={'i': 3})
    >>> Domain({"i": (0, None)}).range("i // 2")
    Extremes(least=0, least_at={'i': 0}, greatest=None, greatest_at=None)
    """

    def __init__(
        self, ranges: Optional[Ranges] = None, valid: Any = None, *, c: bool = False, most_characters: int = MOST_CHARACTERS
    ) -> None:
        self.ranges: Ranges = dict(ranges or {})
        self.valid = valid
        self.c = c
        self.most_characters = most_characters

    def __repr__(self) -> str:
        valid = "" if self.valid is None else f", valid={self.valid!r}"
        return f"Domain({dict(self.ranges)!r}{valid})"

    def _asked(self, *exprs: Any) -> Tuple[List[Written], _Asked, Names]:
        """The expressions as texts, and the question about them."""
        names = Names(self.most_characters)
        given = {key_name(key, names): _ends(key, values) for key, values in self.ranges.items()}
        written = [write(expr, names) for expr in exprs]
        conditions = [] if self.valid is None else [write(self.valid, names)]
        valid = _all([part.text for part in conditions] + [part.valid for part in written])
        known = {**names.ranges, **given}
        ranges = [(name, first, last) for name, (first, last) in known.items()]
        return written, (ranges, valid, self.c, self.most_characters), names

    def simplify(self, expr: Any, *, steps: Optional[int] = None) -> Simplified:
        """The same expression with the fewest divisions, where it is valid, in kind.

        The given one is kept if the answer would be longer without dividing less, or would divide a number below 0
        where the given one does not. ``steps`` limits the search; if it does not suffice, the given one is kept.

        >>> domain = Domain({"i": 16, "j": 4})
        >>> domain.simplify("(4*i + j) // 8 * 16 + (4*i + j) % 8 * 2").expr
        '8*i + 2*j'
        >>> domain.simplify("i // 4 * 4 + i % 4").view
        View((16, 4), (1, 0))
        """
        (written,), asked, names = self._asked(expr)
        text, when, divisions, view, is_decided = _core.expression_simplified(written.text, asked, steps)
        if not is_decided:
            return Simplified(expr, self.valid, divisions, None, False)

        def least(part: str) -> Optional[int]:
            try:
                found = _core.expression_range(part, asked, steps)
            except Error:
                return None
            return 0 if found is None else found[0]

        worth = is_better(written.text, text, least)
        if written.valid is not None:
            built = written.build(text if worth else written.text, when)
            return Simplified(built, None, divisions, view, True)
        valid = when
        if when is not None and self.valid is not None:
            valid = write(self.valid, names).build(when, None)
        built = written.build(text, None) if worth else expr
        before = measure(written.text)
        if before is not None and (not worth or before.divisions <= divisions and _is_longer(built, expr)):
            return Simplified(expr, valid, before.divisions, view, True)
        return Simplified(built, valid, divisions, view, True)

    def equal(self, a: Any, b: Any, *, steps: Optional[int] = None) -> Same:
        """Whether two expressions are the same wherever they are valid; if not, a point where they differ.

        >>> domain = Domain({"i": range(999)})
        >>> bool(domain.equal("i // 2 % 120 // 6", "i // 12 % 20"))
        True
        >>> print(domain.equal("i % 5", "i"))
        computes a different function: at i = 5 the one is 0, the other 5
        """
        (one, other), asked, names = self._asked(a, b)
        if one.valid is not None or other.valid is not None:
            # First where they are valid, then the values there.
            always = (asked[0], None if self.valid is None else write(self.valid, names).text, *asked[2:])
            found = _core.expression_difference(one.valid or "True", other.valid or "True", always, steps)
            if found is not None:
                at = [(name, x, x) for (name, _, _), x in zip(asked[0], found[0])]
                values = tuple(
                    _core.expression_range(part.text, (at, part.valid, *asked[2:]), steps) for part in (one, other)
                )
                first, second = (None if value is None else value[0] for value in values)
                return Same(_point(asked, found[0], names), (first, second))
        found = _core.expression_difference(one.text, other.text, asked, steps)
        if found is None:
            return Same(None, None)
        return Same(_point(asked, found[0], names), found[1])

    def range(self, expr: Any, *, steps: Optional[int] = None) -> Optional[Extremes]:
        """The least and greatest value where it is valid, and where it takes them; None if it is valid nowhere.

        >>> Domain({"i": range(100)}).range("i % 7 - i // 50").least
        -1
        """
        (written,), asked, names = self._asked(expr)
        found = _core.expression_range(written.text, asked, steps)
        if found is None:
            return None
        least, least_at, greatest, greatest_at = found
        lowest = None if least_at is None else _point(asked, least_at, names)
        highest = None if greatest_at is None else _point(asked, greatest_at, names)
        return Extremes(least, lowest, greatest, highest)

    def as_view(self, expr: Any, *, steps: Optional[int] = None) -> Optional[View]:
        """The one view that an expression is, or None: axis k is variable k, from its first value on.

        >>> Domain({"i": (1, 3), "j": 4}).as_view("(4*i + j) // 8 * 8 + (4*i + j) % 8")
        View((3, 4), (4, 1), offset=4)
        >>> Domain({"i": 9}).as_view("i // 2") is None
        True
        """
        (written,), asked, _ = self._asked(expr)
        return _core.expression_view(written.text, asked, steps)


def _is_longer(answer: Any, given: Any) -> bool:
    """Whether an answer is longer than the given expression, as its library writes both."""
    if hasattr(given, "src"):
        return False
    return len(str(answer)) > len(str(given))


def _all(conditions: Sequence[Optional[str]]) -> Optional[str]:
    """The conjunction of the conditions that are given; None if none is."""
    parts = [part for part in conditions if part is not None]
    if len(parts) <= 1:
        return parts[0] if parts else None
    return " and ".join(f"({part})" for part in parts)


def _ends(key: Any, values: Range) -> _Ends:
    """The first and the last value, None for a missing end."""
    if values is None:
        return None, None
    if isinstance(values, range):
        if len(values) == 0 or values.step != 1:
            message = f"{key!s} has the values {values!r}, they must be some, one after the other"
            raise Error(message, "bad_range", {"name": str(key)})
        return values[0], values[-1]
    if hasattr(values, "__index__"):
        return 0, values.__index__() - 1
    pair = tuple(values)
    if len(pair) != 2 or not all(end is None or hasattr(end, "__index__") for end in pair):
        raise TypeError(f"{key!s}: a range is range(first, end), a size, or a pair (first, last), None for no end")
    first, last = (None if end is None else end.__index__() for end in pair)
    return first, last


def _point(asked: _Asked, values: Sequence[int], names: Names) -> Dict[Any, int]:
    """A point, by the variables as given."""
    return {names.variable(name): value for (name, _, _), value in zip(asked[0], values)}


def simplify(expr: T, ranges: Optional[Ranges] = None, valid: Any = None, *, steps: Optional[int] = None) -> T:
    """The same expression with the fewest divisions, where ``valid`` holds; in kind.

    Decided, not rewritten: no remaining division can be removed. Ranges are as in ``Domain``, whose
    ``simplify`` also gives the simplified condition and whether it was settled.

    >>> simplify("(4*i + j) // 8 * 16 + (4*i + j) % 8 * 2", {"i": 16, "j": 4})
    '8*i + 2*j'
    >>> simplify("(i - 3) // 7 + i", {"i": 32}, valid="3 <= i < 10")
    'i'
    >>> simplify("i // 4 * 4 + i % 4", {"i": (0, None)})
    'i'
    """
    found: T = Domain(ranges, valid).simplify(expr, steps=steps).expr
    return found


def same(
    a: Any, b: Any, ranges: Optional[Ranges] = None, valid: Any = None, *, steps: Optional[int] = None
) -> Same:
    """Whether two expressions are the same where ``valid`` holds; if not, a point where they differ.

    >>> bool(same("i // 2 % 120 // 6", "i // 12 % 20", {"i": 999}))
    True
    >>> same("i % 5", "i", {"i": range(9)}).point
    {'i': 5}
    """
    return Domain(ranges, valid).equal(a, b, steps=steps)


for _public in (Domain, Simplified, Same, Extremes, simplify, same):
    _public.__module__ = "viewmerge"
