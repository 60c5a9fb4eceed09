"""why_copy and trace, and their texts."""

from __future__ import annotations

import pickle
from functools import partial
from operator import methodcaller
from typing import Any, Callable, Sequence, cast

import numpy
import pytest

from support import REMEDIES, Choices, cases

from viewmerge import (
    CopyReport,
    Error,
    Merged,
    View,
    ViewChain,
    certify,
    copies,
    mark,
    merge,
    merge_many,
    sym,
    trace,
    verify,
    watch,
    why_copy,
)


def test_a_broadcast_is_copied_small() -> None:
    """Of a broadcast only the distinct elements need to be copied."""
    x = numpy.broadcast_to(numpy.arange(6).reshape(2, 3).T, (100, 3, 2))
    report = why_copy(x, (100, 6))
    assert not report and report.fix is not None
    assert (report.fix.elements, report.fix.compact, report.fix.stage) == (6, True, 0)
    assert str(report.fix) == (
        "copy the 6 distinct elements (48 bytes) of the array, before reshape(100, 6)"
    )
    # Flattened as a whole it repeats in memory, so all are copied.
    flat = why_copy(x, 600)
    assert flat.fix is not None and flat.fix.elements == 600


def test_the_copy_goes_where_it_is_cheapest() -> None:
    report = why_copy(View((2, 3)), ops=["permute(1,0)", ("reshape", 6), ("expand", 100, 6)])
    assert report.fix is not None
    assert (report.fix.elements, report.fix.stage, report.broke) == (6, 1, 2)
    assert "It broke at op 2, reshape(6)." in str(report)
    assert [stage.is_view for stage in report.stages] == [True, True, False, False]


def test_arguments() -> None:
    with pytest.raises(TypeError):
        why_copy(View((2, 3)))
    with pytest.raises(TypeError):
        why_copy(View((2, 3)), 6, ops=[])
    with pytest.raises(Error):
        why_copy(View((2, 3)), 7)
    assert why_copy("(2,3)", ops=[]).is_view
    assert why_copy(ViewChain.parse("(3,2):(1,3) | (6)"), (2, 3)).broke == 0
    assert why_copy(View((2, 3)), ops=[["permute", [1, 0]]]).view == View((3, 2), (1, 3))


def test_a_later_step_repairs() -> None:
    t = trace((3, 2)).T.reshape(6)[::3]
    assert t.is_view and t.broke == 2
    assert "a later one repaired it" in str(t)
    assert str(t).splitlines()[-2] == "One view: (2):(1)."


def test_every_spelling() -> None:
    t = trace(numpy.zeros((2, 3, 4)))
    rows: list[tuple[Any, tuple[int, ...], str]] = [
        (t.T, (4, 3, 2), "T"),
        (t.mT, (2, 4, 3), "mT"),
        (t.transpose(), (4, 3, 2), "transpose()"),
        (t.transpose(None), (4, 3, 2), "transpose()"),
        (t.transpose((1, 0, 2)), (3, 2, 4), "transpose(1, 0, 2)"),
        (t.swapaxes(0, -1), (4, 3, 2), "swapaxes(0, -1)"),
        (t.reshape(-1, 4), (6, 4), "reshape(-1, 4)"),
        (numpy.reshape(t, (4, 6)), (4, 6), "reshape(4, 6)"),
        (t.ravel(), (24,), "ravel()"),
        (t.flatten(), (24,), "flatten()"),
        (t[0, ..., None, ::-1], (3, 1, 4), "[0, ..., None, ::-1]"),
        (t[1:, 2], (1, 4), "[1:, 2]"),
        (numpy.flip(t), (2, 3, 4), "flip()"),
        (numpy.flip(t, (0, 1)), (2, 3, 4), "flip((0, 1))"),
        (numpy.flipud(t), (2, 3, 4), "flip(0)"),
        (numpy.fliplr(t), (2, 3, 4), "flip(1)"),
        (numpy.expand_dims(t, (0, -1)), (1, 2, 3, 4, 1), "expand_dims((0, -1))"),
        (numpy.squeeze(t[:1], 0), (3, 4), "squeeze(0)"),
        (numpy.moveaxis(t, 0, -1), (3, 4, 2), "moveaxis(0, -1)"),
        (numpy.moveaxis(t, [0, 1], [-1, 0]), (3, 4, 2), "moveaxis((0, 1), (-1, 0))"),
        (numpy.broadcast_to(t, (5, 2, 3, 4)), (5, 2, 3, 4), "broadcast_to((5, 2, 3, 4))"),
        (numpy.pad(t, 1), (4, 5, 6), "pad(((1, 1), (1, 1), (1, 1)))"),
        (numpy.pad(t, (1, 0)), (3, 4, 5), "pad(((1, 0), (1, 0), (1, 0)))"),
        (numpy.pad(t, ((1, 0), (0, 0), (2, 2))), (3, 3, 8), "pad(((1, 0), (0, 0), (2, 2)))"),
        (t.pad({-1: (1, 2)}), (2, 3, 7), "pad(((0, 0), (0, 0), (1, 2)))"),
    ]
    for traced, shape, text in rows:
        assert traced.shape == shape and traced.stages[-1].op == text
        assert (traced.ndim, traced.size) == (len(shape), int(numpy.prod(shape)))
    assert trace(t) is t and t.stages == pickle.loads(pickle.dumps(t)).stages


