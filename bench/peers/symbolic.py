"""The decisions of others about the real cases with unknown sizes in testdata/symbolic.jsonl.

    python3 -m venv target/peers && target/peers/bin/pip install sympy islpy
    target/peers/bin/python bench/peers/symbolic.py

Four ways, each compared with the recorded answers (which the crate tests at points):

- torch itself, if the Python has one with symbolic sizes (symbolic_torch.py; several GB, so it is optional);
- the rule of torch.Tensor.view, as its documentation states it, with sizes and strides as sympy expressions:
  a new axis is part of an old one, or spans old ones with stride[i] == stride[i+1]*size[i+1];
- sympy's simplification of the recorded conditions: is `requires` or a case's condition made shorter, kept, or lost;
- isl, where sizes and strides are linear: the set of parameters for which all steps along each axis are the same.
"""

import json
import re
from pathlib import Path

import islpy as isl
import sympy

ROWS = [json.loads(line) for line in
        (Path(__file__).parents[2] / "testdata/symbolic.jsonl").read_text().splitlines()]


def names(row):
    return [re.match(r"\w+", text)[0] for text in row["params"]]


def symbols(row):
    kind = {}
    for text in row["params"]:
        name = re.match(r"\w+", text)[0]
        kind[name] = sympy.Symbol(name, integer=True, **({} if ":int" in text else {"positive": True}))
    return kind


def value(text, known):
    return sympy.sympify(text.replace("//", "/"), locals=known)


def same(a, b):
    return sympy.simplify(a - b) == 0


def split(text):
    """Splits a list at its top-level commas."""
    parts, depth, start = [], 0, 0
    for place, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in parts + [text[start:]] if part.strip()]


class Unknown(Exception):
    pass


def torch_view(shape, strides, new):
    """The strides by the rule of the documentation, or Unknown if it does not apply; axes of size 1 are free."""
    runs = []
    for size, stride in zip(shape, strides):
        if size == 1:
            continue
        if runs and same(runs[-1][1], stride * size):
            runs[-1] = (runs[-1][0] * size, stride)
        else:
            runs.append((size, stride))
    # Every run of axes that are contiguous among themselves is a product of new axes, from the last.
    left, out = list(new), []
    for size, stride in reversed(runs):
        part = sympy.Integer(1)
        while not same(part, size):
            if not left:
                raise Unknown("strides" if len(runs) > 1 else "sizes")
            out.insert(0, part * stride)
            part *= left.pop()
    if any(size != 1 for size in left):
        raise Unknown("sizes")
    return [sympy.Integer(0)] * len(left) + out


def by_rule(row):
    """`always`, or why the rule does not apply."""
    known = symbols(row)
    items = [item.strip() for item in row["chain"].split("|")]
    head = re.match(r"\((.*?)\)(?::\((.*)\))?$", items[0].replace(" ", ""))
    # A bracket inside a size would end the first list too early.
    if head is None or "(" in (head[1] or ""):
        raise Unknown("text")
    shape = [value(size, known) for size in split(head[1])]
    if head[2]:
        strides = [value(stride, known) for stride in split(head[2])]
    else:
        strides = [sympy.prod(shape[k + 1:]) for k in range(len(shape))]
    for item in items[1:]:
        op, inner = re.match(r"(\w+)\((.*)\)$", item).groups()
        parts = split(inner)
        if op in ("reshape", "view", "flatten", "unflatten"):
            if op == "flatten":
                first, last = [int(p) for p in parts] if parts else (0, len(shape) - 1)
                first, last = first % len(shape), last % len(shape)
                new = shape[:first] + [sympy.prod(shape[first:last + 1])] + shape[last + 1:]
            elif op == "unflatten":
                axis = int(parts[0]) % len(shape)
                sizes = [value(p, known) for p in split(parts[1].strip("()"))]
                new = shape[:axis] + sizes + shape[axis + 1:]
            else:
                new = [value(p, known) for p in parts]
            if -1 in new:
                place = new.index(-1)
                new[place] = sympy.Integer(1)
                whole = sympy.prod(shape) / sympy.prod(new)
                new[place] = sympy.simplify(whole)
            strides = torch_view(shape, strides, new)
            shape = new
        elif op == "permute":
            axes = [int(p) for p in parts]
            shape, strides = [shape[k] for k in axes], [strides[k] for k in axes]
        elif op == "transpose":
            a, b = int(parts[0]) % len(shape), int(parts[1]) % len(shape)
            for one in (shape, strides):
                one[a], one[b] = one[b], one[a]
        elif op == "unsqueeze":
            axis = int(parts[0]) % (len(shape) + 1)
            shape, strides = list(shape), list(strides)
            shape.insert(axis, sympy.Integer(1))
            strides.insert(axis, sympy.Integer(0))
        elif op == "squeeze":
            axis = int(parts[0]) % len(shape)
            shape, strides = shape[:axis] + shape[axis + 1:], strides[:axis] + strides[axis + 1:]
        elif op in ("expand", "broadcast_to"):
            new = [value(p, known) for p in parts]
            fresh = len(new) - len(shape)
            old = [sympy.Integer(1)] * fresh + list(shape)
            strides = [sympy.Integer(0)] * fresh + list(strides)
            strides = [s if n == -1 or same(o, n) else sympy.Integer(0)
                       for o, n, s in zip(old, new, strides)]
            shape = [o if n == -1 else n for o, n in zip(old, new)]
        elif op == "shrink":
            shape = [sympy.expand(value(hi, known) - value(lo, known))
                     for lo, hi in (split(p.strip()[1:-1]) for p in parts)]
        else:
            raise Unknown(op)
    return "always"


