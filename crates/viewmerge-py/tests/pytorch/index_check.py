"""Finds moved data without knowing any op: every op is repeated on a tensor whose elements are the numbers of their own
places in memory. If the result holds only such numbers (and 0, for fill values), and the real result has the values at these
places, the op has moved data, and the numbers show how much.

It shares nothing with ``watch`` but the definition: an op moves data if one tensor alone, of the same type, is written into
other memory. Ops that compute but happen to return their input (a product by 1, a sum of one element) are excluded by name.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode

# Ops that compute, by the beginning of their names.
ARITHMETIC = (
    "mul add sub rsub div pow clamp relu abs neg sum mean amax amin max min cum prod norm var std gelu silu sigmoid tanh "
    "softmax _softmax _log_softmax dropout native_ upsample avg_pool max_pool adaptive _adaptive hardswish hardtanh "
    "hardsigmoid leaky elu threshold round floor ceil trunc fmod remainder nan_to_num tril triu bitwise logical sort "
    "to_copy_dtype any all maximum minimum square sqrt exp log fill zero_ where masked im2col col2im _unsafe_index"
).split()


def begins(x: Any) -> int:
    """The address of a tensor's memory."""
    return int((x.untyped_storage() if hasattr(x, "untyped_storage") else x.storage()).data_ptr())


def places(x: Any) -> Any:
    """A tensor of the same layout whose elements are numbers of places, from 1 on."""
    extent = 1 + sum((size - 1) * stride for size, stride in zip(x.shape, x.stride()))
    return torch.arange(1, extent + 1, dtype=torch.float64).as_strided(x.shape, x.stride())


class IndexCheck(TorchDispatchMode):  # type: ignore[misc]
    """Counts bytes and times, by op."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: Dict[str, int] = {}
        self.times = 0

    @property
    def total(self) -> int:
        return sum(self.bytes.values())

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Optional[Dict[str, Any]] = None) -> Any:
        kwargs = kwargs or {}
        name = func.overloadpacket.__name__
        composite = "CompositeImplicitAutograd"
        if torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), composite):
            # As without a mode: kernels know which tensors are views, and choose by that.
            key = torch._C.DispatchKey.ADInplaceOrView
            hidden = torch._C._dispatch_tls_is_dispatch_key_excluded(key)
            torch._C._dispatch_tls_set_dispatch_key_excluded(key, False)
            try:
                with self:
                    return func._op_dk(getattr(torch._C.DispatchKey, composite), *args, **kwargs)
            finally:
                torch._C._dispatch_tls_set_dispatch_key_excluded(key, hidden)
        if name == "copy_":
            into, x = args[:2]
            elsewhere = into.data_ptr() != x.data_ptr() or into.stride() != x.stride()
            if into.dtype is x.dtype and into.device == x.device and into.numel() and elsewhere:
                self.note(name, into.numel(), into)
            return func(*args, **kwargs)
        before = self.lone_input(args, kwargs)
        kept = before[1].detach().clone() if before is not None else None
        out = func(*args, **kwargs)
        if before is not None and isinstance(out, torch.Tensor) and not name.endswith("_"):
            with torch.no_grad():
                self.look(func, name, args, kwargs, before, kept, out)
        return out

    def note(self, name: str, elements: int, out: Any) -> None:
        self.times += 1
        self.bytes[name] = self.bytes.get(name, 0) + elements * out.element_size()

    @staticmethod
    def lone_input(args: Any, kwargs: Any) -> Optional[Tuple[Any, Any]]:
        """The only nonempty tensor among an op's arguments, and its place."""
        found: List[Tuple[Any, Any]] = []
        for place, value in [*enumerate(args), *kwargs.items()]:
            if isinstance(value, torch.Tensor):
                found.append((place, value))
            elif isinstance(value, (list, tuple)):
                found += [((place, k), part) for k, part in enumerate(value) if isinstance(part, torch.Tensor) and part.numel()]
        return found[0] if len(found) == 1 and found[0][1].layout is torch.strided else None

    def look(self, func: Any, name: str, args: Any, kwargs: Any, before: Any, kept: Any, out: Any) -> None:
        place, x = before
        if any(name.startswith(word) for word in ARITHMETIC) or name in ("t", "view"):
            return
        if out.layout is not torch.strided or out.dtype is not x.dtype or not out.numel() or not x.numel() or begins(out) == begins(x):
            return
        given: List[Any] = list(args)
        numbers = places(x)
        if isinstance(place, tuple):
            given[place[0]] = [numbers if part is x else part.double() for part in given[place[0]]]
        elif isinstance(place, int):
            given[place] = numbers
        else:
            return
        told = {key: torch.float64 if key == "dtype" else value for key, value in kwargs.items()}
        try:
            found = func(*given, **told)
        except (RuntimeError, TypeError, NotImplementedError):
            return
        if not isinstance(found, torch.Tensor) or found.shape != out.shape or found.dtype is not torch.float64:
            return
        known = set(numbers.flatten().tolist())
        if not set(found.flatten().tolist()) <= known | {0.0}:
            return
        moved = found != 0
        if not bool(moved.any()):
            return
        values = torch.zeros(int(numbers.max()) + 1, dtype=x.dtype)
        values[numbers.long().flatten()] = kept.flatten()
        expected, actual = values[found.long()][moved], out.detach()[moved]
        if bool(torch.equal(expected, actual)) or bool(((expected == actual) | (expected != expected)).all()):
            self.note(name, int(moved.sum()), out)
