"""Why an op copied, in one true sentence.

The sentence is made from the call, from the ops PyTorch made of it, and from the strides of the copied tensor.

Example: ``x.transpose(1, 2).contiguous()`` of shape (2, 8, 12) says "contiguous() copies because axis 1 has stride 1,
contiguous would be 12."
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

from ._core import View, ViewChain
from ._error import Error
from ._found import Layout, Raw
from ._questions import explain
from ._records import BlamedAxes
from ._stages import Source, Stage, first_stage
from ._trace import front
from ._words import why as witness_in_words

_ORDINALS = ("", "first", "second", "third", "fourth", "fifth")
# Calls that ask for a reshape, or for a contiguous tensor.
_RESHAPES = ("reshape", "reshape_as", "flatten", "ravel", "view", "view_as", "unflatten", "rearrange")
# Ops that always copy, with the words for it.
_ALWAYS = {
    "flip": "always copies: PyTorch has no negative strides",
    "roll": "always copies: it joins two parts of the tensor in another order",
    "rot90": "always copies: PyTorch has no negative strides",
    "repeat": "always copies",
    "cat": "copies because it makes new memory even of one tensor",
    "stack": "copies because it makes new memory even of one tensor",
    "pixel_shuffle": "always copies",
    "pixel_unshuffle": "always copies",
    "channel_shuffle": "always copies",
    "native_channel_shuffle": "always copies",
    "narrow_copy": "always copies",
    "slice_backward": "writes the gradient of a slice into new memory",
    "select_backward": "writes the gradient of one index into new memory",
    "unfold_backward": "writes the gradient of windows into new memory",
    "copy": "always copies",
    "flatten": "always copies",
    "ravel": "copies what is not contiguous",
    "asfortranarray": "copies because it asks for another layout",
}


def is_reshape(raw: Raw) -> bool:
    """Whether the copy was made to join axes."""
    return bool(raw.targets) or raw.told[0] == "reshape"


def _is_in_place(raw: Raw) -> bool:
    """Whether autograd saved a tensor that an op was about to overwrite."""
    called = raw.place.called
    return raw.told == ("clone", (), "") and called.endswith("_") and not called.endswith("__")


def op_name(raw: Raw) -> str:
    """The name of what copies: the call, or PyTorch's op if the call is unknown."""
    name, _, memory = raw.told
    called = raw.place.called
    if raw.backward:
        if raw.backward.endswith("AccumulateGrad"):
            return "backward into .grad"
        return f"backward of {called or raw.backward}" if raw.backward not in ("unknown", "thread") else "backward"
    if called == "[]=" and name == "copy_":
        return "assignment"
    if called in ("@", "__matmul__"):
        return "@"
    if called and called not in ("[]", "[]="):
        return called
    if is_reshape(raw):
        return "reshape"
    if name == "clone" and memory:
        return "contiguous"
    return {"_to_copy": "to", "copy_": "copy_"}.get(name, name)


def op_text(raw: Raw, several: bool = False) -> str:
    """The same with its arguments."""
    name = op_name(raw)
    if raw.backward or name in ("@", "assignment"):
        return name
    if raw.library == "numpy":
        return f"{name}({_spelled(raw.told[1]) if name == raw.told[0] else ''})"
    if several:
        return f"{name}()"
    if name == "reshape" and raw.targets:
        return f"reshape({', '.join(map(str, raw.targets[0]))})"
    if name in ("contiguous", "to", "clone") and raw.told[2] not in ("", "torch.contiguous_format", "torch.preserve_format"):
        return f"{name}(memory_format={raw.told[2]})"
    if name in ("flip", "roll", "repeat", "rot90") and raw.told[0] == name:
        return f"{name}({_spelled(raw.told[1])})"
    return f"{name}()"


def _spelled(given: Tuple[Any, ...]) -> str:
    """Arguments without needless brackets."""
    if len(given) == 1 and isinstance(given[0], tuple):
        given = given[0]
    return ", ".join(str(part[0] if isinstance(part, tuple) and len(part) == 1 else part) for part in given)


def off_stride(view: Layout, memory: str) -> Optional[Tuple[int, int, int]]:
    """(axis, its stride, the one it would have) of the innermost axis whose stride differs from a layout's, or None."""
    shape, strides, _ = view
    order = list(range(len(shape)))
    if memory.startswith("torch.channels_last") and len(shape) > 2:
        order = [0, *order[2:], 1]
    expected = 1
    for axis in reversed(order):
        if shape[axis] != 1 and strides[axis] != expected:
            return axis, strides[axis], expected
        expected *= shape[axis]
    return None


def _because(raw: Raw) -> str:
    """What is wrong with the strides for this call, or ""."""
    name, arguments, memory = raw.told
    if is_reshape(raw):
        blamed = _blamed(raw)
        if blamed is not None:
            axis, stride, contiguous = blamed
            return f"because axis {axis} has stride {stride}, contiguous would be {contiguous}"
    wanted = "torch.contiguous_format" if raw.library == "numpy" else memory
    off = off_stride(raw.view, wanted) if wanted not in ("", "torch.preserve_format") else None
    if off is None:
        return ""
    word = "contiguous" if wanted == "torch.contiguous_format" else wanted.replace("torch.", "")
    return f"because axis {off[0]} has stride {off[1]}, {word} would be {off[2]}"


def _target(raw: Raw) -> Tuple[int, ...]:
    return tuple(raw.targets[0] if raw.targets else raw.told[1][0])


