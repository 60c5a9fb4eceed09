"""Is the isl map of a chain's expression the map of the chain?

The chain is composed by isl from the definitions: an index is mapped by a
view's strides and offset, a position is unravelled by inverting the row-major
map of a shape. Then isl decides whether both maps are equal. One map is also compared
with a wrong one, to check that the comparison can fail. Last, every name is either
refused by the command or a name for isl.
"""

import json
import os
import resource
import signal
import subprocess
import sys

import islpy as isl

# isl takes minutes for a few chains of convolutions.
SECONDS = 2
MOST_OPEN = 40


def text(view):
    """A view in the notation of the command."""
    numbers = lambda list: "(" + ",".join(map(str, list)) + ")"
    mask = view["mask"]
    box = "" if mask is None else " [" + ",".join(f"{lo}:{hi}" for lo, hi in mask) + "]"
    if mask == "nothing":
        return numbers(view["shape"]) + " nothing"
    return f"{numbers(view['shape'])}:{numbers(view['strides'])}{view['offset']:+d}{box}"


def affine(axes, factors, constant):
    terms = [f"{factor}*{axis}" for axis, factor in zip(axes, factors)]
    return " + ".join(terms + [str(constant)])


def inside(axes, shape, mask=None):
    if mask == "nothing":
        return "false"
    bounds = mask or [(0, size) for size in shape]
    return " and ".join([f"{lo} <= {axis} < {hi}" for axis, (lo, hi) in zip(axes, bounds)] or ["true"])


def view_map(view):
    axes = [f"i{n}" for n in range(len(view["shape"]))]
    position = affine(axes, view["strides"], view["offset"])
    domain = inside(axes, view["shape"], view["mask"])
    return isl.Map(f"{{ [{', '.join(axes)}] -> [{position}] : {domain} }}")


def unravel(shape):
    axes = [f"i{n}" for n in range(len(shape))]
    strides, run = [], 1
    for size in reversed(shape):
        strides.insert(0, run)
        run *= size
    position = affine(axes, strides, 0)
    return isl.Map(f"{{ [{', '.join(axes)}] -> [{position}] : {inside(axes, shape)} }}").reverse()


def chain_map(views):
    result = view_map(views[-1])
    for view in reversed(views[:-1]):
        result = result.apply_range(unravel(view["shape"])).apply_range(view_map(view))
    return result


def equal_within(seconds, answer, views):
    """Whether the maps are equal; None if isl takes too long. A search in isl
    cannot be stopped, so it runs in a process of its own, with a limit on its
    processor time."""
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        os._exit(0 if isl.Map(answer).is_equal(chain_map(views)) else 1)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return None
    return os.waitstatus_to_exitcode(status) == 0


# Words that isl does not read as names, whatever their case, and some names.
WORDS = """
    and or not exists mod floor floord ceil ceild min max true false rat infty infinity nan implies
    a i j x in sum domain range set map union if else for abs div lambda at position
""".split()


def check_names(command):
    refused = 0
    for word in {variant for word in WORDS for variant in (word, word.upper(), word.capitalize())}:
        call = [command, "expr", "--lang", "isl", "--names", word, "(4,3):(1,4) | (12)"]
        answer = subprocess.run(call, capture_output=True, text=True)
        if answer.returncode != 0 and "isl reserves this word" in answer.stderr:
            refused += 1
            continue
        expected = isl.Map("{ [i] -> [4*i - 11*floor(i/3)] : 0 <= i < 12 }")
        if not isl.Map(answer.stdout).is_equal(expected):
            sys.exit(f"isl reads another map with an axis called {word}")
    print(f"isl: {refused} names refused, the others are names")


def main(command, testdata):
    chains = [json.loads(line)["views"] for line in open(f"{testdata}/trackers.jsonl")]
    equal, open_ended = 0, []
    for views in chains:
        call = [command, "expr", "--lang", "isl", *map(text, views)]
        answer = subprocess.run(call, capture_output=True, text=True, check=True).stdout
        same = equal_within(SECONDS, answer, views)
        if same is False:
            sys.exit(f"differs: {' | '.join(map(text, views))}\n{answer}")
        if same is None:
            open_ended.append(" | ".join(map(text, views)))
        else:
            equal += 1
    square = {"shape": [4], "strides": [1], "offset": 0, "mask": None}
    if equal_within(SECONDS, "{ [i0] -> [i0 + 1] : 0 <= i0 < 4 }", [square]):
        sys.exit("a wrong map is not noticed")
    check_names(command)
    print(f"isl: {equal} expressions are equal to their chains")
    print(f"isl: {len(open_ended)} not decided in {SECONDS} s each (their points are checked elsewhere):")
    print("".join(f"  {chain}\n" for chain in open_ended), end="")
    if len(open_ended) > MOST_OPEN:
        sys.exit(f"more than {MOST_OPEN} are not decided")


main(*sys.argv[1:])
