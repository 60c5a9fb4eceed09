"""Traces in PyTorch's language: methods of tensors, and functions of ``torch``."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from ._trace import Traced, axes_of, axis_of, check_parts, join, plain, spread
from ._trace_numpy import tile


class TorchTraced(Traced):
    """A trace with PyTorch's ops."""

    __slots__ = ()
    library = "torch"

    def view(self, *shape: Any) -> TorchTraced:
        """As ``torch.Tensor.view``; if that would raise, the trace is not one view."""
        sizes = spread(shape)
        return self._then(f"view({join(sizes)})", ("reshape", sizes))

    def contiguous(self) -> TorchTraced:
        """As ``torch.Tensor.contiguous``: a copy, unless it is row-major already."""
        view = self.chain.merge().view
        if view is not None and view.mask is None and view.is_contiguous:
            return self._then("contiguous()")
        return self._then("contiguous()", copies="contiguous() copies what is not row-major")

    def clone(self) -> TorchTraced:
        """As ``torch.Tensor.clone``, which always copies."""
        return self._then("clone()", copies="clone() always copies")

    def flip(self, *dims: Any) -> TorchTraced:
        """As ``torch.flip``, which always copies, because strides cannot be negative."""
        axes = spread(dims)
        reason = "flip() always copies: PyTorch has no negative strides"
        return self._then(f"flip({join(axes)})", ("flip", axes), copies=reason)

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> TorchTraced:
        """As ``torch.flatten``: a view if possible."""
        if not self.ndim:
            return self._then("flatten()", ("reshape", (1,)))
        return Traced.flatten(self, start_dim, end_dim)

    def squeeze(self, dim: Any = None) -> TorchTraced:
        """As ``torch.squeeze``: axes of other sizes stay."""
        if dim is None:
            return Traced.squeeze(self)
        axes = sorted({axis_of(axis, self.ndim) for axis in axes_of(dim)}, reverse=True)
        moves = (("squeeze", axis) for axis in axes if self.shape[axis] == 1)
        return self._then(f"squeeze({plain(dim)})", *moves)

    def ravel(self) -> TorchTraced:
        """As ``torch.ravel``."""
        return self._raveled()

    def size(self, dim: Optional[int] = None) -> Any:
        """As ``torch.Tensor.size``."""
        return self.shape if dim is None else self.shape[dim]

    def dim(self) -> int:
        """The number of axes."""
        return self.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self.chain.count

    def t(self) -> TorchTraced:
        """As ``torch.t``."""
        if self.ndim > 2:
            raise ValueError(f"t() expects at most 2 axes, there are {self.ndim}")
        return self._then("t()", ("permute", tuple(reversed(range(self.ndim)))))

    def movedim(self, source: Any, destination: Any) -> TorchTraced:
        """As ``torch.movedim``."""
        return self._moved("movedim", source, destination)

    def swapdims(self, dim0: int, dim1: int) -> TorchTraced:
        """As ``torch.swapdims``."""
        return self._then(f"swapdims({dim0}, {dim1})", ("transpose", dim0, dim1))

    def narrow(self, dim: int, start: int, length: int) -> TorchTraced:
        """As ``torch.narrow``."""
        place = axis_of(dim, self.ndim)
        first = start + self.shape[place] if start < 0 else start
        if first < 0 or length < 0 or first + length > self.shape[place]:
            raise ValueError(f"narrow({dim}, {start}, {length}): axis {place} has size {self.shape[place]}")
        key = (*((None, None, None),) * place, (first, first + length, None))
        return self._then(f"narrow({dim}, {start}, {length})", ("getitem", key))

    def select(self, dim: int, index: int) -> TorchTraced:
        """As ``torch.select``."""
        key = (*((None, None, None),) * axis_of(dim, self.ndim), index)
        return self._then(f"select({dim}, {index})", ("getitem", key))

    def split(self, split_size_or_sections: Any, dim: int = 0) -> List[TorchTraced]:
        """As ``torch.split``: parts of n indices."""
        size = self.shape[axis_of(dim, self.ndim)]
        if hasattr(split_size_or_sections, "__index__"):
            each = split_size_or_sections.__index__()
            if each <= 0:
                raise ValueError(f"split: parts of {each} indices, there must be 1 or more")
            check_parts(-(-size // each))
            cuts = [*range(0, size, each), size] if size else [0, 0]
        else:
            cuts = [0]
            for part in axes_of(split_size_or_sections):
                cuts.append(cuts[-1] + part)
            if cuts[-1] != size:
                raise ValueError(f"split: the parts sum to {cuts[-1]}, axis {dim} has size {size}")
        text = f"split({plain(split_size_or_sections)}, {dim})"
        return self._parts(text, dim, list(zip(cuts, cuts[1:])))

    def chunk(self, chunks: int, dim: int = 0) -> List[TorchTraced]:
        """As ``torch.chunk``: at most n parts."""
        size = self.shape[axis_of(dim, self.ndim)]
        if chunks.__index__() <= 0:
            raise ValueError(f"chunk: into {chunks} parts, there must be 1 or more")
        each = -(-size // chunks) or 1
        check_parts(-(-size // each))
        cuts = [*range(0, size, each), size] if size else [0, 0]
        return self._parts(f"chunk({chunks}, {dim})", dim, list(zip(cuts, cuts[1:])))

    def unbind(self, dim: int = 0) -> List[TorchTraced]:
        """As ``torch.unbind``."""
        count = check_parts(self.shape[axis_of(dim, self.ndim)])
        return [self.select(dim, k) for k in range(count)]

    def repeat(self, *sizes: Any) -> TorchTraced:
        """As ``torch.Tensor.repeat``, which always copies; ``expand`` does not."""
        times = spread(sizes)
        reason = "repeat() always copies; expand() does not"
        return tile(self, times, f"repeat({join(times)})", reason)

    def __getitem__(self, key: Any) -> TorchTraced:
        for item in key if isinstance(key, tuple) else (key,):
            if isinstance(item, slice) and item.step is not None and item.step <= 0:
                raise ValueError(f"PyTorch has no negative steps, found {item.step}: flip() copies instead")
        return Traced.__getitem__(self, key)

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Any, args: Tuple[Any, ...] = (), kwargs: Optional[Dict[str, Any]] = None
    ) -> Any:
        name = getattr(func, "__name__", "")
        method = getattr(cls, name, None)
        if name.startswith("_") or method is None or not args or not isinstance(args[0], Traced):
            raise TypeError(
                f"torch.{name} is not traced: only ops that are views of one tensor, or could be, are"
            )
        return method(*args, **(kwargs or {}))


