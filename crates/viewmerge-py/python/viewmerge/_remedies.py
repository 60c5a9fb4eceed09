"""Remedies: what would avoid a copy, each checked.

A remedy is found by doing it: the ops are repeated from a copy, from another layout, or
in the library itself on an array without data. It is offered only if the result is one
view.

Example: ``zeros((2, 10, 8, 64)).transpose(0, 2, 1, 3).reshape(2, 80, 64)``. Started from
an array allocated as ``empty((2, 8, 10, 64))`` the reshape is a view, so that layout is offered;
a copy at the start helps too, and costs as much as the reshape.

Cost: a merge for each stage, and for each order of at most five axes.
"""

from __future__ import annotations

import sys
from itertools import permutations
from math import prod
from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._core import View, ViewChain, unravel
from ._cuts import cut
from ._stages import Source, Stage, distinct, first_break, is_view, replay

MOST_AXES = 5
"""Layouts are tried for arrays of at most so many axes."""


class Remedy(NamedTuple):
    """A way to avoid a copy, or make it smaller, checked by repeating the ops."""

    kind: str
    """"instead" (another op is a view), "view" (one view that the library does not find), "layout"
    (allocate it otherwise), "copy" (copy elsewhere) or "split" (a view over more axes)."""
    text: str
    code: str
    """What to write."""
    elements: int
    """How many elements are copied then."""
    view: Optional[View] = None
    """The one view, or what the copy is then seen through, or the layout to allocate."""
    stage: Optional[int] = None
    """Where to copy: after this stage."""

    def __str__(self) -> str:
        return self.text


class Fix(NamedTuple):
    """One copy after which the rest is a view."""

    stage: int
    """The copy is made after this stage; 0 is before the first op."""
    elements: int
    """How many elements are copied."""
    compact: bool
    """Whether only the distinct elements of a broadcast, or those that are no padding, are copied."""
    rest: View
    """What the copy is then seen through."""
    text: str

    def __str__(self) -> str:
        return self.text


def stage_name(stages: Sequence[Stage], number: int, source: Source) -> str:
    """The name of the array after a stage."""
    return source.noun if number == 0 else f"{source.noun} after {stages[number].op}"


def rest_of(stages: Sequence[Stage], number: int, start: View) -> Optional[View]:
    """The ops after a stage as one view of a memory seen through ``start``."""
    chain = ViewChain(start)
    for stage in stages[number + 1 :]:
        chain = replay(chain, stage.moves)
    return chain.merge().view


def stored(stage: Stage) -> Iterator[Tuple[bool, View]]:
    """A copy of a stage's elements: (its compact view, the stage as a view of the copy)."""
    view = stage.chain.last
    if len(stage.chain.views) == 1 and not view.is_empty and view.mask != "nothing":
        bounds = view.mask if view.mask is not None else tuple((0, size) for size in view.shape)
        spans = list(zip(view.shape, view.strides, bounds))
        repeats = [stride == 0 and size > 1 and low == 0 and high == size for size, stride, (low, high) in spans]
        sizes = [1 if r else high - low for r, (_, _, (low, high)) in zip(repeats, spans)]
        if prod(sizes) < view.count:
            copy = View(sizes)
            pads = [(0, 0) if r else (low, size - high) for r, (size, _, (low, high)) in zip(repeats, spans)]
            if any(pad != (0, 0) for pad in pads):
                copy = copy.pad(pads)
            yield True, copy.expand(view.shape)
    yield False, View(stage.chain.shape)


def cheapest_fix(stages: Sequence[Stage], source: Source) -> Optional[Fix]:
    """The copy with the fewest elements after which the rest is a view."""
    best: Optional[Tuple[int, int, bool, View]] = None
    broke = first_break(stages) or 0
    for number, stage in enumerate(stages):
        for compact, copy in stored(stage):
            elements = _copied(copy)
            # On a tie, the last one before the break, and a whole array rather than a part.
            later = best is not None and elements == best[0] and number < broke and compact <= best[2]
            if best is None or elements < best[0] or later:
                rest = rest_of(stages, number, copy)
                if rest is not None:
                    best = (elements, number, compact, rest)
    if best is None:
        return None
    elements, number, compact, rest = best
    what = "distinct elements" if compact else "elements"
    if elements == 1:
        what = what[:-1]
    where = stage_name(stages, number, source)
    when = f", before {stages[number + 1].op}" if number + 1 < len(stages) else ""
    told = source.size_in_bytes(elements)
    size = "" if told is None else f" ({source.size(elements).split('(')[1]}"
    text = f"copy the {elements} {what}{size} of {where}{when}"
    return Fix(number, elements, compact, rest, text)


