"""The figures of all models as a table: python3 table.py PEERS.json FOLDER

FOLDER has onnx/ and ort-cpu/, each with the command's report on every model (MODEL.json) and compared.json.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path


def shown(copies: int, written: int) -> str:
    return f"{copies}/{written / 1024:.0f}"


def main() -> None:
    peers = json.loads(Path(sys.argv[1]).read_text())
    folder = Path(sys.argv[2])
    runs = {target: json.loads((folder / target / "compared.json").read_text()) for target in ("onnx", "ort-cpu")}
    print("| model | as it is | ORT basic | ORT extended | onnxsim | plan, onnx | plan, ort-cpu | to best peer | "
          "largest difference | time before, ms | after/before |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    gains, proved, everywhere, equal, count = [], 0, 0, 0, 0
    for model, counts in sorted(peers.items()):
        plans = {target: json.loads((folder / target / f"{model}.json").read_text()) for target in runs}
        best = min(written for _, written in counts.values())
        least = plans["ort-cpu"]["least"]["bytes"]
        gain = 100 * (least - best) / best if best else 0
        gains.append(gain)
        for target, plan in plans.items():
            count += 1
            equal += runs[target][model]["equal"]
            proved += plan["bound"]["considered"] >= plan["least"]["bytes"]
            everywhere += plan["bound"]["all_layouts"] >= plan["least"]["bytes"]
        own = [shown(**{"copies": p["least"]["copies"], "written": p["least"]["bytes"]}) for p in plans.values()]
        others = [shown(*counts[name]) for name in ("exported", "basic", "extended", "onnxsim")]
        run = runs["ort-cpu"][model]
        largest = max(runs[target][model]["largest"] for target in runs)
        print(f"| {model} | {' | '.join(others + own)} | {gain:+.0f} % | {largest:.0e} | "
              f"{run['before']:.2f} | {run['ratio']:.2f} |")
    print(f"\nMedian to best peer: {statistics.median(gains):+.0f} %. Of {count} plans the bound over the layouts considered "
          f"is met by {proved}, the one over all layouts by {everywhere}; {equal} run to the same bits.")


if __name__ == "__main__":
    main()
