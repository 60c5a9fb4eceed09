"""Are two index expressions the same? Asks z3 and isl about random pairs.

    equal_pairs.py FILE [COUNT]

A pair is a random expression of quotients and remainders by numbers, and the same expression rewritten by laws of arithmetic, often with
one number changed afterwards. A line of the file has the pair, its ranges, what each of the two answers ("same", "different" or null
for no answer within 100 ms, or 300,000 of isl's operations), and the nanoseconds that took.
"""

import json
import random
import sys
import time

import islpy as isl
import z3

MILLISECONDS = 100
OPERATIONS = 300_000
NAMES = "ijk"


def make(rng, depth):
    """A random tree: a number, a name, or a list of a sign and its parts."""
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(NAMES)
    kind = rng.randrange(8)
    if kind < 2:
        return ["+", make(rng, depth - 1), make(rng, depth - 1)]
    if kind == 2:
        return ["*", rng.choice((-3, 2, 3, 4, 5, 8, 12)), make(rng, depth - 1)]
    if kind == 3:
        return ["+", make(rng, depth - 1), rng.randint(-7, 12)]
    return [rng.choice(("//", "%")), make(rng, depth - 1), rng.choice((2, 3, 4, 5, 6, 7, 8, 12, 16, 32))]


def rewrite(tree, rng):
    """The same function, written differently."""
    if not isinstance(tree, list):
        return tree
    sign, *parts = tree
    parts = [rewrite(part, rng) for part in parts]
    if rng.random() < 0.4:
        return [sign, *parts]
    if sign == "%":
        a, m = parts
        return ["+", a, ["*", -m, ["//", a, m]]] if rng.random() < 0.5 else ["%", ["+", a, ["*", m, rng.choice(NAMES)]], m]
    if sign == "//":
        a, m = parts
        for factor in (2, 3, 5):
            if m % factor == 0 and m > factor and rng.random() < 0.6:
                return ["//", ["//", a, factor], m // factor]
        extra = rng.choice(NAMES)
        return ["+", ["//", ["+", a, ["*", m, extra]], m], ["*", -1, extra]]
    if sign == "+":
        return ["+", *parts[::-1]]
    return [sign, *parts]


def spoil(tree, rng):
    """The same with one number changed."""
    if isinstance(tree, int):
        return tree + rng.choice((-1, 1))
    if isinstance(tree, str):
        return ["+", tree, 1] if rng.random() < 0.3 else tree
    sign, *parts = tree
    places = [k for k, part in enumerate(parts) if not isinstance(part, str)] or [0]
    place = rng.choice(places)
    if sign in ("//", "%") and place == 1:
        parts[1] = max(2, parts[1] + rng.choice((-1, 1)))
    else:
        parts[place] = spoil(parts[place], rng)
    return [sign, *parts]


def text(tree, divide):
    if not isinstance(tree, list):
        return str(tree)
    sign, *parts = tree
    a, b = (text(part, divide) for part in parts)
    if sign in ("//", "%"):
        return divide(sign, a, b)
    # isl requires numbers that are subtracted or multiply without brackets.
    return f"({a} - {-parts[1]})" if isinstance(parts[1], int) and parts[1] < 0 else f"({a} {sign} {b})"


def python(tree):
    return text(tree, lambda sign, a, b: f"({a} {sign} {b})")


def in_isl(tree):
    return text(tree, lambda sign, a, b: f"floor(({a})/{b})" if sign == "//" else f"(({a}) mod {b})")


def in_z3(tree, names):
    if not isinstance(tree, list):
        return names[tree] if isinstance(tree, str) else z3.IntVal(tree)
    sign, *parts = tree
    a, b = (in_z3(part, names) for part in parts)
    # Divisors are positive; for these z3 also rounds down.
    return {"+": lambda: a + b, "*": lambda: a * b, "//": lambda: a / b, "%": lambda: a % b}[sign]()


def ask_z3(one, two, ranges):
    names = {name: z3.Int(name) for name in ranges}
    start = time.perf_counter_ns()
    solver = z3.Solver()
    solver.set("timeout", MILLISECONDS)
    for name, (first, last) in ranges.items():
        solver.add(first <= names[name], names[name] <= last)
    solver.add(in_z3(one, names) != in_z3(two, names))
    found = solver.check()
    ns = time.perf_counter_ns() - start
    return {"unsat": "same", "sat": "different"}.get(str(found)), ns


def ask_isl(one, two, ranges):
    domain = " and ".join(f"{first} <= {name} <= {last}" for name, (first, last) in ranges.items())
    texts = [f"{{ [{', '.join(ranges)}] -> [{in_isl(tree)}] : {domain} }}" for tree in (one, two)]
    context = isl.Context()
    start = time.perf_counter_ns()
    try:
        context.set_max_operations(OPERATIONS)
        a, b = (isl.Map.read_from_str(context, text) for text in texts)
        answer = "same" if a.is_equal(b) else "different"
    except isl.Error:
        answer = None
    return answer, time.perf_counter_ns() - start


def main(file, count="5000"):
    rng = random.Random(16)
    with open(file, "w") as out:
        for _ in range(int(count)):
            one = make(rng, rng.randint(2, 6))
            two = rewrite(one, rng)
            if rng.random() < 0.5:
                two = spoil(two, rng)
            size = rng.choice((10, 100, 10_000, 10**9))
            ranges = {name: [rng.choice((0, 0, -5)), rng.randint(1, size)] for name in NAMES}
            line = {"one": python(one), "two": python(two), "vars": ranges}
            line["z3"], line["z3_ns"] = ask_z3(one, two, ranges)
            line["isl"], line["isl_ns"] = ask_isl(one, two, ranges)
            out.write(json.dumps(line) + "\n")


main(*sys.argv[1:])
