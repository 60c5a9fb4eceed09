"""Runs planned models against their originals: python3 compare.py MODELS PLANNED > compared.json

One thread, with onnxruntime's default optimisations. The runs of the two alternate, so that other load on the machine
affects both; the ratio is the median over all rounds. ROUNDS sets their number (60).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
from copies import inputs

SECONDS_EACH = 0.01


def session(path: Path, profile: str | None = None) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if profile is not None:
        options.enable_profiling = True
        options.profile_file_prefix = profile
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def share(path: Path, given: dict[str, np.ndarray]) -> float:
    """The part of the time that Transposes take, in percent."""
    with tempfile.TemporaryDirectory() as folder:
        running = session(path, f"{folder}/profile")
        for _ in range(50):
            running.run(None, given)
        events = json.loads(Path(running.end_profiling()).read_text())
    kernels = [event for event in events if event.get("name", "").endswith("_kernel_time")]
    total = sum(event["dur"] for event in kernels)
    moved = sum(event["dur"] for event in kernels if event["args"].get("op_name") == "Transpose")
    return 100 * moved / max(total, 1)


def turn(running: ort.InferenceSession, given: dict[str, np.ndarray], runs: int) -> float:
    start = time.thread_time()
    for _ in range(runs):
        running.run(None, given)
    return (time.thread_time() - start) / runs


def compared(original: Path, planned: Path, rounds: int) -> dict[str, float]:
    onnx.checker.check_model(str(planned), full_check=False)
    first, second = session(original), session(planned)
    model = onnx.load(original)
    largest, relative, equal = 0.0, 0.0, True
    for seed in range(3):
        given = inputs(model, seed)
        for a, b in zip(first.run(None, given), second.run(None, given), strict=True):
            assert a.shape == b.shape and a.dtype == b.dtype
            equal &= a.tobytes() == b.tobytes()
            apart = np.abs(a.astype(np.float64) - b.astype(np.float64))
            largest = max(largest, float(apart.max(initial=0)))
            relative = max(relative, float((apart / (np.abs(a) + 1)).max(initial=0)))
    turn(second, given, 5)
    runs = max(1, round(SECONDS_EACH / turn(first, given, 5)))
    times = [(turn(first, given, runs), turn(second, given, runs)) for _ in range(rounds)]
    return {
        "largest": largest,
        "relative": relative,
        "equal": equal,
        "before": 1e3 * min(a for a, _ in times),
        "after": 1e3 * min(b for _, b in times),
        "ratio": float(np.median([b / a for a, b in times])),
        "share": share(original, given),
    }


def main() -> None:
    originals, planned = Path(sys.argv[1]), Path(sys.argv[2])
    rounds = int(os.environ.get("ROUNDS", "60"))
    found = {}
    for path in sorted(planned.glob("*.onnx")):
        found[path.stem] = compared(originals / path.name, path, rounds)
        print(path.stem, found[path.stem], file=sys.stderr)
    json.dump(found, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
