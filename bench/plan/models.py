"""Builds the models that are planned and measured: python3 models.py FOLDER.

Each is a small network of a known kind as exporters write it, with Transposes where the framework had
them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
from network import Network


def vit() -> onnx.ModelProto:
    """A vision transformer: three matrices of weights for every attention."""
    n = Network(seed=1)
    x = n.conv(n.input(2, 3, 64, 64), 3, 96, 8, 8, stride=8)
    # An even kernel pads by four: nine positions each way.
    x = n.transpose(n.reshape(x, 2, 96, 81), 0, 2, 1)
    for _ in range(3):
        x = n.op("Add", x, n.attention(n.norm(x, 96), 2, 81, 4, 24))
        x = n.op("Add", x, n.feed_forward(n.norm(x, 96), 96, 192))
    return n.model(n.linear(n.reduce("ReduceMean", n.norm(x, 96), 1, keep=0), 96, 10))


def deit() -> onnx.ModelProto:
    """One matrix for queries, keys and values, taken apart by a Transpose of five axes."""
    n = Network(seed=2)
    x = n.reshape(n.conv(n.input(2, 3, 32, 32), 3, 64, 1, 1), 2, 64, 1024)
    x = n.transpose(n.slice(x, 2, 0, 64), 0, 2, 1)
    for _ in range(3):
        y = n.reshape(n.linear(n.norm(x, 64), 64, 192), 2, 64, 3, 4, 16)
        y = n.transpose(y, 2, 0, 3, 1, 4)
        q, k, v = (n.squeeze(part, 0) for part in n.split(y, 0, 1, 1, 1))
        y = n.attend(q, n.transpose(k, 0, 1, 3, 2), v, 16)
        y = n.linear(n.reshape(n.transpose(y, 0, 2, 1, 3), 2, 64, 64), 64, 64)
        x = n.op("Add", x, y)
        x = n.op("Add", x, n.feed_forward(n.norm(x, 64), 64, 128))
    return n.model(n.norm(x, 64))


def gpt(layers: int = 3) -> onnx.ModelProto:
    """A decoder with a causal mask; queries, keys and values by Split."""
    n = Network(seed=3)
    length, heads, size = 32, 4, 16
    tokens = n.input(2, length, kind=onnx.TensorProto.INT64)
    x = n.op("Gather", n.weight(100, heads * size), tokens)
    x = n.op("Add", x, n.weight(length, heads * size))
    mask = n.constant(np.triu(np.full((length, length), -1e9, np.float32), 1))
    for _ in range(layers):
        parts = n.split(n.linear(n.norm(x, 64), 64, 192), 2, 64, 64, 64)
        q, k, v = (n.heads(part, 2, length, heads, size) for part in parts)
        y = n.attend(q, n.transpose(k, 0, 1, 3, 2), v, size, mask)
        x = n.op("Add", x, n.linear(n.reshape(n.transpose(y, 0, 2, 1, 3), 2, length, 64), 64, 64))
        x = n.op("Add", x, n.feed_forward(n.norm(x, 64), 64, 256))
    return n.model(n.linear(n.norm(x, 64), 64, 100))


def detr() -> onnx.ModelProto:
    """Sequence first, as in PyTorch's own attention: batch and heads are one axis."""
    n = Network(seed=4)
    x = n.conv(n.input(2, 3, 32, 32), 3, 64, 3, 3, stride=4)
    x = n.transpose(n.reshape(x, 2, 64, 64), 2, 0, 1)
    for _ in range(2):
        def apart(part: str) -> str:
            return n.transpose(n.reshape(part, 64, 8, 16), 1, 0, 2)
        q, k, v = (apart(n.linear(x, 64, 64)) for _ in range(3))
        y = n.attend(q, n.transpose(k, 0, 2, 1), v, 16)
        y = n.linear(n.reshape(n.transpose(y, 1, 0, 2), 64, 2, 64), 64, 64)
        x = n.norm(n.op("Add", x, y), 64)
        x = n.norm(n.op("Add", x, n.feed_forward(x, 64, 128)), 64)
    return n.model(n.transpose(n.linear(x, 64, 12), 1, 0, 2))


