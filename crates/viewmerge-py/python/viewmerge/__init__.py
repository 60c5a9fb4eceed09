"""The exact algebra of tensor views: is this stack of views one view, or must data be copied, and why?

>>> merge("(10,3,3):(8,1,2)", "(4):(4)").view
View((4,), (3,))
>>> print(merge("(10,3,3):(8,1,2)", "(6):(4)"))
not one view: the step along axis 0 is +3 at (0), but +8 at (4)

===============================================  =========================================
you want                                         see
===============================================  =========================================
a view, of an array or of your own               ``View``, ``View.of``
a stack of views                                 ``ViewChain``
one view or not, and why not                     ``merge``, ``Verdict``, ``Witness``
an answer within a limit, or to a long list      ``merge_within``, ``merge_many``
why an array is copied, and what would help      ``why_copy``, ``trace``
where a whole program copies                     ``watch``, ``copies``, ``mark``
an answer with a proof, and a checker            ``certify``, ``Verdict.certificate``, ``verify``
how few bytes a whole model must copy            ``plan``
whether two stacks are the same function         ``equivalent``
why not, what is to blame, what would help       ``explain``, ``overflow_table``, ``cheapest_copy``
for which strides a view merges                  ``conditions``, ``longest_mergeable``
for which unknown sizes it is one view           ``sym``, ``SymbolicChain``
which axes can be fused             ``merge_dims``
one view after cutting axes                      ``ViewChain.split``, ``Tiling``
CuTe layouts                                     ``viewmerge.cute``
an index expression in C, Python, MLIR ...       ``ViewChain.expr``, ``IndexForm``, ``GuardedView``
an index expression of yours, simplified         ``simplify``, ``same``, ``Domain``
a NumPy array or PyTorch tensor                  ``View.numpy``, ``View.torch``
a picture                                        ``View.svg``, ``ViewChain.svg``
the definitions, as naive code                   ``viewmerge.reference``
classes of the answers                           ``viewmerge.records``
===============================================  =========================================
"""

from . import cute, records, reference
from ._certificates import Certificate, certify, verify
from ._copies import CopyReport, why_copy
from ._core import (
    LANGUAGES,
    MAX_ELEMENTS,
    MAX_POSITION,
    Conditions,
    GuardedView,
    Hole,
    IndexForm,
    Merged,
    NotMergeable,
    Step,
    StridePattern,
    Verdict,
    Verdicts,
    View,
    ViewChain,
    Witness,
    __version__,
    conditions,
    element_count,
    longest_mergeable,
    merge,
    merge_many,
    merge_within,
    ravel,
    unravel,
)
from ._error import Error, OutOfBounds
from ._expressions import Domain, same, simplify
from ._found import Copies, Copy
from ._plan import Plan, PlanBound, PlanCopy, PlanCost, plan
from ._questions import cheapest_copy, equivalent, explain, merge_dims, overflow_table
from ._sym import Sym, sym
from ._symbolic import SymbolicChain
from ._trace import Traced, trace
from ._watch import copies, mark, watch

__all__ = [
    "Certificate",
    "Conditions",
    "Copies",
    "Copy",
    "CopyReport",
    "Domain",
    "Error",
    "GuardedView",
    "Hole",
    "IndexForm",
    "LANGUAGES",
    "MAX_ELEMENTS",
    "MAX_POSITION",
    "Merged",
    "NotMergeable",
    "OutOfBounds",
    "Plan",
    "PlanBound",
    "PlanCopy",
    "PlanCost",
    "Step",
    "StridePattern",
    "Sym",
    "SymbolicChain",
    "Traced",
    "Verdict",
    "Verdicts",
    "View",
    "ViewChain",
    "Witness",
    "__version__",
    "certify",
    "cheapest_copy",
    "conditions",
    "copies",
    "cute",
    "element_count",
    "equivalent",
    "explain",
    "longest_mergeable",
    "mark",
    "merge",
    "merge_dims",
    "merge_many",
    "merge_within",
    "overflow_table",
    "plan",
    "ravel",
    "records",
    "reference",
    "same",
    "simplify",
    "sym",
    "trace",
    "unravel",
    "verify",
    "watch",
    "why_copy",
]
