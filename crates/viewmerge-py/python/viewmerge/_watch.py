"""Where a program copies: every op of PyTorch is seen with its real strides and storage.

``watch`` is a dispatch mode. It sees what is left of a program after reshapes,
einsums and matmuls are taken apart: a reshape that copies is a ``clone`` and a
view. An op that only moves data into other memory is recorded with the line of the
user's code; what led there, view by view, is kept by storage, so that the reason and
the remedies can be found afterwards, when the report is read.

Tensors without memory, as those that PyTorch's tracing makes, move nothing and are passed on.

Cost: some microseconds an op while watching, of which PyTorch takes the most to call a mode; nothing otherwise.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._found import Copies, Raw

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_active: list[Any] = []

# Ops whose result is a view: the method that does the same.
_VIEWS = {
    "transpose": "transpose",
    "permute": "permute",
    "view": "view",
    "_unsafe_view": "view",
    "_reshape_alias": "view",
    "expand": "expand",
    "unsqueeze": "unsqueeze",
    "squeeze": "squeeze",
    "select": "select",
    "t": "t",
    "unfold": "unfold",
    "slice": "slice",
    "detach": "",
    "alias": "",
    "lift_fresh": "",
}
_MOVES = ("clone", "_to_copy", "copy_", "flip", "roll", "repeat", "slice_backward", "select_backward", "unfold_backward")
_Key = Tuple[int, Tuple[int, ...], Tuple[int, ...], int]


class watch:
    """Records every copy that PyTorch makes for the sake of a layout, and what would avoid it.

    ``with watch() as copies:`` around any code, a model's forward and backward
    included; ``copies`` is the report. Arrays of NumPy are watched if they are marked:
    see ``mark``.

    >>> import numpy
    >>> with watch() as copies:
    ...     x = mark(numpy.zeros((4, 6)))
    ...     y = x.T.reshape(24)
    >>> len(copies), copies.bytes, copies[0].op
    (1, 192, 'reshape(24)')
    """

    def __init__(self) -> None:
        self.copies = Copies()
        self._mode: Any = None
        self._undo: Optional[Callable[[], None]] = None

    def __enter__(self) -> Copies:
        from ._marked import replace_functions

        if "torch" in sys.modules:
            self._mode = _mode_class()(self.copies)
            self._mode.__enter__()
        if "numpy" in sys.modules:
            self._undo = replace_functions()
        _active.append(self.copies)
        return self.copies

    def __exit__(self, *exception: Any) -> None:
        _active.remove(self.copies)
        if self._undo is not None:
            self._undo()
        if self._mode is not None:
            self._mode.__exit__(*exception)


def copies(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Copies:
    """Calls a function and tells where it copied; what it returned is ``result``.

    >>> import numpy
    >>> copies(lambda: mark(numpy.zeros((4, 6))).T.ravel()).times
    1
    """
    with watch() as found:
        found.result = function(*args, **kwargs)
    return found


def mark(x: Any) -> Any:
    """An array of NumPy whose copies are seen by ``watch``; as it is where nobody watches.

    The array is the same memory. What is made of it by views and ops of NumPy is marked too.

    >>> import numpy
    >>> x = numpy.zeros(3)
    >>> mark(x) is x
    True
    """
    if not _active:
        return x
    from ._marked import marked

    return marked(x)


def current() -> Optional[Copies]:
    """The report of the innermost watch."""
    return _active[-1] if _active else None


def user_line(skipped: Tuple[str, ...]) -> Tuple[str, int, str, bool]:
    """File, line and function of the innermost code that is none of a library's, and whether it is in a backward."""
    frame: Any = sys._getframe(2)
    backward = False
    last = frame
    while frame is not None:
        name = frame.f_code.co_filename
        if not name.startswith(skipped) and not name.startswith("<__array"):
            return name, frame.f_lineno, frame.f_code.co_name, backward
        backward = backward or frame.f_code.co_name == "backward"
        last, frame = frame, frame.f_back
    return last.f_code.co_filename, last.f_lineno, last.f_code.co_name, backward


_class: Any = None


