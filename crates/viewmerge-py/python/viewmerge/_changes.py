"""Changes that may make a program copy less, each of which can be applied to a second run.

A change is applied while the program runs: a call of a PyTorch function at a line is replaced, as if the line had
been edited; or a parameter, a buffer or an argument gets another layout before the start.

Example: the change "leave out contiguous()" at a line has ``x.contiguous()`` return ``x`` there.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from ._found import Copies, Raw, row_key
from ._mode import FACTORIES
from ._places import Place, place_of, short, to_change, trail_of
from ._reasons import _is_in_place, is_reshape, off_stride, op_name, stages_of
from ._remedies import allocate_code, laid_out, orders, rest_of
from ._stages import distinct

Call = Callable[[Any, Any, Any], Any]


@dataclass
class Change:
    """A change of a program."""

    text: str
    key: Any
    """The row it is for; None for all of the function."""
    place: Optional[Place] = None
    call: Optional[Call] = None
    """What is called instead: of the function, its arguments and keywords."""
    leaf: Any = None
    """A tensor of the program that is laid out otherwise, and its strides."""
    strides: Tuple[int, ...] = ()
    channels_last: bool = False
    reshapes: bool = False
    """Whether ``view`` of what is given back is to be ``reshape``."""

    @property
    def where(self) -> str:
        """The line to change."""
        if self.place is None:
            return ""
        file, line, _ = to_change(self.place.user, self.place.inner)
        return f"{short(file)}:{line}"


def _leave_out(func: Any, args: Any, kwargs: Any) -> Any:
    return args[0]


def _expand(func: Any, args: Any, kwargs: Any) -> Any:
    x = args[0]
    times = args[1:] if len(args) > 2 or not isinstance(args[1], (list, tuple)) else args[1]
    shape = (1,) * (len(times) - x.dim()) + tuple(x.shape)
    if any(n != 1 and r != 1 for n, r in zip(shape, times)) or 0 in times:
        return func(*args, **kwargs)
    return x.expand([n * r for n, r in zip(shape, times)])


def _without_empties(func: Any, args: Any, kwargs: Any) -> Any:
    filled = [x for x in args[0] if x.numel()]
    if len(filled) != 1:
        return func(*args, **kwargs)
    if func.__name__ == "stack":
        return filled[0].unsqueeze(args[1] if len(args) > 1 else kwargs.get("dim", 0))
    return filled[0]


def _before_expand(func: Any, args: Any, kwargs: Any) -> Any:
    """Applies the op to one of the equal parts of an expanded tensor, then expands the result."""
    x = args[0]
    small = x
    for axis, (size, stride) in enumerate(zip(x.shape, x.stride())):
        if stride == 0 and size > 1:
            small = small.narrow(axis, 0, 1)
    if func.__name__ in ("reshape", "flatten", "view"):
        return func(small.contiguous().expand(x.shape), *args[1:], **kwargs)
    return func(small, *args[1:], **kwargs).expand(x.shape)


def _not_in_place(torch: Any) -> Call:
    def call(func: Any, args: Any, kwargs: Any) -> Any:
        name = func.__name__[:-1]
        for owner in (torch._C._nn, torch, torch.Tensor):
            other = getattr(owner, name, None)
            if other is not None:
                return other(*args, **kwargs)
        return func(*args, **kwargs)

    return call


def _relaid(strides: Tuple[int, ...], pause: Callable[[bool], None], torch: Any) -> Call:
    def call(func: Any, args: Any, kwargs: Any) -> Any:
        x = func(*args, **kwargs)
        if not isinstance(x, torch.Tensor) or x.dim() != len(strides):
            return x
        # The program would allocate this layout at once, so the copy made here does not count.
        pause(True)
        try:
            with torch.no_grad():
                found = torch.empty_strided(x.shape, strides, dtype=x.dtype, device=x.device).copy_(x)
            return found.requires_grad_(x.requires_grad)
        finally:
            pause(False)

    return call


def _layouts(raw: Raw) -> Iterator[Tuple[Tuple[int, ...], str]]:
    """Memory layouts that avoid the copy, with the code for each."""
    stages = stages_of(raw)
    view = stages[0].chain.last
    if view.rank > 5 or view.is_empty or distinct(view) != view.count or not view.count:
        return
    moves = [stage for stage in stages[1:]]
    for order in orders(view):
        layout = laid_out(view.shape, order)
        if layout.strides == view.strides:
            continue
        rest = rest_of((stages[0], *moves), 0, layout)
        if rest is None or rest.mask is not None:
            continue
        told = (rest.shape, rest.strides, rest.offset)
        if is_reshape(raw):
            from ._core import ViewChain

            good = bool(ViewChain(rest).reshape(raw.targets[0]).merge()) if raw.targets else False
        else:
            good = off_stride(told, raw.told[2] or "torch.contiguous_format") is None
        if good:
            yield layout.strides, allocate_code(view.shape, order, "torch")
            return


def candidates(found: Copies[Any], leaves: Dict[int, Tuple[str, Any]], modules: List[Tuple[str, Any]], torch: Any, most: int) -> List[Change]:
    """The changes to try, those for the most bytes first."""
    groups: Dict[Any, List[Raw]] = {}
    for raw in found._raw.values():
        if raw.library == "torch":
            groups.setdefault(row_key(raw), []).append(raw)
    by_bytes = sorted(groups.items(), key=lambda item: -sum(raw.bytes for raw in item[1]))
    made: List[Change] = []
    if _has_convolution(modules, torch):
        made.append(Change("have the input and the weights in channels_last", None, channels_last=True))
    for key, group in by_bytes:
        for change in _for_row(key, max(group, key=lambda raw: raw.bytes), leaves, torch):
            if not any(change.text == old.text and change.place == old.place for old in made):
                made.append(change)
    return made[:most]


def _has_convolution(modules: Sequence[Tuple[str, Any]], torch: Any) -> bool:
    kinds = (torch.nn.Conv2d, torch.nn.ConvTranspose2d)
    return any(isinstance(part, kinds) for _, module in modules for part in module.modules())


def _for_row(key: Any, raw: Raw, leaves: Dict[int, Tuple[str, Any]], torch: Any) -> Iterator[Change]:
    """The changes that may help one row."""
    name, arguments, _ = raw.told
    op, place = op_name(raw), raw.place
    if not raw.backward:
        if _is_in_place(raw):
            yield Change(f"{op[:-1]}() instead of {op}(), which is inplace=False for a module", key, place, _not_in_place(torch))
        elif name == "clone" and op in ("contiguous", "clone") or name == "_to_copy" and op == "to":
            yield Change(f"leave out {op}()", key, place, _leave_out)
            if op == "contiguous":
                yield Change("reshape() instead of contiguous() and view()", key, place, _leave_out, reshapes=True)
        elif name == "repeat" and op in ("repeat", "tile"):
            yield Change(f"expand() instead of {op}()", key, place, _expand)
        elif name in ("cat", "stack") and op in ("cat", "concat", "concatenate", "stack"):
            yield Change(f"leave what is empty out of {op}()", key, place, _without_empties)
        elif name == "constant_pad_nd" and op == "pad" and not any(arguments[0]):
            yield Change("leave out pad() by nothing", key, place, _leave_out)
        repeats = any(size > 1 and stride == 0 for size, stride in zip(raw.view[0], raw.view[1]))
        if repeats and op in ("contiguous", "clone", "flip", "roll", "reshape", "flatten"):
            yield Change(f"{op}() before expand()", key, place, _before_expand)
    leaf = next(((n, x) for n, x in leaves.values() if _lies_at(x, raw)), None)
    if leaf is None and not raw.born or name != "clone" or not raw.told[2]:
        return
    for strides, code in _layouts(raw):
        if leaf is not None:
            yield Change(f"store {leaf[0]} in another layout, as {code}", key, None, leaf=leaf[1], strides=strides)
        elif place_of(raw.born).called in (*FACTORIES, "tensor"):
            born = place_of(raw.born)
            yield Change(f"allocate it as {code}", key, born, _relaid(strides, lambda on: None, torch), strides=strides)


def _lies_at(x: Any, raw: Raw) -> bool:
    """Whether a copy lies in the memory of an earlier tensor."""
    if raw.maker or not x.is_leaf or x._is_view():
        return False
    return bool(x.data_ptr() - x.storage_offset() * x.element_size() == raw.begin) and raw.root[:2] == (tuple(x.shape), tuple(x.stride()))


@contextmanager
def changed(changes: Sequence[Change], pause: Callable[[bool], None], torch: Any) -> Iterator[None]:
    """Within this context, the lines of the changes call the replacements; all other lines are unaffected."""
    wanted: Dict[Any, Call] = {}
    # The results of omitted contiguous() calls by id; kept alive, so that ids stay unique.
    loose: Dict[int, Any] = {}

    def leave_loose(func: Any, args: Any, kwargs: Any) -> Any:
        loose[id(args[0])] = args[0]
        return args[0]

    def view(x: Any, *shape: Any, **kwargs: Any) -> Any:
        numbers = shape and all(isinstance(size, (int, list, tuple)) for size in shape)
        return x.reshape(*shape) if numbers and id(x) in loose else plain_view(x, *shape, **kwargs)

    plain_view = torch.Tensor.view
    for change in changes:
        if change.place is not None and change.call is not None:
            call = _relaid(change.strides, pause, torch) if change.strides else change.call
            wanted[(change.place.lines, change.place.called)] = leave_loose if change.reshapes else call

    def watched(func: Any) -> Callable[..., Any]:
        def other(*args: Any, **kwargs: Any) -> Any:
            place = place_of(trail_of(sys._getframe()))
            call = wanted.get((place.lines, place.called))
            return func(*args, **kwargs) if call is None else call(func, args, kwargs)

        other.__name__ = getattr(func, "__name__", "")
        return other

    undone: List[Callable[[], None]] = []
    try:
        if any(change.reshapes for change in changes):
            undone.append(_replaced(torch.Tensor, "view", view))
        for name in {called for _, called in wanted}:
            for owner in (torch.Tensor, torch, torch._C._nn, torch.nn.functional):
                func = getattr(owner, name, None)
                if callable(func) and not isinstance(func, type):
                    undone.append(_replaced(owner, name, watched(func)))
        yield
    finally:
        for undo in reversed(undone):
            undo()


def _replaced(owner: Any, name: str, value: Any) -> Callable[[], None]:
    """Sets an attribute; returns a function that undoes it."""
    had = name in vars(owner)
    before = vars(owner).get(name)
    try:
        setattr(owner, name, value)
    except (AttributeError, TypeError):
        return lambda: None

    def undo() -> None:
        if had:
            setattr(owner, name, before)
        else:
            delattr(owner, name)

    return undo
