"""Index expressions, as texts and of sympy and tinygrad: answers are the same everywhere."""

from __future__ import annotations

import ast
from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, TypeVar

import pytest
import sympy
from support import Choices, cases

from viewmerge import Domain, Error, View, same, simplify
from viewmerge._languages import Names, write
from viewmerge._measures import measure
from viewmerge.records import Extremes, Same

Point = Dict[str, int]
T = TypeVar("T")


def random_text(choose: Choices, deep: int = 3) -> str:
    """An expression of i and j."""
    kind = choose.below(9) if deep else choose.below(2)
    if kind == 0:
        return str(choose.between(-9, 9))
    if kind == 1:
        return choose.pick("ij")

    def part() -> str:
        return random_text(choose, deep - 1)

    if kind == 2:
        return f"({part()} + {part()})"
    if kind == 3:
        return f"({part()} - {part()})"
    if kind == 4:
        return f"({choose.between(-4, 5)}*{part()})"
    if kind == 5:
        return f"({part()} // {choose.between(1, 7)})"
    if kind == 6:
        return f"({part()} % {choose.between(1, 7)})"
    if kind == 7:
        return f"{choose.pick(['min', 'max'])}({part()}, {part()})"
    return f"({part()} if {random_condition(choose, deep - 1)} else {part()})"


def random_condition(choose: Choices, deep: int = 2) -> str:
    """A condition on i and j."""
    kind = choose.below(4) if deep else 0
    if kind == 1:
        return f"({random_condition(choose, deep - 1)} and {random_condition(choose, deep - 1)})"
    if kind == 2:
        return f"({random_condition(choose, deep - 1)} or {random_condition(choose, deep - 1)})"
    sign = choose.pick(["<", "<=", ">", ">=", "==", "!="])
    return f"({random_text(choose, 1)} {sign} {random_text(choose, 1)})"


def points(ranges: Dict[str, Tuple[int, int]]) -> Iterator[Point]:
    spans = [range(first, last + 1) for first, last in ranges.values()]
    for values in product(*spans):
        yield dict(zip(ranges, values))


def value(text: str, point: Point) -> int:
    return int(eval(text, {"__builtins__": {"min": min, "max": max, "int": int}}, dict(point)))


def random_ranges(choose: Choices) -> Dict[str, Tuple[int, int]]:
    ranges = {}
    for name in "ij":
        first = choose.between(-4, 3)
        ranges[name] = (first, first + choose.below(9))
    return ranges


def unless_too_many(question: Callable[[], T]) -> Optional[T]:
    """The answer; None if there are too many alternatives."""
    try:
        return question()
    except Error as error:
        if error.kind != "too_many_cases":
            raise
        assert error.cases > error.most and "alternatives" in str(error)
        return None


@cases(600)
def test_texts(choose: Choices) -> None:
    ranges = random_ranges(choose)
    text = random_text(choose)
    valid = random_condition(choose) if choose.flag() else None
    domain = Domain(ranges, valid)
    found = domain.simplify(text)
    counting = [at for at in points(ranges) if valid is None or value(valid, at)]
    for at in points(ranges):
        counts = valid is None or bool(value(valid, at))
        assert counts == (found.valid is None or bool(value(found.valid, at))), (found, at)
    for at in counting:
        assert value(found.expr, at) == value(text, at), (found, at)
    assert simplify(text, ranges, valid) == found.expr
    extremes = unless_too_many(lambda: domain.range(text))
    if not counting:
        assert extremes is None
    elif extremes is not None:
        values = [value(text, at) for at in counting]
        assert (extremes.least, extremes.greatest) == (min(values), max(values))
        assert extremes.least_at is not None and extremes.greatest_at is not None
        assert value(text, extremes.least_at) == extremes.least
        assert value(text, extremes.greatest_at) == extremes.greatest
    if found.view is not None:
        for at in points(ranges):
            index = [at[name] - first for name, (first, _) in ranges.items()]
            position = found.view.index(index)
            assert position == (value(text, at) if at in counting else None)
    other = random_text(choose)
    equal = unless_too_many(lambda: domain.equal(text, other))
    if equal is None:
        return
    differing = [at for at in counting if value(text, at) != value(other, at)]
    assert bool(equal) == (not differing)
    if equal.point is not None:
        assert equal.point in differing
        assert equal.values == (value(text, equal.point), value(other, equal.point))


Made = Callable[..., Any]


