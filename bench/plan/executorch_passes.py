"""Copies that the passes of ExecuTorch leave: python3 executorch_passes.py FOLDER > executorch.json

Needs `executorch`, `torch` and `onnx`. Every model is run through PyTorch's operators node by node, exported, converted to
the edge dialect, and passed to the permute passes that all backends share: propagation up and down, canonical views,
fusion of cascades and pairs, removal around elementwise ops. They run in that order until nothing changes, three times at
most. Permutes of tensors that are not constants are counted; axes of one element are ignored.
"""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from executorch.backends.transforms.canonicalize_view_copy_permute_pass import CanonicalizeViewCopyPermutePass
from executorch.backends.transforms.fuse_cascaded_transpose_or_permute_ops import FuseCascadedTransposeOrPermuteOps
from executorch.backends.transforms.fuse_transpose_or_permute_op_pairs_pass import FuseTransposeOrPermuteOpPairsPass
from executorch.backends.transforms.postpone_permute_below_squeeze_view import PostponePermuteOpBelowSqueezeOrUnsqueezeLikeView
from executorch.backends.transforms.propagate_view_copy_permute_pass import (
    PropagateViewCopyPermuteDownPass,
    PropagateViewCopyPermuteUpPass,
)
from executorch.backends.transforms.remove_permutes_around_elementwise_ops import RemovePermutesAroundElementwiseOps
from executorch.exir import EdgeCompileConfig, to_edge
from onnx import numpy_helper

PASSES = (
    PropagateViewCopyPermuteUpPass, PropagateViewCopyPermuteDownPass, CanonicalizeViewCopyPermutePass,
    FuseCascadedTransposeOrPermuteOps, PostponePermuteOpBelowSqueezeOrUnsqueezeLikeView,
    RemovePermutesAroundElementwiseOps, FuseTransposeOrPermuteOpPairsPass,
)

PLAIN = {
    "Add": torch.add, "Sub": torch.sub, "Mul": torch.mul, "Div": torch.div, "Erf": torch.erf, "Relu": torch.relu,
    "Sigmoid": torch.sigmoid, "Tanh": torch.tanh, "Sqrt": torch.sqrt, "IsNaN": torch.isnan, "Where": torch.where,
    "HardSwish": F.hardswish, "MatMul": torch.matmul,
}


