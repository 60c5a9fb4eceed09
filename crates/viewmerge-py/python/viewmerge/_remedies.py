"""What would avoid a copy, every one tried.

A remedy is found by doing it: the ops are done again from a copy, from another
layout, or in the library itself on an array without data. What does not come
out as one view is not offered.

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

from ._core import View, ViewChain
from ._stages import Source, Stage, distinct, first_break, replay

MOST_AXES = 5
"""Layouts are tried for arrays of at most so many axes."""


class Remedy(NamedTuple):
    """Something that would avoid a copy, or make it smaller; it was tried."""

    kind: str
    """"instead" (another op is a view), "view" (one view that the library does not find), "layout"
    (allocate it otherwise) or "copy" (copy elsewhere)."""
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
    """What people call the array after a stage."""
    return source.noun if number == 0 else f"{source.noun} after {stages[number].op}"


def rest_of(stages: Sequence[Stage], number: int, start: View) -> Optional[View]:
    """The one view that the ops after a stage are of a memory seen through ``start``."""
    chain = ViewChain(start)
    for stage in stages[number + 1 :]:
        chain = replay(chain, stage.moves)
    return chain.merge().view


def stored(stage: Stage) -> Iterator[Tuple[bool, View]]:
    """How the elements of a stage can be copied: (compactly, the copy seen as the stage)."""
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
    """The copy of fewest elements after which the rest is a view."""
    best: Optional[Tuple[int, int, bool, View]] = None
    broke = first_break(stages) or 0
    for number, stage in enumerate(stages):
        for compact, copy in stored(stage):
            elements = _copied(copy)
            # Of equal ones the last before it breaks, and rather all of an array than a part.
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
    """What to write to copy."""
    name = "x" if fix.stage == 0 else "y"
    view = stages[fix.stage].chain.last
    if fix.compact:
        key = ", ".join(
            "0:1" if stride == 0 and size > 1 else ":" if view.mask is None else f"{low}:{high}"
            for size, stride, (low, high) in zip(view.shape, view.strides, view.valid_box or ())
        )
        name = f"{name}[{key}]"
        if view.mask is not None:
            name = f"{name} (the part that is no padding)"
    return f"{name}.contiguous()" if library == "torch" else f"np.ascontiguousarray({name})"


def remedies(stages: Sequence[Stage], source: Source, library: str) -> Tuple[Tuple[Remedy, ...], Optional[Fix]]:
    """All that helps, what costs least first."""
    found: List[Remedy] = []
    one = stages[-1].chain.merge().view
    if one is not None:
        found.extend(instead_of_copying(stages, one))
        exact = missed_view(stages, source, one, library)
        return tuple(found + ([exact] if exact is not None else [])), None
    fix = cheapest_fix(stages, source)
    if fix is not None:
        code = copy_code(fix, stages, library)
        text = f"{fix.text}: {code}; the rest is a view"
        found.append(Remedy("copy", text, code, fix.elements, fix.rest, fix.stage))
    layout = other_layout(stages, source, library)
    if layout is not None:
        found.append(layout)
    return tuple(found), fix


def instead_of_copying(stages: Sequence[Stage], one: View) -> Iterator[Remedy]:
    """Where an op copies in any case, but all of it is one view: ops that would not."""
    others = {"flatten": "ravel()", "repeat": "broadcasting, as broadcast_to() or expand() do"}
    others["copy"] = others["clone"] = others["contiguous"] = ""
    for stage in stages:
        name = stage.op.split("(")[0]
        if stage.copies and name in others:
            other = others[name]
            text = f"use {other} instead of {stage.op}" if other else f"leave out {stage.op}"
            yield Remedy("instead", f"{text}: all of it is one view then", other, 0, one)


def missed_view(
    stages: Sequence[Stage], source: Source, one: View, library: str
) -> Optional[Remedy]:
    """Where the library copies although there is one view: the view itself."""
    if library not in ("numpy", "torch") or one.mask is not None or one.is_empty:
        return None
    if library == "torch" and min(one.strides, default=0) < 0:
        return None
    if any(stage.copies for stage in stages) or library_finds(stages, library) is not False:
        return None
    code = strided_code(one, stages[0].chain.last, source, library)
    text = f"{'PyTorch' if library == 'torch' else 'NumPy'} does not see that it is one view: {code} is it"
    return Remedy("view", text, code, 0, one)


def strided_code(one: View, start: View, source: Source, library: str) -> str:
    """How to write a view of the array's memory."""
    if library == "torch":
        return f"x.as_strided({one.shape}, {one.strides}, {one.offset})"
    unit = source.unit or 1
    strides = tuple(stride * unit for stride in one.strides)
    ahead = one.offset - start.offset
    if ahead:
        return (
            "np.lib.stride_tricks.as_strided(x, ...) does not count from elsewhere; "
            f"View({one.shape}, {one.strides}, {one.offset}).numpy(memory)"
        )
    return f"np.lib.stride_tricks.as_strided(x, {one.shape}, {strides})"


