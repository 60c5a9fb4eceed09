"""The definitions, as naive code that walks every index. For checking answers, not for getting
them."""

from __future__ import annotations

from typing import Optional

from . import _core
from ._core import View, Witness
from ._types import ChainLike

__all__ = ["cells", "check_witness", "single_view"]


def cells(chain: ChainLike) -> list[Optional[int]]:
    """The memory position of every index in row-major order, None for padding.

    >>> reference.cells("(2,2):(1,2) | (4)")
    [0, 2, 1, 3]
    """
    return _core.by_definition(chain)[0]


def single_view(chain: ChainLike) -> Optional[View]:
    """The one view with this function, if there is one, by the criterion.

    >>> reference.single_view("(10,3,3):(8,1,2) | (4):(4)")
    View((4,), (3,))
    """
    return _core.by_definition(chain)[1]


def check_witness(chain: ChainLike, witness: Witness) -> bool:
    """Whether a witness holds for a chain.

    >>> reference.check_witness("(3,2):(1,3) | (6)", merge("(3,2):(1,3)", "(6)").witness)
    True
    """
    return witness.check(chain)
