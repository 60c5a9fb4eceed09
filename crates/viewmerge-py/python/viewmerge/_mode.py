"""The dispatch mode that sees every op of PyTorch, with its real strides and storage.

It sees a program after reshapes, einsums and matmuls are decomposed: a reshape that copies is a ``clone`` and an
``_unsafe_view``. In inference mode they arrive whole, and are decomposed here. An op that only moves data into other memory
is noted with the trail of its call; its tensor keeps the views that led there, so that the reason can be found later, when
the report is read.

Example: ``x.transpose(1, 2).contiguous()`` is ``transpose``, noted as a view of ``x``, and ``clone``, noted
as a copy of that view.

Tensors without memory, such as those of PyTorch's tracing, move nothing and are passed on.

Cost: some microseconds for each op, most of them PyTorch's for calling a mode.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any, Callable, Dict, List, Optional, Tuple

from ._found import Copies, Raw
from ._places import Trail, in_engine, module_path, operand_of, place_of, trail_of

Layout = Tuple[Tuple[int, ...], Tuple[int, ...], int]

_VIEW, _VIEWS, _MOVE, _WRITE, _OTHER, _ALIAS, _COMPOSITE, _TURN = range(8)
# Ops whose result is a view that a trace can repeat.
_KNOWN_VIEWS = frozenset(
    "transpose permute view _unsafe_view _reshape_alias expand unsqueeze squeeze select t unfold slice diagonal".split()
)
_SAME = frozenset("detach alias lift_fresh".split())
_PARTS = frozenset("split split_with_sizes unbind unsafe_split unsafe_split_with_sizes".split())
_MOVES = frozenset(
    "clone _to_copy copy_ flip roll rot90 repeat cat stack constant_pad_nd pixel_shuffle pixel_unshuffle channel_shuffle "
    "native_channel_shuffle slice_backward select_backward unfold_backward".split()
)
# In-place ops that change which view a tensor is.
_TURNS = frozenset("transpose_ t_ squeeze_ unsqueeze_ resize_ set_ as_strided_ swapaxes_ swapdims_ resize_as_".split())
# Ops that allocate memory with a layout of the program's choice.
FACTORIES = frozenset("zeros ones full empty rand randn randint arange eye linspace new_zeros new_ones new_full new_empty".split())
# Calls that copy the tensor they are called on, so the operand needs no name.
_OF_ONE = frozenset("contiguous clone reshape flatten to flip roll repeat view ravel pad tensor [] []=".split())
_DEEPEST = 32
_MOST_FORWARD = 1 << 16


# The history of a tensor: (that of the tensor it is a view of, the op, its further arguments, the root, the depth). A
# root is the memory under a series of views: (shape, strides, offset, address, the op that made it). Plain tuples,
# because one is made for every view.
Root = Tuple[Any, Any, int, int, str]
Node = Tuple[Any, str, Any, Root, int]


_class: Any = None


def mode_class() -> Any:
    """The dispatch mode; PyTorch must be imported."""
    global _class
    if _class is None:
        _class = _make()
    return _class


def begin_of(x: Any) -> int:
    """The address of a tensor's memory."""
    return int(x.data_ptr()) - int(x.storage_offset()) * int(x.element_size())


def layout_of(x: Any) -> Layout:
    """Shape, strides and offset."""
    return tuple(x.shape), tuple(x.stride()), int(x.storage_offset())


def tells_address(x: Any) -> bool:
    """Whether a tensor of a foreign type has memory: one that is traced, or wraps others, has none."""
    if hasattr(x, "fake_mode"):
        return False
    try:
        return bool(x.data_ptr() or not x.numel())
    except RuntimeError:
        return False


def _steps(node: Optional[Node]) -> List[Tuple[str, Tuple[Any, ...]]]:
    """The ops that led to a tensor, the first one first."""
    steps: List[Tuple[str, Tuple[Any, ...]]] = []
    while node is not None:
        below, name, rest, _, _ = node
        steps.append((name, tuple(tuple(part) if isinstance(part, list) else part for part in rest)))
        node = below
    return steps[::-1]


def _plain(value: Any) -> Any:
    return tuple(value) if isinstance(value, (list, tuple)) else str(value) if hasattr(value, "shape") else value


def _moved_count(name: str, args: Any, x: Any, out: Any) -> int:
    """How many elements of x an op moved into its result; 0 if it did more than move."""
    count = int(out.numel())
    if name == "constant_pad_nd":
        count, pads = 1, list(args[1])
        for axis, size in enumerate(reversed(x.shape)):
            low, high = pads[2 * axis : 2 * axis + 2] if 2 * axis < len(pads) else (0, 0)
            count *= max(size + min(low, 0) + min(high, 0), 0)
        return count
    if name.endswith("_backward"):
        # The other elements are 0. Overlapping windows are added up, which is more than a move.
        return 0 if name == "unfold_backward" and args[3] > args[4] else int(x.numel())
    return count


