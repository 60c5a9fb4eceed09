"""Measures what a call from Python costs, on views recorded from real programs.

    python bench.py
"""

from __future__ import annotations

import json
import sys
import timeit
from pathlib import Path
from typing import Any, Callable

import numpy

from viewmerge import View, ViewChain, merge, merge_many

TESTDATA = Path(__file__).resolve().parents[2] / "testdata"


def best(call: Callable[[], Any], calls: int) -> float:
    """Nanoseconds that one of so many calls takes, in the best of many rounds."""
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

    count = len(pairs)
    print(f"merge(below, above)    {best(one_by_one, count):6.0f} ns, mean of {count} pairs")
    print(f"chain.merge()          {best(chain_by_chain, count):6.0f} ns")
    print(f"merge_many, a chain    {best(lambda: merge_many(chains), count):6.0f} ns")
    print(f"list(merge_many), each {best(lambda: list(merge_many(chains)), count):6.0f} ns")
    for array in (numpy.zeros((4, 6)).T, numpy.zeros((2,) * 8)):
        many = [array] * 1000
        time = best(lambda: [View.of(x) for x in many], 1000)
        print(f"View.of, {array.ndim} axes        {time:6.0f} ns")
    print(f"Python {sys.version.split()[0]}, NumPy {numpy.__version__}")


if __name__ == "__main__":
    main()
