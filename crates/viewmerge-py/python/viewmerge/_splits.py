"""Splits: whether a chain is one view after cutting axes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

from . import _core
from ._core import GuardedView, View, ViewChain

Factors = Tuple[Tuple[int, ...], ...]
Pads = Tuple[Tuple[int, int], ...]


@dataclass(frozen=True)
class Tiling:
    """How a chain can be cut so that it needs no division; true if it can.

    >>> tiling = ViewChain.parse("(4,3):(1,4) | (12)").split()
    >>> tiling.factors, tiling.view
    (((4, 3),), View((4, 3), (1, 4)))
    """

    factors: Optional[Factors]
    """For every axis the factors it is cut into, slowest first; None if no split was found."""
    pads: Optional[Pads]
    """How much every axis is padded before it is cut; None if that is not needed."""
    view: Optional[View]
    """The view over the factors."""
    guarded: Optional[GuardedView]
    """The guarded view over the factors, where no view is."""
    witness: Optional[Dict[str, Any]]
    """Why no split alone is one view; None if one is."""

    @property
    def shape(self) -> Optional[Tuple[int, ...]]:
        """All factors in order."""
        if self.factors is None:
            return None
        return tuple(factor for axis in self.factors for factor in axis)

    @property
    def is_exact(self) -> bool:
        """Whether the chain is one view over these factors, without padding and guards."""
        return self.witness is None

    def __bool__(self) -> bool:
        return self.factors is not None


Tiling.__module__ = "viewmerge"


def split(chain: ViewChain) -> Tiling:
    """The coarsest split over which a chain is one view; see ``ViewChain.split``."""
    answer = json.loads(_core.tiling(chain))
    found = answer.get("padded") or answer.get("guarded") or answer
    factors = found.get("split")
    view, guarded = found.get("view"), found.get("guarded")
    return Tiling(
        factors=None if factors is None else tuple(tuple(axis) for axis in factors),
        pads=tuple((before, after) for before, after in found["pads"]) if "pads" in found else None,
        view=None if view is None else View.from_json(json.dumps(view)),
        guarded=None if guarded is None else GuardedView.from_json(json.dumps(guarded)),
        witness=answer.get("witness"),
    )