def library_finds(stages: Sequence[Stage], library: str) -> Optional[bool]:
    """Whether the library itself makes views of all ops, tried without data; None if it was not tried."""
    module = sys.modules.get(library)
    start = stages[0].chain
    if module is None or len(start.views) != 1 or start.last.mask is not None or start.last.is_empty:
        return None
    view = start.last
    try:
        if library == "torch":
            x = module.empty_strided(view.shape, view.strides, device="meta")
        else:
            x = module.lib.stride_tricks.as_strided(module.zeros(1, "u1"), view.shape, view.strides)
    except Exception:
        return None
    for stage in stages[1:]:
        for name, *arguments in stage.moves:
            if name == "permute":
                x = x.permute(arguments[0]) if library == "torch" else x.transpose(arguments[0])
            elif name == "transpose":
                x = x.transpose(*arguments) if library == "torch" else x.swapaxes(*arguments)
            elif name == "reshape" and tried_reshape(x, arguments[0], library) is None:
                return False
            elif name == "reshape":
                x = tried_reshape(x, arguments[0], library)
            else:
                return None
    return True


def tried_reshape(x: Any, shape: Sequence[int], library: str) -> Any:
    """The library's own view of another shape; None if it has none."""
    try:
        if library == "torch":
            return x.view(tuple(shape))
        other = x.view()
        other.shape = tuple(shape)
        return other
    except (RuntimeError, AttributeError):
        return None


def other_layout(stages: Sequence[Stage], source: Source, library: str) -> Optional[Remedy]:
    """An order of the axes in memory, for what it all starts from, in which nothing is copied."""
    start = stages[0].chain
    view = start.last
    dense = len(start.views) == 1 and view.mask is None and distinct(view) == view.count
    if not dense or view.is_empty or view.rank > MOST_AXES:
        return None
    if any(stage.copies for stage in stages):
        return None
    for order in orders(view):
        layout = laid_out(view.shape, order)
        if rest_of(stages, 0, layout) is not None:
            code = allocate_code(view.shape, order, library)
            noun = source.noun
            text = f"allocate {noun} in another layout, then nothing is copied: {code}"
            return Remedy("layout", text, code, 0, layout)
    return None


def orders(view: View) -> Iterator[Tuple[int, ...]]:
    """All orders of axes, outermost first; those near the present one first."""
    rank = view.rank
    present = tuple(sorted(range(rank), key=lambda axis: -abs(view.strides[axis])))
    yield from sorted(
        permutations(range(rank)), key=lambda order: sum(a != b for a, b in zip(order, present))
    )


def laid_out(shape: Sequence[int], order: Sequence[int]) -> View:
    """The view of an array whose axes lie in memory in this order, outermost first."""
    strides, step = [0] * len(shape), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    return View(shape, strides)


def allocate_code(shape: Sequence[int], order: Sequence[int], library: str) -> str:
    """How to allocate an array whose axes lie in memory in this order."""
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