def _mode_class() -> Any:
    """The dispatch mode; PyTorch is there when this is asked for."""
    global _class
    if _class is not None:
        return _class
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    skipped: Tuple[str, ...] = (_HERE, os.path.dirname(torch.__file__) + os.sep)
    try:
        import einops

        skipped = (*skipped, os.path.dirname(einops.__file__) + os.sep)
    except ImportError:
        pass
    # By the number of an op, which is quicker found than its hash; the op is kept, so that the number stays its own.
    kinds: Dict[int, Tuple[str, str, Any]] = {}
    tensor, strided = torch.Tensor, torch.strided
    # Whether tensors of a type have memory to look at.
    types_known: Dict[type, bool] = {tensor: True, torch.nn.Parameter: True}

    def kind_of(func: Any) -> Tuple[str, str, Any]:
        # An op of higher order is no overload of anything.
        name = getattr(func, "overloadpacket", func).__name__
        kind = "view" if name in _VIEWS else "move" if name in _MOVES else "write" if name.endswith("_") else "other"
        kinds[id(func)] = (kind, name, func)
        return kinds[id(func)]

    def key_of(x: Any) -> _Key:
        # (The shape as it is: making it a tuple takes longer than all the rest.)
        offset = x.storage_offset()
        return x.data_ptr() - offset * x.element_size(), x.shape, x.stride(), offset

    def has_memory(x: Any) -> bool:
        known = types_known.get(type(x))
        if known is None:
            known = types_known[type(x)] = isinstance(x, tensor) and _tells_address(x)
        return known and x.layout is strided

    class Mode(TorchDispatchMode):  # type: ignore[misc]
        supports_higher_order_operators = True

        @classmethod
        def ignore_compile_internals(cls) -> bool:
            # What is compiled runs as it does without a mode; otherwise PyTorch would refuse to compile it.
            return True

        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            # Nothing here can be compiled, and the guard against it loads the compiler with the first op.
            return False

        def __init__(self, found: Copies) -> None:
            super().__init__()
            self.found = found
            # How every view came about: (what it was a view of, the op, its arguments).
            self.made: Dict[_Key, Tuple[_Key, str, Tuple[Any, ...], int]] = {}
            self.born: Dict[int, Tuple[int, str]] = {}
            self.serial = 0
            self.waiting: Optional[Tuple[int, Raw]] = None

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Optional[Dict[str, Any]] = None
        ) -> Any:
            out = func(*args, **kwargs) if kwargs else func(*args)
            kind, name, _ = kinds.get(id(func)) or kind_of(func)
            if kind == "write" or not (type(out) is tensor and out.layout is strided or has_memory(out)):
                return out
            if kind == "other":
                self.fresh(out, name)
            elif kind == "view":
                self.viewed(args[0], out, name, args[1:])
            else:
                self.moved(args[0], out, name, args, kwargs or {})
            return out

        def fresh(self, out: Any, name: str) -> None:
            """A new memory: what is known of views of it is void."""
            self.serial += 1
            self.born[out.data_ptr() - out.storage_offset() * out.element_size()] = (self.serial, name)

        def viewed(self, x: Any, out: Any, name: str, rest: Tuple[Any, ...]) -> None:
            # (Here most of the time is spent: both are views of the same memory, which is asked for once.)
            address = x.data_ptr()
            if not address:
                return
            offset = x.storage_offset()
            begin = address - offset * x.element_size()
            shape = out.shape
            if self.waiting is not None and self.waiting[0] == begin:
                if name in ("_unsafe_view", "view"):
                    self.waiting[1].targets.append(tuple(shape))
                self.waiting = None
            below = (begin, x.shape, x.stride(), offset)
            above = (begin, shape, out.stride(), out.storage_offset())
            if below != above and _VIEWS[name]:
                self.made[above] = (below, name, rest, self.born.get(begin, (0, ""))[0])

        def moved(self, x: Any, out: Any, name: str, args: Any, kwargs: Dict[str, Any]) -> None:
            if name == "copy_":
                x, into = args[1], args[0]
                if not has_memory(x) or x.dtype is not into.dtype or x.device != into.device:
                    return
            elif not has_memory(x) or x.dtype is not out.dtype or x.device != out.device:
                self.fresh(out, name)
                return
            if out.is_meta:
                return
            key = key_of(x)
            count = out.numel()
            # The gradient of a part is more than a move, unless the part is the whole.
            if name.endswith("_backward") and (
                count != x.numel() or name == "unfold_backward" and args[3] != args[4]
            ):
                self.fresh(out, name)
                return
            if count and name != "copy_" or count and key[0] != key_of(out)[0]:
                where = user_line(skipped)
                size = out.element_size()
                memory = kwargs.get("memory_format")
                told = (name, tuple(map(_plain, args[1:])) if name != "copy_" else (), str(memory or ""))
                index = (where, told, key[1:], size)
                raw = self.found._raw.get(index)
                if raw is None:
                    raw = Raw(where, told, _laid_out(key), size, "torch", *self.history(key))
                    self.found._raw[index] = raw
                raw.count += 1
                raw.elements += count
                self.waiting = (out.data_ptr(), raw) if told[2] == "torch.contiguous_format" else None
            if name != "copy_":
                self.fresh(out, name)

        def history(self, key: _Key) -> Tuple[Any, Tuple[Any, ...], str]:
            """What the views began with, the ops that made them, and what made the memory."""
            steps: List[Tuple[str, Tuple[Any, ...]]] = []
            serial, maker = self.born.get(key[0], (0, ""))
            while key in self.made and len(steps) < 32:
                below, name, rest, then = self.made[key]
                if then != serial:
                    break
                steps.append((name, tuple(tuple(part) if isinstance(part, list) else part for part in rest)))
                key = below
            return _laid_out(key), tuple(reversed(steps)), maker

    _class = Mode
    return Mode


def _laid_out(key: _Key) -> Tuple[Tuple[int, ...], Tuple[int, ...], int]:
    """Shape, strides and offset, without the memory."""
    return tuple(key[1]), tuple(key[2]), key[3]


def _tells_address(x: Any) -> bool:
    """Whether a tensor of another type than PyTorch's own has memory: one that is traced, or wraps others, has none."""
    if hasattr(x, "fake_mode"):
        return False
    try:
        return bool(x.data_ptr() or not x.numel())
    except RuntimeError:
        return False


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, (list, tuple)) else str(value) if hasattr(value, "shape") else value


for _public in (watch, copies, mark):
    _public.__module__ = "viewmerge"
