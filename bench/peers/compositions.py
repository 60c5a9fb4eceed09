"""Shared code of the peers that compose CuTe layouts.

The questions are in layouts.jsonl, one pair of flat layouts per line, as lists of [size, stride]; an
answer has the flattened modes of a layout, or null for a refusal.
"""

import json
from pathlib import Path

import common

PASSES = 3


def flat(number_or_tuple):
    if isinstance(number_or_tuple, tuple):
        return [number for item in number_or_tuple for number in flat(item)]
    return [number_or_tuple]


def answer(folder, peer, layout, compose, refusals):
    """Asks a peer for all compositions: its class of layouts, its function, what it raises."""

    def made(modes):
        sizes, strides = zip(*modes)
        return layout(sizes[0], strides[0]) if len(modes) == 1 else layout(sizes, strides)

    def ask(a, b):
        try:
            return compose(a, b)
        except refusals:
            return None

    with Path(folder, "layouts.jsonl").open() as lines:
        pairs = [json.loads(line) for line in lines]
    pairs = [(made(pair["a"]), made(pair["b"])) for pair in pairs]
    results, ns = common.timed([lambda a=a, b=b: ask(a, b) for a, b in pairs], PASSES)
    answers = []
    for found, time in zip(results, ns):
        modes = None
        if found is not None:
            modes = list(zip(flat(found.shape), flat(found.stride)))
        answers.append({"layout": modes, "ns": time})
    common.write(folder, peer, "layouts", answers)
