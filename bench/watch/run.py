"""watch() on models: its counts against an independent check, and its remedies, as a table.

    python bench/watch/run.py [--counts | --remedies] [NAME ...]

Needs PyTorch, transformers, timm, torchvision and the package viewmerge. Every model is run forward and backward, without
gradients, and in inference mode; copies and bytes must match those of the check, which repeats every op on tensors of
places. Then changes of the program are run forward and backward. Exits with 1 if any count differs.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
import traceback
import warnings
from typing import Any, Callable, Dict, List

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../../crates/viewmerge-py/tests/pytorch")]

import torch  # noqa: E402
from index_check import IndexCheck  # noqa: E402
from models import MODELS, prepared  # noqa: E402

import viewmerge  # noqa: E402


def outputs(value: Any) -> List[Any]:
    """The tensors of a result that can be differentiated."""
    if isinstance(value, torch.Tensor):
        return [value] if value.requires_grad and value.is_floating_point() else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return [x for part in parts for x in outputs(part)]


def step(model: Any, args: Any, kwargs: Any) -> Any:
    """A forward and a backward pass, from gradients that all differ."""
    found = model(*args, **kwargs)
    ends = outputs(found)
    torch.manual_seed(3)
    torch.autograd.backward(ends, [torch.randn(x.shape) for x in ends])
    return found


def forward(model: Any, args: Any, kwargs: Any) -> Any:
    return model(*args, **kwargs)


MODES: Dict[str, Any] = {
    "grad": (contextlib.nullcontext, step),
    "no_grad": (torch.no_grad, forward),
    "inference": (torch.inference_mode, forward),
}


def counted(name: str) -> bool:
    """Whether watch and the check agree on a model, in all modes; a line of the table."""
    cells, good = [], True
    for mode, (context, run) in MODES.items():
        made = prepared(name)
        with context(), IndexCheck() as check:
            run(*made)
        made = prepared(name)
        with context(), viewmerge.watch() as found:
            run(*made)
        by_op: Dict[str, int] = {}
        for raw in found._raw.values():
            by_op[raw.told[0]] = by_op.get(raw.told[0], 0) + raw.bytes
        same = by_op == check.bytes and found.times == check.times
        good = good and same
        cells.append(f"{found.times} copies {found.bytes} bytes {'=' if same else f'≠ {check.times}, {by_op} ≠ {check.bytes}'}")
        if mode == "grad":
            lines = {(copy.file, copy.line, copy.inner, copy.op, copy.backward) for copy in found}
            cells.append(f"rows/line {len(found) / max(len(lines), 1):.2f}")
    print(f"| {name} | {' | '.join(cells)} |", flush=True)
    return good


def remedied(name: str, total: Dict[str, float]) -> None:
    """The effect of changes on a model; a line of the table."""
    made = prepared(name)
    begin = time.perf_counter()
    found = viewmerge.copies(step, *made)
    took = time.perf_counter() - begin
    after = found.bytes if found.best is None else found.best.after
    covered = sum(copy.bytes for copy in found if copy.remedies)
    many = 0 if found.best is None else len(found.best.remedies)
    for key, value in (("before", found.bytes), ("after", after), ("covered", covered), ("tried", found.tried), ("seconds", took)):
        total[key] = total.get(key, 0) + value
    told = "" if found.best is None else f"; outputs {found.best.equal}"
    each = took / max(found.tried, 1)
    print(f"| {name} | {found.bytes} → {after} ({many} changes{told}) | {covered / max(found.bytes, 1):.0%} | {found.tried} tried, {each:.2f} s each | {found.note} |", flush=True)
    for remedy in found.best.remedies if found.best is not None else ():
        print(f"|   | {remedy} | | | |", flush=True)


def main(given: List[str]) -> int:
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    kinds = [word for word in given if word.startswith("--")] or ["--counts", "--remedies"]
    names = [name for name in MODELS if not [w for w in given if not w.startswith("--")] or any(w in name for w in given)]
    bad: List[str] = []
    total: Dict[str, float] = {}
    for kind in kinds:
        for name in names:
            try:
                if kind == "--counts":
                    bad += [] if counted(name) else [name]
                else:
                    remedied(name, total)
            except Exception as error:
                traceback.print_exc(limit=-2)
                print(f"| {name} | NOT RUN: {type(error).__name__}: {str(error)[:200]} |", flush=True)
                bad.append(name)
    if total:
        print(f"all: {total['before']:.0f} → {total['after']:.0f} bytes; rows with a remedy hold {total['covered'] / total['before']:.0%}; {total['tried']:.0f} changes, {total['seconds'] / total['tried']:.2f} s each")
    print(f"{len(names) - len(set(bad))} of {len(names)} models agree" if "--counts" in kinds else "")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
