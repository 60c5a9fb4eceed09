"""Measures the time of a Transpose in onnxruntime on one thread, by kind: python3 transposes.py [--all]

onnxruntime has three methods. If one axis moves to the last place or away from it, matrices are transposed, one for every
index of the axes before. If the last axes stay where they are, they are copied as blocks. Otherwise every element is
copied alone. So the time is modelled as

    node + byte * bytes + run * (matrices or blocks) + element * (elements copied alone)

and the four numbers are the `[copy]` table of a target, in picoseconds. They are fitted to the cases below by least
squares of the relative errors; `node` is measured with chains of nodes, because each run of a session has an
overhead. Processor time is measured, not wall time; the cases alternate, and the least of many rounds is kept.
`--all` prints every case beside the prediction.
"""

from __future__ import annotations

import sys

import numpy as np
from configurations import ints, node, runner, seconds

CASES = [
    # One axis to the last place, or away from it.
    ([64, 256], [1, 0]), ([8, 16, 8, 16], [2, 3, 0, 1]), ([2, 32, 256], [0, 2, 1]), ([2, 256, 32], [0, 2, 1]), ([2, 32, 16, 16], [0, 2, 3, 1]),
    ([2, 16, 16, 32], [0, 3, 1, 2]), ([30, 2, 64], [1, 2, 0]), ([8, 64, 64], [1, 2, 0]), ([8, 64, 64], [2, 0, 1]),
    ([8, 8, 8, 64], [0, 2, 3, 1]), ([256, 8, 4], [0, 2, 1]), ([256, 4, 8], [0, 2, 1]), ([64, 64, 16], [0, 2, 1]),
    ([8, 256, 16], [0, 2, 1]), ([1, 96, 28, 28], [0, 2, 3, 1]),
    # The last axes stay.
    ([64, 4, 32], [1, 0, 2]), ([64, 4, 8], [1, 0, 2]), ([64, 4, 8, 8], [1, 2, 0, 3]), ([8, 64, 4, 16], [2, 1, 0, 3]),
    ([8, 64, 4, 16], [0, 2, 1, 3]), ([2, 64, 4, 16], [0, 2, 1, 3]), ([1, 196, 6, 32], [0, 2, 1, 3]),
    ([2, 8, 2, 8, 2, 32], [0, 1, 3, 2, 4, 5]), ([2, 2, 8, 2, 8, 32], [0, 2, 4, 1, 3, 5]),
    ([2, 8, 8, 2, 2, 32], [0, 3, 1, 4, 2, 5]), ([32, 8, 4, 8, 4], [0, 3, 2, 1, 4]), ([1, 2, 58, 14, 14], [0, 2, 1, 3, 4]),
    ([30, 2, 2, 32], [0, 2, 1, 3]), ([2, 2, 4, 2, 4, 2, 2, 32], [0, 2, 5, 4, 6, 1, 3, 7]),
    # Element by element.
    ([30, 2, 2, 32], [2, 1, 3, 0]), ([2, 32, 8, 2, 8, 2], [0, 2, 4, 3, 5, 1]), ([2, 8, 8, 2, 2, 32], [0, 5, 3, 1, 4, 2]),
    ([8, 64, 64], [2, 1, 0]), ([16, 16, 16], [2, 1, 0]), ([32, 8, 4, 32], [3, 2, 1, 0]), ([4, 2, 2, 16, 16], [0, 3, 1, 4, 2]),
]


def fused(shape: list[int], perm: list[int]) -> tuple[list[int], list[int]]:
    """The same without axes of one element, and with axes that stay together fused, as onnxruntime does."""
    runs: list[list[int]] = []
    for axis in (axis for axis in perm if shape[axis] > 1):
        if runs and all(shape[other] == 1 for other in range(runs[-1][-1] + 1, axis)) and axis > runs[-1][-1]:
            runs[-1].append(axis)
        else:
            runs.append([axis])
    order = sorted(range(len(runs)), key=lambda run: runs[run][0])
    return [int(np.prod([shape[axis] for axis in runs[run]])) for run in order], [order.index(run) for run in range(len(runs))]


def features(shape: list[int], perm: list[int]) -> list[int]:
    """Bytes, matrices or blocks, and elements copied alone."""
    shape, perm = fused(shape, perm)
    elements = int(np.prod(shape))
    if perm[-1] == len(perm) - 1:
        return [4 * elements, elements // shape[-1], 0]
    if perm in ([1, 0], [0, 2, 1]):
        return [4 * elements, shape[0] if len(perm) == 3 else 1, 0]
    return [4 * elements, 0, elements]


def chain(kind: str, count: int):
    """A session of many small nodes one after the other."""
    nodes, name = [], "x"
    constants = [ints("there", 2, 2), ints("back", 4)]
    for place in range(count):
        after = f"y{place}"
        if kind == "Reshape":
            nodes.append(node("Reshape", [name, "back" if place % 2 else "there"], [after]))
        else:
            nodes.append(node("Transpose", [name], [after], perm=[1, 0]))
        name = after
    shape = [4] if kind == "Reshape" else [2, 2]
    return runner(nodes, {"x": shape}, [name], constants if kind == "Reshape" else [])


def main() -> None:
    few, many, reshaped, empty = seconds([chain("Transpose", 2), chain("Transpose", 42), chain("Reshape", 42), chain("Reshape", 2)])
    each, reshape = (many - few) / 40, (reshaped - empty) / 40
    print(f"a node: Transpose {each * 1e9:.0f} ns, Reshape {reshape * 1e9:.0f} ns; a run {(few - 2 * each) * 1e9:.0f} ns")
    runs = [runner([node("Transpose", ["x"], ["y"], perm=perm)], {"x": shape}, ["y"]) for shape, perm in CASES]
    taken = np.array(seconds(runs)) * 1e12 - (few - 2 * each) * 1e12
    table = np.array([[1, *features(shape, perm)] for shape, perm in CASES], float)
    left = taken - each * 1e12
    fitted = np.linalg.lstsq(table[:, 1:] / taken[:, None], left / taken, rcond=None)[0]
    numbers = np.array([each * 1e12, *np.maximum(fitted, 0)])
    print("[copy]")
    for name, value in zip(("node", "byte", "run", "element"), numbers):
        print(f"{name} = {value:.0f}")
    if "--all" in sys.argv:
        for (shape, perm), measured, modelled in zip(CASES, taken, table @ numbers):
            print(f"{str(shape):28} {str(perm):26} {measured / 1e6:7.2f} us, modelled {modelled / 1e6:7.2f}")
    print(f"median error {100 * np.median(np.abs(table @ numbers / taken - 1)):.0f} %")


if __name__ == "__main__":
    main()
