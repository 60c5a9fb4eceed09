"""A split as a remedy: the result over more axes, without a copy.

Example: ``x.reshape(12)`` of ``x = zeros((3, 4)).T`` copies. Over the factors (4, 3) of 12 the same
elements, in the same order, are a view: that is ``x`` itself. Of ``zeros((2, 8, 10, 64))`` with axes 1 and 2 swapped,
``reshape(2, 80, 64)`` copies, and ``reshape(2, 10, 8, 64)`` does not.

The coarsest split is forced, so there is one candidate; before it is offered, it is applied as
an op, and by the library itself without data.

Cost: a split, and a merge.
"""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Tuple

from ._core import View, ViewChain
from ._error import Error
from ._splits import split
from ._stages import Stage, first_break, is_view, replay


def cut(
    stages: Sequence[Stage],
    library: str,
    finds: Callable[[ViewChain, Sequence[Stage], str], Optional[bool]],
) -> Optional[Tuple[str, str, View]]:
    """(text, code, the view) of the last reshape over more axes; None if that is not a view.

    ``finds`` tries whether the library makes views of all stages after a chain, and returns False if it does not.
    """
    last = len(stages) - 1
    if last < 1 or first_break(stages) != last or stages[last].copies:
        return None
    # Further moves around the reshape mean the order "F".
    if [move[0] for move in stages[last].moves] != ["reshape"]:
        return None
    try:
        found = split(stages[last].chain)
    except Error:
        # The search was too long: offer nothing untried.
        return None
    shape, view = found.shape, found.view
    if not found.is_exact or found.factors is None or shape is None or view is None:
        return None
    asked = stages[last].chain.shape
    moves = (("reshape", shape),)
    chain = replay(stages[last - 1].chain, moves)
    tried = Stage(f"reshape{_written(shape)}", chain, is_view(chain), moves)
    if not tried.is_view or finds(stages[0].chain, (*stages[1:-1], tried), library) is False:
        return None
    cuts = [
        f"axis {axis} of {size} cut into {' by '.join(map(str, factors))}"
        for axis, (size, factors) in enumerate(zip(asked, found.factors))
        if len(factors) > 1
    ]
    if shape == stages[last - 1].chain.shape:
        code = ""
        told = f"leave out {stages[last].op}, over {_written(shape)} it is as it is before"
    elif last == 1:
        code = f"x.reshape{_written(shape)}"
        told = f"{code} is a view"
    else:
        code = f"y.reshape{_written(shape)}"
        told = f"{code} is a view, y being what it is after {stages[last - 1].op}"
    return f"with {', '.join(cuts)}: {told}", code, view


def _written(shape: Sequence[Any]) -> str:
    return f"({', '.join(map(str, shape))})"
