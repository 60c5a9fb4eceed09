"""Shared code of the Python peers: reading questions, timing, writing answers.

A question is a line of JSON: "views", or "view" and "new_shape", or "shape"
and "ops". In addition, "chain" has the views to compose, memory side first,
and "candidate" the only view the chain can be. An answer is a line of JSON:
"answer" is a view, null (not one view), a truth value (is the chain the
candidate?), "skipped" or "undecided"; "ns" is the time it took.
"""

import gc
import json
import time
from pathlib import Path

SKIPPED = "skipped"
UNDECIDED = "undecided"


def questions(folder):
    """The name and the lines of every set of questions."""
    for file in sorted(Path(folder, "questions").glob("*.jsonl")):
        with file.open() as lines:
            yield file.stem, [json.loads(line) for line in lines]


def write(folder, peer, name, answers):
    """Writes the answers of a peer to a set."""
    target = Path(folder, "answers", peer)
    target.mkdir(parents=True, exist_ok=True)
    with (target / f"{name}.jsonl").open("w") as out:
        for answer in answers:
            out.write(json.dumps(answer) + "\n")


def timed(calls, passes, before=lambda: None):
    """The result of every call, and its nanoseconds in the best of the passes.

    A call that is None is skipped. `before` is called before each of the others,
    outside the measured time. Garbage collection is off meanwhile.
    """
    results = [SKIPPED] * len(calls)
    times = [float("inf")] * len(calls)
    clock = time.perf_counter_ns
    for _ in range(passes):
        gc.collect()
        gc.disable()
        for number, call in enumerate(calls):
            if call is None:
                continue
            before()
            start = clock()
            result = call()
            times[number] = min(times[number], clock() - start)
            results[number] = result
        gc.enable()
    return results, [0 if result is SKIPPED else ns for result, ns in zip(results, times)]


def bounds(view):
    """The valid interval of every axis, or None if nothing is valid."""
    if view["mask"] == "nothing" or 0 in view["shape"]:
        return None
    return view["mask"] or [[0, size] for size in view["shape"]]