def _make() -> Any:
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    # By the id of an op, which is faster than its hash; the op is kept alive, so that its id stays unique.
    kinds: Dict[int, Tuple[int, str, Any]] = {}
    tensor, strided = torch.Tensor, torch.strided
    module_type: type = torch.nn.Module
    types_known: Dict[type, bool] = {tensor: True, torch.nn.Parameter: True}
    sequence: Optional[Callable[[], int]] = getattr(torch._C._autograd, "_get_sequence_nr", None)
    current_node: Callable[[], Any] = getattr(torch._C, "_current_autograd_node", lambda: None)
    composite = torch._C.DispatchKey.CompositeImplicitAutograd
    views_tracked = torch._C.DispatchKey.ADInplaceOrView
    tls_excluded = getattr(torch._C, "_dispatch_tls_is_dispatch_key_excluded", lambda key: True)
    tls_exclude = getattr(torch._C, "_dispatch_tls_set_dispatch_key_excluded", lambda key, on: None)
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key

    def kind_of(func: Any) -> Tuple[int, str, Any]:
        # A higher-order op has no overload packet.
        name = getattr(func, "overloadpacket", func).__name__
        schema = getattr(func, "_schema", None)
        returns: Any = () if schema is None else schema.returns
        aliases = bool(returns) and getattr(returns[0], "alias_info", None) is not None
        kind = _OTHER
        if name in _KNOWN_VIEWS:
            kind = _VIEW
        elif name in _PARTS:
            kind = _VIEWS
        elif name in _MOVES or name.endswith("_copy") or name.startswith(("reflection_pad", "replication_pad")):
            kind = _OTHER if name.endswith("pad_backward") else _MOVE
        elif schema is not None and schema.name.startswith("aten::") and has_kernel(func.name(), "CompositeImplicitAutograd"):
            kind = _COMPOSITE
        elif name in _TURNS:
            kind = _TURN
        elif name.endswith("_"):
            kind = _WRITE
        elif aliases or name in _SAME:
            kind = _ALIAS
        kinds[id(func)] = (kind, name, func)
        return kinds[id(func)]

    def has_memory(x: Any) -> bool:
        known = types_known.get(type(x))
        if known is None:
            known = types_known[type(x)] = isinstance(x, tensor) and tells_address(x)
        return known and x.layout is strided

    def where_begins(x: Any) -> int:
        """The address of a tensor's memory; -1 for anything else."""
        return begin_of(x) if isinstance(x, tensor) and has_memory(x) else -1

    class Mode(TorchDispatchMode):  # type: ignore[misc]
        supports_higher_order_operators = True

        @classmethod
        def ignore_compile_internals(cls) -> bool:
            # Compiled code runs as without a mode; otherwise PyTorch would refuse to compile it.
            return True

        @classmethod
        def _should_skip_dynamo(cls) -> bool:
            # Nothing here is ever compiled, and the guard against it would load the compiler at the first op.
            return False

        def __init__(self, found: Copies[Any]) -> None:
            super().__init__()
            self.found = found
            # By the id of a tensor: its history, or the name of the op that made it. Every op overwrites the entry of
            # its result, so that a reused id is not mistaken for the old tensor.
            self.nodes: Dict[int, Any] = {}
            self.births: Dict[int, Trail] = {}
            # The calls of ops that PyTorch will differentiate, by its sequence number.
            self.forward: Dict[int, Trail] = {}
            self.number = -1
            self.waiting: Optional[Tuple[int, Raw]] = None
            self.paused = False

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Optional[Dict[str, Any]] = None
        ) -> Any:
            kind, name, _ = kinds.get(id(func)) or kind_of(func)
            if kind == _COMPOSITE:
                return self.apart(func, args, kwargs or {})
            if self.paused:
                return func(*args, **(kwargs or {}))
            if kind == _MOVE:
                begin = perf_counter()
                out = func(*args, **(kwargs or {}))
                took = perf_counter() - begin
            else:
                out = func(*args, **kwargs) if kwargs else func(*args)
            if sequence is not None:
                number = sequence()
                if number != self.number:
                    self.number = number
                    self.forward[number - 1] = trail_of(sys._getframe())
                    if len(self.forward) > _MOST_FORWARD:
                        for old in list(self.forward)[: _MOST_FORWARD // 2]:
                            del self.forward[old]
            if kind == _WRITE:
                return out
            if type(out) is tensor and out.layout is strided or has_memory(out):
                if kind == _OTHER:
                    self.nodes[id(out)] = name
                    if name in FACTORIES:
                        self.births[begin_of(out)] = trail_of(sys._getframe())
                elif kind == _VIEW:
                    if self.waiting is not None:
                        self.regrouped(args[0], out, name)
                    x = args[0]
                    below = self.nodes.get(id(x))
                    if below.__class__ is tuple and below[4] < _DEEPEST:
                        self.nodes[id(out)] = (below, name, args[1:], below[3], below[4] + 1)
                    else:
                        maker = below if below.__class__ is str else ""
                        root = (x.shape, x.stride(), x.storage_offset(), x.data_ptr(), maker)
                        self.nodes[id(out)] = (None, name, args[1:], root, 1)
                elif kind == _MOVE:
                    self.moved(name, args, kwargs or {}, out, took)
                elif kind == _ALIAS:
                    if args and isinstance(args[0], tensor) and name in _SAME:
                        self.nodes[id(out)] = self.nodes.get(id(args[0]))
                    else:
                        self.nodes.pop(id(out), None)
                elif kind == _TURN:
                    self.nodes.pop(id(out), None)
            elif isinstance(out, (list, tuple)):
                for place, part in enumerate(out):
                    if isinstance(part, tensor):
                        self.nodes[id(part)] = self.node(args[0], name, (place, *args[1:])) if kind == _VIEWS else name
            return out

        def apart(self, func: Any, args: Any, kwargs: Dict[str, Any]) -> Any:
            """Decomposes an op as PyTorch does without a mode.

            It calls the op's own kernel, because its Python decomposition is for tracing and may copy
            differently; and it lets the kernel know which tensors are views, which a mode does not see but on
            which matmul's choice depends.
            """
            hidden = tls_excluded(views_tracked)
            tls_exclude(views_tracked, False)
            try:
                with self:
                    return func._op_dk(composite, *args, **kwargs)
            finally:
                tls_exclude(views_tracked, hidden)

        def node(self, x: Any, name: str, rest: Tuple[Any, ...]) -> Optional[Node]:
            """The history of one of several views of a tensor."""
            below = self.nodes.get(id(x))
            if below.__class__ is tuple and below[4] < _DEEPEST:
                return (below, name, rest, below[3], below[4] + 1)
            maker = below if isinstance(below, str) else ""
            return (None, name, rest, (x.shape, x.stride(), x.storage_offset(), x.data_ptr(), maker), 1)

        def regrouped(self, x: Any, out: Any, name: str) -> None:
            """A reshape that copies is a clone followed by this; after any other clone, it is the program's own view."""
            begin, raw = self.waiting or (0, None)
            self.waiting = None
            if raw is not None and name == "_unsafe_view" and x.data_ptr() == begin:
                target = tuple(out.shape)
                if target not in raw.targets and len(raw.targets) < 64:
                    raw.targets.append(target)

        def moved(self, name: str, args: Any, kwargs: Dict[str, Any], out: Any, took: float) -> None:
            into, x = (args[0], args[1]) if name == "copy_" else (out, args[0])
            if name in ("cat", "stack"):
                filled = [part for part in x if isinstance(part, tensor) and part.numel()]
                x = filled[0] if len(filled) == 1 else None
            before = self.nodes.get(id(x))
            if name != "copy_":
                self.nodes[id(out)] = name
            if not isinstance(x, tensor) or not has_memory(x) or x.dtype is not into.dtype or x.device != into.device:
                return
            if out.is_meta or name == "copy_" and into.data_ptr() == x.data_ptr() and into.stride() == x.stride():
                return
            elements = _moved_count(name, args, x, out)
            begin = begin_of(x)
            if not elements or name != "copy_" and begin == begin_of(out):
                return
            # (The shape unconverted: making it a tuple takes longer than everything else.)
            layout = (x.shape, x.stride(), x.storage_offset())
            # The caller's frame, which always exists: a frame that holds itself would keep its tensors alive.
            frame = sys._getframe(1)
            trail, backward = self.called(frame)
            if name == "copy_":
                given: Tuple[Any, ...] = ()
            else:
                given = tuple(map(_plain, args[1:]))
            told = (name, given, str(kwargs.get("memory_format") or ""))
            index = (trail, backward, told, layout, out.element_size())
            raw = self.found._raw.get(index)
            if raw is None:
                raw = self.first(frame, trail, backward, told, x, before, begin)
                self.found._raw[index] = raw
            raw.count += 1
            raw.elements += elements
            raw.seconds += took
            self.waiting = (out.data_ptr(), raw) if told[2] == "torch.contiguous_format" else None

        def called(self, frame: Any) -> Tuple[Trail, str]:
            """The trail of a call; for the engine's own ops, the trail of the forward call and the op it is the backward of."""
            trail = trail_of(frame)
            if not in_engine(trail):
                return trail, ""
            node = current_node()
            if node is None:
                return trail, "unknown" if trail else "thread"
            return self.forward.get(node._sequence_nr(), trail), str(node.name())

        def first(self, frame: Any, trail: Trail, backward: str, told: Any, x: Any, before: Any, begin: int) -> Raw:
            """Adds a copy with a new place or layout."""
            raw = Raw(trail, backward, told, layout_of(x), x.element_size(), "torch", dtype=str(x.dtype))
            raw.root, raw.begin, raw.maker = raw.view, begin, before if isinstance(before, str) else ""
            if before.__class__ is tuple:
                shape, strides, offset, address, maker = before[3]
                if address - offset * x.element_size() == begin:
                    raw.root, raw.maker = (tuple(shape), tuple(strides), offset), maker
                    raw.steps = tuple(_steps(before))
            if raw.maker in FACTORIES:
                raw.born = self.births.get(begin, ())
            if not backward:
                raw.module = module_path(frame, module_type)
                place = place_of(trail)
                if place.called not in _OF_ONE:
                    raw.operand = operand_of(frame, place, where_begins, begin)
            return raw

    return Mode
