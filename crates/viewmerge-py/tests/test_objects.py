"""Objects are values: equal, hashable, printable, picklable, and cannot be changed."""

from __future__ import annotations

import copy
import pickle
import sys
from typing import Any

import pytest
from support import Choices, cases

import viewmerge
from viewmerge import *  # noqa: F403
from viewmerge.records import *  # noqa: F403
from viewmerge import (
    CopyReport,
    GuardedView,
    Hole,
    Merged,
    NotMergeable,
    Step,
    StridePattern,
    View,
    ViewChain,
    conditions,
    equivalent,
    explain,
    merge,
    merge_many,
    overflow_table,
    trace,
    why_copy,
)

STEP = Step(axis=0, at=(0,), step=3, other=(4,), other_step=8)
HOLE = Hole(valid=((0,), (2,)), invalid=(1,))
ROUND_TRIP: list[Any] = [
    View((10, 3, 3), (8, 1, 2), 5),
    View((2, 3), mask=((0, 2), (1, 3))),
    View((2, 3), mask="nothing"),
    View(()),
    View((0, 4)),
    ViewChain.parse("(2,3) | permute(1,0) | reshape(6)"),
    STEP,
    HOLE,
    Merged(View((2,))),
    NotMergeable(STEP),
    NotMergeable(HOLE),
    GuardedView(View((3, 3)), [((-1, 1), 0, None), ((1, 1), None, 4)]),
    StridePattern((4, 3), (None, 1), ((0, 4), (1, 3))),
    StridePattern((4, 3)),
    conditions("(10,3,3):(?,?,1)", "(6):(4)"),
    *viewmerge.merge_dims("(2,3,4):(24,4,1)"),
    viewmerge.cheapest_copy("(2,3) | permute(1,0) | reshape(6)"),
    equivalent("(2,3)", "(2,3):(1,2)"),
    *conditions("(10,3,3)", "(6):(4)").equations,
    ViewChain.parse("(18):(1) [2:17] | (16,3):(1,1)").form().guards[0],
    ViewChain.parse("(4,3):(1,4) | (12)").form().floors[0],
    ViewChain.parse("(4,3):(1,4) | (12)").form(),
    View((2, 3)).form(),
    GuardedView(View((3, 3)), [((-1, 1), 0, None)]).form(),
]
OTHERS: list[Any] = [
    explain("(2,3) | permute(1,0) | reshape(6)"),
    explain("(3,4) [0:3,1:3] | (12)"),
    overflow_table("(10,3,3)", "(6):(4)"),
    why_copy(View((3, 2), (1, 3)), 6),
    merge_many(["(2,3) | (6)", "(3,2):(1,3) | (6)"]),
]


@pytest.mark.parametrize("value", ROUND_TRIP, ids=repr)
def test_repr_round_trips(value: Any) -> None:
    again = eval(repr(value))
    assert again == value and type(again) is type(value)


@pytest.mark.parametrize("value", ROUND_TRIP + OTHERS, ids=lambda value: type(value).__name__)
def test_values(value: Any) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value and type(again) is type(value)
        assert hash(again) == hash(value) and repr(again) == repr(value)
        assert str(again) == str(value)
    assert copy.copy(value) == value and copy.deepcopy(value) == value
    assert value != object() and (value == 3) is False and len({value, value}) == 1
    with pytest.raises((AttributeError, TypeError)):
        value.shape = (1,)
    with pytest.raises((AttributeError, TypeError)):
        value.unheard_of = 1


def test_classes_say_where_they_are() -> None:
    for name in viewmerge.__all__:
        value = getattr(viewmerge, name)
        if isinstance(value, type):
            assert value.__module__ == "viewmerge" and value.__name__ == name


def test_views_are_equal_as_functions() -> None:
    assert View((3, 1), (1, 100)) == View((3, 1), (1, 0))
    assert hash(View((3, 1), (1, 100))) == hash(View((3, 1), (1, 0)))
    assert View((3,)) != View((3,), offset=1)
    assert len({View((2, 3)), View.contiguous(2, 3), View.parse("(2,3)")}) == 1


def test_verdicts_match() -> None:
    merged, not_mergeable = merge("(2,3)", "(6)"), merge("(3,2):(1,3)", "(6)")
    assert isinstance(merged, Merged) and merged and str(merged) == "one view: (6):(1)"
    assert isinstance(not_mergeable, NotMergeable) and not not_mergeable
    assert isinstance(not_mergeable.witness, Step)
    assert Merged.__match_args__ == ("view",)
    assert merged != not_mergeable


