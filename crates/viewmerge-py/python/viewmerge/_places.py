"""Where in a program an op was called: the user's line, the library's line, and the call there.

A *trail* is noted while the program runs: the code object and the instruction of the frame that calls the op, of the first frame of a
model's package, and of the first of the user's code. That is fast; lines, names and the text of the call are derived from it when the
report is written.

Example: a copy in ``model(x)`` of a model from a library has the user's line ``y = model(x)``, and the library's
line ``q = q.transpose(1, 2).contiguous()``, where ``contiguous`` was called.

The call is read from the instruction's place in the source, which Python provides since 3.11; before, from the
line, if that is unambiguous.

Cost: some 0.1 µs for each frame that is walked.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import sysconfig
from functools import lru_cache
from types import CodeType, FrameType
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

Trail = Tuple[int, ...]
Line = Tuple[str, int, str]

_OURS, _LIBRARY, _MODEL, _USER = range(4)
_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
# Frames through which PyTorch calls a mode, which are skipped.
_PASSED = ("_ops.py", "overrides.py", "utils/_python_dispatch.py", "utils/_device.py", "_compile.py")
_kinds: Dict[str, int] = {}
_codes: Dict[int, CodeType] = {}
_trails: Dict[Trail, Trail] = {}


class Place(NamedTuple):
    """Where an op was called."""

    user: Line
    """File, line and function of the user's code."""
    inner: Optional[Line]
    """The line of a library that called the op, if it was not the user's."""
    called: str
    """The name of the function or method that was called there, ``@``, ``[]``, ``[]=``, or "" if it is not known."""
    operands: Tuple[str, ...]
    """The texts of what was given to it, the object of a method first."""
    code: str
    """The line of the source: the library's, if there is one."""

    @property
    def lines(self) -> Tuple[Line, Optional[Line]]:
        """The lines alone."""
        return self.user, self.inner


def _folder(name: str) -> str:
    """The folder of an imported package; otherwise a text with which no path begins."""
    file = getattr(sys.modules.get(name), "__file__", None)
    return os.path.dirname(str(file)) + os.sep if file else "\0"


def _kind_of(file: str) -> int:
    """Whose code a file is."""
    path = file if file.startswith("<") else os.path.abspath(file)
    paths = sysconfig.get_paths()
    installed = (paths["purelib"] + os.sep, paths["platlib"] + os.sep)
    torch = _folder("torch")
    if path.startswith(_HERE):
        kind = _OURS
    elif path.startswith(torch):
        kind = _OURS if path[len(torch) :].replace(os.sep, "/") in _PASSED else _LIBRARY
    elif path.startswith((_folder("numpy"), _folder("einops"), "<frozen", "<__array")):
        kind = _LIBRARY
    elif path.startswith(installed) or "site-packages" in path or "dist-packages" in path or path.startswith("<eval_with"):
        kind = _MODEL
    elif path.startswith((paths["stdlib"] + os.sep, os.path.dirname(os.__file__) + os.sep)):
        kind = _LIBRARY
    else:
        kind = _USER
    _kinds[file] = kind
    return kind


def trail_of(frame: Optional[FrameType]) -> Trail:
    """The trail from a frame out to the user's code."""
    walked: List[int] = []
    kinds, most = _kinds, _LIBRARY
    first = frame
    while frame is not None:
        code = frame.f_code
        kind = kinds.get(code.co_filename)
        if kind is None:
            kind = _kind_of(code.co_filename)
        if kind and (kind > most or not walked):
            walked.append(id(code))
            walked.append(frame.f_lasti)
            if kind == _USER:
                break
            most = kind
        frame = frame.f_back
    trail = tuple(walked)
    known = _trails.get(trail)
    if known is None:
        while first is not None:
            _codes[id(first.f_code)] = first.f_code
            first = first.f_back
        known = _trails[trail] = trail
    return known


def _frames(trail: Trail) -> Iterator[Tuple[CodeType, int]]:
    for k in range(0, len(trail), 2):
        yield _codes[trail[k]], trail[k + 1]


def _position(code: CodeType, at: int) -> Tuple[int, Optional[Tuple[int, int, int, int]]]:
    """The line of an instruction; and the first and last line and column of its text, if Python provides them."""
    if sys.version_info >= (3, 11):
        for number, place in enumerate(code.co_positions()):
            if number == at // 2:
                first, last, begin, end = place
                if first is not None and last is not None and begin is not None and end is not None:
                    return first, (first, last, begin, end)
                return first or code.co_firstlineno, None
    line = code.co_firstlineno
    import dis

    for offset, number in dis.findlinestarts(code):
        if offset > at:
            break
        line = number or line
    return line, None


def _text(file: str, span: Tuple[int, int, int, int]) -> str:
    first, last, begin, end = span
    lines = [linecache.getline(file, number) for number in range(first, last + 1)]
    if not all(lines):
        return ""
    lines[-1] = lines[-1].encode()[:end].decode(errors="replace")
    lines[0] = lines[0].encode()[begin:].decode(errors="replace")
    return "".join(lines)


