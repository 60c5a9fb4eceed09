"""Unknown sizes of PyTorch's own tracing: they are read, answered in kind, and never taken for the example's numbers.

Needs a PyTorch with symbolic sizes (2.4 or later); with an older one, every test here reports that it is skipped.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any, Callable, Dict, List, Tuple

import pytest
import torch

import viewmerge
from viewmerge import SymbolicChain, View, ViewChain, same, simplify, sym, watch, why_copy

try:
    from torch._dynamo.source import ConstantSource
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

    MISSING = "" if hasattr(torch, "sym_max") and hasattr(torch, "export") else "it has no torch.export"
except ImportError as error:
    MISSING = str(error)

# Reported at the end of the run: see the option -rs.
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"NOT RUN: PyTorch {torch.__version__} has no SymInt: {MISSING}")


class Traced:
    """A tracing with two sizes, and no guards at first."""

    def __init__(self, a: int = 6, b: int = 8) -> None:
        self.env = ShapeEnv(duck_shape=False)
        self.a, self.b = self.size("a", a), self.size("b", b)
        self.names = {str(self.a): "a", str(self.b): "b"}

    def size(self, name: str, value: int) -> Any:
        source = ConstantSource(name)
        symbol = self.env.create_symbol(value, source=source, dynamic_dim=DimDynamic.DYNAMIC)
        return self.env.create_symintnode(symbol, hint=value, source=source)

    def empty(self, *shape: Any) -> Any:
        with FakeTensorMode(shape_env=self.env):
            return torch.empty(shape)

    def at(self, value: Any, a: int, b: int) -> Any:
        """The value of an answer at these sizes."""
        if isinstance(value, int):
            return value
        expr = getattr(getattr(value, "node", None), "expr", value)
        found = expr.subs({symbol: {"a": a, "b": b}[self.names[str(symbol)]] for symbol in expr.free_symbols})
        return bool(found) if found in (True, False) else int(found)


POINTS = list(product((2, 3, 5, 6), (2, 3, 4, 8)))


def test_answers_are_in_kind_and_add_no_guards() -> None:
    traced = Traced()
    a, b = traced.a, traced.b
    (size,) = SymbolicChain.contiguous(a, b).flatten().merge().cases[0].view.shape
    assert isinstance(size, torch.SymInt) and size.node.expr == (a * b).node.expr and size.node.hint == 48
    halved = SymbolicChain.contiguous(a, b, 4).reshape(a, b // 2, 8).merge()
    assert halved.verdict == "always" and halved.requires is not None
    for n, m in POINTS:
        (view,) = (case.view for case in halved.cases)
        assert traced.at(halved.requires, n, m) == (m % 2 == 0)
        assert [traced.at(part, n, m) for part in (*view.shape, *view.strides)] == [n, m // 2, 8, m // 2 * 8, 8, 1]
    # PyTorch's own quotient, not sympy's.
    assert type(halved.cases[0].view.shape[1].node.expr).__name__ == "FloorDiv"
    assert traced.env.guards == []


def test_why_copy_of_a_traced_tensor() -> None:
    traced = Traced()
    a, b = traced.a, traced.b
    x = traced.empty(a, b, 4)
    turned: Any = why_copy(x.transpose(0, 1), (a * b, 4))
    assert turned.verdict == "never" and isinstance(turned.elements, torch.SymInt)
    assert turned.elements.node.expr == (4 * a * b).node.expr and turned.elements.node.hint == 192
    assert why_copy(x, (a * b, 4)).is_view and why_copy(x, (a, -1)).is_view
    assert traced.env.guards == []
    # The sizes are numbers, and only a stride is unknown.
    part: Any = why_copy(x[:, :2, 0][:3], (6,))
    assert part.verdict == "when" and "2" in str(part.answer.cases[0].when)
    unknown = traced.env.create_unbacked_symint()
    torch._check(unknown >= 0)
    torch._check(unknown < 50)
    assert why_copy((unknown, 4), (4, unknown)).is_view
    assert why_copy(((unknown, 4), (1, unknown)), (4 * unknown,)).verdict == "when"


CHAINS: List[Callable[[Any, Any, Any], Any]] = [
    lambda x, a, b: x.reshape(a * b, 4),
    lambda x, a, b: x.permute(1, 0, 2).reshape(b * a, 4),
    lambda x, a, b: x.permute(0, 2, 1).reshape(a, 4 * b),
    lambda x, a, b: x.reshape(a, 2 * b, 2).permute(0, 2, 1),
    lambda x, a, b: x.reshape(4, a, b).permute(1, 2, 0),
    lambda x, a, b: x.unsqueeze(0).expand(a, a, b, 4).reshape(a * a, b, 4),
    lambda x, a, b: x[1:].reshape((a - 1) * b, 4),
    lambda x, a, b: x[:, 1:].reshape(a * (b - 1), 4),
]


@pytest.mark.parametrize("number", range(len(CHAINS)))
def test_as_pytorch_decides_for_every_example(number: int) -> None:
    """One answer for all sizes agrees with PyTorch's decision from each example."""
    call = CHAINS[number]
    once = Traced()
    answer = call(SymbolicChain.contiguous(once.a, once.b, 4), once.a, once.b).merge()
    for n, m in POINTS:
        traced = Traced(n, m)
        x = traced.empty(traced.a, traced.b, 4)
        y = call(x, traced.a, traced.b)
        shares = y.untyped_storage()._cdata == x.untyped_storage()._cdata
        known = [case for case in answer.cases if case.when is None or once.at(case.when, n, m)]
        assert bool(known) == shares, (number, n, m)
        if known:
            strides = [once.at(stride, n, m) for stride in known[0].view.strides]
            theirs = [traced.at(stride, n, m) for stride in y.stride()]
            sizes = [traced.at(size, n, m) for size in y.shape]
            assert [s for s, k in zip(strides, sizes) if k != 1] == [s for s, k in zip(theirs, sizes) if k != 1]


