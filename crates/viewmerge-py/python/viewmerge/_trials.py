"""Runs a function again with changes, and keeps those that copy less.

Each change is run alone; outputs and gradients are compared with those of the unchanged function, and all copied
bytes are counted, wherever. Changes that lower the sum are offered, the best first, and joined one by one as long
as the sum falls.

Example: of two needless ``contiguous()`` in a row, omitting one moves the copy to the other; omitting both saves it.

Cost: a run for each change, and one for each joined; at most ``MOST_CHANGES``, for about ``MOST_SECONDS``.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ._changes import Change, candidates, changed
from ._found import Copies, ProgramRemedies, ProgramRemedy
from ._mode import mode_class
from ._state import Outcome, State, compared, gradients, tensors_in

MOST_CHANGES = 32
"""At most so many changes are tried alone."""
MOST_SECONDS = 60.0
"""No further change is tried after so long."""


class _Runs:
    """A function that is run again and again from the same start."""

    def __init__(self, function: Callable[..., Any], args: Tuple[Any, ...], kwargs: Dict[str, Any], state: State) -> None:
        self.function, self.args, self.kwargs, self.state = function, args, kwargs, state
        self.torch = state.torch
        self.begun = perf_counter()

    def run(self, changes: Sequence[Change]) -> Outcome:
        """One run with changes."""
        begin = perf_counter()
        torch = self.torch
        self.state.restore()
        found: Copies[Any] = Copies()
        mode = mode_class()(found)

        def pause(on: bool) -> None:
            mode.paused = on

        with self.laid_out(changes):
            with changed(changes, pause, torch):
                with mode:
                    result = self.function(*self.args, **self.kwargs)
                outputs = tensors_in(result, torch)
                # Memory given to the function: what its outputs share with it is part of its meaning.
                given = {x.data_ptr() - x.storage_offset() * x.element_size(): name for name, x in self.state.tensors.values()}
                shared = {given.get(x.data_ptr() - x.storage_offset() * x.element_size(), "") for x in outputs if _has_address(x, torch)}
                made = gradients(outputs, self.state.leaves(), torch)
            values = [x.detach().clone() for x in outputs] + [None if x is None else x.detach().clone() for x in made]
            # What the function wrote into its arguments counts too.
            values += [x.detach().clone() for x in self.state.all() if not x.requires_grad]
        return Outcome(found.bytes, values, shared - {""}, perf_counter() - begin)

    @contextmanager
    def laid_out(self, changes: Sequence[Change]) -> Iterator[None]:
        """Within this context, tensors of the program have other layouts."""
        torch = self.torch
        kept: List[Tuple[Any, Any]] = []
        wanted: List[Tuple[Any, Any]] = [(change.leaf, change.strides) for change in changes if change.leaf is not None]
        if any(change.channels_last for change in changes):
            wanted += [(x, None) for x in self.state.all() if x.dim() == 4 and x.is_leaf and not x._is_view()]
        try:
            for x, strides in wanted:
                kept.append((x, x.data))
                if strides is None:
                    x.data = x.data.contiguous(memory_format=torch.channels_last)
                else:
                    x.data = torch.empty_strided(x.shape, strides, dtype=x.dtype, device=x.device).copy_(x.data)
            yield
        finally:
            for x, data in reversed(kept):
                with torch.no_grad():
                    data.copy_(x.data)
                x.data = data

    def tried(self, changes: Sequence[Change], base: Outcome) -> Optional[Tuple[Outcome, str]]:
        """The outcome of a run with changes, if it ends with the same results."""
        try:
            outcome = self.run(changes)
        except Exception:
            return None
        equal = compared(base, outcome, self.torch)
        return None if equal is None else (outcome, equal)

    def is_late(self) -> bool:
        """Whether to try no further changes."""
        return perf_counter() - self.begun > MOST_SECONDS


def _has_address(x: Any, torch: Any) -> bool:
    return type(x) in (torch.Tensor, torch.nn.Parameter) and x.layout is torch.strided and not x.is_meta


def try_changes(
    found: Copies[Any], function: Callable[..., Any], args: Tuple[Any, ...], kwargs: Dict[str, Any], state: Optional[State] = None
) -> None:
    """Tries changes of a function whose copies were found, and notes their effects."""
    if not found._raw:
        found.note = ""
        return
    if "torch" not in sys.modules or not any(raw.library == "torch" for raw in found._raw.values()):
        found.note = "remedies were not run: they are for programs of PyTorch"
        return
    after = State(function, args, kwargs)
    runs = _Runs(function, args, kwargs, state or after)
    try:
        _try(found, runs)
    finally:
        # Keep what the program itself left behind: only the runs here are undone.
        after._versions = [-1] * len(after._versions)
        after.restore()
        found._told = None


def _try(found: Copies[Any], runs: _Runs) -> None:
    torch = runs.torch
    try:
        base, again = runs.run(()), runs.run(())
    except Exception as error:
        found.note = f"remedies were not run: called again, the function raised {type(error).__name__}: {error}"
        return
    if compared(base, again, torch) != "bit-equal" or base.bytes != again.bytes:
        found.note = "remedies were not run: two runs of the function differ"
        return
    good: List[Tuple[Outcome, str, Change]] = []
    skipped = 0
    changes = candidates(found, runs.state.tensors, runs.state.modules, torch, MOST_CHANGES)
    for change in changes:
        if runs.is_late():
            break
        # Skip a change that equals a simpler one at the same place.
        if change.reshapes and any(old.place == change.place and out.bytes < base.bytes for out, _, old in good):
            skipped += 1
            continue
        found.tried += 1
        told = runs.tried([change], base)
        if told is not None and told[0].bytes <= base.bytes:
            good.append((*told, change))
    left = len(changes) - found.tried - skipped
    found.note = "" if not left else f"{left} of {len(changes)} changes were not run: no time was left"
    good.sort(key=lambda item: item[0].bytes)
    remedies: Dict[int, ProgramRemedy] = {}
    for outcome, equal, change in good:
        remedy = ProgramRemedy(change.text, change.where, base.bytes, outcome.bytes, equal, outcome.seconds)
        remedies[id(change)] = remedy
        if outcome.bytes < base.bytes:
            found._remedies.setdefault(change.key, []).append(remedy)
    chosen, reached, equal = _joined([change for _, _, change in good], runs, base)
    if chosen:
        found.best = ProgramRemedies(tuple(remedies[id(change)] for change in chosen), base.bytes, reached, equal)


def _joined(changes: List[Change], runs: _Runs, base: Outcome) -> Tuple[List[Change], int, str]:
    """Joins changes one by one, as long as each lowers the sum."""
    chosen: List[Change] = []
    reached, equal = base.bytes, ""
    left = list(changes)
    improved = True
    while improved and left and not runs.is_late():
        improved = False
        for change in list(left):
            if runs.is_late():
                break
            told = runs.tried([*chosen, change], base)
            if told is not None and told[0].bytes < reached:
                chosen.append(change)
                left.remove(change)
                reached, equal, improved = told[0].bytes, told[1], True
    return chosen, reached, equal
