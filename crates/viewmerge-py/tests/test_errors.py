"""Refusals say what is wrong, and no argument does any harm."""

from __future__ import annotations

import pickle
from typing import Any, Callable

import pytest
from support import Choices, cases

import viewmerge
from viewmerge import Error, OutOfBounds, View, ViewChain, merge

HUGE = 10**30

REFUSED: list[tuple[Callable[[], Any], str, dict[str, Any]]] = [
    (lambda: View((2, 2), (1,)), "rank_mismatch", {"what": "strides", "shape": (2, 2), "strides": (1,)}),
    (lambda: View((2, -1)), "negative_size", {"axis": 1, "size": -1, "shape": (2, -1), "strides": None}),
    (lambda: View((2**31, 2**32)), "too_many_elements", {"axis": 1, "shape": (2**31, 2**32)}),
    (lambda: View((2,), mask=[(0, 3)]), "mask_outside", {"axis": 0, "lo": 0, "hi": 3, "size": 2}),
    (lambda: View((2,), mask=[(2, 1)]), "mask_reversed", {"axis": 0}),
    (lambda: View((2,), (2**62,), 1), "index_range", {"axis": 0, "stride": 2**62, "strides": (2**62,)}),
    (lambda: View((2, 3)).permute(0, 2), "axis_out_of_range", {"axis": 2, "op": "permute", "shape": (2, 3), "strides": (3, 1)}),
    (lambda: View((2, 3)).permute(0, 0), "repeated_axis", {"axis": 0}),
    (lambda: View((2, 3)).reshape(4), "reshape_count", {"shape": (2, 3), "new_shape": (4,), "count": 6, "strides": (3, 1)}),
    (lambda: View((2, 3)).reshape(-1, -1), "two_inferred", {"axis": 1}),
    (lambda: View((2, 3)).reshape(4, -1), "cannot_infer", {"axis": 1, "new_shape": (4, -1)}),
    (lambda: View((2, 3)).expand(4, 3), "cannot_expand", {"axis": 0, "size": 2, "new_size": 4}),
    (lambda: View((2, 3)).pad((0, 0), (-1, 0)), "negative_pad", {"axis": 1, "before": -1}),
    (lambda: View((2, 3)).shrink((0, 2), (1, 4)), "shrink_outside", {"axis": 1, "hi": 4}),
    (lambda: View((2, 3)).step(1, 0), "zero_step", {"axis": 1, "op": "step"}),
    (lambda: View((2, 3))[:, ::0], "zero_step", {"axis": 1, "op": "slice"}),
    (lambda: View((2, 3)).squeeze(0), "not_unit", {"axis": 0, "size": 2}),
    (lambda: View((2, 3)).flatten(1, 0), "flatten_order", {"start": 1, "end": 0}),
    (lambda: View((2, 3)).unflatten(1, (2, 2)), "unflatten_count", {"axis": 1, "new_shape": (2, 2)}),
    (lambda: View((2, 3)).slice("1", "1", "1"), "syntax", {"at": 1}),
    (lambda: View((2, 3)).slice(":", ":", ":"), "too_many_slices", {"rank": 2, "found": 3}),
    (lambda: View((2, 3)).index(1, 3), "index_out_of_bounds", {"axis": 1, "index": 3, "size": 3}),
    (lambda: View((2, 3)).index(1), "rank_mismatch", {"what": "index"}),
    (lambda: View((2, 3)).at(6), "position_out_of_bounds", {"position": 6, "count": 6}),
    (lambda: View((2, 3))[2], "index_out_of_bounds", {"axis": 0, "index": 2, "shape": (2, 3)}),
    (lambda: View((2, 3))[0, 0, 0], "too_many_slices", {"found": 3}),
    (lambda: View((2, 3)).apply(("roll", 1)), "unknown_op", {"op": "roll"}),
    (lambda: View.parse("(2,3):(3,x)"), "syntax", {"at": 9}),
    (lambda: View.from_json("{}"), "json", {}),
    (lambda: merge(), "empty_chain", {}),
    (lambda: merge("(2,3)", "(4):(2)"), "not_composable", {"view": 1, "index": (3,), "position": 6, "count": 6}),
    (lambda: ViewChain([]), "empty_chain", {}),
    (lambda: ViewChain.parse("(2,3) | reshape(7)"), "reshape_count", {"at": 15, "new_shape": (7,)}),
    (lambda: ViewChain.parse("(6) | (3,2):(1,3)").as_strided((9,), (1,)), "not_composable", {"view": 2}),
    (lambda: ViewChain.contiguous(6).step(2).invert(3), "not_invertible", {"view": 0}),
    (lambda: ViewChain.contiguous(6).expr("cobol"), "unknown_language", {}),
    (lambda: viewmerge.longest_mergeable("(6)", 1), "axis_out_of_range", {"axis": 1}),
    (lambda: View([1] * 1025), "too_many_axes", {"found": 1025}),
    (lambda: viewmerge.conditions("(" + "1," * 1025 + ")", "(1)"), "too_many_axes", {"found": 1025}),
    (lambda: View(range(10**12)), "too_many_axes", {"found": 10**12}),
    (lambda: viewmerge.reference.cells(View((2**40,))), "too_many_cells", {}),
]