def simplified(text):
    """The number of comparisons after sympy's simplification of a condition."""
    known = {name: sympy.Symbol(name, integer=True) for name in set(re.findall(r"[A-Za-z_]\w*", text))
             - {"and", "or"}}

    def atom(part):
        left, sign, right = re.match(r"(.*?) (==|!=|>=|<=) (.*)", part).groups()
        left, right = [re.sub(r"([\w)]+)//(\w+)", r"floor(\1/\2)", side) for side in (left, right)]
        left, right = [re.sub(r"([\w*()]+)%(\w+)", r"Mod(\1,\2)", side) for side in (left, right)]
        left, right = sympy.sympify(left, locals=known), sympy.sympify(right, locals=known)
        made = {"==": sympy.Eq, "!=": sympy.Ne, ">=": sympy.Ge, "<=": sympy.Le}
        return made[sign](left, right)

    def whole(lists):
        return sympy.Or(*[sympy.And(*[atom(part.strip("() ") if part.count("(") != part.count(")")
                                           else part.strip()) for part in one.split(" and ")])
                          for one in lists.split(" or ")])

    before = whole(text)
    after = sympy.simplify(before)
    return len(before.atoms(sympy.core.relational.Relational)), \
        len(after.atoms(sympy.core.relational.Relational))


def linear(row):
    """The row's chain as an isl map for every parameter; `None` if it is not linear."""
    known = symbols(row)
    text = row["chain"]
    items = [item.strip() for item in text.split("|")]
    head = re.match(r"\(([^()]*)\)$", items[0])
    if head is None:
        return None
    shape = [value(size, known) for size in split(head[1])]
    # By linear position: strides of all but the first axis must be numbers.
    if not all(size.is_number for size in shape[1:]) or not is_linear(shape[0]):
        return None
    strides = [sympy.prod(shape[k + 1:]) for k in range(len(shape))]
    axes = [f"i{k}" for k in range(len(shape))]
    position = "+".join(f"{s}*{a}" for s, a in zip(strides, axes)) or "0"
    bounds = [f"0 <= {a} < {s}" for a, s in zip(axes, shape)]
    params = ",".join(names(row))
    current = isl.Map(f"[{params}] -> {{ [{','.join(axes)}] -> [{position}] : {' and '.join(bounds)} }}")
    for item in items[1:]:
        op, inner = re.match(r"(\w+)\((.*)\)$", item).groups()
        parts = split(inner)
        if op == "permute":
            order = [int(p) for p in parts]
            new = [f"j{k}" for k in range(len(order))]
            source = [None] * len(order)
            for k, axis in enumerate(order):
                source[axis] = new[k]
            step = f"[{params}] -> {{ [{','.join(new)}] -> [{','.join(source)}] }}"
            shape = [shape[a] for a in order]
        elif op == "reshape" and "-1" not in parts or op == "flatten" and not parts:
            new_shape = [value(p, known) for p in parts] if parts else [sympy.prod(shape)]
            inner_sizes = new_shape[1:] + list(shape[1:])
            if not all(size.is_number for size in inner_sizes) or not is_linear(new_shape[0]):
                return None
            new = [f"j{k}" for k in range(len(new_shape))]
            n = "+".join(f"{sympy.prod(new_shape[k + 1:])}*{a}" for k, a in enumerate(new))
            digits, behind = [], 1
            for k in reversed(range(len(shape))):
                digit = f"floor(({n})/{behind})"
                if k > 0:
                    digit = f"({digit}) mod {shape[k]}"
                    behind *= int(shape[k])
                digits.insert(0, digit)
            limits = " and ".join(f"0 <= {a} < {s}" for a, s in zip(new, new_shape))
            step = f"[{params}] -> {{ [{','.join(new)}] -> [{','.join(digits)}] : {limits} }}"
            shape = new_shape
        else:
            return None
        current = isl.Map(step).apply_range(current)
    return current, len(shape)


