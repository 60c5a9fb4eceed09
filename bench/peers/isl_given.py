"""isl through islpy: is the chain the candidate?

    isl_given.py FOLDER LIMIT

The relations are those of isl.c: index -> position for the uppermost view and
the candidate, position -> position with floors for a lower one. Gives up after
LIMIT operations of isl.
"""

import sys
import time

import islpy as isl

import common

PASSES = 3
# Nanoseconds; slower ones are asked once.
SLOW = 3e6
CONTEXT = isl.Context()


def number(value):
    return isl.Val.int_from_si(CONTEXT, value)


def within(domain, function, lo, hi):
    """lo <= function < hi"""
    low = function.add_constant_val(number(-lo))
    high = function.neg().add_constant_val(number(hi - 1))
    domain = domain.add_constraint(isl.Constraint.inequality_from_aff(low))
    return domain.add_constraint(isl.Constraint.inequality_from_aff(high))


def start(rank, view):
    """The space of the index, all of it, and the offset as a function."""
    space = isl.Space.set_alloc(CONTEXT, 0, rank)
    local = isl.LocalSpace.from_space(space)
    return local, isl.Set.universe(space), isl.Aff.zero_on_domain(local).set_constant_val(number(view["offset"]))


def empty(rank):
    return isl.Map.empty(isl.Space.alloc(CONTEXT, 0, rank, 1))


def by_index(view):
    rank, bounds = len(view["shape"]), common.bounds(view)
    if bounds is None:
        return empty(rank)
    local, domain, position = start(rank, view)
    for axis, (lo, hi) in enumerate(bounds):
        position = position.set_coefficient_val(isl.dim_type.in_, axis, number(view["strides"][axis]))
        domain = within(domain, isl.Aff.var_on_domain(local, isl.dim_type.set, axis), lo, hi)
    return isl.Map.from_aff(position).intersect_domain(domain)


def quotient(local, divisor):
    """floor(n / divisor)"""
    n = isl.Aff.var_on_domain(local, isl.dim_type.set, 0)
    return n if divisor == 1 else n.scale_down_val(number(divisor)).floor()


def by_position(view):
    shape, bounds, weight = view["shape"], common.bounds(view), 1
    if bounds is None:
        return empty(1)
    local, domain, position = start(1, view)
    for axis in reversed(range(len(bounds))):
        digit = quotient(local, weight)
        weight *= shape[axis]
        if axis > 0:
            digit = digit.sub(quotient(local, weight).scale_val(number(shape[axis])))
        if list(bounds[axis]) != [0, shape[axis]]:
            domain = within(domain, digit, *bounds[axis])
        position = position.add(digit.scale_val(number(view["strides"][axis])))
    domain = within(domain, quotient(local, 1), 0, weight)
    return isl.Map.from_aff(position).intersect_domain(domain)


def decide(question, limit):
    """Whether they are equal, and the nanoseconds to build the relations and to compare."""
    clock = time.perf_counter_ns
    CONTEXT.reset_operations()
    CONTEXT.set_max_operations(limit)
    before = built = clock()
    try:
        *below, top = question["chain"]
        lower = [by_position(view) for view in below]
        upper, candidate = by_index(top), by_index(question["candidate"])
        built = clock()
        for relation in reversed(lower):
            upper = upper.apply_range(relation)
        answer = upper.is_equal(candidate)
    except isl.Error:
        answer = common.UNDECIDED
    return answer, built - before, clock() - built


def main(folder, limit):
    for name, questions in common.questions(folder):
        answers = []
        for question in questions:
            runs = [decide(question, limit)]
            while len(runs) < PASSES and runs[0][2] < SLOW:
                runs.append(decide(question, limit))
            answers.append({
                "answer": runs[0][0],
                "build_ns": min(run[1] for run in runs),
                "ns": min(run[2] for run in runs),
            })
        common.write(folder, "islpy", name, answers)


main(sys.argv[1], int(sys.argv[2]))
