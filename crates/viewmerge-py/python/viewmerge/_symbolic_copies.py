"""``why_copy`` for unknown sizes: for which sizes it copies, and how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Iterable, Optional, Sequence, Tuple, Union

from ._symbolic import SymbolicChain, is_symbolic
from ._symbolic_answers import SymbolicAnswer


@dataclass(frozen=True)
class SymbolicReport:
    """For which sizes ops on an array are a view, and how many elements are copied otherwise.

    >>> B, T, H, D = map(sym, "BTHD")
    >>> report = why_copy(((B, T, H, D), (T * H * D, D, T * D, 1)), (B, T, H * D))
    >>> print(report)
    One view if T == 1 or H == 1: (B,T,D*H):(D*H*T,D*H,1).
    One view if D == 1: (B,T,D*H):(H*T,1,T).
    Otherwise it must copy B*D*H*T elements.
    """

    chain: SymbolicChain
    """The array and the ops."""
    answer: SymbolicAnswer
    """For which sizes it is one view."""

    @property
    def is_view(self) -> bool:
        """Whether it is a view for all sizes."""
        return bool(self.answer)

    @property
    def verdict(self) -> str:
        """ "always", "when" or "never"."""
        return self.answer.verdict

    @property
    def elements(self) -> Any:
        """How many elements a copy has, as an expression in kind."""
        return self.chain.flatten().shape[0] if self.chain.ndim else 1

    def __bool__(self) -> bool:
        return self.is_view

    def __str__(self) -> str:
        answer = self.answer
        lines = [] if answer.requires is None else [f"The ops require {answer.requires}."]
        for case in answer.cases:
            when = "for all sizes" if case.when is None else f"if {case.when}"
            lines.append(f"One view {when}: {case.view}.")
        if answer.open is not None:
            lines.append(f"Not decided if {answer.open}: ask again when the sizes are known.")
        if not answer:
            otherwise = "Otherwise it" if answer.cases else "Not one view for any size: it"
            lines.append(f"{otherwise} must copy {self.elements} elements.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<SymbolicReport {self.chain}: {self.verdict}>"


def symbolic_start(x: Any) -> Optional[SymbolicChain]:
    """A chain, if sizes or strides are unknown: from a chain, a shape, (shape, strides), or a traced tensor."""
    if isinstance(x, SymbolicChain):
        return x
    if isinstance(x, (tuple, list)):
        pair = len(x) == 2 and all(isinstance(part, (tuple, list)) for part in x)
        if not any(map(is_symbolic, (*x[0], *x[1]) if pair else x)):
            return None
        return SymbolicChain.strided(x[0], x[1]) if pair else SymbolicChain.contiguous(*x)
    shape, stride = getattr(x, "shape", None), getattr(x, "stride", None)
    if not isinstance(shape, tuple) or not callable(stride) or str(getattr(x, "layout", "torch.strided")) != "torch.strided":
        return None
    strides, offset = tuple(stride()), x.storage_offset()
    return SymbolicChain.strided(shape, strides, offset) if any(map(is_symbolic, (*shape, *strides, offset))) else None


def symbolic_report(
    start: SymbolicChain, new_shape: Any, ops: Union[str, Iterable[Any], None]
) -> SymbolicReport:
    """The report on a reshape, or on ops as text or as (name, argument, ...)."""
    chain = start
    if new_shape is not None:
        sizes: Tuple[Any, ...] = tuple(new_shape) if isinstance(new_shape, (tuple, list)) else (new_shape,)
        chain = chain.reshape(*sizes)
    for op in [ops] if isinstance(ops, str) else ops or ():
        if isinstance(op, str):
            for part in op.split("|"):
                chain = chain.apply(part.strip())
        else:
            chain = _called(chain, op)
    return SymbolicReport(chain, chain.merge())


def _called(chain: SymbolicChain, op: Sequence[Any]) -> SymbolicChain:
    name, *arguments = op
    method = getattr(chain, str(name), None)
    if str(name).startswith("_") or not callable(method):
        raise TypeError(f"unknown op {name} for unknown sizes")
    done = method(*arguments)
    if not isinstance(done, SymbolicChain):
        raise TypeError(f"unknown op {name} for unknown sizes")
    return done


SymbolicReport.__module__ = "viewmerge"
