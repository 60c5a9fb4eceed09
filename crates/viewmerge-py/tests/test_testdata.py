"""The cases in testdata/, which every front end must pass."""

from __future__ import annotations

from typing import Any

import pytest
from support import ROOT, lines, view_of

from viewmerge import (
    Error,
    SymbolicChain,
    Verdict,
    View,
    ViewChain,
    equivalent,
    explain,
    merge,
    merge_many,
    merge_within,
    overflow_table,
    reference,
    sym,
)


def ask(case: Any) -> Verdict:
    if "views" in case:
        return merge([view_of(parts) for parts in case["views"]])
    if "new_shape" in case:
        return view_of(case["view"]).reshape(case["new_shape"])
    return chain_of(case).merge()


def chain_of(case: Any) -> ViewChain:
    if "views" in case:
        return ViewChain([view_of(parts) for parts in case["views"]])
    if "new_shape" in case:
        view = view_of(case["view"])
        plain = View(view.shape).reshape(case["new_shape"]).view
        assert plain is not None
        return view.append(plain)
    chain = ViewChain.contiguous(case["shape"])
    for op in case["ops"]:
        chain = chain.apply(op)
    return chain


def run(name: str) -> tuple[int, int, int]:
    """How many cases are one view, not one view, and refused."""
    one = more = refused = 0
    for case in lines(name):
        expect = case["expect"]
        if isinstance(expect, dict) and "error" in expect:
            with pytest.raises(Error) as caught:
                ask(case)
            assert caught.value.kind == expect["error"], case
            refused += 1
            continue
        verdict = ask(case)
        if expect is None:
            assert not verdict and verdict.view is None, case
            assert verdict.witness is not None and verdict.witness.check(chain_of(case)), case
            more += 1
        else:
            assert verdict and verdict.view == view_of(expect), case
            assert chain_of(case).merge().view == verdict.view
            one += 1
    return one, more, refused


def test_pairs_from_real_programs() -> None:
    assert run("pairs.jsonl") == (5_211, 889, 0)


def test_reshapes_from_real_programs() -> None:
    assert run("reshapes.jsonl") == (3_693, 403, 0)


def test_worked_cases() -> None:
    one, more, _ = run("cases.jsonl")
    assert one > 40 and more > 15


def test_worked_cases_agree_with_the_definition() -> None:
    walked = 0
    for case in lines("cases.jsonl"):
        try:
            chain = chain_of(case)
            single = reference.single_view(chain)
        except Error:
            continue
        assert single == (case["expect"] and view_of(case["expect"])), case
        walked += 1
    assert walked > 50


def test_trackers_from_real_programs() -> None:
    chains = [chain_of(case) for case in lines("trackers.jsonl")]
    verdicts = merge_many(chains)
    assert (len(chains), sum(verdicts.merged)) == (854, 2)
    for chain, verdict in zip(chains, verdicts):
        assert merge_within(chain, 10_000) == verdict
        if verdict.witness is not None:
            assert verdict.witness.check(chain)
        assert equivalent(chain, chain.simplify())


def test_index_expressions_of_real_programs() -> None:
    """Guarded views and forms are the same function, at indices spread over the chain."""
    guarded_views = 0
    for case in lines("trackers.jsonl"):
        chain = chain_of(case)
        form, guarded = chain.form(), chain.guarded()
        guarded_views += guarded is not None
        assert (guarded is None) == (len(form.floors) > 0)
        code: dict[str, Any] = {}
        exec(chain.expr("python"), code)
        for part in range(7):
            place = (chain.count - 1) * part // 6
            position = chain.at(place)
            index = View(chain.shape).at(place)
            assert index == place
            digits = list(_digits(chain.shape, place))
            assert form.index(digits) == position
            assert code["at"](*digits) == position
            if guarded is not None:
                assert guarded.index(digits) == position
    assert guarded_views >= 386


def _digits(shape: tuple[int, ...], place: int) -> list[int]:
    digits = []
    for size in reversed(shape):
        digits.append(place % size)
        place //= size
    return digits[::-1]


@pytest.mark.parametrize("length", [4, 6])
def test_worked_example_table(length: int) -> None:
    table = overflow_table("(10,3,3)", f"({length}):(4)")
    stem = ROOT / "testdata" / f"worked-example-{length}"
    for suffix, text in (
        (".txt", table.to_text()),
        (".md", table.to_markdown()),
        (".tex", table.to_latex()),
    ):
        assert stem.with_suffix(suffix).read_text(encoding="utf-8").strip() == text.strip()


def test_explanations_say_it_in_the_ops_that_were_given() -> None:
    for case in lines("explanations.jsonl"):
        if "params" in case:
            unknown = SymbolicChain.parse(case["chain"], *map(sym, case["params"]))
            assert str(unknown.explain()) == case["expect"]
        else:
            assert str(explain(case["chain"])) == case["expect"]
    # The same ops by methods.
    chain = ViewChain.contiguous(2, 3).permute(1, 0).reshape(6)
    assert str(explain(chain)) == str(explain("(2,3) | permute(1,0) | reshape(6)"))
    assert "copy 24 elements before flatten(0,-1)" in str(explain(ViewChain.contiguous(2, 3, 4).T.flatten()))
