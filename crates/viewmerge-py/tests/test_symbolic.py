"""Unknown sizes: an answer for all of them agrees with the concrete library at each."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any, Callable, Dict, List

import pytest
import sympy
from support import Choices, cases

from viewmerge import Error, Sym, SymbolicChain, View, merge, sym, why_copy

N, M = sym("N"), sym("M", multiple=2)
B, T, H, D = map(sym, "BTHD")
POINTS = [{"N": n, "M": m} for n, m in product(range(1, 6), range(2, 7, 2))]


def random_expression(choose: Choices, deep: int = 3) -> tuple[Any, str]:
    """An expression of N and M by operators, and as text."""
    kind = choose.below(6) if deep else choose.below(2)
    if kind == 0:
        number = choose.between(-4, 6)
        return number, f"({number})"
    if kind == 1:
        return choose.pick([(N, "N"), (M, "M")])
    a, b = random_expression(choose, deep - 1), random_expression(choose, deep - 1)
    if kind in (4, 5):
        by = choose.pick([1, 2, 3, 4, -2])
        return (a[0] // by, f"({a[1]} // {by})") if kind == 4 else (a[0] % by, f"({a[1]} % {by})")
    if kind == 2:
        return a[0] + b[0], f"({a[1]} + {b[1]})"
    return choose.pick([(a[0] * b[0], f"({a[1]} * {b[1]})"), (a[0] - b[0], f"({a[1]} - {b[1]})")])


@cases(500)
def test_arithmetic(choose: Choices) -> None:
    made, text = random_expression(choose)
    for point in POINTS:
        expected = eval(text, dict(point))
        assert (made.at(point) if isinstance(made, Sym) else made) == expected, (made, text)
        # The printed text means the same.
        assert eval(str(made), dict(point)) == expected, (str(made), text)


def test_expressions_are_in_one_form() -> None:
    assert N * M == M * N and hash(N * M) == hash(M * N) and N + 1 - N == 1
    assert (N + M) ** 2 == N * N + 2 * N * M + M**2
    assert 2 * (M // 2) == M and M % 2 == 0 and 6 * N // 3 == 2 * N and (4 * N + 2) / 2 == 2 * N + 1
    assert (3 - N).at(N=5) == -2 and (7 // N).at(N=2) == 3 and (7 % N).at(N=4) == 3
    assert int(N - N + 3) == 3 and hash(N - N) == hash(0)
    assert str(N / M) == "N/M" and (N / M).at(N=4, M=2) == 2
    anything: Any = N
    for wrong, error in (
        (lambda: N // 0, ZeroDivisionError),
        (lambda: N + "a", TypeError),
        (lambda: N**anything, TypeError),
        (lambda: int(N), TypeError),
        (lambda: View((N, 3)), TypeError),
        (lambda: sym("1a"), Error),
        (lambda: N + sym("N", min=2), Error),
        (lambda: (N / M).at(N=3, M=2), Error),
        (lambda: N.at(M=2), Error),
    ):
        with pytest.raises(error):
            wrong()


def random_chain(choose: Choices) -> SymbolicChain:
    chain = SymbolicChain.contiguous(*choose.pick([(N, M), (N, 3, M), (2, N, 2), (M, M), (N, M, N)]))
    for _ in range(choose.between(1, 4)):
        kind, rank = choose.below(7), chain.ndim
        try:
            if kind == 0 and rank:
                chain = chain.permute(choose.order(rank))
            elif kind == 1 and rank > 1:
                start = choose.below(rank - 1)
                chain = chain.flatten(start, start + 1)
            elif kind == 2 and rank:
                chain = chain.flip(choose.below(rank))
            elif kind == 3 and rank:
                chain = chain[choose.pick([slice(1, None), slice(None, None, 2), slice(None, None, -1), slice(0, N)])]
            elif kind == 4 and rank:
                amounts = [(choose.below(2), 0) for _ in range(rank)]
                chain = chain.pad(*amounts)
            elif kind == 5:
                chain = chain.reshape(choose.pick([(-1,), (N, -1), (-1, 2), (M, -1), (M // 2, 2, -1)]))
            else:
                chain = chain.unsqueeze(0).expand(2, *chain.shape)
        except Error as error:
            # An op that is allowed for no sizes.
            assert error.kind in ("never_legal", "unsupported"), error
    return chain


@cases(300)
def test_chains(choose: Choices) -> None:
    """Always, when and never, at all small sizes."""
    chain = random_chain(choose)
    answer = merge(chain)
    assert answer.verdict in ("always", "when", "never") and bool(answer) == (answer.verdict == "always")
    for point in ({name: every[name] for name in chain.params} for every in POINTS):
        found = answer.at(point)
        if found == "refused":
            with pytest.raises(Error):
                chain.at(point)
            continue
        concrete = chain.at(point)
        expected = concrete.merge().view
        assert tuple(size.at(point) if isinstance(size, Sym) else size for size in chain.shape) == concrete.shape
        if found != "open":
            assert found == ("copy" if expected is None else expected), (chain, point)
        known = [case for case in answer.cases if case.when is None or eval(case.when, dict(point))]
        if known and found != "open" and not concrete.last.is_empty:
            view = known[0].view

            def number(x: Any) -> int:
                return x.at(point) if isinstance(x, Sym) else int(x)

            if view.mask is None:
                shape, strides = (list(map(number, part)) for part in (view.shape, view.strides))
                assert View(shape, strides, number(view.offset)) == expected


def test_cases_by_hand() -> None:
    answer = SymbolicChain.parse("(B,H,T,D) | permute(0,2,1,3) | reshape(B,T,H*D)", B, T, H, D).merge()
    assert answer.cases[0].when == "T == 1 or H == 1" and answer.open is None and answer.requires is None
    assert answer.cases[0].view.shape == (B, T, H * D)
    assert answer.conditions()[0] == "T == 1 || H == 1" and answer.conditions("math")[0] == "T = 1 ∨ H = 1"
    assert SymbolicChain.contiguous(N, M).reshape(M, N).merge().verdict == "always"
    split = SymbolicChain.contiguous(N).reshape(N // 2, 2).merge()
    assert split.requires is not None and split.at(N=4) == View((2, 2)) and split.at(N=5) == "refused"
    limited = SymbolicChain.contiguous(N, M).permute(1, 0).flatten().merge(steps=1)
    assert limited.open == "True" and limited.at(N=2, M=2) == "open"
    grown = SymbolicChain.contiguous(N).unsqueeze(0).expand(D, N)
    assert grown.shape == (D, N) and grown.at(N=2, D=3).shape == (3, 2)
    same = SymbolicChain.contiguous(N, 3).transpose(0, 1).as_strided((3, N), (N, 1)).shrink((0, 2), (0, N)).step(1, 1)


def test_symbols_of_sympy() -> None:
    n, m = sympy.symbols("n m", positive=True, integer=True)
    even = sympy.Symbol("e", positive=True, even=True)
    answer = SymbolicChain.contiguous(n, m).permute(1, 0).reshape(n * m).merge()
    assert answer.verdict == "when" and answer.cases[0].when == sympy.Or(sympy.Eq(m, 1), sympy.Eq(n, 1))
    assert answer.cases[0].view.shape == (m * n,) and answer.at({n: 1, m: 3}) == View((3,))
    assert SymbolicChain.contiguous(even).reshape(even // 2, 2).merge().requires is None
    anything = sympy.Symbol("a", integer=True)
    assert SymbolicChain.contiguous(anything, 2).flatten().merge().requires == (anything >= 0)


def test_sizes_of_pytorch() -> None:
    """An object whose node has an expression is read as a SymInt, and returned as one."""
    s0, s1 = sympy.symbols("s0 s1", positive=True, integer=True)

    class SymInt:
        def __init__(self, expr: Any) -> None:
            known = {s0: SimpleNamespace(lower=2, upper=64), s1: SimpleNamespace(lower=2, upper=sympy.oo)}
            environment = SimpleNamespace(
                var_to_range=known, create_symintnode=lambda expr, hint: SymInt(expr)
            )
            self.node = SimpleNamespace(expr=expr, shape_env=environment, hint=None)

        def __str__(self) -> str:
            return str(self.node.expr)

        def __index__(self) -> int:
            raise AssertionError("it is asked for the number of the example")

    class Tensor:
        shape = (SymInt(s0), SymInt(s1), 4)

        def stride(self) -> Any:
            return (4, SymInt(4 * s0), 1)

        def storage_offset(self) -> int:
            return 0

    target: Any = (SymInt(s0 * s1), 4)
    report: Any = why_copy(Tensor(), target)
    assert report.verdict == "never" and report.elements.node.expr == 4 * s0 * s1
    answer = SymbolicChain.contiguous(SymInt(s0), SymInt(s1)).flatten().merge()
    (size,) = answer.cases[0].view.shape
    assert isinstance(size, SymInt) and size.node.expr == s0 * s1
    unknown: Any = SymInt(s0)
    calls: List[Callable[[], Any]] = [
        lambda: View((unknown, 3)),
        lambda: View((6,), (1,), unknown),
        lambda: View((6,)).reshape(unknown),
        lambda: View((6,))[unknown:],
        lambda: View.of(Tensor()),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="s0 is not known"):
            call()
    for mixed in ((N, unknown), (unknown, N)):
        with pytest.raises(TypeError, match="of another kind"):
            SymbolicChain.contiguous(*mixed)


def test_why_copy() -> None:
    shape, strides = (B, T, H, D), (T * H * D, D, T * D, 1)
    reports = [
        why_copy((shape, strides), (B, T, H * D)),
        why_copy(SymbolicChain.strided(shape, strides), (B, T, H * D)),
        why_copy((B, H, T, D), ops="permute(0,2,1,3) | reshape(B,T,H*D)"),
        why_copy((B, H, T, D), ops=[("transpose", 1, 2), ("reshape", (B, T, H * D))]),
    ]
    for report in reports:
        assert not report and report.verdict == "when" and report.elements == B * T * H * D
        assert report.answer.cases[0].when == "T == 1 or H == 1"
        told = str(report)
        assert "One view if T == 1 or H == 1" in told and told.endswith("Otherwise it must copy B*D*H*T elements.")
        assert "\n" not in repr(report)
    assert why_copy((N, 6), (N, 2, 3)).is_view
    assert str(why_copy((N, 6), (N, 2, 3))) == "One view for all sizes: (N,2,3):(6,3,1)."
    with pytest.raises(TypeError):
        why_copy((N, 6), (N, 2, 3), order="F")
    for bad in ([("merge",)], [("_then", 1)], [("nothing", 1)]):
        with pytest.raises(TypeError):
            why_copy((N, 6), ops=bad)


REFUSED: List[tuple[Callable[[], Any], str, Dict[str, Any]]] = [
    (lambda: SymbolicChain.contiguous(N, 3).reshape(N, 4), "never_legal", {"op": "reshape"}),
    (lambda: SymbolicChain.parse("(N,K)", N), "undeclared", {"name": "K", "at": 3}),
    (lambda: SymbolicChain.parse("(N,3) | reshap(3)", N), "unknown_op", {"at": 8}),
    (lambda: SymbolicChain.contiguous(N).permute(1), "axis_out_of_range", {"axis": 1, "rank": 1}),
    (lambda: SymbolicChain.contiguous(N).pad((0, 0), (0, 0)), "rank_mismatch", {"found": 2}),
    (lambda: SymbolicChain.contiguous(N).reshape(-1, -1), "two_inferred", {"op": "reshape"}),
    (lambda: SymbolicChain.contiguous(N).at(N=0), "bad_point", {"name": "N"}),
    (lambda: SymbolicChain.contiguous(N).at(), "bad_point", {"name": "N"}),
    (lambda: SymbolicChain.contiguous(N).at(N=1, K=2), "bad_point", {"name": "K"}),
    (lambda: SymbolicChain.contiguous(sym("N", min=5, max=3)), "contradiction", {}),
    (lambda: SymbolicChain.contiguous(sym("N", multiple=0)), "bad_multiple", {"name": "N"}),
    (lambda: SymbolicChain.contiguous(N, sym("N", min=0)), "redeclared", {"name": "N"}),
    (lambda: SymbolicChain.contiguous(N**16 * N**16 * N**16).flatten().at(N=100), "too_large", {}),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_refusals(number: int) -> None:
    call, kind, fields = REFUSED[number]
    with pytest.raises(Error) as caught:
        call()
    assert caught.value.kind == kind, caught.value
    for name, value in fields.items():
        assert getattr(caught.value, name) == value
    if "at" in fields:
        assert str(caught.value).endswith("^")


def test_splits() -> None:
    for chain in (
        SymbolicChain.contiguous(N, M).permute(1, 0).flatten(),
        SymbolicChain.contiguous(N, M).pad((1, 0), (0, 1)).flatten(),
        SymbolicChain.contiguous(N, 6, M).permute(1, 0, 2).reshape(6 * N, M)[::2],
        SymbolicChain.contiguous(N * M, 3).permute(1, 0).flatten()[::M],
    ):
        answer = chain.split()
        for point in POINTS:
            told, found = answer.at(point), chain.at(point).split()
            if not isinstance(told, str):
                assert found.is_exact and told == (found.factors, found.view), (str(chain), point)
            else:
                assert told == "open" or not found.is_exact, (str(chain), point)
    answer = SymbolicChain.contiguous(N, M).permute(1, 0).flatten().split()
    assert answer and answer.cases[-1].factors == ((M, N),) and not answer.cases[-1].is_trivial
