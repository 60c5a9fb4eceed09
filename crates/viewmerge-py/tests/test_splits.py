"""Splits of chains, and CuTe layouts."""

from __future__ import annotations

import json

import pytest
from support import PACKAGE

import viewmerge
from viewmerge import ViewChain
from viewmerge.cute import Layout, NoLayout, Tiler


def test_the_kinds_of_tilings() -> None:
    exact = ViewChain.parse("(4,3):(1,4) | (12)").split()
    assert exact and exact.is_exact and exact.shape == (4, 3)
    padded = ViewChain.parse("(3,6):(10,1) | (18) | pad((0,2))").split()
    assert padded.pads == ((0, 4),) and padded.factors == ((4, 6),) and not padded.is_exact
    guarded = ViewChain.parse("(3,4):(7,1) | (10)").split()
    assert guarded.view is None and guarded.guarded is not None
    none = ViewChain.parse("(4,2):(1,6) | (2,4):(3,1)").split()
    assert not none and none.witness is not None and none.witness["kind"] == "not_separable"


def test_recorded_layouts() -> None:
    for line in (PACKAGE.parents[1] / "testdata" / "cute.jsonl").read_text().splitlines():
        case = json.loads(line)
        expected = case["expect"]
        if case["cute"] == "plain" or "layout" not in expected:
            continue
        a = Layout(case["a"])
        arguments = {"extend": True} if case.get("extend") else {}
        b = [] if "b" not in case else [case["b"]]
        if b and str(b[0]).startswith("<"):
            b = [Tiler(*(text for text in b[0].strip("<>").split(",")))]
        if expected["layout"] is None:
            with pytest.raises(NoLayout):
                getattr(a, case["cute"])(*b, **arguments)
        else:
            assert str(getattr(a, case["cute"])(*b, **arguments)) == expected["layout"], case["name"]


class Foreign:
    """A layout like those of pycute and tensor-layouts."""

    def __init__(self, shape: object, stride: object) -> None:
        self.shape, self.stride = shape, stride


def test_layouts_of_others() -> None:
    a = Layout(Foreign((10, 2), (16, 4)))
    assert a @ Foreign((3, 4), (1, 5)) == Layout((3, (2, 2)), (16, (80, 4)))
    back = a.to(Foreign)
    assert (back.shape, back.stride) == ((10, 2), (16, 4))
    assert [a(i) for i in (0, 1, 10)] == [0, 16, 4]


def test_refusals() -> None:
    with pytest.raises(viewmerge.Error) as refused:
        Layout("4:1") @ Layout("2:5")
    assert refused.value.kind == "domain"
    with pytest.raises(viewmerge.Error):
        Layout("(4,2):1")


def test_pictures_of_layouts() -> None:
    layout = Layout("((2,2),4):((1,8),2)")
    assert layout._repr_svg_() == layout.svg() and ">mode 1</text>" in layout.svg()
    threads = Layout("((4,2),2):((2,8),1)")
    picture = threads.thread_value_svg((2, 8), title="who")
    assert ">T7</text>" in picture and ">who</text>" in picture
    assert "coloured by value" in threads.thread_value_svg(colour="value")
    with pytest.raises(viewmerge.Error, match="too small"):
        threads.thread_value_svg((2, 4))
    with pytest.raises(ValueError, match="colour"):
        threads.thread_value_svg(colour="red")
