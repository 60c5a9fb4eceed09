"""How many copies a graph makes, and how many bytes they write."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime as ort
from onnx import numpy_helper

MOVERS = ("Transpose", "DepthToSpace", "SpaceToDepth")


def shapes(graph: onnx.GraphProto) -> dict[str, tuple[list[int], int]]:
    """Sizes and bytes of an element, by name."""
    found = {}
    for info in (*graph.input, *graph.output, *graph.value_info):
        kind = info.type.tensor_type
        if kind.HasField("shape") and all(dim.HasField("dim_value") for dim in kind.shape.dim):
            sizes = [dim.dim_value for dim in kind.shape.dim]
            found[info.name] = sizes, onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type).itemsize
    for tensor in graph.initializer:
        found[tensor.name] = list(tensor.dims), numpy_helper.to_array(tensor).itemsize
    return found


def seen(model: onnx.ModelProto, names: list[str]) -> dict[str, tuple[list[int], int]]:
    """The same for tensors whose shape is not in the file, by running the model."""
    if not names:
        return {}
    watched = onnx.ModelProto.FromString(model.SerializeToString())
    watched.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = ort.InferenceSession(watched.SerializeToString(), options, providers=["CPUExecutionProvider"])
    values = session.run(names, {name: array for name, array in inputs(model).items()})
    return {name: (list(value.shape), value.itemsize) for name, value in zip(names, values)}


def inputs(model: onnx.ModelProto, seed: int = 0) -> dict[str, np.ndarray]:
    """Random inputs; for integers, small numbers that are not negative."""
    random = np.random.default_rng(seed)
    given = {}
    constants = {tensor.name for tensor in model.graph.initializer}
    for info in model.graph.input:
        if info.name in constants:
            continue
        kind = info.type.tensor_type
        sizes = [dim.dim_value for dim in kind.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(kind.elem_type)
        if np.issubdtype(dtype, np.floating):
            given[info.name] = random.standard_normal(sizes).astype(dtype)
        else:
            given[info.name] = random.integers(0, 2, sizes).astype(dtype)
    return given


def moves(node: onnx.NodeProto, sizes: list[int]) -> bool:
    """Whether elements change places; axes of one element are ignored."""
    if node.op_type != "Transpose":
        block = next(attribute.i for attribute in node.attribute if attribute.name == "blocksize")
        return block > 1
    perm = next((list(a.ints) for a in node.attribute if a.name == "perm"), list(range(len(sizes)))[::-1])
    kept = [axis for axis in perm if sizes[axis] > 1]
    return kept != sorted(kept)


def copies(model: onnx.ModelProto) -> tuple[int, int]:
    """Copies of the graph, and the bytes they write. Transposes of constants are left out: they run once."""
    known = shapes(model.graph)
    constants = {tensor.name for tensor in model.graph.initializer}
    movers = [
        node for node in model.graph.node
        if node.op_type in MOVERS and node.domain in ("", "ai.onnx") and node.input[0] not in constants
    ]
    known.update(seen(model, sorted({node.input[0] for node in movers} - known.keys())))
    count = written = 0
    for node in movers:
        sizes, element = known[node.input[0]]
        if moves(node, sizes):
            count += 1
            size = element
            for one in sizes:
                size *= one
            written += size
    return count, written
