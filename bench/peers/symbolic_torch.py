"""PyTorch's own decisions about the real cases with unknown sizes in testdata/symbolic.jsonl.

    python bench/peers/symbolic_torch.py [--list]

Needs a torch with symbolic sizes (2.4 or later). Every chain is run on fake tensors; nothing is computed:

- with example sizes, as `torch.compile(dynamic=True)` traces: `reshape` decides at the example, and its comparisons are
  kept as guards. Other sizes that pass the guards get the same answer; those that do not are traced again. This covers all points of a
  grid, and every answer is compared with the recorded one at all points that it covers;
- without example sizes (unbacked), as for sizes that are data: it must decide for all of them, may defer an assertion
  to run time, or raises; once with `reshape` and once with `view`. It gets everything that the case declares.

A chain is one view for torch if the result shares the storage of the input. `pad` and `flip` are copies in torch; a case
with one of them can only be a copy.
"""

import itertools
import json
import logging
import random
import re
import statistics
import sys
import time
from pathlib import Path

import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, GuardOnDataDependentSymNode, ShapeEnv

ROWS = [json.loads(line) for line in
        (Path(__file__).parents[2] / "testdata/symbolic.jsonl").read_text().splitlines()]
MOST_POINTS = 2_000
COPIES = re.compile(r"\b(pad|flip)\(")


def split(text):
    """Splits a list at its top-level commas."""
    parts, depth, start = [], 0, 0
    for place, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


def number(text, known):
    """A number or an expression; an exact quotient is one rounded down."""
    return eval(re.sub(r"(?<!/)/(?!/)", "//", text), {}, known)


def numbers(text, known):
    return [number(part, known) for part in split(text)]


def head(text):
    """The texts of the sizes and of the strides, if there are any."""
    depth = 0
    for place, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            rest = text[place + 1:].strip()
            return text[1:place], rest[2:-1] if rest else None
    raise ValueError(text)


def apply(x, item, known):
    """An op of the notation, by torch's ops; `slice` and `shrink` as subscripts."""
    op, inner = re.match(r"(\w+)\((.*)\)$", item).groups()
    if op == "slice":
        key = []
        for part in split(inner):
            ends = [number(end, known) if end else None for end in part.split(":")]
            key.append(slice(*ends))
        return x[tuple(key)]
    if op == "shrink":
        for axis, pair in enumerate(split(inner)):
            first, end = numbers(pair[1:-1], known)
            # Compare as text: a comparison of sizes would become a guard.
            if (str(first), str(end)) != ("0", str(x.shape[axis])):
                x = x.narrow(axis, first, end - first)
        return x
    if op == "step":
        return x[tuple(slice(None, None, step) for step in numbers(inner, known))]
    if op == "pad":
        pairs = [numbers(pair[1:-1], known) for pair in split(inner)]
        return torch.nn.functional.pad(x, [amount for pair in reversed(pairs) for amount in pair])
    if op == "as_strided":
        shape, strides, offset = split(inner)
        return x.as_strided(numbers(shape[1:-1], known), numbers(strides[1:-1], known), number(offset, known))
    if op == "flatten":
        return x.flatten(*numbers(inner, known))
    return getattr(x, op)(*numbers(inner, known)) if op in ("unsqueeze", "squeeze") else getattr(x, op)(numbers(inner, known))


def declared(text):
    """Name, least value (None for any integer) and divisor of a parameter."""
    name, rest = re.match(r"(\w+)(.*)", text).groups()
    least = int(rest[2:]) if rest.startswith(">=") else None if rest == ":int" else 1
    return name, least, int(re.match(r"%(\d+)", rest)[1]) if rest.startswith("%") else 1


def points(row):
    """All points with the five least values of each parameter at which the ops are legal; only some if there are many."""
    params = [declared(text) for text in row["params"]]
    # torch has no negative strides.
    ranges = [[by * k for k in range(1, 5)] if by > 1 else range(9) if least is None else range(least, least + 5)
              for _, least, by in params]
    names = [name for name, *_ in params]
    every = [dict(zip(names, values)) for values in itertools.product(*ranges)]
    every = [point for point in every if row["requires"] is None or eval(row["requires"], {}, dict(point))]
    if len(every) > MOST_POINTS:
        every = random.Random(1).sample(every, MOST_POINTS)

    def common(point):
        """Examples without 0 and 1 come first, then those with distinct sizes."""
        values = point.values()
        return sum(value < 2 for value in values), -len(set(values)), -sum(values)

    return sorted(every, key=common)


