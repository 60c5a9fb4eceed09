"""Against NumPy, on random arrays.

The arrays hold their own positions, so NumPy's result is what a view must read.
"""

from __future__ import annotations

from math import prod
from typing import Any, Callable, Tuple

import numpy
from support import Choices, cases

from viewmerge import (
    View,
    ViewChain,
    conditions,
    equivalent,
    merge,
    merge_many,
    reference,
    trace,
    why_copy,
)

def some_view(choose: Choices, memory: Any) -> Any:
    """An array that is a view of memory: transposed, sliced, broadcast."""
    shape = choose.shape()
    x = memory[: prod(shape)].reshape(shape)
    for _ in range(choose.below(4)):
        kind = choose.pick(["transpose", "slice", "broadcast", "regroup"])
        if kind == "transpose":
            x = x.transpose(choose.order(x.ndim))
        elif kind == "slice":
            x = x[(*(choose.slice(size) for size in x.shape), ...)]
        elif kind == "broadcast" and x.size <= 60 and x.ndim < 5:
            place = choose.below(x.ndim + 1)
            one = numpy.expand_dims(x, place)
            sizes = list(one.shape)
            sizes[place] = choose.between(1, 3)
            x = numpy.broadcast_to(one, sizes)
        elif kind == "regroup":
            y = x.reshape(choose.regrouping(x.size))
            if y.size and numpy.shares_memory(x, y):
                x = y
    return x


@cases(2500)
def test_reshape(choose: Choices) -> None:
    """If NumPy reshapes without a copy, it is one view here; and one view here equals NumPy's result."""
    memory = numpy.arange(500)
    x = some_view(choose, memory)
    shape = choose.regrouping(x.size)
    y = x.reshape(shape)
    no_copy = x.size == 0 or numpy.shares_memory(x, y)
    view = View.of(x, base=memory)
    verdict = view.reshape(shape)
    assert verdict or not no_copy, (view, shape)
    report = why_copy(view, shape)
    assert report.is_view == bool(verdict)
    if verdict.view is not None:
        assert verdict.view.shape == y.shape
        assert verdict.view.numpy(memory).tolist() == y.tolist()
        assert report.fix is None and report.view == verdict.view
    else:
        chain = ViewChain(view).reshape(shape)
        assert verdict.witness is not None and verdict.witness.check(chain)
        assert chain.numpy(memory, copy=True).tolist() == y.tolist()
        assert report.fix is not None and report.fix.elements <= x.size
        check_fix(report.fix, x, y, view)


def check_fix(fix: Any, x: Any, y: Any, view: View) -> None:
    """A view of the advised copy is the array."""
    if fix.stage == 0:
        if fix.compact:
            distinct = tuple(slice(None) if stride else slice(0, 1) for stride in view.strides)
            copy = numpy.ascontiguousarray(x[distinct])
        else:
            copy = numpy.ascontiguousarray(x)
    else:
        copy = numpy.ascontiguousarray(y)
    assert copy.size == fix.elements
    assert fix.rest.numpy(copy).tolist() == y.tolist()


def some_op(choose: Choices, x: Any) -> Tuple[str, Callable[[Any], Any]]:
    """An op on an array, as (how it is written, a function of an array or a trace)."""
    kinds = ["reshape", "transpose", "slice", "flip", "pad", "broadcast", "swap", "squeeze", "move"]
    kind = choose.pick(kinds)
    if kind == "reshape":
        shape = choose.regrouping(x.size)
        return f"reshape{shape}", lambda a: a.reshape(shape)
    if kind == "transpose":
        order = choose.order(x.ndim)
        return f"transpose{order}", lambda a: numpy.transpose(a, order)
    if kind == "slice":
        key: list[Any] = []
        for size in x.shape[: choose.below(x.ndim + 1)]:
            whole = size == 0 or choose.below(3) > 0
            key.append(choose.slice(size) if whole else choose.between(-size, size - 1))
        if x.ndim < 5 and choose.below(3) == 0:
            key.insert(choose.below(len(key) + 1), None)
        if choose.below(3) == 0:
            key.append(...)
        return f"[{key}]", lambda a: a[tuple(key)]
    if kind == "flip":
        axes = None if not x.ndim or choose.flag() else choose.between(-x.ndim, x.ndim - 1)
        return f"flip({axes})", lambda a: numpy.flip(a, axes)
    if kind == "pad" and x.size <= 60 and x.ndim:
        amounts = [(choose.below(3), choose.below(2)) for _ in x.shape]
        return f"pad({amounts})", lambda a: numpy.pad(a, amounts, constant_values=-1)
    if kind == "broadcast" and x.size <= 60 and x.ndim < 4:
        shape = (choose.between(1, 3), *x.shape)
        return f"broadcast_to({shape})", lambda a: numpy.broadcast_to(a, shape)
    if kind in ("swap", "move") and x.ndim:
        one, two = choose.between(-x.ndim, x.ndim - 1), choose.between(-x.ndim, x.ndim - 1)
        if kind == "swap":
            return f"swapaxes({one},{two})", lambda a: a.swapaxes(one, two)
        return f"moveaxis({one},{two})", lambda a: numpy.moveaxis(a, one, two)
    if kind == "squeeze":
        return "squeeze()", lambda a: numpy.squeeze(a)
    return "T", lambda a: a.T


