"""The kernels of current tinygrad: the index expressions of some models after its scheduler and its code generator.

    tinygrad_kernels.py FILE

Nothing is computed: the device is NULL. A line of the file is an expression, its condition, the ranges of its
variables, and what tinygrad's own simplifier makes of both when run again, with the time that takes.
"""

import json
import os
import sys
import time

os.environ["DEV"] = "NULL"

import tinygrad.codegen as codegen  # noqa: E402
from tinygrad import Device, Tensor  # noqa: E402
from tinygrad.uop.ops import Ops, graph_rewrite  # noqa: E402
from tinygrad.uop.symbolic import sym  # noqa: E402
from tinygrad.codegen import indexing_simplify  # noqa: E402

SIMPLIFIED = ("initial symbolic", "postopt symbolic", "extra symbolic")
PASSES = 3


def convolutions():
    x = Tensor.empty(2, 3, 32, 32)
    for channels, size in ((16, 3), (32, 3)):
        x = x.conv2d(Tensor.empty(channels, x.shape[1], size, size), Tensor.empty(channels), padding=1).relu().max_pool2d(2)
    return [(x.flatten(1) @ Tensor.empty(32 * 8 * 8, 10)).log_softmax()]


def convolutions_with_gradients():
    x, w, v = Tensor.empty(2, 3, 14, 14), Tensor.empty(8, 3, 3, 3), Tensor.empty(8 * 7 * 7, 10)
    loss = (x.conv2d(w, padding=1).relu().avg_pool2d(2).flatten(1) @ v).square().mean()
    return loss.gradient(w, v)


def pooling_with_gradients():
    outputs = []
    for size, stride, pads in ((3, 2, 1), (2, 2, 0), (3, 1, 1), (5, 3, 2)):
        for pool in (Tensor.max_pool2d, Tensor.avg_pool2d):
            x = Tensor.empty(2, 2, 15, 15)
            outputs += pool(x, kernel_size=(size, size), stride=stride, padding=pads).square().sum().gradient(x)
    return outputs


def padded_and_dilated():
    x, outputs = Tensor.empty(1, 4, 17, 19), []
    for pads, stride, dilation in ((1, 1, 2), (2, 2, 2), (3, 1, 3), ((1, 2, 0, 3), 2, 1), (2, 3, 1)):
        outputs.append(x.conv2d(Tensor.empty(6, 4, 3, 3), padding=pads, stride=stride, dilation=dilation))
    outputs.append(Tensor.empty(1, 4, 7, 7).conv_transpose2d(Tensor.empty(4, 5, 3, 3), stride=2, padding=1, output_padding=1))
    outputs.append(x.pad(((0, 0), (0, 0), (2, 3), (1, 4)), mode="reflect").conv2d(Tensor.empty(2, 4, 5, 5)))
    outputs.append(x.pad(((0, 0), (0, 0), (2, 3), (1, 4)), mode="circular"))
    return outputs


def transformer():
    x, heads = Tensor.empty(2, 12, 48), 4
    split = lambda t: t.reshape(2, 12, heads, 12).transpose(1, 2)
    q, k, v = (split(x @ Tensor.empty(48, 48)) for _ in range(3))
    y = x + q.scaled_dot_product_attention(k, v, is_causal=True).transpose(1, 2).reshape(2, 12, 48) @ Tensor.empty(48, 48)
    y = y.layernorm()
    return [y + (y @ Tensor.empty(48, 192)).gelu() @ Tensor.empty(192, 48)]


def windows():
    x = Tensor.empty(1, 14, 14, 8)
    parts = x.reshape(1, 2, 7, 2, 7, 8).permute(0, 1, 3, 2, 4, 5).reshape(4, 49, 8)
    back = (parts * 2).reshape(1, 2, 2, 7, 7, 8).permute(0, 1, 3, 2, 4, 5).reshape(1, 14, 14, 8)
    shifted = back.roll((3, 3), (1, 2)).contiguous().reshape(1, 2, 7, 2, 7, 8).permute(0, 1, 3, 2, 4, 5).reshape(4, 49, 8)
    shuffled = Tensor.empty(1, 4, 8, 8).reshape(1, 1, 2, 2, 8, 8).permute(0, 1, 4, 2, 5, 3).reshape(1, 1, 16, 16)
    unfolded = Tensor.empty(1, 3, 9, 9).pad((1, 1, 1, 1))._pool((3, 3), 2).permute(0, 1, 4, 5, 2, 3).reshape(1, 27, -1)
    turned = Tensor.empty(6, 10).flip(0).reshape(60).pad((3, 5)).reshape(4, 17).transpose(0, 1).reshape(68)
    stepped = Tensor.empty(13, 11)[1::3, ::-2].reshape(-1).pad((0, 1)).reshape(-1, 5)
    joined = Tensor.cat(Tensor.empty(3, 5), Tensor.empty(4, 5), Tensor.empty(2, 5)).reshape(5, 9).transpose(0, 1).reshape(45)
    return [shifted, *(t.contiguous() for t in (parts, shuffled, unfolded, turned, stepped, joined))]