def translated(text: str, names: Dict[str, Any], number: Made, signs: Dict[Any, Made]) -> Any:
    """A text by the operators of a library: ``signs`` has one for every sign, "min", "max" and "if"."""

    def made(tree: Any) -> Any:
        if isinstance(tree, ast.Constant):
            return number(tree.value)
        if isinstance(tree, ast.Name):
            return names[tree.id]
        if isinstance(tree, ast.UnaryOp):
            return -made(tree.operand)
        if isinstance(tree, ast.BinOp):
            return signs[type(tree.op)](made(tree.left), made(tree.right))
        if isinstance(tree, ast.Call):
            return signs[tree.func.id](*map(made, tree.args))  # type: ignore[attr-defined]
        if isinstance(tree, ast.IfExp):
            return signs["if"](made(tree.test), made(tree.body), made(tree.orelse))
        if isinstance(tree, ast.BoolOp):
            return signs[type(tree.op)](*map(made, tree.values))
        return signs[type(tree.ops[0])](made(tree.left), made(tree.comparators[0]))

    return made(ast.parse(text, mode="eval").body)


PLAIN: Dict[Any, Made] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
    ast.And: lambda a, b: a & b,
    ast.Or: lambda a, b: a | b,
}


def as_sympy(text: str) -> Any:
    """A text with the signs of sympy."""
    i, j = sympy.symbols("i j", integer=True)
    signs: Dict[Any, Made] = {
        ast.FloorDiv: lambda a, b: sympy.floor(a / b),
        ast.Mod: sympy.Mod,
        ast.Eq: sympy.Eq,
        ast.NotEq: sympy.Ne,
        "min": sympy.Min,
        "max": sympy.Max,
        "if": lambda when, a, b: sympy.Piecewise((a, when), (b, True)),
    }
    return translated(text, {"i": i, "j": j}, sympy.Integer, {**PLAIN, **signs})


@cases(120)
def test_sympy(choose: Choices) -> None:
    """A sympy expression for a sympy expression, of the same symbols."""
    ranges = random_ranges(choose)
    text = random_text(choose, 2)
    expr = as_sympy(text)
    i, j = sympy.symbols("i j", integer=True)
    found = simplify(expr, {i: ranges["i"], "j": ranges["j"]})
    assert isinstance(found, sympy.Basic) and found.free_symbols <= {i, j}
    for number, at in enumerate(points(ranges)):
        if number % 5 == 0:
            assert int(found.subs({i: at["i"], j: at["j"]})) == value(text, at), (expr, found, at)
    assert unless_too_many(lambda: bool(same(expr, text, ranges))) is not False, (expr, text)