def recorded(row, point):
    """Shape and strides of the recorded view at a point."""
    for case in row["cases"]:
        if case["when"] is None or eval(case["when"], {}, dict(point)):
            return [[eval(text, {}, dict(point)) for text in case["view"][part]] for part in ("shape", "strides")]
    return None


FUNCTIONS = {
    "Eq": lambda a, b: a == b, "Ne": lambda a, b: a != b, "FloorDiv": lambda a, b: a // b, "Mod": lambda a, b: a % b,
    "PythonMod": lambda a, b: a % b, "CleanDiv": lambda a, b: a // b, "Max": max, "Min": min,
    "Or": lambda *parts: any(parts), "And": lambda *parts: all(parts), "Not": lambda part: not part,
    "ModularIndexing": lambda a, b, c: a // b % c, "true": True, "false": False, "IntTrueDiv": lambda a, b: a / b,
}


def evaluated(texts, names, point):
    """The values of torch's expressions at a point."""
    known = {symbol: point[name] for symbol, name in names.items()}
    return [eval(text, FUNCTIONS, known) for text in texts]


class Trace:
    """One run of a chain: a view or not, and what was assumed."""

    def __init__(self, row, point=None, op="reshape"):
        self.row, self.point, self.op, self.names, self.fixed = row, point, op, {}, {}
        self.env = ShapeEnv(duck_shape=False)
        start = time.process_time()
        self.said = self.run()
        self.seconds = time.process_time() - start

    def sizes(self):
        known = {}
        for text in self.row["params"]:
            name, least, by = declared(text)
            if self.point is None:
                size = self.env.create_unbacked_symint()
                torch._check(size >= (least or 0))
                if by > 1:
                    torch._check(size % by == 0)
                self.names[str(size.node.expr)] = name
            else:
                value = self.point[name]
                source = ConstantSource(name)
                symbol = self.env.create_symbol(value, source=source, dynamic_dim=DimDynamic.DYNAMIC)
                size = self.env.create_symintnode(symbol, hint=value, source=source)
                if not getattr(symbol, "free_symbols", ()):
                    # 0 and 1 are constants for torch.
                    self.fixed[name] = value
                    size = value
                else:
                    self.names[str(symbol)] = name
                    if by > 1:
                        bool(size % by == 0)
            known[name] = size
        if self.row["requires"]:
            for part in self.row["requires"].split(" and "):
                torch._check(eval(part, {}, known))
        return known

    def run(self):
        items = [item.strip() for item in self.row["chain"].split("|")]
        with FakeTensorMode(shape_env=self.env):
            known = self.sizes()
            shape, strides = head(items[0])
            shape = numbers(shape, known)
            try:
                x = torch.empty(shape) if strides is None else torch.empty_strided(shape, numbers(strides, known))
                self.before, told = len(self.env.guards), self.asserts()
                y = x
                for item in items[1:]:
                    y = apply(y, re.sub(r"^reshape\b", self.op, item), known)
                shared = y.untyped_storage()._cdata == x.untyped_storage()._cdata
                self.strides = [str(getattr(getattr(s, "node", None), "expr", s)) for s in y.stride()]
            except GuardOnDataDependentSymNode as error:
                self.why = str(error).splitlines()[0]
                return "data-dependent error"
            except Exception as error:
                self.why = f"{type(error).__name__}: {error}".splitlines()[0]
                return "error"
        self.guards = list(dict.fromkeys(str(guard.expr) for guard in self.env.guards[self.before:]))
        self.asserted = [text for text in self.asserts() if text not in told]
        return "view" if shared else "copy"

    def asserts(self):
        return [str(one.expr) for many in self.env.deferred_runtime_asserts.values() for one in many]

    def covers(self, point):
        """Whether sizes pass all guards, those of declared divisibility included."""
        if any(point[name] != value for name, value in self.fixed.items()):
            return False
        # Symbols stand for 2 and more.
        if any(point[name] < 2 for name in self.names.values()):
            return False
        return all(evaluated([str(guard.expr) for guard in self.env.guards], self.names, point))

    def is_right(self, point):
        """A view with the recorded strides if one exists, otherwise a copy."""
        found = recorded(self.row, point)
        if found is None or self.said == "copy":
            return (found is None) == (self.said == "copy")
        theirs = evaluated(self.strides, self.names, point)
        return 0 in found[0] or all(size == 1 or a == b for size, a, b in zip(*found, theirs))