def levit() -> onnx.ModelProto:
    """Attention between convolutions: keys of another size than values, batch norms on rows."""
    n = Network(seed=5)
    x = n.op("HardSwish", n.batch_norm(n.conv(n.input(2, 3, 32, 32), 3, 64, 3, 3, stride=2), 64))
    x = n.transpose(n.reshape(x, 2, 64, 256), 0, 2, 1)
    for _ in range(2):
        y = n.reshape(n.linear(x, 64, 4 * 64), 2, 256, 4, 64)
        q, k, v = n.split(y, 3, 16, 16, 32)
        q = n.transpose(q, 0, 2, 1, 3)
        k = n.transpose(k, 0, 2, 3, 1)
        v = n.transpose(v, 0, 2, 1, 3)
        y = n.transpose(n.attend(q, k, v, 16), 0, 2, 1, 3)
        y = n.linear(n.op("HardSwish", n.reshape(y, 2, 256, 128)), 128, 64)
        x = n.op("Add", x, y)
        y = n.linear(n.op("HardSwish", n.linear(x, 64, 128)), 128, 64)
        x = n.op("Add", x, y)
    return n.model(n.linear(n.reduce("ReduceMean", x, 1, keep=0), 64, 10))


def mobilenet() -> onnx.ModelProto:
    """Channels last outside, first inside: every convolution between two Transposes."""
    n = Network(seed=6)

    def conv(x: str, *args: int, **named: int) -> str:
        y = n.conv(n.transpose(x, 0, 3, 1, 2), *args, **named)
        return n.transpose(y, 0, 2, 3, 1)

    x = conv(n.input(1, 32, 32, 3), 3, 16, 3, 3, stride=2)
    size = 16
    for outputs, stride in ((16, 1), (24, 2), (24, 1), (32, 2), (32, 1)):
        inner = size * 4
        y = n.op("Clip", conv(x, size, inner, 1, 1), n.number(0), n.number(6))
        y = n.op("Clip", conv(y, inner, inner, 3, 3, stride=stride, group=inner), n.number(0), n.number(6))
        y = conv(y, inner, outputs, 1, 1)
        x = n.op("Add", x, y) if size == outputs and stride == 1 else y
        size = outputs
    return n.model(n.linear(n.reduce("ReduceMean", x, 1, 2, keep=0), 32, 10))


