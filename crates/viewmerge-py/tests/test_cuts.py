"""A split as a remedy for a copy: offered if one exists, and correct."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy
from support import Choices, cases

from viewmerge import ViewChain, why_copy


def test_what_is_offered() -> None:
    x = numpy.zeros((2, 8, 10, 64)).transpose(0, 2, 1, 3)
    *_, cut = why_copy(x, (2, 5, 16, 64)).remedies
    assert (cut.kind, cut.code, cut.elements) == ("split", "x.reshape(2, 5, 2, 8, 64)", 0)
    assert str(cut) == "with axis 2 of 16 cut into 2 by 8: x.reshape(2, 5, 2, 8, 64) is a view"
    *_, left_out = why_copy(x, (2, 80, 64)).remedies
    assert str(left_out) == (
        "with axis 1 of 80 cut into 10 by 8: leave out reshape(2, 80, 64), over (2, 10, 8, 64) it is "
        "as it is before"
    )
    *_, later = why_copy("(6,4)", ops="permute(1,0) | reshape(12,2)").remedies
    assert later.code == "y.reshape(4, 3, 2)" and later.text.endswith("after permute(1, 0)")


def test_what_is_not() -> None:
    def kinds(*question: Any, **more: Any) -> list[str]:
        return [remedy.kind for remedy in why_copy(*question, **more).remedies]

    # Rows of 6 that run backwards, over 8: the breaks are off the grid.
    assert "split" not in kinds(numpy.zeros((4, 6))[:, ::-1], (3, 8))
    # The ops after the reshape need the axes that it makes.
    assert "split" not in kinds("(6,4)", ops="permute(1,0) | reshape(12,2) | permute(1,0)")
    assert kinds(numpy.zeros((4, 6)), (6, 4)) == []


@cases(2500)
def test_every_cut_is_a_view_of_these_elements(choices: Choices) -> None:
    shape = choices.shape()
    x = numpy.arange(prod(shape)).reshape(shape).transpose(choices.order(len(shape)))
    x = x[tuple(slice(None, None, choices.pick((1, 1, 1, 2, -1))) for _ in shape)]
    wanted = x.reshape(choices.regrouping(x.size))
    report = why_copy(x, wanted.shape)
    if report.is_view or report.verdict:
        return
    tiling = ViewChain(report.chain).split()
    cuts = [remedy for remedy in report.remedies if remedy.kind == "split"]
    assert not cuts or tiling.is_exact
    for cut in cuts:
        found = eval(cut.code or "x", {"x": x})
        assert numpy.shares_memory(found, x) and (found.reshape(wanted.shape) == wanted).all()
        assert cut.view is not None and found.shape == cut.view.shape == tiling.shape
    if tiling.is_exact and not cuts:
        # Only where NumPy does not find the view.
        assert tiling.shape is not None and not numpy.shares_memory(x.reshape(tiling.shape), x)