class Played(torch.nn.Module):
    """An ONNX model as PyTorch's operators."""

    def __init__(self, model: onnx.ModelProto) -> None:
        super().__init__()
        self.graph = model.graph
        self.names: dict[str, str] = {}
        self.known: dict[str, np.ndarray] = {}
        for number, tensor in enumerate(model.graph.initializer):
            self.hold(tensor.name, numpy_helper.to_array(tensor), f"c{number}")
        for number, node in enumerate(model.graph.node):
            # Transposed weights are stored transposed.
            at = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            if node.op_type == "Gemm" and at.get("transB"):
                self.hold(f"{node.input[1]}^T", self.known[node.input[1]].T, f"w{number}")

    def hold(self, name: str, value: np.ndarray, place: str) -> None:
        self.known[name] = value
        self.names[name] = place
        self.register_buffer(place, torch.from_numpy(np.array(value)))

    def forward(self, *inputs: torch.Tensor) -> tuple[torch.Tensor, ...]:
        given = [info.name for info in self.graph.input if info.name not in self.known]
        values = dict(zip(given, inputs))
        for node in self.graph.node:
            at = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
            read = lambda name: values[name] if name in values else getattr(self, self.names[name])
            x = [read(name) if name else None for name in node.input if True]
            made = self.node(node, at, x)
            for name, value in zip(node.output, made if isinstance(made, (list, tuple)) else [made]):
                values[name] = value
        return tuple(values[info.name] for info in self.graph.output)

    def node(self, node: onnx.NodeProto, at: dict, x: list):
        ints = lambda place: [int(v) for v in np.atleast_1d(self.known[node.input[place]])]
        axes = lambda: list(at["axes"]) if "axes" in at else ints(1)
        kind = node.op_type
        if kind in PLAIN:
            return PLAIN[kind](*x)
        if kind == "Transpose":
            return x[0].permute(list(at["perm"]))
        if kind == "Reshape":
            return x[0].reshape([x[0].shape[i] if s == 0 else s for i, s in enumerate(ints(1))])
        if kind in ("Squeeze", "Unsqueeze"):
            for axis in sorted(axes(), reverse=kind == "Squeeze"):
                x[0] = x[0].squeeze(axis) if kind == "Squeeze" else x[0].unsqueeze(axis)
            return x[0]
        if kind == "Clip":
            low, high = (float(self.known[n].item()) if n else None for n in (*node.input[1:], "", "")[:2])
            return torch.clamp(x[0], at.get("min", low), at.get("max", high))
        if kind == "LeakyRelu":
            return F.leaky_relu(x[0], at.get("alpha", 0.01))
        if kind == "Gemm":
            weight = getattr(self, self.names[f"{node.input[1]}^T"]) if at.get("transB") else x[1]
            return torch.matmul(x[0], weight) + x[2]
        if kind == "Concat":
            return torch.cat(x, at["axis"])
        if kind == "Split":
            if "num_outputs" in at:
                return torch.chunk(x[0], at["num_outputs"], at.get("axis", 0))
            return torch.split(x[0], list(at["split"]) if "split" in at else ints(1), at.get("axis", 0))
        if kind == "Slice":
            starts, ends = ints(1), ints(2)
            chosen = ints(3) if len(node.input) > 3 else list(range(len(starts)))
            for axis, start, end in zip(chosen, starts, ends):
                size = x[0].shape[axis]
                end = min(end + size if end < 0 else end, size)
                x[0] = x[0].narrow(axis, start + size if start < 0 else start, end - (start + size if start < 0 else start))
            return x[0]
        if kind == "Gather":
            axis = at.get("axis", 0)
            if node.input[1] in self.known and self.known[node.input[1]].ndim == 0:
                return x[0].select(axis, int(self.known[node.input[1]]))
            return F.embedding(x[1], x[0]) if axis == 0 and node.input[0] in self.known else torch.index_select(x[0], axis, x[1].flatten())
        if kind == "Pad":
            pads, rank = ints(1), x[0].dim()
            return F.pad(x[0], [p for axis in reversed(range(rank)) for p in (pads[axis], pads[rank + axis])])
        if kind == "Softmax":
            return torch.softmax(x[0], at.get("axis", -1))
        if kind == "LayerNormalization":
            rank = x[0].dim()
            return F.layer_norm(x[0], x[0].shape[at.get("axis", -1) % rank:], *x[1:3], eps=at.get("epsilon", 1e-5))
        if kind == "BatchNormalization":
            return F.batch_norm(x[0], x[3], x[4], x[1], x[2], eps=at.get("epsilon", 1e-5))
        if kind in ("ReduceMean", "GlobalAveragePool"):
            dims = list(range(2, x[0].dim())) if kind == "GlobalAveragePool" else axes()
            return x[0].mean(dims, keepdim=kind == "GlobalAveragePool" or at.get("keepdims", 1) == 1)
        if kind in ("Conv", "AveragePool", "MaxPool"):
            pads = list(at.get("pads", [0] * 2 * (x[0].dim() - 2)))
            space = len(pads) // 2
            if pads[:space] != pads[space:]:
                x[0] = F.pad(x[0], [p for axis in reversed(range(space)) for p in (pads[axis], pads[space + axis])])
                pads = [0] * 2 * space
            strides = list(at.get("strides", [1] * space))
            if kind == "Conv":
                conv = (F.conv1d, F.conv2d, F.conv3d)[space - 1]
                return conv(x[0], x[1], x[2] if len(x) > 2 else None, strides, pads[:space], list(at.get("dilations", [1] * space)), at.get("group", 1))
            pool = F.max_pool2d if kind == "MaxPool" else F.avg_pool2d
            return pool(x[0], list(at["kernel_shape"]), strides, pads[:space])
        if kind == "Resize":
            return F.interpolate(x[0], scale_factor=2, mode="nearest")
        if kind == "DepthToSpace":
            n, c, h, w = x[0].shape
            b = at["blocksize"]
            if at.get("mode", b"DCR") == b"CRD":
                return x[0].reshape(n, c // b // b, b, b, h, w).permute(0, 1, 4, 2, 5, 3).reshape(n, c // b // b, h * b, w * b)
            return x[0].reshape(n, b, b, c // b // b, h, w).permute(0, 3, 4, 1, 5, 2).reshape(n, c // b // b, h * b, w * b)
        raise NotImplementedError(kind)


def counted(graph: torch.fx.Graph) -> tuple[int, int]:
    constants = {node for node in graph.nodes if node.op == "get_attr" or node.op == "placeholder" and not node.name.startswith("inputs")}
    count = written = 0
    for node in graph.nodes:
        name = str(node.target)
        if node.op != "call_function" or not any(word in name for word in ("permute_copy", "transpose_copy", "permute.", "t_copy")):
            continue
        if node.args[0] in constants:
            constants.add(node)
            continue
        value = node.args[0].meta["val"]
        rank = value.dim()
        if "permute" in name:
            perm = [axis % rank for axis in node.args[1]]
        else:
            one, other = (node.args[1] % rank, node.args[2] % rank) if len(node.args) > 2 else (0, 1)
            perm = list(range(rank))
            perm[one], perm[other] = other, one
        kept = [axis for axis in perm if value.shape[axis] > 1]
        if kept != sorted(kept):
            count += 1
            written += value.numel() * value.element_size()
    return count, written


def passed(path: Path) -> dict[str, tuple[int, int]]:
    model = onnx.load(path)
    kinds = {1: torch.float32, 7: torch.int64, 6: torch.int32, 9: torch.bool}
    known = {tensor.name for tensor in model.graph.initializer}
    given = tuple(
        torch.zeros([dim.dim_value for dim in info.type.tensor_type.shape.dim], dtype=kinds[info.type.tensor_type.elem_type])
        for info in model.graph.input if info.name not in known
    )
    exported = torch.export.export(Played(model).eval(), given)
    edge = to_edge(exported, compile_config=EdgeCompileConfig(_check_ir_validity=False))
    found = {"edge": counted(edge.exported_program().graph)}
    best = found["edge"]
    for number in range(3):
        for one in PASSES:
            try:
                edge = edge.transform([one()])
            except Exception as error:  # A pass that cannot run here is skipped and reported.
                print(f"{path.stem}: {one.__name__}: {type(error).__name__}: {str(error).splitlines()[0][:120]}", file=sys.stderr)
                continue
            now = counted(edge.exported_program().graph)
            best = min(best, now, key=lambda pair: pair[1])
        if now == found.get("passes"):
            break
        found["passes"] = now
    found["best"] = best
    return found


def main() -> None:
    logging.disable(logging.WARNING)
    found = {}
    for path in sorted(Path(sys.argv[1]).glob("*.onnx")):
        try:
            with torch.no_grad():
                found[path.stem] = passed(path)
        except Exception as error:
            print(f"{path.stem}: {type(error).__name__}: {str(error).splitlines()[0][:200]}", file=sys.stderr)
            continue
        print(path.stem, found[path.stem], file=sys.stderr, flush=True)
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
