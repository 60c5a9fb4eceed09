"""Copies of every model as exported, and after the passes of other tools: python3 peers.py FOLDER >
peers.json

onnxruntime's BASIC and EXTENDED levels, onnxsim, and onnxsim followed by each of them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import onnx
import onnxruntime as ort
import onnxsim
from copies import copies

LEVELS = {
    "basic": ort.GraphOptimizationLevel.ORT_ENABLE_BASIC,
    "extended": ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED,
}


def optimised(model: onnx.ModelProto, level: str) -> onnx.ModelProto:
    """A model after onnxruntime's optimisation."""
    with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
        options = ort.SessionOptions()
        options.graph_optimization_level = LEVELS[level]
        options.optimized_model_filepath = file.name
        options.log_severity_level = 3
        ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        return onnx.load(file.name)


def counted(path: Path) -> dict[str, tuple[int, int]]:
    model = onnx.load(path)
    counts = {"exported": copies(model)}
    for level in LEVELS:
        counts[level] = copies(optimised(model, level))
    simplified, held = onnxsim.simplify(model)
    if held:
        simplified = onnx.shape_inference.infer_shapes(simplified)
        counts["onnxsim"] = copies(simplified)
        for level in LEVELS:
            counts[f"onnxsim+{level}"] = copies(optimised(simplified, level))
    return counts


def main() -> None:
    found = {path.stem: counted(path) for path in sorted(Path(sys.argv[1]).glob("*.onnx"))}
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
