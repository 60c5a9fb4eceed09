"""Plans models with bodies and with weights in external files, and runs the results: python3 check.py COMMAND FOLDER

If and Loop use tensors from outside, among them one that a Transpose makes and the plan would store in another
order; their bodies must read the same values as before. Weights above a kilobyte are in a file next to the model.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from compare import session
from copies import inputs
from network import Network
from onnx import TensorProto, helper, numpy_helper


def body(name: str, nodes: list[onnx.NodeProto], outputs: list[str], shape: list[int], given=()) -> onnx.GraphProto:
    results = [helper.make_tensor_value_info(one, TensorProto.FLOAT, shape) for one in outputs]
    return helper.make_graph(nodes, name, list(given), results)


def branches() -> onnx.ModelProto:
    """One branch reads the image in the order of the convolution, the other one transposed."""
    net = Network()
    x = net.input(1, 8, 6, 6)
    moved = net.transpose(net.conv(x, 8, 8, 3, 3), 0, 2, 3, 1)
    normed = net.norm(moved, 8)
    back = net.transpose(net.op("Relu", normed), 0, 3, 1, 2)
    condition = net.op("Greater", net.reduce("ReduceSum", x, 0, 1, 2, 3, keep=0), net.number(0))
    one = body("one", [helper.make_node("Neg", [back], ["a"])], ["a"], [1, 8, 6, 6])
    other = body("other", [
        helper.make_node("Transpose", [moved], ["b1"], perm=[0, 3, 1, 2]),
        helper.make_node("Add", ["b1", back], ["b"]),
    ], ["b"], [1, 8, 6, 6])
    chosen = net.op("If", condition, then_branch=one, else_branch=other)
    return net.model(net.conv(chosen, 8, 4, 1, 1))


def loop() -> onnx.ModelProto:
    """The body adds a transposed tensor from outside, three times."""
    net = Network()
    x = net.input(2, 12, 16)
    added = net.heads(net.linear(x, 16, 16), 2, 12, 4, 4)
    start = net.heads(net.linear(x, 16, 16), 2, 12, 4, 4)
    kept = helper.make_tensor_value_info
    shape = [2, 4, 12, 4]
    results = [kept("go", TensorProto.BOOL, []), kept("next", TensorProto.FLOAT, shape)]
    given = [kept("i", TensorProto.INT64, []), kept("on", TensorProto.BOOL, []), kept("now", TensorProto.FLOAT, shape)]
    nodes = [helper.make_node("Identity", ["on"], ["go"]), helper.make_node("Add", ["now", added], ["next"])]
    inner = helper.make_graph(nodes, "again", given, results)
    net.constants += [numpy_helper.from_array(np.array(3, np.int64), "count"), numpy_helper.from_array(np.array(True), "on0")]
    out = net.op("Loop", "count", "on0", start, body=inner)
    back = net.reshape(net.transpose(out, 0, 2, 1, 3), 2, 12, 16)
    model = net.model(net.norm(net.linear(back, 16, 16), 16))
    # A loop-carried tensor may change its shape, so no tool infers it.
    next(info for info in model.graph.value_info if info.name == out).CopyFrom(kept(out, TensorProto.FLOAT, shape))
    return onnx.shape_inference.infer_shapes(model, data_prop=True)


def outside() -> onnx.ModelProto:
    """Weights whose order the plan changes, in an external file."""
    net = Network()
    x = net.input(2, 16, 24, 24)
    rows = net.transpose(net.reshape(net.conv(x, 16, 32, 3, 3), 2, 32, 576), 0, 2, 1)
    out = net.attention(net.norm(rows, 32), 2, 576, 4, 8)
    return net.model(net.conv(net.reshape(net.transpose(out, 0, 2, 1), 2, 32, 24, 24), 32, 8, 3, 3))


def main() -> None:
    command, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for make in (branches, loop, outside):
        path = folder / f"{make.__name__}.onnx"
        path.unlink(missing_ok=True)
        (folder / f"{path.name}.weights").unlink(missing_ok=True)
        model = make()
        external = make is outside
        onnx.save(model, path, save_as_external_data=external, location=f"{path.name}.weights", size_threshold=1024)
        for target in ("onnx", "ort-cpu"):
            planned = folder / target / path.name
            planned.parent.mkdir(exist_ok=True)
            done = subprocess.run([command, "plan", path, "--target", target, "--emit", planned], check=True, capture_output=True)
            said = done.stdout.decode().splitlines()
            if external:
                data = planned.parent / f"{planned.name}.data"
                assert data.stat().st_size > 10_000, "weights were not written beside the model"
                assert not any(t.raw_data for t in onnx.load(planned, load_external_data=False).graph.initializer if np.prod(t.dims) > 1024)
            else:
                assert any("bodies are left unchanged" in line for line in said), said
                before, after = ([n.op_type for n in onnx.load(p).graph.node if n.op_type in ("If", "Loop")] for p in (path, planned))
                assert before == after != []
            onnx.checker.check_model(str(planned))
            first, second = session(path), session(planned)
            largest = 0.0
            for seed in range(6):
                given = inputs(model, seed)
                for a, b in zip(first.run(None, given), second.run(None, given), strict=True):
                    assert a.shape == b.shape and np.isfinite(a).all()
                    largest = max(largest, float(np.abs(a - b).max()))
            assert largest < 1e-4, f"{path.name} for {target}: {largest}"
            print(f"{path.stem} for {target}: {said[0]}; {said[1]}; largest difference {largest:.0e}")


if __name__ == "__main__":
    main()