def is_linear(expr):
    expr = sympy.expand(expr)
    return expr.is_polynomial() and sympy.Poly(expr, *expr.free_symbols).total_degree() <= 1 \
        if expr.free_symbols else True


def by_isl(row):
    """The parameters for which all steps along each axis agree, or None."""
    found = linear(row)
    if found is None:
        return None
    chain, rank = found
    params = ",".join(names(row))
    bad = isl.Set(f"[{params}] -> {{ : false }}")
    for axis in range(rank):
        x = [f"x{k}" for k in range(rank)]
        step = [f"x{k}+1" if k == axis else f"x{k}" for k in range(rank)]
        move = isl.Map(f"[{params}] -> {{ [{','.join(x)}] -> [{','.join(step)}] }}")
        # Each index with its step: [x] -> [p(x + 1) - p(x)].
        pair = chain.range_product(move.apply_range(chain))
        change = isl.Map(f"[{params}] -> {{ [[a] -> [b]] -> [b - a] }}")
        steps = pair.apply_range(change).range()
        two = steps.product(steps).intersect(
            isl.Map(f"[{params}] -> {{ [a] -> [b] : a < b }}").wrap())
        bad = bad.union(two.params())
    return bad


def by_torch():
    """Asks torch, or reports that it is missing."""
    try:
        import symbolic_torch
    except ImportError as missing:
        print(f"torch with symbolic sizes: not run ({missing}), only the rule of its documentation is")
    else:
        symbolic_torch.main(False)


def main():
    by_torch()
    print(f"{len(ROWS)} cases: "
          f"{sum(row['verdict'] == 'always' for row in ROWS)} always, "
          f"{sum(row['verdict'] == 'when' for row in ROWS)} when")
    rule = {"right": 0, "missed": 0, "partial": 0, "none": 0, "wrong": 0}
    for row in ROWS:
        try:
            said = by_rule(row)
        except Unknown as why:
            said = "text" if str(why) in ("text", "pad", "slice", "flip", "step", "as_strided") else None
        except Exception:
            said = "text"
        if said == "text":
            rule["none"] += 1
        elif said == "always":
            rule["right" if row["verdict"] == "always" else "wrong"] += 1
        else:
            rule["missed" if row["verdict"] == "always" else "partial"] += 1
    print("rule of Tensor.view:", rule)
    sizes = {"shorter": 0, "kept": 0, "longer": 0, "failed": 0}
    for row in ROWS:
        for text in [case["when"] for case in row["cases"]] + [row["requires"]]:
            if text is None:
                continue
            try:
                before, after = simplified(text)
            except Exception:
                sizes["failed"] += 1
                continue
            sizes["shorter" if after < before else "kept" if after == before else "longer"] += 1
    print("sympy.simplify of the conditions:", sizes)
    isls = {"linear": 0, "right": 0, "wrong": 0}
    for row in ROWS:
        try:
            bad = by_isl(row)
        except isl.Error:
            bad = None
        if bad is None:
            continue
        isls["linear"] += 1
        least = " and ".join(f"{name} >= 1" for name in names(row))
        bad = bad.intersect(isl.Set(f"[{','.join(names(row))}] -> {{ : {least} }}"))
        always = bad.is_empty()
        agrees = always == (row["verdict"] == "always")
        isls["right" if agrees else "wrong"] += 1
        print("  isl:", row["chain"], "not one view on", bad if not always else "nothing")
    print("isl:", isls)


if __name__ == "__main__":
    main()
