"""Measures the cost of configurations in onnxruntime on one thread: python3 configurations.py

Every row runs an op in its usual layout and in another one. The difference is given in percent of the time that a
Transpose of the same tensor takes, which is the unit of a target's table: 100 is as much as a copy.
Processor time is measured, not wall time, and the least of many rounds is kept. Sizes are those of the models; the median over the sizes goes into the table.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

ROUNDS, SECONDS = 60, 0.002


def runner(nodes, shapes, outputs, constants=()):
    """A session of these nodes, and inputs for it."""
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    held = [numpy_helper.from_array(value, name) for name, value in constants]
    graph = helper.make_graph(nodes, "one", inputs, results, held)
    sets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=sets, ir_version=10)
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    random = np.random.default_rng(0)
    given = {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}
    # Bind inputs and outputs once, so that only the op is measured.
    binding = session.io_binding()
    for name, value in given.items():
        binding.bind_ortvalue_input(name, ort.OrtValue.ortvalue_from_numpy(value))
    for name in outputs:
        binding.bind_output(name, "cpu")
    return lambda: session.run_with_iobinding(binding)


def seconds(runs):
    """The time of each session: runs alternate, and the least is kept."""
    counts = []
    for run in runs:
        run()
        start = time.thread_time()
        run()
        counts.append(max(1, int(SECONDS / (time.thread_time() - start + 1e-7))))
    best = [float("inf")] * len(runs)
    for _ in range(ROUNDS):
        for place, (run, count) in enumerate(zip(runs, counts)):
            start = time.thread_time()
            for _ in range(count):
                run()
            best[place] = min(best[place], (time.thread_time() - start) / count)
    return best


def node(kind, inputs, outputs, **attributes):
    domain = "com.microsoft" if kind == "FusedMatMul" else ""
    return helper.make_node(kind, inputs, outputs, domain=domain, **attributes)


def transpose(shape):
    perm = [*range(len(shape) - 2), len(shape) - 1, len(shape) - 2]
    return runner([node("Transpose", ["x"], ["y"], perm=perm)], {"x": shape}, ["y"])


def ints(name, *values):
    return name, np.array(values, np.int64)


def softmax():
    for batch, length in ((8, 64), (32, 64), (8, 128), (8, 256)):
        shape = [batch, length, length]
        usual = runner([node("Softmax", ["x"], ["y"], axis=2)], {"x": shape}, ["y"])
        other = runner([node("Softmax", ["x"], ["y"], axis=1)], {"x": shape}, ["y"])
        yield usual, other, transpose(shape)


def split(axis):
    def rows():
        for rows, width in ((64, 64), (256, 64), (1024, 96)):
            last, first = [rows, 3 * width], [3 * width, rows]
            held = [ints("s", width, width, width)]
            names = ["a", "b", "c"]
            usual = runner([node("Split", ["x", "s"], names, axis=0)], {"x": first}, names, held)
            other = runner([node("Split", ["x", "s"], names, axis=1)], {"x": last}, names, held)
            yield usual, other, transpose(last)
    return rows


def split_inner():
    """The axis between others of few elements: pieces of eight."""
    for rows, width in ((64, 64), (256, 64), (1024, 96)):
        held = [ints("s", width, width, width)]
        names = ["a", "b", "c"]
        usual = runner([node("Split", ["x", "s"], names, axis=1)], {"x": [rows, 3 * width]}, names, held)
        other = runner([node("Split", ["x", "s"], names, axis=1)], {"x": [rows // 8, 3 * width, 8]}, names, held)
        yield usual, other, transpose([rows, 3 * width])


def slice_inner():
    for rows, width in ((64, 192), (256, 192), (1024, 96)):
        held = [ints("s", 0), ints("e", width // 3), ints("a1", 1)]
        usual = runner([node("Slice", ["x", "s", "e", "a1"], ["y"])], {"x": [rows, width]}, ["y"], held)
        other = runner([node("Slice", ["x", "s", "e", "a1"], ["y"])], {"x": [rows // 8, width, 8]}, ["y"], held)
        yield usual, other, transpose([rows, width // 3])


def concat_inner():
    for rows, width in ((64, 64), (256, 64), (1024, 96)):
        last, inner = [rows, width], [rows // 8, width, 8]
        usual = runner([node("Concat", ["a", "b"], ["y"], axis=1)], {"a": last, "b": last}, ["y"])
        other = runner([node("Concat", ["a", "b"], ["y"], axis=1)], {"a": inner, "b": inner}, ["y"])
        yield usual, other, transpose([rows, 2 * width])


def pad_inner():
    for rows, width in ((256, 64), (1024, 96)):
        held = [ints("p", 0, 0, 0, 4)]
        inner = [ints("p", 0, 0, 0, 0, 4, 0)]
        usual = runner([node("Pad", ["x", "p"], ["y"])], {"x": [rows, width]}, ["y"], held)
        other = runner([node("Pad", ["x", "p"], ["y"])], {"x": [rows // 8, width, 8]}, ["y"], inner)
        yield usual, other, transpose([rows, width + 4])


def gather_inner():
    for rows, width in ((256, 64), (1024, 96)):
        held = [("i", np.arange(width)[::-1].copy())]
        usual = runner([node("Gather", ["x", "i"], ["y"], axis=0)], {"x": [width, rows]}, ["y"], held)
        other = runner([node("Gather", ["x", "i"], ["y"], axis=1)], {"x": [rows, width]}, ["y"], held)
        yield usual, other, transpose([rows, width])


ATTENTION = ((8, 64, 16), (8, 64, 32), (6, 128, 16), (8, 256, 16))


def fused(**flags):
    """Attention scores with an operand in another layout; in percent of a copy of that operand."""
    def rows():
        for batch, length, size in ATTENTION:
            a, b = [batch, length, size], [batch, size, length]
            usual = runner([node("MatMul", ["a", "b"], ["y"])], {"a": a, "b": b}, ["y"])
            if flags.get("transA"):
                a = [batch, size, length]
            if flags.get("transB"):
                b = [batch, length, size]
            # The batch axis is second, so rows of the others are batch apart.
            if flags.get("transBatchA"):
                a = [a[1], batch, a[2]]
            if flags.get("transBatchB"):
                b = [b[1], batch, b[2]]
            other = runner([node("FusedMatMul", ["a", "b"], ["y"], **flags)], {"a": a, "b": b}, ["y"])
            yield usual, other, transpose([batch, length, size])
    return rows


def swapped():
    """The same product as its transpose: operands exchanged."""
    for batch, length, size in ATTENTION:
        usual = runner([node("MatMul", ["a", "b"], ["y"])], {"a": [batch, length, length], "b": [batch, length, size]}, ["y"])
        other = runner([node("MatMul", ["b", "a"], ["y"])], {"a": [batch, length, length], "b": [batch, size, length]}, ["y"])
        yield usual, other, transpose([batch, length, size])


def weights_left():
    """Weights from the left, for an operand with its columns first."""
    for rows, width, batch in ((64, 64, 2), (256, 64, 2), (196, 96, 4)):
        held = [("w", np.random.default_rng(1).standard_normal((width, width)).astype(np.float32))]
        usual = runner([node("MatMul", ["x", "w"], ["y"])], {"x": [batch, rows, width]}, ["y"], held)
        other = runner([node("MatMul", ["w", "x"], ["y"])], {"x": [batch, width, rows]}, ["y"], held)
        yield usual, other, transpose([batch, rows, width])


def weights_batched():
    """Separate weights for every head: (rows, K) times (heads, K, size) instead of (K, heads * size)."""
    for rows, width, heads in ((128, 64, 4), (512, 64, 4), (784, 96, 4)):
        random = np.random.default_rng(1)
        together = [("w", random.standard_normal((width, width)).astype(np.float32))]
        apart = [("w", random.standard_normal((heads, width, width // heads)).astype(np.float32))]
        usual = runner([node("MatMul", ["x", "w"], ["y"])], {"x": [rows, width]}, ["y"], together)
        other = runner([node("MatMul", ["x", "w"], ["y"])], {"x": [1, rows, width]}, ["y"], apart)
        yield usual, other, transpose([rows, width])


def pointwise_rows():
    """A 1×1 convolution as a product of rows and weights."""
    for places, width in ((16, 32), (32, 32), (16, 64), (32, 64)):
        random = np.random.default_rng(1)
        image = [("w", random.standard_normal((width, width, 1, 1)).astype(np.float32))]
        flat = [("w", random.standard_normal((width, width)).astype(np.float32))]
        usual = runner([node("Conv", ["x", "w"], ["y"])], {"x": [1, width, places, places]}, ["y"], image)
        other = runner([node("MatMul", ["x", "w"], ["y"])], {"x": [places * places, width]}, ["y"], flat)
        yield usual, other, transpose([width, places * places])


def reduce_inner():
    for rows, width in ((256, 64), (1024, 96)):
        held = [ints("a1", 1)]
        first = [ints("a1", 0)]
        usual = runner([node("ReduceMean", ["x", "a1"], ["y"])], {"x": [rows, width]}, ["y"], held)
        other = runner([node("ReduceMean", ["x", "a1"], ["y"])], {"x": [width, rows]}, ["y"], first)
        yield usual, other, transpose([rows, width])


def broadcast_rows():
    """A bias along the rows instead of the columns."""
    for rows, width in ((64, 64), (256, 64), (1024, 96)):
        random = np.random.default_rng(1)
        last = [("b", random.standard_normal(width).astype(np.float32))]
        first = [("b", random.standard_normal((width, 1)).astype(np.float32))]
        usual = runner([node("Add", ["x", "b"], ["y"])], {"x": [rows, width]}, ["y"], last)
        other = runner([node("Add", ["x", "b"], ["y"])], {"x": [width, rows]}, ["y"], first)
        yield usual, other, transpose([rows, width])


ROWS = {
    "softmax.inner": softmax,
    "split, last against first axis": split(1),
    "split.inner": split_inner,
    "slice.inner": slice_inner,
    "concat.inner": concat_inner,
    "pad.inner": pad_inner,
    "gather.inner": gather_inner,
    "reduce, first against last axis": reduce_inner,
    "elementwise, constant along rows": broadcast_rows,
    "matmul, FusedMatMul as it is": fused(),
    "matmul.trans_a": fused(transA=1),
    "matmul.trans_b": fused(transB=1),
    "matmul.batch_a": fused(transBatchA=1),
    "matmul.batch_b": fused(transBatchB=1),
    "matmul.swapped": swapped,
    "linear.left": weights_left,
    "linear, weights for every head apart": weights_batched,
    "pointwise.rows": pointwise_rows,
}


def main() -> None:
    wanted = sys.argv[1:] or list(ROWS)
    for name in wanted:
        percents = []
        for usual, other, copy in ROWS[name]():
            a, b, c = seconds([usual, other, copy])
            percents.append(100 * (b - a) / c)
        shown = " ".join(f"{percent:6.0f}" for percent in percents)
        print(f"{name:40} median {np.median(percents):6.0f}   each {shown}", flush=True)


if __name__ == "__main__":
    main()
