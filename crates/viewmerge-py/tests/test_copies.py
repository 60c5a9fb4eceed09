"""why_copy and trace, told."""

from __future__ import annotations

import pickle
from typing import Any

import numpy
import pytest

from viewmerge import Error, View, ViewChain, trace, why_copy


def test_a_broadcast_is_copied_small() -> None:
    """Of a broadcast only the distinct elements need to be copied."""
    x = numpy.broadcast_to(numpy.arange(6).reshape(2, 3).T, (100, 3, 2))
    report = why_copy(x, (100, 6))
    assert not report and report.fix is not None
    assert (report.fix.elements, report.fix.compact, report.fix.stage) == (6, True, 0)
    assert str(report.fix) == (
        "copy the 6 distinct elements of the array, before reshape((100, 6)); "
        "the rest is the view (100,6):(0,1)."
    )
    # Flattened altogether it repeats in memory, so all are copied.
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
    for call in (
        lambda: numpy.sum(t),
        lambda: numpy.concatenate([t, t]),
        lambda: numpy.pad(t, 1, mode="edge"),
        lambda: t.reshape(6, order="F"),
        lambda: t[[0, 1]],
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(AttributeError):
        t.shape = (6,)  # type: ignore[misc]