def with_examples(rows, listed):
    told = {"traces": [], "first guards": [], "guards": [], "characters": [], "seconds": []}
    tally = dict.fromkeys(("points", "right", "missed", "wrong", "error"), 0)
    first = dict.fromkeys(("view", "copy", "error", "no guards", "always, all points"), 0)
    for row in rows:
        left, traces = points(row), 0
        while left:
            trace = Trace(row, left[0])
            traces += 1
            if traces == 1:
                first[trace.said] = first.get(trace.said, 0) + 1
            if trace.said not in ("view", "copy"):
                tally["error"] += 1
                tally["points"] += 1
                if listed:
                    print("  error:", row["chain"], left[0], trace.why)
                left = left[1:]
                continue
            told["guards"].append(len(trace.guards))
            told["characters"].append(sum(map(len, trace.guards)))
            told["seconds"].append(trace.seconds)
            covered = [point for point in left if trace.covers(point)]
            if left[0] not in covered:
                raise AssertionError(f"{row['chain']}: the example {left[0]} does not pass {trace.guards}")
            for point in covered:
                tally["points"] += 1
                tally["right" if trace.is_right(point) else "missed" if trace.said == "copy" else "wrong"] += 1
            if traces == 1:
                told["first guards"].append(len(trace.guards))
                first["no guards"] += not trace.guards
                first["always, all points"] += row["verdict"] == "always" and trace.said == "view"
            if listed and traces == 1:
                print(f"  {trace.said}, recorded {row['verdict']}: {row['chain']}: {len(trace.guards)} guards", trace.guards)
            left = [point for point in left if point not in covered]
        told["traces"].append(traces)
        if listed:
            print(f"    {traces} traces")
    return told, tally, first


def without_examples(rows, op, listed):
    tally = {}
    refused = rightly = wrong = missed = 0
    for row in rows:
        trace = Trace(row, op=op)
        said = trace.said
        if said == "view":
            said = "view, asserted" if trace.asserted else "view"
            for point in points(row):
                if not all(evaluated(trace.asserted, trace.names, point)):
                    if recorded(row, point) is None:
                        rightly += 1
                    else:
                        refused += 1
                elif not trace.is_right(point):
                    wrong += 1
        elif said == "copy":
            missed += sum(recorded(row, point) is not None for point in points(row))
        key = (row["verdict"], said)
        tally[key] = tally.get(key, 0) + 1
        if listed:
            print(f"  {said}, recorded {row['verdict']}: {row['chain']}", getattr(trace, "why", ""), getattr(trace, "asserted", ""))
    return tally, refused, rightly, wrong, missed


def spread(values):
    values = sorted(values)
    return f"median {statistics.median(values):g}, 90 % {values[int(len(values) * .9)]:g}, most {values[-1]:g}"


def main(listed):
    logging.disable(logging.WARNING)
    rows = [row for row in ROWS if not COPIES.search(row["chain"])]
    print(f"torch {torch.__version__}: {len(ROWS)} cases, {len(rows)} of them without pad and flip, which copy in torch: "
          f"{sum(row['verdict'] == 'always' for row in rows)} always, {sum(row['verdict'] == 'when' for row in rows)} when")
    told, tally, first = with_examples(rows, listed)
    print("with example sizes, the first trace:", first)
    print("  points:", tally)
    print("  traces to cover all points, a case:", spread(told["traces"]), "in all", sum(told["traces"]))
    print("  guards of the first trace:", spread(told["first guards"]))
    print("  guards a trace:", spread(told["guards"]))
    print("  characters of guards a trace:", spread(told["characters"]))
    print("  milliseconds of processor time a trace:", spread([round(1e3 * seconds, 2) for seconds in told["seconds"]]))
    for op in ("reshape", "view"):
        tally, refused, rightly, wrong, missed = without_examples(rows, op, listed)
        print(f"without example sizes, {op}:")
        for key, count in sorted(tally.items()):
            print(f"  recorded {key[0]}, torch says {key[1]}: {count}")
        print(f"  points: {refused} refused by an assertion though a view, {rightly} rightly, {wrong} wrong, "
              f"{missed} copied though a view")


if __name__ == "__main__":
    main("--list" in sys.argv[1:])
