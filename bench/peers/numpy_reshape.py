"""NumPy: reshape without a copy, or not at all.

    numpy_reshape.py FOLDER

NumPy has no padding, and only its own views, so the questions are reshapes of unmasked
views, pairs whose upper view is a reshape, and ops without padding. No memory is touched:
the arrays are windows over one byte.
"""

import sys
from math import prod

import numpy as np
from numpy.lib.stride_tricks import as_strided

import common

PASSES = 5
BYTE = np.zeros(1, dtype=np.int8)
HOME = BYTE.__array_interface__["data"][0]


def array(view):
    """The view as an array with elements of one byte, or None if it is masked or too large."""
    reach = sum(abs(stride) * (size - 1) for size, stride in zip(view["shape"], view["strides"]))
    if view["mask"] is not None or max(reach, prod(view["shape"])) >= 2**62:
        return None
    return as_strided(BYTE, view["shape"], view["strides"], writeable=False)


def row_major(shape):
    return [prod(shape[axis + 1 :]) if size != 1 else 0 for axis, size in enumerate(shape)]


def is_reshape(below, top):
    """Whether the upper view only regroups the elements of the lower one."""
    same = prod(below["shape"]) == prod(top["shape"])
    return same and top["mask"] is None and top["offset"] == 0 and top["strides"] == row_major(top["shape"])


def reshape(source, shape):
    try:
        return source.reshape(shape, copy=False)
    except ValueError:
        return None


def shrink(source, bounds):
    # The ellipsis keeps an array without axes an array.
    return source[(..., *(slice(lo, hi) for lo, hi in bounds))]


def flip(source, axes):
    steps = (-1 if axis in axes else 1 for axis in range(source.ndim))
    return source[(..., *(slice(None, None, step) for step in steps))]


OPS = {
    "reshape": reshape,
    "permute": lambda source, axes: source.transpose(axes),
    "expand": lambda source, shape: np.broadcast_to(source, shape),
    "shrink": shrink,
    "flip": flip,
}


def call(question):
    """The question as a call, and the offset of the array it starts from."""
    if "ops" in question:
        ops = [(OPS.get(op), argument) for op, argument in question["ops"]]
        start = array({"shape": question["shape"], "strides": row_major(question["shape"]), "mask": None})
        if start is None or any(function is None for function, _ in ops):
            return None, 0

        def run():
            result = start
            for function, argument in ops:
                result = function(result, argument)
                if result is None:
                    return None
            return result

        return run, 0
    if "view" in question:
        view, shape = question["view"], tuple(question["new_shape"])
    else:
        view, *above = question["views"]
        if len(above) != 1 or not is_reshape(view, above[0]):
            return None, 0
        shape = tuple(above[0]["shape"])
    source = array(view)
    return (None, 0) if source is None else (lambda: reshape(source, shape), view["offset"])


def parts(result, offset):
    if result is None:
        return None
    start = result.__array_interface__["data"][0] - HOME + offset
    return {"shape": list(result.shape), "strides": list(result.strides), "offset": start, "mask": None}


def main(folder):
    for name, questions in common.questions(folder):
        calls = [call(question) for question in questions]
        results, times = common.timed([function for function, _ in calls], PASSES)
        answers = [
            {"answer": result if isinstance(result, str) else parts(result, offset), "ns": ns}
            for result, ns, (_, offset) in zip(results, times, calls)
        ]
        common.write(folder, "numpy", name, answers)


main(sys.argv[1])