def test_sympy_by_hand() -> None:
    i, j = sympy.symbols("i j", integer=True)
    strange = sympy.Symbol("a'b", integer=True)
    twin = sympy.Symbol("i", positive=True, integer=True)
    assert simplify((4 * i + j) // 8 * 16 + (4 * i + j) % 8 * 2, {i: 16, j: 4}) == 8 * i + 2 * j
    up = sympy.ceiling(i / 3) * 3
    assert not simplify(up, {i: (0, 2)}).has(sympy.ceiling, sympy.floor) and same(up, "3*(i >= 1)", {i: (0, 2)})
    assert same(sympy.Eq(i < 3, j < 4), "(i < 3) == (j < 4)", {i: 9, j: 9})
    assert simplify(strange % 8, {strange: 8}) == strange
    assert simplify(i % 8 + twin % 9, {i: 8, twin: range(9)}) == i + twin
    assert simplify(sympy.And(i < 5, i < 7), {i: 10}) == (i < 5)
    assert simplify(sympy.true, {}) == sympy.true and simplify(sympy.Integer(3)) == 3
    found = Domain({i: 32}, valid=sympy.And(i >= 3, i < 10)).simplify((i - 3) // 7 + i)
    assert (found.expr, found.valid, found.divisions) == (i, sympy.And(i >= 3, i < 10), 0)
    assert found.view == View((32,), (1,), mask=[(3, 10)])
    differ = same(i % 5, i, {i: 9})
    assert differ.point == {i: 5} and differ.values == (0, 5)
    assert str(differ) == "computes a different function: at i = 5 the one is 0, the other 5"
    for bad, kind in (
        (i / 3, "no_expression"),
        (sympy.sin(i), "no_expression"),
        (i**j, "no_expression"),
        (sympy.Piecewise((i, i < 3)), "no_expression"),
        (i * j, "not_linear"),
        (i**2, "not_linear"),
        (sympy.Mod(i, j), "not_linear"),
        (sympy.Symbol("k"), "no_range"),
    ):
        with pytest.raises(Error) as caught:
            simplify(bad, {i: 9, j: (1, 20000)})
        assert caught.value.kind == kind, (bad, caught.value)


class FloorDiv(sympy.Function):  # type: ignore[misc]
    """As PyTorch defines it."""

    nargs = (2,)


class ModularIndexing(sympy.Function):  # type: ignore[misc]
    """As PyTorch defines it: base, divisor, modulus."""

    nargs = (3,)


def test_functions_of_pytorch() -> None:
    i = sympy.Symbol("i", integer=True)
    found: Any = simplify(FloorDiv(i, 4) * 16 + ModularIndexing(i, 1, 4) * 4 + ModularIndexing(i, 4, 16), {i: 64})
    assert found == 4 * i + FloorDiv(i, 4) and isinstance(found.args[1], FloorDiv), found
    # How PyTorch rounds: a quotient that is not rounded is no integer.
    half, floor, up = (sympy.Function(name) for name in ("IntTrueDiv", "FloorToInt", "CeilToInt"))
    assert same(floor(half(i, 2)), i // 2, {i: 64}) and same(up(half(i, 2)), (i + 1) // 2, {i: 64})
    with pytest.raises(Error, match="IntTrueDiv"):
        simplify(half(i, 2), {i: 64})


def numerators(expr: Any) -> List[Any]:
    """The dividends in an expression of PyTorch's functions."""
    parts = [part for part in sympy.preorder_traversal(expr) if isinstance(part, (FloorDiv, ModularIndexing))]
    return [part.args[0] for part in parts]


def value_of(expr: Any, point: Dict[Any, int]) -> int:
    """The value at a point."""
    if expr.is_Integer or expr.is_Symbol:
        return int(expr.subs(point))
    if isinstance(expr, sympy.Piecewise):
        return next(value_of(value, point) for value, when in expr.args if bool(when.subs(point)))
    parts = [value_of(part, point) for part in expr.args]
    if isinstance(expr, FloorDiv):
        return parts[0] // parts[1]
    if isinstance(expr, ModularIndexing):
        return parts[0] // parts[1] % parts[2]
    return sum(parts) if expr.is_Add else prod(parts)


@cases(40)
def test_answers_are_what_code_generators_print_right(choose: Choices) -> None:
    i, j = sympy.symbols("i j", integer=True, nonnegative=True)
    ends = {i: choose.pick([12, 30, 64]), j: choose.pick([2, 4, 7])}
    expr: Any = sympy.Integer(0)
    for _ in range(choose.between(1, 3)):
        inner = choose.pick([1, 2, 4, 6]) * i + choose.pick([0, 1, 2]) * j + choose.below(3)
        size = choose.pick([2, 3, 4, 8, 12])
        modular = ModularIndexing(inner, choose.pick([1, 2, 4]), size)
        expr += choose.pick([1, 4, 8, 16]) * (modular if choose.flag() else FloorDiv(inner, size))
    found = Domain(ends).simplify(expr)
    answer: Any = found.expr
    # No rational, hence no floating point; no negative dividends; not longer without dividing less.
    assert not any(part.is_Rational and not part.is_Integer for part in sympy.preorder_traversal(answer)), answer
    assert not answer.atoms(sympy.floor, sympy.Mod), answer
    points = [{i: a, j: b} for a in range(ends[i]) for b in range(ends[j])]
    picked = points[:: max(len(points) // 40, 1)]
    for point in picked:
        assert value_of(answer, point) == value_of(expr, point), (expr, answer)
        assert all(value_of(part, point) >= 0 for part in numerators(answer)), (expr, answer)
    given = measure(str(write(expr, Names(9999)).text))
    assert given is not None
    assert len(str(answer)) <= len(str(expr)) or found.divisions < given.divisions, (expr, answer)


def test_answers_that_stay() -> None:
    i = sympy.Symbol("i", integer=True)
    # A lone one is returned as one, not as a rounded rational.
    for expr in (ModularIndexing(i, 4, 8), ModularIndexing(i, 1, 8), FloorDiv(i, 7)):
        assert simplify(expr, {i: 10_000}) == expr
    # If the given expression divides no number below 0, neither does an answer; otherwise it may.
    assert simplify("(i + 4) // 7", {"i": 100}) == "(i + 4) // 7"
    for bad, word in (("i % k", "a divisor that varies"), ("i ^ 3", 'no bits, found "\\^"')):
        with pytest.raises(Error, match=word):
            simplify(bad, {"i": 9, "k": (1, None)})


class FakeEnvironment:
    """The interface of PyTorch's tracing."""

    def __init__(self, ranges: Dict[Any, Tuple[Any, Any]]) -> None:
        self.var_to_range = {
            symbol: SimpleNamespace(lower=lower, upper=upper) for symbol, (lower, upper) in ranges.items()
        }

    def create_symintnode(self, expr: Any, *, hint: Optional[int]) -> Any:
        return FakeSymInt(expr, self)


class FakeSymInt:
    """The interface of a SymInt."""

    def __init__(self, expr: Any, environment: FakeEnvironment) -> None:
        self.node = SimpleNamespace(expr=expr, shape_env=environment, hint=None)


def test_symints() -> None:
    s0, s1 = sympy.symbols("s0 s1", integer=True, positive=True)
    environment = FakeEnvironment({s0: (2, 7), s1: (2, sympy.oo)})
    found = simplify(FakeSymInt(s0 % 8 + 1, environment))
    assert isinstance(found, FakeSymInt) and found.node.expr == s0 + 1
    # Unknown sizes are unbounded.
    assert simplify(FakeSymInt(s1 % 8, environment)).node.expr == s1 % 8
    assert simplify(FakeSymInt(s1 // 8 * 8 + s1 % 8, environment)).node.expr == s1
    found_point = same(FakeSymInt(s1 % 8, environment), FakeSymInt(s1, environment)).point
    assert found_point is not None and found_point[s1] >= 8
    assert simplify(FakeSymInt(s1 % 8, environment), {s1: 8}).node.expr == s1
    environment = FakeEnvironment({s0: (2, 2**63 - 2)})
    assert simplify(FakeSymInt(s0 // 2 // 3, environment)).node.expr == s0 // 6


def test_without_ends() -> None:
    for ranges in ({"i": (0, None)}, {"i": (None, -1)}, {"i": None}):
        assert simplify("i // 4 * 4 + i % 4", ranges) == "i"
        assert bool(same("i // 2 % 120 // 6", "i // 12 % 20", ranges))
        assert not same("min(abs(i), 1000)", "abs(i)", ranges)
    domain = Domain({"i": (0, None), "j": 4})
    assert domain.range("i - j") == Extremes(-3, {"i": 0, "j": 3}, None, None)
    bounded = domain.range("i % 4 + j")
    assert bounded is not None and bounded.greatest == 6
    assert domain.simplify("(4*i + j) // 4").view is None
    with pytest.raises(Error, match="a view has sizes") as refused:
        domain.as_view("i")
    assert refused.value.kind == "open_range"
    with pytest.raises(Error, match="within"):
        Domain({"i": (2**61, None)}).simplify("i")
    with pytest.raises(TypeError, match="None for no end"):
        Domain({"i": (0, "n")}).simplify("i")  # type: ignore[dict-item]


def evaluated(expr: Any, at: Dict[Any, int]) -> Any:
    """The value of a UOp, by the meaning of its ops; None where it is invalid."""
    if expr in at:
        return at[expr]
    name = expr.op.name
    if name == "CONST":
        return expr.arg if isinstance(expr.arg, int) else None
    src = [evaluated(part, at) for part in expr.src]
    if name == "WHERE":
        return src[1] if src[0] else src[2]
    two: Dict[str, Callable[[int, int], Any]] = {
        "ADD": lambda a, b: a + b,
        "SUB": lambda a, b: a - b,
        "MUL": lambda a, b: a * b,
        "FLOORDIV": lambda a, b: a // b,
        "FLOORMOD": lambda a, b: a % b,
        "CDIV": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
        "CMOD": lambda a, b: abs(a) % abs(b) * (1 if a >= 0 else -1),
        "MAX": max,
        "CMPLT": lambda a, b: a < b,
        "CMPNE": lambda a, b: a != b,
        "CMPEQ": lambda a, b: a == b,
        "AND": lambda a, b: a & b,
        "OR": lambda a, b: a | b,
        "XOR": lambda a, b: a ^ b,
    }
    return -src[0] if name == "NEG" else src[0] if name == "CAST" else two[name](src[0], src[1])


tinygrad = pytest.importorskip("tinygrad")


def as_uops(text: str, i: Any, j: Any) -> Any:
    """A text by the operators of tinygrad."""
    signs: Dict[Any, Made] = {
        ast.Eq: lambda a, b: a.eq(b),
        ast.NotEq: lambda a, b: a.ne(b),
        "min": lambda a, b: a.minimum(b),
        "max": lambda a, b: a.maximum(b),
        "if": lambda when, a, b: when.where(a, b),
    }
    return translated(text, {"i": i, "j": j}, i.const_like, {**PLAIN, **signs})


@cases(200)
def test_uops(choose: Choices) -> None:
    """A UOp for a UOp, with the same variables, equal everywhere and valid at the same points."""
    from tinygrad.uop.ops import UOp

    ranges = random_ranges(choose)
    i = UOp.variable("i", *ranges["i"])
    size = ranges["j"][1] - ranges["j"][0] + 1
    ranges["j"] = (0, size - 1)
    j = UOp.range(size, 1)
    text = random_text(choose)
    expr = as_uops(text, i, j)
    valid = random_condition(choose, 1) if choose.flag() else None
    if valid is not None:
        expr = as_uops(valid, i, j).where(expr, UOp.invalid())
    found = simplify(expr)
    assert isinstance(found, UOp) and found.dtype == expr.dtype
    for at in points(ranges):
        where = {i: at["i"], j: at["j"]}
        expected = value(text, at) if valid is None or value(valid, at) else None
        assert evaluated(expr, where) == expected
        assert evaluated(found, where) == expected, (text, valid, found.render(), at)
    assert unless_too_many(lambda: bool(same(expr, found))) is not False


def test_uops_by_hand() -> None:
    from tinygrad.uop.ops import UOp

    a, b = UOp.range(16, 0), UOp.range(4, 1)
    found = simplify((a * 4 + b) // 8 * 16 + (a * 4 + b) % 8 * 2)
    assert same(found, a * 8 + b * 2) and "//" not in found.render() and "%" not in found.render()
    assert Domain().as_view(a * 4 + b) == View((16, 4))
    x = UOp.variable("x", 0, 31)
    gated = ((x - 3) // 7 + x).valid((x >= 3) & (x < 10))
    assert simplify(gated).src[1] is x
    assert str(same(gated, x)) == "computes a different function: at x = 0 the one is not valid, the other 0"
    assert bool(same(gated, x, valid=(x > 4) & (x < 9))), "they differ only elsewhere"
    with pytest.raises(Error, match="no integer"):
        simplify(x + UOp.const(1.5))
    # Shared parts are written at every occurrence, up to a limit.
    grown = x
    for _ in range(40):
        grown = grown % 7 + grown // 3
    with pytest.raises(Error) as caught:
        simplify(grown)
    assert caught.value.kind == "text_too_long"


def test_ranges_and_refusals() -> None:
    for values in (10, range(10), (0, 9), [0, 9]):
        assert simplify("i % 10", {"i": values}) == "i"
    assert simplify("i % 4", {"i": range(-4, 0)}) == "i + 4"
    assert simplify(7) == 7 and simplify("2 + 3") == "5"
    rows: list[tuple[Callable[[], Any], str, str]] = [
        (lambda: simplify("4*i + ) // 3", {"i": 4}), "syntax", "  4*i + ) // 3\n        ^"),
        (lambda: simplify("i", {"i": 4}, valid="i <"), "syntax", "  i <\n     ^"),
        (lambda: simplify("i * i", {"i": 4000000}), "not_linear", "  i * i\n    ^"),
        (lambda: simplify("k", {"i": 4}), "no_range", '"k"'),
        (lambda: simplify("i", {"i": 0}), "bad_range", "i"),
        (lambda: simplify("i", {"i": range(0)}), "bad_range", "i"),
        (lambda: simplify("i", {"i": range(0, 9, 2)}), "bad_range", "range(0, 9, 2)"),
        (lambda: simplify("i", {"i": (0, 2**61)}), "bad_range", "i"),
        (lambda: simplify("i" * 20001, {"i": 4}), "text_too_long", "20001"),
        (lambda: same("i", "i < 3", {"i": 4}), "wrong_kind", "number"),
        (lambda: Domain({"i": 4}).as_view("i < 3"), "wrong_kind", "condition"),
        (lambda: same("i % 3 + (i + 1) % 3", "i", {"i": 100}, steps=0), "undecided", "0 steps"),
    ]
    for call, kind, told in rows:
        with pytest.raises(Error) as caught:
            call()
        assert caught.value.kind == kind and told in str(caught.value), str(caught.value)
    text: Any = "ab"
    for ranges in ({"i": text}, {"i": (1, 2, 3)}):
        with pytest.raises(TypeError, match="a range is"):
            simplify("i", ranges)
    with pytest.raises(TypeError, match="an expression is"):
        simplify(2.5)
    # An unsettled expression is unchanged, and says so.
    i = sympy.Symbol("i")
    hard = i % 3 + (i + 1) % 3 + (i + 2) % 3
    kept = Domain({i: 100}).simplify(hard, steps=0)
    assert kept.expr is hard and not kept.is_decided
    assert simplify(hard, {i: 100}) == 3
    assert Domain(c=True).simplify("-7 % 4").expr == "-3" and Domain().simplify("-7 % 4").expr == "1"
    assert isinstance(same("1", "1"), Same) and repr(Domain({"i": 3})) == "Domain({'i': 3})"