def _copied(copy: View) -> int:
    """How many elements a copy holds."""
    box = copy.valid_box
    if box is None:
        return 0
    return prod(
        high - low for (low, high), stride in zip(box, copy.strides) if stride or high - low == 1
    )


def copy_code(fix: Fix, stages: Sequence[Stage], library: str) -> str:
    """The code for a copy."""
    name = "x" if fix.stage == 0 else "y"
    view = stages[fix.stage].chain.last
    if fix.compact:
        key = ", ".join(
            "0:1" if stride == 0 and size > 1 else ":" if view.mask is None else f"{low}:{high}"
            for size, stride, (low, high) in zip(view.shape, view.strides, view.valid_box or ())
        )
        name = f"{name}[{key}]"
    return f"{name}.contiguous()" if library == "torch" else f"np.ascontiguousarray({name})"


def remedies(stages: Sequence[Stage], source: Source, library: str) -> Tuple[Tuple[Remedy, ...], Optional[Fix]]:
    """All remedies, the cheapest first."""
    found: List[Remedy] = []
    one = stages[-1].chain.merge().view
    if one is not None:
        found.extend(instead_of_copying(stages, one))
        exact = missed_view(stages, source, one, library)
        return tuple(found + ([exact] if exact is not None else [])), None
    fix = cheapest_fix(stages, source)
    # A copy after the last op is no remedy, and one before an op that always copies saves nothing.
    rest = stages[fix.stage + 1 :] if fix is not None else ()
    copies = any(stage.copies for stage in rest)
    if fix is not None and rest and not copies and carried(stages, fix, library):
        code = copy_code(fix, stages, library)
        text = f"{fix.text}: {code}; the rest is a view"
        found.append(Remedy("copy", text, code, fix.elements, fix.rest, fix.stage))
    layout = other_layout(stages, source, library)
    if layout is not None:
        found.append(layout)
    more_axes = cut(stages, library, library_finds)
    if more_axes is not None:
        text, code, view = more_axes
        found.append(Remedy("split", text, code, 0, view))
    return tuple(found), fix


def carried(stages: Sequence[Stage], fix: Fix, library: str) -> bool:
    """Whether the library, too, makes views of everything after a copy."""
    found = False
    for compact, copy in stored(stages[fix.stage]):
        if compact == fix.compact:
            found = library_finds(ViewChain(copy), stages[fix.stage + 1 :], library) is not False
    return found


def instead_of_copying(stages: Sequence[Stage], one: View) -> Iterator[Remedy]:
    """If ops always copy but the whole is one view: code that does not copy."""
    advice: List[str] = []
    codes: List[str] = []
    for stage in stages:
        name, order = stage.op.split("(")[0], ', order="F"' if '"F"' in stage.op else ""
        if not stage.copies:
            # If the library could not view it before, it cannot then.
            if not is_view(stage.chain):
                return
            continue
        if name in ("flatten", "ravel") and is_view(stage.chain):
            codes.append(f"reshape(-1{order})")
        elif name in ("copy", "clone", "contiguous"):
            codes.append("")
        elif name == "repeat":
            codes.append("broadcasting, as broadcast_to() or expand() do")
        else:
            return
        advice.append(f"use {codes[-1]} instead of {stage.op}" if codes[-1] else f"leave out {stage.op}")
    if advice:
        text = f"{' and '.join(advice)}: all of it is one view then"
        yield Remedy("instead", text, "; ".join(codes), 0, one)


def missed_view(
    stages: Sequence[Stage], source: Source, one: View, library: str
) -> Optional[Remedy]:
    """If the library copies although one view exists: that view."""
    if library not in ("numpy", "torch") or one.mask is not None or one.is_empty:
        return None
    if library == "torch" and min(one.strides, default=0) < 0:
        return None
    if any(stage.copies for stage in stages) or library_finds(stages[0].chain, stages[1:], library) is not False:
        return None
    code = strided_code(one, stages, source, library)
    text = f"{'PyTorch' if library == 'torch' else 'NumPy'} does not see that it is one view: {code} is it"
    return Remedy("view", text, code, 0, one)