def test_expressions() -> None:
    traced = Traced()
    a, b = traced.a, traced.b
    ranges: Dict[str, Any] = {str(a): range(2, 50), str(b): range(2, 9)}
    cases: List[Tuple[Any, Any]] = [
        (a % 64 + b, a + b),
        ((8 * a + b) // 16, None),
        ((4 * a) // 2, 2 * a),
        (a >> 1, None),
        (torch.sym_max(a, b) * 2, None),
        (torch.sym_min(a, 3), None),
        (math.floor(a / 2), a // 2),
        (math.ceil(a / 2), None),
        (-(-a // 2), None),
        (a**2 - a * a + b % 16, b),
    ]
    for given, expected in cases:
        found = simplify(given, ranges)
        assert isinstance(found, torch.SymInt)
        for n, m in POINTS:
            assert traced.at(found, n, m) == traced.at(given, n, m), (given, found)
        if expected is not None:
            assert found.node.expr == expected.node.expr
        assert same(given, found, ranges)
    assert not same(a % 8, a, {str(a): range(99)})
    # Without a last value it is unbounded.
    assert simplify(a // 8 * 8 + a % 8).node.expr == a.node.expr
    assert not same(a % 8, a)
    assert traced.env.guards == []
    # What the tracing knows need not be declared.
    torch._check(a < 100)
    assert simplify(a % 128 + 1).node.expr == (a + 1).node.expr


def test_unknown_sizes_are_no_numbers() -> None:
    """Reading them as numbers would bind the tracing to the example."""
    traced = Traced()
    a, x = traced.a, traced.empty(traced.a, 4)
    view, chain = View((4,)), ViewChain(View((4,)))
    calls: List[Callable[[], Any]] = [
        lambda: View.of(x),
        lambda: View((a, 3)),
        lambda: View((6,), (a,)),
        lambda: View((6,), (1,), a),
        lambda: view.reshape(a),
        lambda: view.reshape((a, -1)),
        lambda: view.expand(a, 4),
        lambda: view[a:],
        lambda: chain.reshape((a, -1)),
        lambda: view.as_strided((2,), (1,), a),
        lambda: viewmerge.trace(x),
        lambda: viewmerge.trace((a, 4)),
        lambda: SymbolicChain.contiguous(sym("N"), a),
        lambda: SymbolicChain.contiguous(a, sym("N")),
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    assert traced.env.guards == []
    fixed = traced.empty(3, 4)
    assert View.of(fixed.t()) == View((4, 3), (1, 4)) and not viewmerge.trace(fixed.t()).reshape(12).is_view


def test_exported() -> None:
    class Model(torch.nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return x.t().reshape(-1) + 1

    length = torch.export.Dim("length", min=2, max=64)
    program = torch.export.export(Model(), (torch.zeros(6, 8),), dynamic_shapes={"x": {0: length}})
    x = next(node for node in program.graph.nodes if node.op == "placeholder").meta["val"]
    report: Any = why_copy(x.t(), (8 * x.shape[0],))
    assert report.verdict == "never" and report.elements.node.expr == (8 * x.shape[0]).node.expr
    assert why_copy(x, (8 * x.shape[0],)).is_view
    assert simplify(x.shape[0] % 65).node.expr == x.shape[0].node.expr


def test_watch_passes_tracing_on() -> None:
    """Tensors without memory, compiled code and ops of higher order are not disturbed."""
    traced = Traced()
    x, real = traced.empty(traced.a, traced.b), torch.randn(4, 6)
    with watch() as found:
        x.t().reshape(traced.a * traced.b).clone()
        torch.empty(3, 4, device="meta").t().reshape(12)
        torch.vmap(lambda row: row.view(2, 3).t().reshape(6))(real)
        compiled = torch.compile(lambda t: t.t().reshape(24) + 1, backend="eager", fullgraph=True)
        assert torch.equal(compiled(real), real.t().reshape(24) + 1)
        exported = torch.export.export(torch.nn.Linear(6, 3), (real,))
    assert exported is not None and len(found) >= 1
    assert all(copy.bytes for copy in found)