def test_what_is_not_traced_is_refused() -> None:
    t = trace((2, 3))
    calls: list[Any] = [
        lambda: numpy.sum(t),
        lambda: numpy.concatenate([t, t]),
        lambda: numpy.pad(t, 1, mode="edge"),
        lambda: t.reshape(6, order="K"),
        lambda: numpy.add(t, 1),
        lambda: t[[0, 1]],
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    with pytest.raises(AttributeError):
        t.shape = (6,)  # type: ignore[misc]


def test_a_trace_is_no_array() -> None:
    """No trace silently becomes an array, least of all one that reads arbitrary memory."""
    t = trace(numpy.zeros((8, 8)))
    calls: list[Any] = [
        lambda: numpy.asarray(t),
        lambda: numpy.ascontiguousarray(t),
        lambda: numpy.lib.stride_tricks.as_strided(t, (3, 3), (8, 8)),
        lambda: numpy.zeros((8, 8)) @ t,
    ]
    for call in calls:
        with pytest.raises(TypeError, match="trace"):
            call()
    assert not hasattr(t, "__array_interface__")
    assert t.as_strided((3, 3), (8, 8)).chain.last == View((3, 3), (8, 8))


def test_views_of_numpy_are_traced() -> None:
    """Every function of NumPy that returns a view is a view here, of the same elements."""
    memory = numpy.arange(120)
    x = memory.reshape(2, 3, 4, 5).transpose(0, 2, 1, 3)
    windows = numpy.lib.stride_tricks.sliding_window_view
    calls: list[Any] = [
        lambda a: windows(a, 3, 1),
        lambda a: windows(a, (2, 2), (1, 3)),
        lambda a: windows(a, (1, 2, 2, 4)),
        lambda a: windows(a, (2, 2), (1, 1)),
        lambda a: numpy.diagonal(a),
        lambda a: numpy.diagonal(a, 1, 1, 3),
        lambda a: numpy.diagonal(a, -2, 1, 3),
        lambda a: a.diagonal(1, axis1=-1, axis2=-2),
        *(lambda a, k=k: numpy.rot90(a, k, (1, 3)) for k in range(-2, 5)),
        lambda a: numpy.rot90(a),
        lambda a: numpy.split(a, 2)[1],
        lambda a: numpy.split(a, [1, 3], axis=1)[1],
        lambda a: numpy.array_split(a, 3, axis=3)[1],
        lambda a: numpy.hsplit(a, 2)[0],
        lambda a: numpy.vsplit(a, 2)[1],
        lambda a: numpy.dsplit(a, [2])[0],
        lambda a: numpy.atleast_3d(a[0, 0]),
        lambda a: numpy.atleast_3d(a[0, 0, 0]),
        lambda a: numpy.atleast_2d(a[0, 0, 0]),
        lambda a: numpy.atleast_1d(a[0, 0, 0, 0, ...]),
        lambda a: numpy.swapaxes(a, 1, 2),
        lambda a: numpy.rollaxis(a, 3, 1),
        lambda a: numpy.rollaxis(a, 0, 3),
        lambda a: numpy.broadcast_to(a, (2, 2, 4, 3, 5)),
        lambda a: numpy.squeeze(a[:, :1], 1),
        lambda a: numpy.broadcast_arrays(a, a[0])[1],
    ]
    for call in calls:
        y, traced = call(x), call(trace(View.of(x, base=memory)))
        assert numpy.may_share_memory(y, memory)
        assert traced.is_view and traced.shape == y.shape
        assert traced.chain.numpy(memory).tolist() == y.tolist(), traced
    with pytest.raises(TypeError, match="numpy.cumsum is not traced: only ops that are views"):
        numpy.cumsum(trace((2, 3)))
    copying: Any
    for copying in (lambda a: numpy.repeat(a, 2, 1), lambda a: numpy.tile(a, (2, 1, 3))):
        y, traced = copying(x), copying(trace(View.of(x, base=memory)))
        assert not traced.is_view and traced.shape == y.shape
        assert traced.chain.numpy(memory, copy=True).tolist() == y.tolist()


def test_one_text_may_hold_several_ops() -> None:
    """Advice is applied and checked: here a copy at the start would not help."""
    together = why_copy(View((2, 3, 4)), ops=["permute(2,0,1) | reshape(24)"])
    apart = why_copy(View((2, 3, 4)), ops=["permute(2,0,1)", "reshape(24)"])
    assert [stage.op for stage in together.stages] == [stage.op for stage in apart.stages]
    assert together.fix == apart.fix and together.fix is not None and together.fix.stage == 1


def check_remedies(report: CopyReport, x: Any, ops: Sequence[Callable[[Any], Any]]) -> None:
    """Applies the advice, and checks that it helps; ``ops`` are those of the stages, in NumPy."""

    def done(array: Any, some: Sequence[Callable[[Any], Any]]) -> Any:
        for op in some:
            array = op(array)
        return array

    y = done(x, ops)
    for remedy in report.remedies:
        REMEDIES["given"] += 1
        if remedy.kind == "layout":
            layout = eval(remedy.code, {"np": numpy})
            assert layout.shape == x.shape
            memory = numpy.empty_like(layout, dtype=x.dtype)
            memory[...] = x
            z = done(memory, ops)
        elif remedy.kind == "copy":
            assert remedy.stage is not None and report.fix is not None
            before = done(x, ops[: remedy.stage])
            memory = eval(remedy.code, {"np": numpy, "x" if remedy.stage == 0 else "y": before})
            assert memory.size == remedy.elements
            z = done(numpy.broadcast_to(memory, before.shape), ops[remedy.stage :])
        elif remedy.kind == "view":
            memory, z = x, eval(remedy.code, {"np": numpy, "x": x})
        elif remedy.kind == "split":
            before = done(x, ops[:-1])
            memory, z = x, eval(remedy.code or "y", {"x": before, "y": before})
            # The same elements in the same order, over more axes.
            assert numpy.shares_memory(z, memory), (report, remedy)
            z = z.reshape(y.shape)
            memory = z
        else:
            assert remedy.kind == "instead" and set(remedy.code.split("; ")) == {"reshape(-1)"}
            memory, z = x, x
            for stage, op in zip(report.stages[1:], ops):
                z = z.reshape(-1) if stage.copies else op(z)
        assert numpy.shares_memory(z, memory), (report, remedy)
        assert z.tolist() == y.tolist()
        REMEDIES["helped"] += 1


@cases(400)
def test_remedies_help(choose: Choices) -> None:
    """Every layout offered avoids the copy, and every view offered is the array."""
    memory = numpy.arange(500)
    shape = choose.shape()
    order = choose.order(len(shape))
    x = memory[: int(numpy.prod(shape, dtype=int))].reshape(shape).transpose(order)
    target = choose.regrouping(x.size)
    report = why_copy(x, target)
    assert report.is_view == numpy.shares_memory(x, x.reshape(target))
    check_remedies(report, x, [lambda a: a.reshape(target)])


@cases(400)
def test_remedies_of_several_ops_help(choose: Choices) -> None:
    """Every remedy for some ops in a row, applied where it says, removes the copy."""
    memory = numpy.arange(500)
    shape = choose.shape()
    x = memory[: int(numpy.prod(shape, dtype=int))].reshape(shape)
    y, texts, ops = x, [], []
    for _ in range(choose.between(1, 4)):
        kind = choose.below(6)
        op: Callable[[Any], Any]
        if kind == 0 and y.ndim:
            axis = choose.below(y.ndim)
            text, op = f"flip({axis})", partial(numpy.flip, axis=axis)
        elif kind == 1 and y.size <= 100:
            sizes = (choose.between(2, 3), *y.shape)
            text, op = f"broadcast_to({sizes})", partial(numpy.broadcast_to, shape=sizes)
        elif kind == 2 and y.ndim and y.shape[0] > 1:
            text, op = "slice(1:)", lambda a: a[1:]
        elif kind == 3:
            name = choose.pick(["flatten", "ravel"])
            text, op = f"{name}()", methodcaller(name)
        elif kind == 4:
            sizes = choose.regrouping(y.size)
            text = f"reshape({', '.join(map(str, sizes))})" if sizes else "reshape(())"
            op = methodcaller("reshape", sizes)
        else:
            axes = choose.order(y.ndim)
            text = f"transpose({', '.join(map(str, axes))})"
            op = methodcaller("transpose", axes)
        y = op(y)
        texts.append(text)
        ops.append(op)
    report = why_copy(x, ops=texts)
    assert report.chain.shape == y.shape
    if not report.remedies:
        assert report.is_view == numpy.shares_memory(y, x), report
    check_remedies(report, x, ops)


def test_a_copy_of_the_result_is_no_remedy() -> None:
    """A copy that an op makes anyway is not advised."""
    report = why_copy(numpy.zeros((2, 10, 16)), "b t (h d) -> (b h) t d", h=8)
    assert [remedy.kind for remedy in report.remedies] == ["layout"]
    assert report.fix is not None and report.fix.stage == 1


def test_one_view_that_numpy_does_not_find() -> None:
    """The library's own reshape is tried, and the view is offered if it copies needlessly."""
    x = numpy.arange(6).reshape(3, 2)
    report = why_copy(x, ops="T | reshape(6) | slice(::3)")
    assert report.is_view and [remedy.kind for remedy in report.remedies] == ["view"]
    y = eval(report.remedies[0].code, {"np": numpy, "x": x})
    assert y.tolist() == x.T.reshape(6)[::3].tolist() and numpy.shares_memory(y, x)
    assert why_copy(x, (2, 3)).remedies == ()


def test_flatten_always_copies() -> None:
    x = numpy.zeros((2, 3))
    t = trace(x).flatten()
    assert not t.is_view and t.broke == 1 and bool(t.verdict)
    assert "reshape(-1) instead of flatten()" in str(t)
    # ravel() returns contiguous memory; reshape(-1) need not.
    every_other = numpy.arange(8)[::2]
    assert not trace(every_other).ravel().is_view and trace(every_other).reshape(-1).is_view
    assert [remedy.code for remedy in why_copy(every_other, ops="ravel()").remedies] == ["reshape(-1)"]
    told = copies(lambda: mark(every_other).ravel())
    assert [(copy.op, copy.why) for copy in told] == [("ravel()", "ravel() copies what is not contiguous.")]
    assert trace(x).ravel().is_view and trace(x, like="torch").flatten().is_view
    assert not why_copy(x, ops="flatten()") and why_copy(x, ops="ravel()")
    assert not trace(x).copy().is_view and not trace(x, like="torch").clone().is_view
    # It had to copy, and says why.
    assert "Not one view" in str(trace(x.T).flatten())


def test_the_view_of_a_report_knows_its_memory() -> None:
    x = numpy.arange(64).reshape(8, 8)
    report = why_copy(x[1:], (56,))
    assert report.array().tolist() == x[1:].ravel().tolist()
    assert numpy.shares_memory(report.array(), x)
    view = report.view
    assert view is not None and view.numpy(x[1:]).tolist() == x[1:].ravel().tolist()
    with pytest.raises(Error) as caught:
        view.numpy(x)
    assert caught.value.kind == "other_base" and caught.value.offset == 64
    based = why_copy(x[1:], (56,), base=x).view
    assert based is not None and based.numpy(x).tolist() == x[1:].ravel().tolist()
    # Other memory is no error.
    assert view.numpy(numpy.arange(100)).tolist() == list(range(56))
    assert pickle.loads(pickle.dumps(view)) == view == View((56,))
    backwards = why_copy(x[::-1], (64,), base=x)
    assert not backwards
    flipped = why_copy(x[::-1], (8, 2, 4))
    assert flipped.array().tolist() == x[::-1].reshape(8, 2, 4).tolist()


def test_ops_as_people_write_them() -> None:
    x = numpy.zeros((2, 3, 4))
    one = why_copy(x, ops="transpose(2, 0, 1) | reshape(4, 6)")
    assert one.chain == why_copy(x, ops=[("transpose", 2, 0, 1), ("reshape", (4, 6))]).chain
    assert one.chain == why_copy(View((2, 3, 4)), ops="transpose(2,0,1) | reshape(4,6)").chain
    assert why_copy(View((2, 3, 4)), ops="transpose(0,1)").chain.shape == (3, 2, 4)
    assert why_copy(View((2, 3)), ops="slice(1:,::-2) | (1):(1)").chain.shape == (1,)
    assert why_copy(x, ops="T").chain.shape == (4, 3, 2)
    rows: list[tuple[Any, str, int, str]] = [
        ("premute(2,0,1)", "unknown_op", 0, "did you mean permute"),
        ("permute(2,0,1) | reshap(24)", "unknown_op", 17, "did you mean reshape"),
        (["permute(2,0,1)", "reshape(24"], "syntax", 10, "expected `)`, found the end"),
        ("reshape(24))", "syntax", 11, "expected"),
        ("reshape 24", "syntax", 8, "expected `(`"),
        ("reshape(2,,3)", "syntax", 10, "expected numbers"),
        ("reshape(a)", "syntax", 8, "'a'"),
        ("reshape(25)", "reshape_count", 0, "25"),
        ("permute(2,0,1) |  permute(0,5,1)", "bad_argument", 18, "axis 5"),
        ("unsqueeze(0) | ", "syntax", 15, "expected an op, found nothing"),
        ("unsqueeze()", "bad_argument", 0, "unsqueeze"),
        ("split(2)", "bad_argument", 0, "several"),
        ([("premute", 1)], "unknown_op", 0, "permute"),
    ]
    for ops, kind, at, message in rows:
        with pytest.raises(Error) as caught:
            why_copy(x, ops=ops)
        assert (caught.value.kind, caught.value.at) == (kind, at), ops
        assert message in str(caught.value), str(caught.value)
    with pytest.raises(TypeError):
        why_copy(x, ops=[3])  # type: ignore[list-item]


def test_order_f() -> None:
    memory = numpy.arange(24)
    for x in (memory.reshape(2, 3, 4), memory.reshape(2, 3, 4).T, memory.reshape(4, 6).T.reshape(6, 2, 2)):
        view = View.of(x, base=memory)
        for order in ("F", "A"):
            for shape in ((6, 4), (24,), (2, 2, -1), (3, 8)):
                y = x.reshape(shape, order=order)
                t = trace(view).reshape(shape, order=order)
                assert t.chain.numpy(memory, copy=True).tolist() == y.tolist()
                assert t.is_view == numpy.shares_memory(x, y)
                assert why_copy(view, shape, order=order).is_view == t.is_view
                if order == "F":
                    verdict = view.reshape(shape, order="F")
                    assert bool(verdict) == t.is_view
                    if verdict.view is not None:
                        assert verdict.view.numpy(memory).tolist() == y.tolist()
                    chain = ViewChain(view).reshape(shape, order="F")
                    assert chain.numpy(memory, copy=True).tolist() == y.tolist()
            assert trace(view).ravel(order).is_view == numpy.shares_memory(x, x.ravel(order))
            assert trace(view).flatten(order).chain.numpy(memory, copy=True).tolist() == x.flatten(order).tolist()
        assert view.flatten(order="F") == view.reshape(-1, order="F")
        assert ViewChain(view).flatten(order="F").shape == (24,)
    with pytest.raises(TypeError):
        View((2, 3)).reshape(6, order="A")


def test_conventions() -> None:
    """Views and chains follow PyTorch's conventions, arrays those of their library."""
    view, chain = View((2, 3, 4)), ViewChain.contiguous(2, 3, 4)
    assert (view.ndim, view.size, chain.ndim, chain.size) == (3, 24, 3, 24)
    for owner in (view, chain):
        with pytest.raises(TypeError, match="flip"):
            owner.flip()
    assert view.flip(()) == view and chain.flip([]) == chain
    assert view.transpose(0, 1) == view.permute(1, 0, 2)
    assert view.transpose() == view.T and chain.transpose(2, 0, 1) == chain.permute(2, 0, 1)
    assert trace((2, 3)).transpose(0, 1).shape == (2, 3)
    assert trace((2, 3), like="torch").transpose(0, 1).shape == (3, 2)


def test_names_of_axes() -> None:
    x = numpy.zeros((2, 10, 8, 64))
    t = trace(x, names=("batch", "time", "head", "dim")).transpose(0, 2, 1, 3).reshape(2, 80, 64)
    assert "axis 2 (time) of the array after transpose(0, 2, 1, 3) carries into axis 1 (head)" in str(t)
    assert trace(x, names="bthd").transpose(0, 2, 1, 3).names == ("b", "h", "t", "d")
    with pytest.raises(ValueError):
        trace(x, names="bt")


def test_a_repr_is_one_line() -> None:
    report = why_copy(numpy.zeros((2, 3)).T, 6)
    t = trace((2, 3)).T.reshape(6)
    for value in (report, t):
        assert "\n" not in repr(value) and len(repr(value)) < 120
        html = value._repr_html_()
        for told in ("reshape(6)", "not one view", "Remedies", "<svg"):
            assert told in html, told


def test_patterns() -> None:
    einops = pytest.importorskip("einops")
    memory = numpy.arange(2 * 6 * 8)
    x = memory.reshape(2, 6, 8).transpose(1, 0, 2)
    rows: list[tuple[str, dict[str, Any]]] = [
        ("t b (h d) -> b h t d", {"h": 2}),
        ("t b c -> (b t) c", {}),
        ("t b c -> b (t c)", {}),
        ("(t u) b c -> b t (u c)", {"u": 3}),
        ("... c -> c ...", {}),
        ("t ... -> (...) t", {}),
        ("t b c -> t 1 b c", {}),
        ("t b c -> t () (b c)", {}),
        ("t b (h d) -> (t h) (b d)", {"d": 4}),
    ]
    for pattern, sizes in rows:
        y = einops.rearrange(x, pattern, **sizes)
        report = why_copy(View.of(x, base=memory), pattern, **sizes)
        assert report.chain.shape == y.shape, pattern
        assert report.chain.numpy(memory, copy=True).tolist() == y.tolist(), pattern
        assert report.is_view == numpy.shares_memory(x, y), pattern
    for pattern, sizes in (("t b c -> t k b c", {"k": 3}), ("t b c -> t (b k) c", {"k": 2})):
        y = einops.repeat(x, pattern, **sizes)
        t = trace(View.of(x, base=memory)).rearrange(pattern, **sizes)
        assert t.chain.numpy(memory, copy=True).tolist() == y.tolist(), pattern
    for bad, message in (
        ("t b c -> b t", "c is lost"),
        ("t b (h d) -> t b h d", "all but one need a length"),
        ("t b -> b t", "2 axes on the left"),
        ("t b (c -> b t c", "not closed"),
        ("t b c -> b t c k", "k is new"),
        ("t t c -> t c", "named twice"),
        ("t b 2 -> t b", "needs a name"),
        ("t b c* -> t b c", "no axis"),
    ):
        with pytest.raises(Error, match=message):
            why_copy(x, bad)
    with pytest.raises(Error):
        why_copy(x, "t b (h d) -> b h t d", h=3)
    with pytest.raises(TypeError):
        why_copy(x, 96, h=3)


def test_marked_arrays_are_watched() -> None:
    x = numpy.arange(24.0).reshape(4, 6)
    with watch() as found:
        y = mark(x)
        assert numpy.shares_memory(x, y) and isinstance(y, numpy.ndarray)
        y.reshape(24), y.T.reshape(4, 6)
        numpy.reshape(y.T, 24), y.ravel(), y.T.ravel()
        (y + 1).T.reshape(24), y.flatten(), y.copy(), numpy.ascontiguousarray(y.T)
        numpy.ascontiguousarray(y), y[1:].T.ravel(), numpy.zeros((3, 4)).T.reshape(12)
    ops = sorted((copy.op, copy.bytes) for copy in found)
    assert ops == [
        ("ascontiguousarray()", 192),
        ("copy()", 192),
        ("flatten()", 192),
        ("ravel()", 144),
        ("ravel()", 192),
        ("reshape(24)", 192),
        ("reshape(24)", 192),
        ("reshape(4, 6)", 192),
    ], ops
    assert found.times == 8 and found.bytes == 7 * 192 + 144
    assert all(copy.file == __file__ and copy.code and copy.why.endswith(".") for copy in found)
    by_op = {copy.op: copy for copy in found}
    assert by_op["flatten()"].why == "flatten() always copies."
    assert by_op["reshape(4, 6)"].why == "reshape(4, 6) copies because axis 0 has stride 1, contiguous would be 24."
    assert mark(x) is x and numpy.ascontiguousarray.__module__ == "numpy"
    told = copies(lambda: mark(x).T.reshape(24))
    assert told.times == 1 and told.result.tolist() == x.T.reshape(24).tolist()


def test_marks_are_not_lost() -> None:
    x = numpy.arange(24.0).reshape(4, 6)
    with watch() as found:
        y = mark(x)
        made = [
            numpy.copy(y), numpy.array(y), numpy.asarray(y), y.take([0, 2], 1), numpy.take(y, [1], 0), numpy.roll(y, 1), y[[0, 2]],
            y[y > 3], y.astype("f4"), y.astype("f8"), numpy.lib.stride_tricks.sliding_window_view(y, 3, 1),
            numpy.einsum("ij->ji", y), numpy.concatenate([y]), numpy.concatenate([y, x]), numpy.stack([y, y])[0],
            numpy.pad(y, 1), numpy.tile(y, 2), numpy.split(y, 2)[1], numpy.linalg.qr(y)[0], numpy.where(y > 2, y, 0), y @ y.T,
        ]  # fmt: skip
        y[:2] = y[2:]
    for number, array in enumerate(made):
        assert type(array) is type(y), number
    ops = {copy.op: copy for copy in found}
    assert ops["roll()"].bytes == ops["concatenate()"].bytes == ops["astype()"].bytes == ops["array()"].bytes == 192
    assert ops["assignment"].bytes == 96 and ops["assignment"].why.startswith("the assignment copies because")
    assert "asarray()" not in ops and "take()" not in ops
    for copy in found:
        assert copy.why.endswith(".") and "copies" in copy.why


def test_certificates() -> None:
    rng = numpy.random.default_rng(5)
    for _ in range(200):
        shape = tuple(int(n) for n in rng.integers(1, 5, 3))
        view = View(shape, [int(n) for n in rng.integers(-4, 9, 3)])
        verdict = view.reshape(view.count) if rng.integers(2) else merge(view, View((view.count,)))
        certificate = verdict.certificate()
        assert certificate.is_yes == bool(verdict)
        shown = verify(certificate)
        assert shown.kind == ("is_view" if verdict else "not_one_view")
        assert str(shown).startswith(str(view))
    chain = ViewChain.parse("(2,3) | permute(1,0) | reshape(6)")
    for verdict in (chain.merge(), merge_many([chain])[0], merge_many([chain])[:1][0]):
        assert verify(verdict.certificate()).kind == "not_one_view"
    for verdict in (pickle.loads(pickle.dumps(chain.merge())), Merged(View((2,)))):
        with pytest.raises(Error) as caught:
            verdict.certificate()
        assert caught.value.kind == "no_chain"
    with pytest.raises(Error) as caught:
        verify("{}")
    assert caught.value.kind == "not_a_certificate"
    assert verify(certify("(6)", equal="(6):(2)")).kind == "different"


def test_what_is_refused_by_name() -> None:
    rows: list[tuple[Callable[[], Any], str]] = [
        (lambda: why_copy(numpy.zeros((4, 6)), cast(Any, 24.0)), "a shape is an integer or a sequence of integers, not 24.0"),
        (lambda: why_copy(numpy.zeros((4, 6)), cast(Any, (4.0, 6))), "not \\(4.0, 6\\)"),
        (lambda: why_copy((sym("B"), 512), "b (h d) -> b h d"), "a pattern of axes takes sizes that are known"),
        (lambda: numpy.broadcast_arrays(trace(numpy.zeros((2, 1))), numpy.zeros(3)), "takes traces alone, not ndarray"),
        (lambda: why_copy(OtherDevice(), 6), "OtherDevice gives no DLPack capsule that can be read here \\(not on this device\\)"),
    ]
    for call, told in rows:
        with pytest.raises((TypeError, Error), match=told):
            call()
    assert why_copy((2, 3), 6).is_view and why_copy(View((4, 6)), ops="unfold(1, 2, 1)").is_view
    for padded in (trace(numpy.zeros((2, 3))).pad(1), trace((2, 3), like="torch").pad((1, 1), (0, 0))):
        assert not padded.is_view and "pad() always copies: padding is in no memory" in str(padded)
    # On a bare view, padding is a view, as in the algebra.
    assert why_copy(View((2, 3)), ops="pad((1, 1), (0, 0))").is_view


class OtherDevice:
    """An array on a device that DLPack cannot read."""

    shape = (2, 3)

    def __dlpack__(self, **options: Any) -> Any:
        raise RuntimeError("not on this device")
