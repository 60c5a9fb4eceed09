"""Long searches let other threads run, and can be interrupted."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

from viewmerge import View, ViewChain, merge, merge_within

# Deciding these is the subset sum problem for 48 even numbers and an odd sum.
HARD = """
import random
from viewmerge import *

def hard(count):
    choose = random.Random(1)
    numbers = [2 * choose.randrange(1, 10**6) for _ in range(count)]
    wanted = sum(numbers) // 2 | 1
    g = sum(numbers) + wanted + 1
    below = View((2, g + 1, g), (g * (g + 1) + g, g + 1, 1))
    strides = [(g + 1) * (g - wanted) - g, *((g + 1) * a for a in numbers)]
    return below, View((2,) * (count + 1), strides)
"""

INTERRUPTED = HARD + """
import os, signal, sys, threading, time

# Who runs in the background may have been started with the signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
below, above = pair = hard(48)
chain = ViewChain(pair)
calls = {
    "merge": lambda: merge(below, above),
    "merge_within": lambda: merge_within(pair, 2**63),
    "merge_many": lambda: merge_many([pair]),
    "chain.merge": lambda: chain.merge(),
    "chain.simplify": lambda: chain.simplify(),
    "chain.form": lambda: chain.form(),
    "as_strided": lambda: below.as_strided(above.shape, above.strides),
    "chain.as_strided": lambda: ViewChain(below).as_strided(above.shape, above.strides),
    "explain": lambda: explain(chain),
    "cheapest_copy": lambda: cheapest_copy(chain),
    "conditions": lambda: conditions(below.shape, above),
    "overflow_table": lambda: overflow_table(below.shape, above),
    "longest_mergeable": lambda: longest_mergeable(chain, 0),
    "equivalent": lambda: equivalent(chain, ViewChain([View((above.count,)), View(above.shape)])),
}
for name, call in calls.items():
    start = time.monotonic()
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        call()
        while time.monotonic() - start < 5:
            time.sleep(0.01)
        sys.exit(f"{name} was done before it was interrupted")
    except KeyboardInterrupt:
        took = time.monotonic() - start
        if not 0.25 < took < 3:
            sys.exit(f"{name} was interrupted after {took} s")
        # The search itself ends too, and at once: its thread is gone.
        limit = time.monotonic() + 1
        while os.path.isdir("/proc/self/task") and len(os.listdir("/proc/self/task")) > 1:
            if time.monotonic() > limit:
                sys.exit(f"{name} goes on searching")
            time.sleep(0.002)
    print(name)
"""


def test_searches_can_be_interrupted() -> None:
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert len(run.stdout.split()) == 14


def hard(count: int) -> list[View]:
    names: dict[str, object] = {}
    exec(HARD, names)
    return list(names["hard"](count))  # type: ignore[operator]


def test_other_threads_run_meanwhile() -> None:
    ticks = 0
    done = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.005):
            ticks += 1

    # One view after shuffling 65,536 elements often enough, but the system is large.
    shuffled = [View((32768, 2), (1, 32768))] * 48
    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    while time.monotonic() - start < 0.5:
        assert merge(shuffled)
    done.set()
    thread.join()
    assert ticks > 20


def test_searches_from_many_threads() -> None:
    pair = hard(24)
    verdicts = []

    def ask() -> None:
        verdicts.append((merge(pair), ViewChain(pair).merge()))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(verdicts) == 4 and all(a and a == b for a, b in verdicts)


def test_limits() -> None:
    pair = hard(30)
    assert merge_within(pair, 0) is None and merge_within(pair, 10_000) is None
    verdict = merge_within(pair, 2**64 - 1)
    assert verdict is not None and verdict == merge(pair) and verdict
