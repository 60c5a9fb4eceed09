"""Measures the cost of a call from Python, on views recorded from real programs.

    python bench.py

A call of NumPy, measured in between, shows how fast the machine is at the time, since other work
slows both. The best of many rounds is kept. Tensors are measured if PyTorch is installed.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import sys
import timeit
from pathlib import Path
from typing import Any, Callable

import numpy

from viewmerge import View, ViewChain, merge, merge_many

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"


def best(call: Callable[[], Any], calls: int) -> float:
    """Nanoseconds of one call, in the best of many rounds."""
    return min(timeit.repeat(call, number=1, repeat=40)) / calls * 1e9


def main() -> None:
    with open(TESTDATA / "pairs.jsonl", encoding="utf-8") as file:
        cases = [json.loads(line)["views"] for line in file]
    pairs = [[View.from_json(json.dumps(view)) for view in views] for views in cases]
    chains = [ViewChain(pair) for pair in pairs]

    def one_by_one() -> None:
        for below, above in pairs:
            merge(below, above)

    def chain_by_chain() -> None:
        for chain in chains:
            chain.merge()

    def view_of(array: Any) -> Callable[[], Any]:
        many = [array] * 1000
        return lambda: [View.of(x) for x in many]

    count = len(pairs)
    rows: list[tuple[str, Callable[[], Any], int]] = [
        (f"merge(below, above), mean of {count} pairs", one_by_one, count),
        ("chain.merge()", chain_by_chain, count),
        ("merge_many, a chain", lambda: merge_many(chains), count),
        ("list(merge_many), each", lambda: list(merge_many(chains)), count),
        ("View.of, NumPy, 2 axes", view_of(numpy.zeros((4, 6)).T), 1000),
        ("View.of, NumPy, 8 axes", view_of(numpy.zeros((2,) * 8)), 1000),
    ]
    versions = [f"Python {sys.version.split()[0]}", f"NumPy {numpy.__version__}"]
    if importlib.util.find_spec("torch") is not None:
        torch = importlib.import_module("torch")
        rows.append(("View.of, PyTorch, 2 axes", view_of(torch.zeros(4, 6).t()), 1000))
        rows.append(("View.of, PyTorch, 8 axes", view_of(torch.zeros((2,) * 8)), 1000))
        versions.append(f"PyTorch {torch.__version__}")
    small = [numpy.zeros((4, 6))] * 1000
    for name, call, calls in rows:
        time = best(call, calls)
        beside = best(lambda: [x.reshape(24) for x in small], 1000)
        print(f"{name:40} {time:6.0f} ns   {time / beside:5.2f} of NumPy's reshape, {beside:.0f} ns")
    print(", ".join(versions))


if __name__ == "__main__":
    main()