@pytest.mark.parametrize("call, kind, fields", REFUSED, ids=[kind for _, kind, _ in REFUSED])
def test_refusals(call: Callable[[], Any], kind: str, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as caught:
        call()
    error = caught.value
    assert isinstance(error, Error) and error.kind == kind, str(error)
    for name, value in fields.items():
        assert getattr(error, name) == value, (name, error.fields)
    assert isinstance(error.axis, (int, type(None))) and hasattr(error, "strides")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error) and again.fields == error.fields
    with pytest.raises(AttributeError):
        error.unheard_of


def test_indices_are_index_errors_too() -> None:
    with pytest.raises(IndexError):
        View((2,))[2]
    assert issubclass(OutOfBounds, (Error, IndexError)) and issubclass(Error, ValueError)


WRONG: list[tuple[Callable[[], Any], type[Exception]]] = [
    (lambda: View(HUGE), TypeError),  # type: ignore[arg-type]
    (lambda: View((HUGE,)), OverflowError),
    (lambda: View((2,), (-HUGE,)), OverflowError),
    (lambda: View((2,), offset=HUGE), OverflowError),
    (lambda: View((2,), mask=[(0, HUGE)]), OverflowError),
    (lambda: View((2.0,)), TypeError),  # type: ignore[arg-type]
    (lambda: View("ab"), TypeError),  # type: ignore[arg-type]
    (lambda: View(b"ab"), TypeError),
    (lambda: View({2, 3}), TypeError),  # type: ignore[arg-type]
    (lambda: View({2: 3}), TypeError),  # type: ignore[arg-type]
    (lambda: View(None), TypeError),  # type: ignore[arg-type]
    (lambda: View(iter([2])), TypeError),  # type: ignore[arg-type]
    (lambda: View((2,), mask="never"), TypeError),  # type: ignore[arg-type]
    (lambda: View((2,), mask=[(0, 1, 2)]), TypeError),
    (lambda: View((2, 3)).reshape(HUGE), OverflowError),
    (lambda: View((2, 3)).permute("01"), TypeError),  # type: ignore[arg-type]
    (lambda: View((2, 3)).pad(1, 1), TypeError),  # type: ignore[call-overload]
    (lambda: View((2, 3))[True], TypeError),
    (lambda: View((2, 3))[[0, 1]], TypeError),
    (lambda: View((2, 3))[..., ...], TypeError),
    (lambda: View((2, 3))[HUGE], OverflowError),
    (lambda: View.parse(3), TypeError),  # type: ignore[arg-type]
    (lambda: merge(3), TypeError),  # type: ignore[call-overload]
    (lambda: merge([["(2)"]]), TypeError),  # type: ignore[list-item]
    (lambda: viewmerge.merge_many(3), TypeError),  # type: ignore[arg-type]
    (lambda: viewmerge.merge_within("(2)", -1), OverflowError),
    (lambda: viewmerge.Verdict(), TypeError),
    (lambda: viewmerge.Merged(3), TypeError),  # type: ignore[arg-type]
    (lambda: View((2,)).apply("flip(0)"), TypeError),
    (lambda: View.of(object()), TypeError),
    (lambda: View.of(3), TypeError),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_types(number: int) -> None:
    call, expected = WRONG[number]
    with pytest.raises(expected):
        call()


class Lies:
    """An array with false attributes."""

    def __init__(self, length: Any, items: Any) -> None:
        self.length, self.items = length, items

    def __len__(self) -> int:
        if isinstance(self.length, Exception):
            raise self.length
        return int(self.length)

    def __iter__(self) -> Any:
        if isinstance(self.items, Exception):
            raise self.items
        return iter(self.items)

    def __index__(self) -> int:
        return 10**40


def endless() -> Any:
    while True:
        yield 1


def test_sequences_that_lie() -> None:
    class Bad(Exception):
        pass

    with pytest.raises(TypeError):
        View(Lies(Bad(), [1]))  # type: ignore[arg-type]
    with pytest.raises(Bad):
        View(Lies(1, Bad()))  # type: ignore[arg-type]
    with pytest.raises(Error, match="at most 1024"):
        View(Lies(1, endless()))  # type: ignore[arg-type]
    with pytest.raises(OverflowError):
        View((Lies(0, []),))


def junk(choose: Choices, depth: int = 2) -> Any:
    """Anything."""
    kind = choose.below(14 if depth else 8)
    small = [choose.between(-2, 6) for _ in range(choose.below(5))]
    plain: list[Any] = [
        choose.between(-3, 7),
        choose.pick([2**62, 2**63 - 1, -(2**63), 2**64, HUGE, -HUGE]),
        choose.pick([None, True, False, 0.5, float("nan"), b"ab", ..., object()]),
        choose.pick(["(2,3)", "(6):(1)", "nothing", "python", "::-1", "(2,3) | flip(0)", "(", "é"]),
        slice(choose.between(-9, 9), None, choose.between(-2, 2)),
        choose.pick([View((2, 3)), View((6,)), ViewChain.parse("(3,2):(1,3) | (6)"), Lies(2, [1, 2])]),
        small,
        tuple(small),
    ]
    if kind < len(plain):
        return plain[kind]
    items = [junk(choose, depth - 1) for _ in range(choose.below(4))]
    if kind == 8:
        return [(choose.below(5), choose.below(5)) for _ in items]
    return choose.pick([items, tuple(items), iter(items), Lies(len(items), items)])


OWNERS: list[Any] = [
    View((2, 3)),
    View((0, 2)),
    View((2, 3), mask="nothing"),
    ViewChain.parse("(3,2):(1,3) | (6)"),
    ViewChain.parse("(18):(1) [2:17] | (16,3):(1,1)").guarded(),
    View((2, 3)).form(),
    viewmerge.conditions("(10,3,3)", "(6):(4)"),
    viewmerge.trace((2, 3)),
    viewmerge.trace((2, 3), like="torch"),
    viewmerge.why_copy(View((2, 3)), 6),
    viewmerge,
    viewmerge.reference,
]
TARGETS = [
    (owner, name)
    for owner in OWNERS
    for name in sorted(getattr(owner, "__all__", dir(owner)))
    if (not name.startswith("_") or name == "__getitem__") and callable(getattr(owner, name))
]


@cases(8000)
def test_junk_raises_ordinary_exceptions(choose: Choices) -> None:
    """A panic would not be an Exception, and a crash no exception at all."""
    owner, name = TARGETS[(256 * choose.below(256) + choose.below(256)) % len(TARGETS)]
    arguments = [junk(choose) for _ in range(choose.below(5))]
    try:
        result = getattr(owner, name)(*arguments)
        repr(result), str(result)
    except (ValueError, TypeError, OverflowError, IndexError, AttributeError, MemoryError, ImportError):
        pass
