"""The records that functions of ``viewmerge`` return.

They are not meant to be constructed, but to be named in annotations and in ``isinstance``.

>>> isinstance(explain("(2,3) | permute(1,0) | reshape(6)"), records.Explanation)
True
"""

from __future__ import annotations

from ._certificates import Shown
from ._expressions import Extremes, Same, Simplified
from ._found import ProgramRemedies, ProgramRemedy
from ._records import (
    Blame,
    BlamedAxes,
    BlamedMask,
    Carry,
    CopyPlan,
    Equation,
    Equivalence,
    Explanation,
    FloorTerm,
    Guard,
    Linear,
    MergedDim,
    OverflowRow,
    OverflowTable,
    Reason,
    Remedies,
)
from ._remedies import Fix, Remedy
from ._splits import Tiling
from ._stages import Source, Stage
from ._symbolic_answers import SymbolicAnswer, SymbolicCase, SymbolicExplanation, SymbolicView
from ._symbolic_copies import SymbolicReport
from ._symbolic_splits import SymbolicSplit, SymbolicSplitting

__all__ = [
    "Blame",
    "BlamedAxes",
    "BlamedMask",
    "Carry",
    "CopyPlan",
    "Equation",
    "Equivalence",
    "Explanation",
    "Extremes",
    "Fix",
    "FloorTerm",
    "Guard",
    "Linear",
    "MergedDim",
    "OverflowRow",
    "OverflowTable",
    "ProgramRemedies",
    "ProgramRemedy",
    "Reason",
    "Remedies",
    "Remedy",
    "Same",
    "Shown",
    "Simplified",
    "Source",
    "Stage",
    "SymbolicAnswer",
    "SymbolicCase",
    "SymbolicExplanation",
    "SymbolicReport",
    "SymbolicSplit",
    "SymbolicSplitting",
    "SymbolicView",
    "Tiling",
]

for _name in __all__:
    # Pickle them under their public name.
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
