"""tinygrad: View.__add__, View.reshape, ShapeTracker.simplify, and its index expressions.

    tinygrad_views.py FOLDER

tinygrad caches its answers and intermediate results with functools. The
caches are emptied before every question, so that nothing is looked up.
"""

import sys
import time

from tinygrad.codegen.symbolic import simplify_valid, symbolic_flat, uop_given_valid
from tinygrad.ops import Ops, graph_rewrite
from tinygrad.shape import shapetracker, view as views
from tinygrad.shape.shapetracker import ShapeTracker
from tinygrad.shape.view import View

import common

PASSES = 3


def caches():
    """The cached functions of tinygrad's views."""
    for owner in (views, View, shapetracker):
        for member in vars(owner).values():
            function = getattr(member, "__func__", member)
            if hasattr(function, "cache_clear"):
                yield function


CACHES = list(caches())


def forget():
    for function in CACHES:
        function.cache_clear()


def make(parts):
    """tinygrad's view, or None where it has no such view (0-d, never valid)."""
    mask = parts["mask"]
    if mask == "nothing":
        if not parts["shape"]:
            return None
        mask = [[0, 0]] * len(parts["shape"])
    mask = None if mask is None else tuple(map(tuple, mask))
    return View.create(tuple(parts["shape"]), tuple(parts["strides"]), parts["offset"], mask)


def parts(view):
    """The view as JSON."""
    if view is None:
        return None
    mask = view.mask
    if mask is not None and any(lo >= hi for lo, hi in mask):
        mask = "nothing"
    elif mask is not None:
        mask = [list(pair) for pair in mask]
    return {"shape": list(view.shape), "strides": list(view.strides), "offset": view.offset, "mask": mask}


def only(tracker):
    """The view of a tracker that has just one."""
    return tracker.views[0] if len(tracker.views) == 1 else None


def apply(tracker, op, argument):
    """One movement op."""
    shape = tracker.shape
    if op == "expand" and len(argument) > len(shape):
        tracker = tracker.reshape((1,) * (len(argument) - len(shape)) + shape)
    if op == "flip":
        argument = tuple(axis in argument for axis in range(len(shape)))
    return getattr(tracker, op)(argument)


def tupled(value):
    return tuple(map(tupled, value)) if isinstance(value, list) else value


def call(question):
    """The question as a call, with its views prepared."""
    if "views" in question:
        chain = tuple(map(make, question["views"]))
        if None in chain:
            return None
        if len(chain) == 2:
            below, top = chain
            return lambda: below + top
        tracker = ShapeTracker(chain)
        return lambda: only(tracker.simplify())
    if "view" in question:
        view, shape = make(question["view"]), tuple(question["new_shape"])
        return None if view is None else lambda: view.reshape(shape)
    shape = tuple(question["shape"])
    ops = [(op, tupled(argument)) for op, argument in question["ops"]]

    def run():
        tracker = ShapeTracker.from_shape(shape)
        for op, argument in ops:
            tracker = apply(tracker, op, argument)
        return only(tracker.simplify())

    return run


def guarded(function):
    """Its result, or undecided if tinygrad raises an error."""

    def run():
        try:
            return function()
        except Exception:
            return common.UNDECIDED

    return None if function is None else run


def divisions(*expressions):
    """How many divisions and modulos are computed, shared ones once."""
    nodes = set().union(*(expression.toposort for expression in expressions))
    return sum(node.op in (Ops.IDIV, Ops.MOD) for node in nodes)


def expression(tracker):
    """The simplified index expression and its validity, from which kernels are made."""
    return tracker.simplify().to_indexed_uops()


def with_validity(index, valid):
    """The same with all of tinygrad's simplifications: the index is simplified where it is valid."""
    if (simpler := simplify_valid(valid)) is not None:
        valid = simpler
    if (simpler := uop_given_valid(valid, index)) is not None:
        index = graph_rewrite(simpler, symbolic_flat)
    return index, valid


def expressions(folder, name, questions):
    answers = []
    for question in questions:
        tracker = ShapeTracker(tuple(map(make, question["views"])))
        forget()
        start = time.perf_counter_ns()
        simple = expression(tracker)
        middle = time.perf_counter_ns()
        simplest = with_validity(*simple)
        end = time.perf_counter_ns()
        answers.append({
            "divisions": divisions(*simple),
            "ns": middle - start,
            "fewest_divisions": divisions(*simplest),
            "fewest_ns": end - start,
        })
    common.write(folder, "tinygrad", f"{name}-expressions", answers)


def main(folder):
    for name, questions in common.questions(folder):
        if name == "trackers":
            expressions(folder, name, questions)
        calls = [guarded(call(question)) for question in questions]
        results, times = common.timed(calls, PASSES, forget)
        answers = [
            {"answer": result if isinstance(result, str) else parts(result), "ns": ns}
            for result, ns in zip(results, times)
        ]
        common.write(folder, "tinygrad", name, answers)


main(sys.argv[1])
