"""The state that a function reads and writes, to run it again from the same start and compare outcomes.

The tensors and modules are those among the arguments, in the closure and in the globals that the function names. Before
every run, their values and gradients are restored, and so are the random generators.

Example: a training step writes its parameters and the statistics of its norms; from the restored state,
it repeats exactly.

Cost: a copy of all these tensors.
"""

from __future__ import annotations

import random
import sys
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

# By how much outputs that are not bit-equal may differ, relative to the largest value, by type.
_TOLERANCE = {"torch.float64": 1e-10, "torch.float32": 1e-5, "torch.float16": 1e-2, "torch.bfloat16": 2e-2}
_DEEPEST = 5


def _names_in(code: Any) -> Iterator[str]:
    """The globals that a function names, including those of nested functions."""
    yield from code.co_names
    for constant in code.co_consts:
        if hasattr(constant, "co_names"):
            yield from _names_in(constant)


class State:
    """The start state of a function."""

    def __init__(self, function: Any, args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> None:
        import torch

        self.torch = torch
        self.tensors: Dict[int, Tuple[str, Any]] = {}
        self.modules: List[Tuple[str, Any]] = []
        self._seen: Set[int] = set()
        self._collect("function", function, 0)
        for number, value in enumerate(args, 1):
            self._collect(f"argument {number}", value, 0)
        for name, value in kwargs.items():
            self._collect(name, value, 0)
        self._values = [(x, x.detach().clone(), None if x.grad is None else x.grad.clone()) for x in self.all()]
        self._versions = [x._version for x in self.all()]
        self._random = torch.get_rng_state(), random.getstate(), self._numpy_random()

    def all(self) -> List[Any]:
        """All the tensors."""
        return [x for _, x in self.tensors.values()]

    def leaves(self) -> List[Any]:
        """The leaves, whose gradients matter."""
        return [x for x in self.all() if x.is_leaf and x.requires_grad]

    def _numpy_random(self) -> Any:
        numpy = sys.modules.get("numpy")
        return None if numpy is None else numpy.random.get_state()

    def _collect(self, name: str, value: Any, deep: int) -> None:
        torch = self.torch
        if deep > _DEEPEST or id(value) in self._seen or len(self._seen) > 10_000:
            return
        if isinstance(value, torch.Tensor):
            self._seen.add(id(value))
            if value.layout is torch.strided and not value.is_meta and not value.is_inference() and type(value) in (torch.Tensor, torch.nn.Parameter):
                self.tensors[id(value)] = (name, value)
        elif isinstance(value, torch.nn.Module):
            self._seen.add(id(value))
            self.modules.append((name, value))
            for part, x in [*value.named_parameters(), *value.named_buffers()]:
                self._collect(f"{name}.{part}", x, deep + 1)
        elif isinstance(value, (list, tuple, dict)):
            self._seen.add(id(value))
            parts = value.items() if isinstance(value, dict) else enumerate(value)
            for key, part in list(parts)[:1000]:
                self._collect(f"{name}[{key!r}]", part, deep + 1)
        elif callable(value):
            self._seen.add(id(value))
            self._collect_function(value, deep)

    def _collect_function(self, value: Any, deep: int) -> None:
        """Collects what a function holds: its bound object, its closure, its defaults, and the globals it names."""
        owner = getattr(value, "__self__", None)
        if owner is not None and not isinstance(owner, type(sys)):
            self._collect("self", owner, deep + 1)
        for part in (getattr(value, "func", None), getattr(value, "args", None), getattr(value, "keywords", None)):
            if part is not None:
                self._collect("argument", part, deep + 1)
        code = getattr(value, "__code__", None)
        if code is None:
            return
        for name, cell in zip(code.co_freevars, getattr(value, "__closure__", None) or ()):
            try:
                self._collect(name, cell.cell_contents, deep + 1)
            except ValueError:
                continue
        for name in _names_in(code):
            if name in value.__globals__ and not isinstance(value.__globals__[name], type):
                self._collect(name, value.__globals__[name], deep + 1)

    def restore(self) -> None:
        """Restores everything."""
        torch = self.torch
        with torch.no_grad():
            for place, (x, value, grad) in enumerate(self._values):
                # Kernels write the statistics of norms without a new version.
                if x._version != self._versions[place] or not x.requires_grad:
                    x.copy_(value)
                    self._versions[place] = x._version
                x.grad = None if grad is None else grad.clone()
        torch.set_rng_state(self._random[0])
        random.setstate(self._random[1])
        if self._random[2] is not None:
            sys.modules["numpy"].random.set_state(self._random[2])


def tensors_in(value: Any, torch: Any, deep: int = 0) -> List[Any]:
    """All tensors of a result."""
    if isinstance(value, torch.Tensor):
        return [value]
    if deep > 6:
        return []
    if isinstance(value, dict):
        parts: Any = value.values()
    elif isinstance(value, (list, tuple, set)):
        parts = value
    else:
        parts = vars(value).values() if hasattr(value, "__dataclass_fields__") else ()
    return [x for part in parts for x in tensors_in(part, torch, deep + 1)]


class Outcome(NamedTuple):
    """The outcome of a run."""

    bytes: int
    values: List[Any]
    """Outputs, then gradients; None for a gradient that is not there."""
    shared: Set[str]
    """Which of what the function was given its outputs share memory with."""
    seconds: float


def gradients(outputs: List[Any], leaves: List[Any], torch: Any) -> List[Any]:
    """The gradients that the function computed; if it computed none, those of its outputs."""
    made = [x.grad for x in leaves]
    if any(grad is not None for grad in made):
        return [None if grad is None else grad.detach().clone() for grad in made]
    ends = [x for x in outputs if x.requires_grad and (x.is_floating_point() or x.is_complex())]
    if not ends or not leaves:
        return []
    generator = torch.Generator().manual_seed(0)
    weights = [torch.randn(x.shape, generator=generator).to(x) for x in ends]
    return list(torch.autograd.grad(ends, leaves, weights, allow_unused=True))


def compared(one: Outcome, other: Outcome, torch: Any) -> Optional[str]:
    """How two outcomes agree: "bit-equal", or the largest difference; None if they do not."""
    if len(one.values) != len(other.values) or other.shared - one.shared:
        return None
    farthest = 0.0
    for a, b in zip(one.values, other.values):
        if a is None or b is None:
            if a is not b:
                return None
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return None
        if torch.equal(a, b):
            continue
        if str(a.dtype) not in _TOLERANCE or not torch.equal(a.isnan(), b.isnan()):
            return None
        a, b = a.nan_to_num().double(), b.nan_to_num().double()
        apart = float((a - b).abs().max() / a.abs().max().clamp_min(1e-30))
        if apart > _TOLERANCE[str(one.values[0].dtype) if str(one.values[0].dtype) in _TOLERANCE else "torch.float32"]:
            return None
        farthest = max(farthest, apart)
    return "bit-equal" if farthest == 0 else f"within {farthest:.0e} of the largest value"