MODELS = (convolutions, convolutions_with_gradients, pooling_with_gradients, padded_and_dilated, transformer, windows)

SIGNS = {
    Ops.ADD: "+", Ops.SUB: "-", Ops.MUL: "*", Ops.FLOORDIV: "//", Ops.FLOORMOD: "%",
    Ops.CMPLT: "<", Ops.CMPNE: "!=", Ops.CMPEQ: "==", Ops.AND: "&", Ops.OR: "|",
}
CALLS = {Ops.MAX: "max", Ops.CDIV: "truncdiv", Ops.CMOD: "truncmod"}


class NotAnExpression(Exception):
    """The expression contains loads, or is of another kind."""


def write(uop, variables):
    """An expression as text; its variables are added with their first and last values."""
    inner = lambda: [write(source, variables) for source in uop.src]
    if uop.op is Ops.CONST and isinstance(uop.val, (bool, int)):
        return str(uop.val)
    if uop.op in (Ops.RANGE, Ops.SPECIAL):
        name = "r" + "_".join(map(str, uop.arg[:-1])) if uop.op is Ops.RANGE else str(uop.arg)
        variables[name] = [int(uop.vmin), int(uop.vmax)]
        return name
    if uop.op is Ops.CAST:
        return write(uop.src[0], variables)
    if uop.op in SIGNS:
        a, b = inner()
        return f"({a} {SIGNS[uop.op]} {b})"
    if uop.op in CALLS:
        return f"{CALLS[uop.op]}({', '.join(inner())})"
    if uop.op is Ops.WHERE:
        when, a, b = inner()
        return f"({a} if {when} else {b})"
    raise NotAnExpression(uop.op)


def split(index):
    """The expression and its condition, or None for always."""
    valid = index.get_valid()
    always = valid.op is Ops.CONST and valid.val is True
    return index.get_idx(), None if always else valid


def record(sink, stage, model, found):
    for uop in sink.toposort():
        if uop.op is not Ops.INDEX:
            continue
        for index in uop.src[1:]:
            variables = {}
            try:
                value, valid = split(index)
                text = write(value, variables)
                when = write(valid, variables) if valid is not None else None
            except NotAnExpression:
                continue
            if variables:
                found.setdefault((text, when), (stage, model, variables, index))


def simplified(index):
    """tinygrad's simplification of an index when run again, and the nanoseconds of the best pass."""
    best = float("inf")
    for _ in range(PASSES):
        start = time.perf_counter_ns()
        result = graph_rewrite(index, sym + indexing_simplify)
        best = min(best, time.perf_counter_ns() - start)
    return result, best


def main(file):
    found, original, current = {}, codegen.graph_rewrite, {}

    def watched(sink, matcher, *arguments, **named):
        result = original(sink, matcher, *arguments, **named)
        if named.get("name") in SIMPLIFIED:
            record(result, "codegen", current["model"], found)
        return result

    codegen.graph_rewrite = watched
    for model in MODELS:
        current["model"] = model.__name__
        outputs = model()
        linear = outputs[0].schedule_linear(*outputs[1:])
        for call in linear.src:
            if call.op is not Ops.CALL or call.src[0].op is not Ops.SINK:
                continue
            record(call.src[0], "schedule", model.__name__, found)
            try:
                codegen.full_rewrite_to_sink(call.src[0], Device["NULL"].renderer)
            except Exception as error:  # a kernel that it cannot compile for this device is skipped
                print(f"{model.__name__}: {type(error).__name__}: {error}", file=sys.stderr)
    with open(file, "w") as out:
        for (text, when), (stage, model, variables, index) in found.items():
            again, ns = simplified(index)
            try:
                value, valid = split(again)
                theirs = write(value, {})
                theirs_valid = write(valid, {}) if valid is not None else None
            except NotAnExpression:
                continue
            line = {"source": f"{model} {stage}", "vars": variables, "expr": text}
            if when is not None:
                line["valid"] = when
            line |= {"theirs": theirs, "theirs_valid": theirs_valid, "ns": ns}
            out.write(json.dumps(line) + "\n")


main(*sys.argv[1:])
