"""Writes ONNX graphs layer by layer, with random weights and inferred shapes."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Network:
    """A graph that grows. Every layer takes names of tensors and returns the name of its result."""

    def __init__(self, opset: int = 18, seed: int = 0) -> None:
        self.opset = opset
        self.random = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.inputs: list[onnx.ValueInfoProto] = []
        self.count = 0

    def input(self, *shape: int, kind: int = TensorProto.FLOAT) -> str:
        name = f"x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def constant(self, values: np.ndarray) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def ints(self, *values: int) -> str:
        return self.constant(np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.constant(np.array(value, np.float32))

    def weight(self, *shape: int) -> str:
        scale = 1 / np.sqrt(np.prod(shape[1:]) if len(shape) > 1 else 4)
        return self.constant((self.random.standard_normal(shape) * scale).astype(np.float32))

    def op(self, kind: str, *inputs: str, results: int = 1, **attributes: object):
        self.count += 1
        names = [f"t{self.count}" + (f"_{i}" if results > 1 else "") for i in range(results)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{self.count}", **attributes))
        return names[0] if results == 1 else names

    # Views.

    def reshape(self, x: str, *shape: int) -> str:
        return self.op("Reshape", x, self.ints(*shape))

    def transpose(self, x: str, *perm: int) -> str:
        return self.op("Transpose", x, perm=perm)

    def squeeze(self, x: str, *axes: int) -> str:
        if self.opset < 13:
            return self.op("Squeeze", x, axes=axes)
        return self.op("Squeeze", x, self.ints(*axes))

    def unsqueeze(self, x: str, *axes: int) -> str:
        if self.opset < 13:
            return self.op("Unsqueeze", x, axes=axes)
        return self.op("Unsqueeze", x, self.ints(*axes))

    def slice(self, x: str, axis: int, start: int, end: int) -> str:
        return self.op("Slice", x, self.ints(start), self.ints(end), self.ints(axis))

    def split(self, x: str, axis: int, *sizes: int) -> list[str]:
        if self.opset < 13:
            return self.op("Split", x, results=len(sizes), axis=axis, split=sizes)
        return self.op("Split", x, self.ints(*sizes), results=len(sizes), axis=axis)

    # Layers.

    def conv(self, x: str, inputs: int, outputs: int, *kernel: int, stride: int = 1, group: int = 1) -> str:
        pads = [k // 2 for k in kernel]
        weight = self.weight(outputs, inputs // group, *kernel)
        return self.op(
            "Conv", x, weight, self.weight(outputs), kernel_shape=kernel, pads=pads + pads,
            strides=[stride] * len(kernel), group=group,
        )

    def linear(self, x: str, inputs: int, outputs: int) -> str:
        weight = self.constant(
            (self.random.standard_normal((inputs, outputs)) / np.sqrt(inputs)).astype(np.float32)
        )
        return self.op("Add", self.op("MatMul", x, weight), self.weight(outputs))

    def norm(self, x: str, size: int) -> str:
        if self.opset >= 17:
            return self.op("LayerNormalization", x, self.weight(size), self.weight(size), axis=-1)
        mean = self.reduce("ReduceMean", x, -1)
        centred = self.op("Sub", x, mean)
        variance = self.reduce("ReduceMean", self.op("Mul", centred, centred), -1)
        scale = self.op("Sqrt", self.op("Add", variance, self.number(1e-5)))
        return self.op("Add", self.op("Mul", self.op("Div", centred, scale), self.weight(size)), self.weight(size))

    def batch_norm(self, x: str, size: int) -> str:
        variance = self.constant(np.abs(self.random.standard_normal(size)).astype(np.float32) + 0.5)
        return self.op("BatchNormalization", x, self.weight(size), self.weight(size), self.weight(size), variance)

    def reduce(self, kind: str, x: str, *axes: int, keep: int = 1) -> str:
        if self.opset < 18:
            return self.op(kind, x, axes=axes, keepdims=keep)
        return self.op(kind, x, self.ints(*axes), keepdims=keep)

    def gelu(self, x: str) -> str:
        inner = self.op("Erf", self.op("Div", x, self.number(2**0.5)))
        return self.op("Mul", self.op("Mul", x, self.op("Add", inner, self.number(1))), self.number(0.5))

    def swish(self, x: str) -> str:
        return self.op("Mul", x, self.op("Sigmoid", x))

    def feed_forward(self, x: str, size: int, inner: int) -> str:
        return self.linear(self.gelu(self.linear(x, size, inner)), inner, size)

    def heads(self, x: str, batch: int, length: int, heads: int, size: int) -> str:
        """(batch, length, heads * size) to (batch, heads, length, size)."""
        return self.transpose(self.reshape(x, batch, length, heads, size), 0, 2, 1, 3)

    def attend(self, q: str, k: str, v: str, size: int, mask: str | None = None) -> str:
        """Attention of (…, length, size); k comes with its last two axes exchanged."""
        scores = self.op("Mul", self.op("MatMul", q, k), self.number(size**-0.5))
        if mask is not None:
            scores = self.op("Add", scores, mask)
        return self.op("MatMul", self.op("Softmax", scores, axis=-1), v)

    def attention(self, x: str, batch: int, length: int, heads: int, size: int, mask: str | None = None) -> str:
        width = heads * size
        q, k, v = (self.heads(self.linear(x, width, width), batch, length, heads, size) for _ in range(3))
        out = self.attend(q, self.transpose(k, 0, 1, 3, 2), v, size, mask)
        return self.linear(self.reshape(self.transpose(out, 0, 2, 1, 3), batch, length, width), width, width)

    def model(self, *outputs: str) -> onnx.ModelProto:
        """The finished model, with all shapes."""
        results = [helper.make_empty_tensor_value_info(name) for name in outputs]
        graph = helper.make_graph(self.nodes, "network", self.inputs, results, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=10)
        model = onnx.shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
        onnx.checker.check_model(model, full_check=True)
        return model