@cases(2500)
def test_trace(choose: Choices) -> None:
    """The same ops on an array and on a trace have the same result, however they are written."""
    memory = numpy.arange(500)
    x = some_view(choose, memory)
    traced = trace(View.of(x, base=memory))
    start = traced
    done = []
    for _ in range(choose.between(1, 4)):
        text, op = some_op(choose, x)
        done.append(text)
        x, traced = op(x), op(traced)
        assert traced.shape == x.shape, done
    chain = traced.chain
    assert chain.numpy(memory, fill=-1, copy=True).tolist() == x.tolist(), (start, done)
    positions = [-1 if p is None else p for p in chain.positions()]
    assert positions == x.ravel().tolist()
    verdict = chain.merge()
    # (A pad is a copy in NumPy, whatever the views are.)
    assert traced.is_view == (bool(verdict) and not any(stage.copies for stage in traced.stages))
    if verdict.view is not None:
        assert verdict.view.numpy(memory, fill=-1).tolist() == x.tolist()
    else:
        assert verdict.witness is not None and verdict.witness.check(chain)
        assert traced.broke is not None
        report = traced.report()
        assert report.fix is not None and report.fix.rest.shape == x.shape
        assert str(traced).count("\n") >= len(traced.stages)
    single = reference.single_view(chain)
    assert single == verdict.view
    assert equivalent(chain, chain.simplify())
    form = chain.form()
    assert [form.index(i) for i in chain.indices()] == list(chain.positions())
    guarded = form.guarded()
    if guarded is not None:
        assert list(guarded.positions()) == list(chain.positions())
        again = guarded.chain()
        assert again is not None and list(again.positions()) == list(chain.positions())


@cases(2500)
def test_merge_of_any_two_views(choose: Choices) -> None:
    """The merged view reads what one view reads through the other."""
    memory = numpy.arange(500)
    x = some_view(choose, memory)
    below = View.of(x, base=memory)
    shape = [choose.between(1, 6) for _ in range(choose.below(4))]
    strides = [choose.between(-12, 12) for _ in shape]
    first, last = View(shape, strides).position_range or (0, 0)
    while shape and last - first >= x.size:
        shape.pop()
        strides.pop()
        first, last = View(shape, strides).position_range or (0, 0)
    if x.size == 0:
        return
    above = View(shape, strides, choose.between(-first, x.size - 1 - last))
    expected = x.ravel()[above.numpy(numpy.arange(x.size))]
    verdict = merge(below, above)
    assert verdict == merge_many([[below, above]])[0] == below.append(above).merge()
    if verdict.view is not None:
        assert verdict.view.numpy(memory).tolist() == expected.tolist()
    else:
        assert verdict.witness is not None and verdict.witness.check([below, above])
    assert reference.single_view([below, above]) == verdict.view
    # The strides that merge are exactly those that the conditions allow.
    if below.rank and not below.is_empty:
        found = conditions(below.shape, above)
        wide = [s for s, size in zip(below.strides, below.shape) if size > 1]
        assert found.allow(below.strides) == bool(verdict) or not wide