MATCH = """
def told(verdict):
    match verdict:
        case Merged(view):
            return view
        case NotMergeable(Step(axis, at)):
            return axis, at
        case NotMergeable(Hole(invalid=index)):
            return index
"""


@pytest.mark.skipif(sys.version_info < (3, 10), reason="match is new in Python 3.10")
def test_match_statements() -> None:
    names: dict[str, Any] = dict(vars(viewmerge))
    exec(MATCH, names)
    assert names["told"](merge("(2,3)", "(6)")) == View((6,))
    assert names["told"](merge("(3,2):(1,3)", "(6)")) == (0, (0,))
    assert names["told"](merge("(3,4) [0:3,1:3]", "(12)")) == (3,)


def test_answers_are_true_when_it_is_one_view() -> None:
    assert explain("(2,3) | (6)") and not explain("(3,2):(1,3) | (6)")
    assert why_copy(View((2, 3)), 6) and not why_copy(View((3, 2), (1, 3)), 6)
    assert equivalent("(6)", "(2,3) | (6)") and not equivalent("(6)", "(6):(2)")
    assert conditions("(4,6)", "(24)") and not conditions("(10,3,3):(1,1,1)", "(4):(4)")


def test_pictures() -> None:
    report: CopyReport = why_copy(View((3, 2), (1, 3)), 6)
    for value in (
        View((2, 3)),
        ViewChain.parse("(2,3) | permute(1,0) | reshape(6)"),
        explain("(3,2):(1,3) | (6)"),
        report,
        trace((2, 3)).T.reshape(6),
        GuardedView(View((3, 3)), [((-1, 1), 0, None)]),
    ):
        svg = value._repr_svg_()
        assert svg.startswith("<svg") and svg.endswith("</svg>")
    assert "rows &lt; columns" in View((2,)).svg(title="rows < columns")


def test_indexing_is_numpys() -> None:
    import numpy

    base = numpy.arange(60).reshape(3, 4, 5)
    keys: list[Any] = [
        1,
        -1,
        slice(1, None),
        (slice(None), 2),
        (..., 0),
        (0, ..., slice(None, None, -2)),
        None,
        (None, 1, None, ..., None),
        (slice(9, None),),
        (1, 2, 3),
        (),
        ...,
        slice(-(10**30), 10**30),
        (slice(None, None, 10**30),),
        numpy.int64(2),
    ]
    for key in keys:
        view = View((3, 4, 5))[key]
        assert view.shape == base[key].shape
        assert view.numpy(base).tolist() == base[key].tolist(), key
        assert ViewChain.contiguous(3, 4, 5)[key].last == view
    assert [row.offset for row in View((3, 2))] == [0, 2, 4]  # type: ignore[attr-defined]


def test_spellings() -> None:
    view = View((2, 3))
    assert view.permute(1, 0) == view.permute((1, 0)) == view.permute([1, 0]) == view.T
    assert view.pad((1, 0), (0, 2)) == view.pad(((1, 0), (0, 2))) == view.pad([[1, 0], [0, 2]])
    assert View((2,)).pad((1, 2)) == View((2,)).pad([(1, 2)])
    assert View(()).pad() == View(()).pad(()) == View(()).reshape().view == View(()).reshape(()).view
    assert view.shrink((0, 1), (1, 3)) == view[0:1, 1:3]
    assert view.slice("::-1") == view.slice(slice(None, None, -1)) == view.slice(["::-1"])


@cases(200)
def test_notation_and_json(choose: Choices) -> None:
    shape = choose.shape(smallest=0)
    strides = [choose.between(-9, 9) for _ in shape]
    bounds = [sorted((choose.below(size + 1), choose.below(size + 1))) for size in shape]
    mask: Any = choose.pick([None, "nothing", bounds])
    view = View(shape, strides, choose.between(-9, 9), mask)
    assert View.parse(str(view)) == view == View.from_json(view.to_json()) == eval(repr(view))
    chain = ViewChain(view)
    assert ViewChain.parse(str(chain)) == chain == ViewChain.from_json(chain.to_json())
    assert list(view.positions()) == [view.index(i) for i in view.indices()]


def test_names_at_the_root() -> None:
    """A star import hides no names common in other libraries."""
    names: dict[str, Any] = {}
    exec("from viewmerge import *", names)
    assert not {"Linear", "Guard", "Source", "Stage", "Same", "Shown", "Fix"} & set(names)
    assert len(viewmerge.__all__) <= 60 and set(viewmerge.records.__all__).isdisjoint(viewmerge.__all__)