def strided_code(one: View, stages: Sequence[Stage], source: Source, library: str) -> str:
    """Code for a view of the array's memory."""
    if library == "torch":
        return f"x.as_strided({one.shape}, {one.strides}, {one.offset})"
    unit = source.unit or 1
    strides = tuple(stride * unit for stride in one.strides)
    start = stages[0].chain.last
    # NumPy's as_strided starts at the first element of its array, so slice the array to start at the
    # first of the result.
    chain = ViewChain(View(start.shape))
    for stage in stages[1:]:
        chain = replay(chain, stage.moves)
    first = unravel(start.shape, chain.at(0) or 0)
    key = ", ".join(f"{place}:" if place else ":" for place in first)
    x = f"x[{key}]" if any(first) else "x"
    return f"np.lib.stride_tricks.as_strided({x}, {one.shape}, {strides})"


def library_finds(chain: ViewChain, stages: Sequence[Stage], library: str) -> Optional[bool]:
    """Whether the library itself makes views of all ops, tried without data; None if untried.

    Only regroupings can fail: all other moves are views in any library. ``ravel`` must also be
    contiguous.
    """
    module = sys.modules.get(library)
    view = chain.merge().view
    if module is None or view is None or view.mask is not None or view.is_empty:
        return None
    for stage in stages:
        for move in stage.moves:
            chain = replay(chain, (move,))
            after = chain.merge().view
            if after is None:
                return False
            if after.mask is not None or move[0] == "as_strided":
                return None
            if move[0] in ("reshape", "flatten", "unflatten"):
                x = without_data(module, view, library)
                if x is None:
                    return None
                if not tried_reshape(x, after.shape, library):
                    return False
            view = after
        if stage.op.startswith("ravel(") and view.count > 1 and view.strides != (1,):
            return False
    return True


def without_data(module: Any, view: View, library: str) -> Any:
    """An array of the library with these strides, without data, not to be read; None if the library has none."""
    try:
        if library == "torch":
            return module.empty_strided(view.shape, view.strides, device="meta")
        return module.lib.stride_tricks.as_strided(module.zeros(1, "u1"), view.shape, view.strides)
    except Exception:
        return None


def tried_reshape(x: Any, shape: Sequence[int], library: str) -> bool:
    """Whether the library makes a view of another shape."""
    try:
        if library == "torch":
            x.view(tuple(shape))
        else:
            other = x.view()
            other.shape = tuple(shape)
    except (RuntimeError, AttributeError):
        return False
    return True


def other_layout(stages: Sequence[Stage], source: Source, library: str) -> Optional[Remedy]:
    """An order of the source's axes in memory in which nothing is copied."""
    start = stages[0].chain
    view = start.last
    dense = len(start.views) == 1 and view.mask is None and distinct(view) == view.count
    if not dense or view.is_empty or view.rank > MOST_AXES:
        return None
    if any(stage.copies for stage in stages):
        return None
    for order in orders(view):
        layout = laid_out(view.shape, order)
        if rest_of(stages, 0, layout) is None:
            continue
        if library_finds(ViewChain(layout), stages[1:], library) is not False:
            code = allocate_code(view.shape, order, library)
            noun = source.noun
            text = f"allocate {noun} in another layout, then nothing is copied: {code}"
            return Remedy("layout", text, code, 0, layout)
    return None


def orders(view: View) -> Iterator[Tuple[int, ...]]:
    """All orders of axes, outermost first; those near the current one first."""
    rank = view.rank
    present = tuple(sorted(range(rank), key=lambda axis: -abs(view.strides[axis])))
    yield from sorted(
        permutations(range(rank)), key=lambda order: sum(a != b for a, b in zip(order, present))
    )


def laid_out(shape: Sequence[int], order: Sequence[int]) -> View:
    """The view of an array whose axes are in this order in memory, outermost first."""
    strides, step = [0] * len(shape), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    return View(shape, strides)


def allocate_code(shape: Sequence[int], order: Sequence[int], library: str) -> str:
    """Code that allocates an array whose axes are in this order in memory."""
    rank, sizes = len(shape), tuple(shape)
    if tuple(order) == tuple(range(rank)):
        return f"torch.empty({sizes})" if library == "torch" else f"np.empty({sizes})"
    if library == "torch" and rank in (4, 5) and tuple(order) == (0, *range(2, rank), 1):
        memory = "channels_last" if rank == 4 else "channels_last_3d"
        return f"torch.empty({sizes}, memory_format=torch.{memory})"
    if library != "torch" and tuple(order) == tuple(reversed(range(rank))):
        return f'np.empty({sizes}, order="F")'
    inner = tuple(shape[axis] for axis in order)
    back = tuple(list(order).index(axis) for axis in range(rank))
    if library == "torch":
        return f"torch.empty({inner}).permute({', '.join(map(str, back))})"
    return f"np.empty({inner}).transpose({', '.join(map(str, back))})"


Remedy.__module__ = Fix.__module__ = "viewmerge"
