"""tensor-layouts: compositions of CuTe layouts, or a refusal.

    tensor_layouts_compose.py FOLDER

Reads layouts.jsonl, a pair of flat layouts a line, as lists of [size, stride]. Besides,
it is asked of one layout whether it is injective, and of two whether they are equal,
which it answers by listing all elements.
"""

import json
import sys
from pathlib import Path

from tensor_layouts import Layout, LayoutError, compose
from tensor_layouts.analysis import functionally_equal, is_injective

import common

PASSES = 3


def layout(modes):
    sizes, strides = zip(*modes)
    return Layout(sizes[0], strides[0]) if len(modes) == 1 else Layout(sizes, strides)


def flat(number_or_tuple):
    if isinstance(number_or_tuple, tuple):
        return [number for item in number_or_tuple for number in flat(item)]
    return [number_or_tuple]


def ask(a, b):
    try:
        return compose(a, b)
    except (LayoutError, ValueError, AssertionError, ZeroDivisionError):
        return None


def main(folder):
    with Path(folder, "layouts.jsonl").open() as lines:
        pairs = [json.loads(line) for line in lines]
    pairs = [(layout(pair["a"]), layout(pair["b"])) for pair in pairs]
    results, ns = common.timed([lambda a=a, b=b: ask(a, b) for a, b in pairs], PASSES)
    answers = []
    for found, time in zip(results, ns):
        modes = None
        if found is not None:
            modes = list(zip(flat(found.shape), flat(found.stride)))
        answers.append({"layout": modes, "ns": time})
    common.write(folder, "tensor_layouts", "layouts", answers)
    large = Layout((1000, 1000), (1000, 1))
    same = Layout((1000, (10, 100)), (1000, (1, 10)))
    _, (injective, equal) = common.timed(
        [lambda: is_injective(large), lambda: functionally_equal(large, same)], 1
    )
    listed = {"elements": 1_000_000, "injective_ns": injective, "equal_ns": equal}
    Path(folder, "answers", "tensor_layouts", "listed.json").write_text(json.dumps(listed))


main(sys.argv[1])