def _called(code: CodeType, at: int, span: Optional[Tuple[int, int, int, int]], line: int) -> Tuple[str, Tuple[str, ...]]:
    """The call at an instruction, and its arguments."""
    import dis

    if span is None:
        return _only_call(linecache.getline(code.co_filename, line)), ()
    try:
        tree: Any = ast.parse(f"({_text(code.co_filename, span)})", mode="eval").body
    except SyntaxError:
        return "", ()
    if dis.opname[code.co_code[at]] == "STORE_SUBSCR":
        return "[]=", (ast.unparse(tree),)
    if isinstance(tree, ast.Call):
        given = [ast.unparse(part) for part in tree.args] + [ast.unparse(key.value) for key in tree.keywords]
        if isinstance(tree.func, ast.Attribute):
            return tree.func.attr, (ast.unparse(tree.func.value), *given)
        return (tree.func.id if isinstance(tree.func, ast.Name) else ""), tuple(given)
    if isinstance(tree, ast.BinOp):
        sign = "@" if isinstance(tree.op, ast.MatMult) else ""
        return sign, (ast.unparse(tree.left), ast.unparse(tree.right))
    if isinstance(tree, ast.Subscript):
        return "[]", (ast.unparse(tree.value),)
    return "", ()


def _only_call(line: str) -> str:
    """The single method or function called in a line; "" if none, or several, may copy."""
    try:
        tree = ast.parse(line.strip())
    except SyntaxError:
        return ""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [node.func.attr for node in calls if isinstance(node.func, ast.Attribute)]
    return names[0] if len(calls) == len(names) == 1 else ""


@lru_cache(maxsize=4096)
def place_of(trail: Trail) -> Place:
    """The place of a trail."""
    frames = list(_frames(trail))
    if not frames:
        return Place(("", 0, ""), None, "", (), "")
    kinds = [_kinds.get(code.co_filename, _LIBRARY) for code, _ in frames]
    # If no frame is the user's: the nearest one to the op outside PyTorch and Python.
    at = next((k for k in range(len(frames)) if kinds[k] == _USER), None)
    if at is None:
        at = next((k for k in range(len(frames)) if kinds[k] == _MODEL), len(frames) - 1)
    model = next((k for k in range(at) if kinds[k] == _MODEL), None)
    inner = model if model is not None else 0 if at else None
    user = _line(*frames[at])
    within = None if inner is None else _line(*frames[inner])
    code, instruction = frames[0]
    line, span = _position(code, instruction)
    called, operands = _called(code, instruction, span, line)
    told = within or user
    return Place(user, within, called, operands, linecache.getline(told[0], told[1]).strip())


def _line(code: CodeType, at: int) -> Line:
    name = getattr(code, "co_qualname", code.co_name).replace("<locals>.", "")
    return code.co_filename, _position(code, at)[0], name


def in_engine(trail: Trail) -> bool:
    """Whether the backward engine itself called an op, rather than Python code of a backward."""
    for code, _ in _frames(trail):
        return code.co_name in ("_engine_run_backward", "backward", "grad") and f"{os.sep}autograd{os.sep}" in code.co_filename
    return True


def to_change(user: Line, inner: Optional[Line]) -> Line:
    """The line that people can change: that of a model's package, or their own, but not PyTorch's."""
    return inner if inner is not None and _kinds.get(inner[0]) == _MODEL else user


def short(file: str) -> str:
    """A readable path: from the package on, or the file's name."""
    for folder in ("site-packages", "dist-packages"):
        head, found, tail = file.rpartition(f"{os.sep}{folder}{os.sep}")
        if found:
            return tail
    return os.path.basename(file)


def operand_of(frame: Optional[FrameType], place: Place, memory: Any, wanted: int) -> Tuple[int, str]:
    """Which operand of a call lies in a memory, counted from 1, and its name; (0, "") if unknown.

    ``memory`` gives the address of a tensor's memory.
    """
    while frame is not None and _kinds.get(frame.f_code.co_filename, _OURS) == _OURS:
        frame = frame.f_back
    if frame is None or len(place.operands) < 2:
        return 0, ""
    found: List[Tuple[int, str]] = []
    for number, text in enumerate(place.operands, 1):
        try:
            tree = ast.parse(text, mode="eval")
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute)):
                value = _value(node, frame)
                if value is not None and memory(value) == wanted:
                    found.append((number, ast.unparse(node)))
                    break
    # In a call of a module's function, the module's name comes first.
    shift = 1 if place.operands[0] in ("torch", "F", "_VF", "torch._C._nn", "torch.nn.functional") else 0
    return (found[0][0] - shift, found[0][1]) if len(found) == 1 else (0, "")


def _value(node: ast.expr, frame: FrameType) -> Any:
    """The value of a name in a frame, including attributes of modules."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, frame)
        known = getattr(owner, "__dict__", {})
        if node.attr in known:
            return known[node.attr]
        return {**known.get("_buffers", {}), **known.get("_parameters", {})}.get(node.attr)
    return None


def module_path(frame: Optional[FrameType], module_type: type) -> str:
    """The path of the innermost running module, ``model.layers.0.self_attn``, or ""."""
    innermost: Any = None
    outermost: Any = None
    called_from: Optional[FrameType] = None
    while frame is not None:
        if frame.f_code.co_name == "forward" and frame.f_code.co_argcount:
            owner = frame.f_locals.get(frame.f_code.co_varnames[0])
            if isinstance(owner, module_type):
                innermost = innermost if innermost is not None else owner
                outermost, called_from = owner, frame.f_back
        frame = frame.f_back
    if innermost is None:
        return ""
    while called_from is not None and _kinds.get(called_from.f_code.co_filename, _LIBRARY) != _USER:
        called_from = called_from.f_back
    name = type(outermost).__name__
    if called_from is not None:
        for names in (called_from.f_locals, called_from.f_globals):
            found = next((key for key, value in names.items() if value is outermost and key.isidentifier()), "")
            if found:
                name = found
                break
    path = "" if innermost is outermost else next((at for at, part in outermost.named_modules() if part is innermost), "")
    return f"{name}.{path}" if path else name
