"""TVM's simplifier on the expressions that tinygrad_kernels.py recorded.

    tvm_kernels.py FILE

Adds to every line how many divisions TVM leaves in the value and how long it takes, value and condition together, if TVM can
express it.
"""

import ast
import json
import sys
import time

import tvm
from tvm import tirx as tir
from tvm.sym import Analyzer

PASSES = 3
DIVISIONS = (tir.FloorDiv, tir.FloorMod, tir.Div, tir.Mod)
BINARY = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
          ast.FloorDiv: tir.floordiv, ast.Mod: tir.floormod, ast.BitAnd: tir.And, ast.BitOr: tir.Or}
COMPARE = {ast.Lt: lambda a, b: a < b, ast.NotEq: lambda a, b: a != b, ast.Eq: lambda a, b: a == b}


def build(node, names):
    if isinstance(node, ast.Constant):
        return tir.const(node.value, "bool" if isinstance(node.value, bool) else "int64")
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.UnaryOp):
        return tir.const(0, "int64") - build(node.operand, names)
    if isinstance(node, ast.BinOp):
        return BINARY[type(node.op)](build(node.left, names), build(node.right, names))
    if isinstance(node, ast.Compare):
        left, right = build(node.left, names), node.comparators[0]
        if isinstance(right, ast.Constant) and right.value is True:
            return tir.Not(left)
        return COMPARE[type(node.ops[0])](left, build(right, names))
    if isinstance(node, ast.IfExp):
        return tir.Select(*(build(part, names) for part in (node.test, node.body, node.orelse)))
    if isinstance(node, ast.Call) and node.func.id == "max":
        return tir.max(*(build(part, names) for part in node.args))
    raise ValueError(ast.dump(node))


def divisions(value):
    """The distinct divisions of an expression."""
    found, open_ = [], [value]
    while open_:
        node = open_.pop()
        if isinstance(node, DIVISIONS) and str(node) not in found:
            found.append(str(node))
        parts = ("a", "b", "condition", "true_value", "false_value", "value")
        open_ += [part for part in (getattr(node, name, None) for name in parts) if isinstance(part, tvm.ir.Node)]
    return len(found)


def simplified(value, valid, ranges):
    analyzer = Analyzer()
    for variable, (first, last) in ranges:
        analyzer.bind(variable, tvm.ir.Range(tir.const(first, "int64"), tir.const(last + 1, "int64")))
    if valid is None:
        return analyzer.simplify(value)
    analyzer.simplify(valid)
    with analyzer.constraint_scope(valid):
        return analyzer.simplify(value)


def main(file):
    with open(file) as lines:
        lines = [json.loads(line) for line in lines]
    for line in lines:
        names = {name: tir.Var(name, "int64") for name in line["vars"]}
        ranges = [(names[name], ends) for name, ends in line["vars"].items()]
        read = lambda text: build(ast.parse(text, mode="eval").body, names)
        value, valid = read(line["expr"]), read(line["valid"]) if "valid" in line else None
        best = float("inf")
        for _ in range(PASSES):
            start = time.perf_counter_ns()
            result = simplified(value, valid, ranges)
            best = min(best, time.perf_counter_ns() - start)
        line["tvm_ns"], line["tvm_divisions"] = best, divisions(result)
    with open(file, "w") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)


main(*sys.argv[1:])