def _blamed(raw: Raw) -> Optional[Tuple[int, int, int]]:
    """(axis, stride, contiguous stride) where joining the axes of the copied tensor breaks."""
    try:
        told = explain(ViewChain(View(*raw.view)).reshape(_target(raw)))
    except (Error, ValueError):
        return None
    for blame in told.blame:
        if isinstance(blame, BlamedAxes) and blame.view == 0:
            return blame.outer, blame.stride, blame.contiguous
    return None


def _subject(raw: Raw) -> str:
    """The copied tensor: an operand, or an intermediate."""
    number, name = raw.operand
    if number and number < len(_ORDINALS):
        return f"its {_ORDINALS[number]} operand, {name},"
    return f"a tensor of shape {raw.view[0]} inside"


def reason(raw: Raw) -> str:
    """The reason for a copy."""
    name, arguments, memory = raw.told
    op = op_text(raw)
    because = _because(raw)
    if raw.backward:
        return _backward_reason(raw, because)
    if raw.library == "numpy" and name in ("reshape", "ascontiguousarray") and because:
        return f"{op} copies {because}."
    if raw.library == "numpy" and name in ("astype", "take", "roll", "[]"):
        return f"{op} always copies."
    if is_reshape(raw):
        if not because:
            return f"{op} is one view, which {'PyTorch' if raw.library == 'torch' else 'NumPy'} does not find."
        if op_name(raw) in _RESHAPES:
            return f"{op} copies {because}."
        return f"{op} copies {_subject(raw)} {because}."
    if name == "clone":
        if _is_in_place(raw):
            return f"{op} copies because autograd needs what it overwrites."
        if op_name(raw) == "clone":
            return f"{op} always copies."
        if op_name(raw) == "contiguous" and because:
            return f"{op} copies {because}."
        return f"{op} copies {_subject(raw)}{' ' + because if because else ''}".rstrip(",") + "."
    if name == "_to_copy":
        if op_name(raw) == "tensor":
            return "torch.tensor() always copies; torch.as_tensor() and torch.from_numpy() do not."
        return f"{op} copies {because}." if because else f"{op} copies because a new tensor is asked for."
    if name == "copy_":
        return f"{'the ' if op == 'assignment' else ''}{op} copies because it writes into memory that is there already."
    if name == "constant_pad_nd":
        if not any(arguments[0]):
            return f"{op} by nothing copies all of the tensor."
        return f"{op} copies because what is padded is new memory."
    words = _ALWAYS.get(name, "always copies")
    return f"{op} {words}." if op_name(raw) == name else f"{op} copies: {name}() {words}."


def _backward_reason(raw: Raw, because: str) -> str:
    name = raw.told[0]
    if raw.backward.endswith("AccumulateGrad"):
        return f"the backward copies a gradient of shape {raw.view[0]} into the .grad of a leaf."
    if raw.backward == "unknown":
        told = "the backward copies a gradient"
        tail = "; this PyTorch does not tell of which line it is the backward"
    elif raw.backward == "thread" or not raw.place.user[0]:
        told, tail = "the backward copies a gradient", "; it ran on a thread without Python code"
    else:
        told, tail = f"the {op_name(raw)} copies a gradient", ""
    if name in ("slice_backward", "select_backward", "unfold_backward", "flip", "roll", "rot90", "repeat"):
        return f"{told}: {name}() {_ALWAYS[name]}{tail}."
    return f"{told} of shape {raw.view[0]}{' ' + because if because else f', by {name}()'}{tail}."


def witness(raw: Raw) -> str:
    """Two places of the result with different steps, for a copy that joins axes."""
    if not is_reshape(raw):
        return ""
    source = Source(raw.library, raw.itemsize, raw.itemsize)
    try:
        start: Any = front(raw.library)((first_stage(ViewChain(View(*raw.view))),), source)
        traced = start.reshape(_target(raw))
        told = explain(traced.chain)
    except (Error, ValueError):
        return ""
    return "" if told.verdict else witness_in_words(traced.stages, told, source)


def stages_of(raw: Raw) -> Tuple[Stage, ...]:
    """The views from memory on; only the copied tensor, if its history is unknown."""
    last = View(*raw.view)
    source = Source(raw.library, raw.itemsize, raw.itemsize)
    try:
        traced: Any = front(raw.library)((first_stage(ViewChain(View(*raw.root))),), source)
        for name, rest in raw.steps:
            traced = _step(traced, name, rest)
        if traced.chain.merge().view == last:
            return tuple(traced.stages)
    except (Error, TypeError, ValueError, IndexError):
        pass
    return (first_stage(ViewChain(last)),)


def _step(traced: Any, name: str, rest: Tuple[Any, ...]) -> Any:
    """One op of PyTorch as an op of the trace."""
    if name in ("view", "_unsafe_view", "_reshape_alias"):
        return traced.view(rest[0])
    if name == "slice":
        given: List[Any] = [*rest, *(0, None, None, 1)[len(rest) :]]
        dim, start, end, step = given
        part = slice(start, None if end is not None and end >= 2**62 else end, step)
        return traced[(*(slice(None),) * (dim % traced.ndim), part)]
    if name == "expand":
        return traced.expand(rest[0])
    if name in ("split", "unsafe_split", "split_with_sizes", "unsafe_split_with_sizes"):
        return traced.split(*rest[1:])[rest[0]]
    if name == "unbind":
        return traced.unbind(*rest[1:])[rest[0]]
    return getattr(traced, name)(*rest)