def unet() -> onnx.ModelProto:
    """Channels last at both ends, skips by Concat, nearest neighbours on the way up."""
    n = Network(seed=7)
    x = n.transpose(n.input(1, 32, 32, 3), 0, 3, 1, 2)
    skips, size = [], 3
    for outputs in (16, 32):
        x = n.op("Relu", n.conv(x, size, outputs, 3, 3))
        skips.append((x, outputs))
        x = n.op("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
        size = outputs
    x = n.op("Relu", n.conv(x, size, 32, 3, 3))
    size = 32
    for skip, width in reversed(skips):
        scales = n.constant(np.array([1, 1, 2, 2], np.float32))
        x = n.op("Resize", x, "", scales, mode="nearest")
        x = n.op("Concat", x, skip, axis=1)
        x = n.op("Relu", n.conv(x, size + width, width, 3, 3))
        size = width
    x = n.transpose(n.conv(x, size, 4, 1, 1), 0, 2, 3, 1)
    return n.model(n.op("Softmax", x, axis=-1))


def espcn() -> onnx.ModelProto:
    """A pixel shuffle written with Reshape and Transpose, between channels-last ends."""
    n = Network(seed=8)
    x = n.transpose(n.input(1, 24, 24, 3), 0, 3, 1, 2)
    x = n.op("Tanh", n.conv(x, 3, 32, 5, 5))
    x = n.op("Tanh", n.conv(x, 32, 16, 3, 3))
    x = n.conv(x, 16, 12, 3, 3)
    x = n.reshape(x, 1, 3, 2, 2, 24, 24)
    x = n.reshape(n.transpose(x, 0, 1, 4, 2, 5, 3), 1, 3, 48, 48)
    return n.model(n.op("Sigmoid", n.transpose(x, 0, 2, 3, 1)))


def conformer() -> onnx.ModelProto:
    """Alternating attention and convolutions over time; a gate by Split."""
    n = Network(seed=9)
    batch, length, size = 2, 48, 64
    x = n.linear(n.input(batch, length, 40), 40, size)
    for _ in range(2):
        x = n.op("Add", x, n.op("Mul", n.feed_forward(n.norm(x, size), size, 128), n.number(0.5)))
        x = n.op("Add", x, n.attention(n.norm(x, size), batch, length, 4, 16))
        y = n.transpose(n.norm(x, size), 0, 2, 1)
        left, right = n.split(n.conv(y, size, 2 * size, 1), 1, size, size)
        y = n.op("Mul", left, n.op("Sigmoid", right))
        y = n.swish(n.batch_norm(n.conv(y, size, size, 9, group=size), size))
        y = n.transpose(n.conv(y, size, size, 1), 0, 2, 1)
        x = n.op("Add", x, y)
    return n.model(n.norm(x, size))


def yolo() -> onnx.ModelProto:
    """Three heads whose boxes are brought to the end and joined."""
    n = Network(seed=10)
    x, heads, size = n.input(1, 3, 64, 64), [], 3
    places = 64
    for level, outputs in enumerate((16, 32, 64, 64)):
        x = n.op("LeakyRelu", n.conv(x, size, outputs, 3, 3, stride=2), alpha=0.1)
        size, places = outputs, places // 2
        if level:
            y = n.reshape(n.conv(x, size, 3 * 9, 1, 1), 1, 3, 9, places, places)
            y = n.op("Sigmoid", n.transpose(y, 0, 1, 3, 4, 2))
            heads.append(n.reshape(y, 1, 3 * places * places, 9))
    return n.model(n.op("Concat", *heads, axis=1))


def shufflenet_v1() -> onnx.ModelProto:
    """Convolutions in groups with a shuffle of the channels between them."""
    n = Network(seed=11)
    x = n.op("Relu", n.conv(n.input(2, 3, 32, 32), 3, 48, 3, 3, stride=2))
    for _ in range(3):
        y = n.op("Relu", n.conv(x, 48, 48, 1, 1, group=3))
        y = n.reshape(n.transpose(n.reshape(y, 2, 3, 16, 16, 16), 0, 2, 1, 3, 4), 2, 48, 16, 16)
        y = n.conv(n.conv(y, 48, 48, 3, 3, group=48), 48, 48, 1, 1, group=3)
        x = n.op("Relu", n.op("Add", x, y))
    return n.model(n.linear(n.reduce("ReduceMean", x, 2, 3, keep=0), 48, 10))


def segformer() -> onnx.ModelProto:
    """Keys and values from an image reduced by a convolution; a depthwise convolution between matrices."""
    n = Network(seed=12)
    x = n.conv(n.input(1, 3, 64, 64), 3, 32, 7, 7, stride=4)
    x = n.norm(n.transpose(n.reshape(x, 1, 32, 256), 0, 2, 1), 32)
    for _ in range(2):
        y = n.norm(x, 32)
        image = n.reshape(n.transpose(y, 0, 2, 1), 1, 32, 16, 16)
        weight = n.weight(32, 32, 4, 4)
        small = n.op("Conv", image, weight, n.weight(32), kernel_shape=[4, 4], strides=[4, 4])
        small = n.norm(n.transpose(n.reshape(small, 1, 32, 16), 0, 2, 1), 32)
        q = n.heads(n.linear(y, 32, 32), 1, 256, 2, 16)
        k = n.transpose(n.reshape(n.linear(small, 32, 32), 1, 16, 2, 16), 0, 2, 3, 1)
        v = n.heads(n.linear(small, 32, 32), 1, 16, 2, 16)
        y = n.transpose(n.attend(q, k, v, 16), 0, 2, 1, 3)
        x = n.op("Add", x, n.linear(n.reshape(y, 1, 256, 32), 32, 32))
        y = n.linear(n.norm(x, 32), 32, 64)
        image = n.reshape(n.transpose(y, 0, 2, 1), 1, 64, 16, 16)
        image = n.conv(image, 64, 64, 3, 3, group=64)
        y = n.transpose(n.reshape(image, 1, 64, 256), 0, 2, 1)
        x = n.op("Add", x, n.linear(n.gelu(y), 64, 32))
    x = n.reshape(n.transpose(n.norm(x, 32), 0, 2, 1), 1, 32, 16, 16)
    return n.model(n.conv(x, 32, 8, 1, 1))


def linear_attention() -> onnx.ModelProto:
    """Keys times values first: attention in linear time."""
    n = Network(seed=13)
    x = n.linear(n.input(2, 128, 32), 32, 64)
    for _ in range(2):
        y = n.norm(x, 64)
        q, k, v = (n.heads(n.linear(y, 64, 64), 2, 128, 4, 16) for _ in range(3))
        q = n.op("Softmax", q, axis=-1)
        k = n.op("Softmax", n.transpose(k, 0, 1, 3, 2), axis=-1)
        y = n.op("MatMul", q, n.op("MatMul", k, v))
        y = n.reshape(n.transpose(y, 0, 2, 1, 3), 2, 128, 64)
        x = n.op("Add", x, n.linear(y, 64, 64))
    return n.model(x)


def wav2vec() -> onnx.ModelProto:
    """Convolutions over a wave, each normalised over its channels."""
    n = Network(seed=14)
    x, size = n.input(1, 1, 2048), 1
    for kernel, stride in ((10, 5), (3, 2), (3, 2)):
        weight = n.weight(64, size, kernel)
        x = n.op("Conv", x, weight, kernel_shape=[kernel], strides=[stride])
        x = n.gelu(n.transpose(n.norm(n.transpose(x, 0, 2, 1), 64), 0, 2, 1))
        size = 64
    x = n.norm(n.transpose(x, 0, 2, 1), 64)
    return n.model(n.linear(x, 64, 32))


def temporal() -> onnx.ModelProto:
    """A transformer over space, then over time, of the same tensor."""
    n = Network(seed=15)
    frames, places, size = 8, 36, 32
    x = n.linear(n.input(frames, places, 48), 48, size)
    for _ in range(2):
        x = n.op("Add", x, n.attention(n.norm(x, size), frames, places, 2, 16))
        y = n.transpose(x, 1, 0, 2)
        y = n.op("Add", y, n.attention(n.norm(y, size), places, frames, 2, 16))
        x = n.transpose(y, 1, 0, 2)
        x = n.op("Add", x, n.feed_forward(n.norm(x, size), size, 64))
    return n.model(n.reduce("ReduceMean", x, 0, 1, keep=0))


def coatnet() -> onnx.ModelProto:
    """Convolutions with squeeze and excite, then attention on the image."""
    n = Network(seed=16)
    x = n.conv(n.input(2, 3, 32, 32), 3, 32, 3, 3, stride=2)
    for _ in range(2):
        y = n.swish(n.conv(x, 32, 64, 1, 1))
        y = n.swish(n.conv(y, 64, 64, 3, 3, group=64))
        gate = n.op("GlobalAveragePool", y)
        gate = n.op("Sigmoid", n.conv(n.op("Relu", n.conv(gate, 64, 16, 1, 1)), 16, 64, 1, 1))
        x = n.op("Add", x, n.conv(n.op("Mul", y, gate), 64, 32, 1, 1))
    x = n.transpose(n.reshape(x, 2, 32, 256), 0, 2, 1)
    for _ in range(2):
        x = n.op("Add", x, n.attention(n.norm(x, 32), 2, 256, 2, 16))
        x = n.op("Add", x, n.feed_forward(n.norm(x, 32), 32, 128))
    x = n.reshape(n.transpose(x, 0, 2, 1), 2, 32, 16, 16)
    return n.model(n.linear(n.reduce("ReduceMean", x, 2, 3, keep=0), 32, 10))


def opset11() -> onnx.ModelProto:
    """An old file: axes as attributes, norms written out."""
    n = Network(opset=11, seed=17)
    x = n.conv(n.transpose(n.input(1, 24, 24, 3), 0, 3, 1, 2), 3, 32, 3, 3, stride=2)
    x = n.unsqueeze(n.transpose(n.reshape(x, 1, 32, 144), 0, 2, 1), 1)
    x = n.squeeze(x, 1)
    for _ in range(2):
        x = n.op("Add", x, n.attention(n.norm(x, 32), 1, 144, 2, 16))
        x = n.op("Add", x, n.feed_forward(n.norm(x, 32), 32, 64))
    left, right = n.split(x, 2, 16, 16)
    return n.model(n.transpose(n.op("Mul", left, right), 0, 2, 1))


def deep() -> onnx.ModelProto:
    """A decoder of some 300 ops, for the time it takes to plan."""
    return gpt(layers=9)


MODELS = (
    vit, deit, gpt, detr, levit, mobilenet, unet, espcn, conformer, yolo, shufflenet_v1, segformer,
    linear_attention, wav2vec, temporal, coatnet, opset11, deep,
)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for build in MODELS:
        model = build()
        onnx.save(model, folder / f"{build.__name__}.onnx")
        print(f"{build.__name__}: {len(model.graph.node)} nodes, {model.ByteSize()} bytes")


if __name__ == "__main__":
    main()
