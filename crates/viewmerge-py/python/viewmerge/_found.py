"""The report on a program: every copy, where, how much, why, and what would avoid it."""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass, field
from html import escape
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from ._core import View
from ._error import Error
from ._remedies import Remedy, laid_out, allocate_code, orders, rest_of
from ._stages import Source, Stage, distinct, first_stage, spell_bytes
from ._trace import front
from ._words import why as explain_in_words

Where = Tuple[str, int, str, bool]


@dataclass
class Raw:
    """What is noted while the program runs."""

    where: Where
    told: Tuple[str, Tuple[Any, ...], str]
    view: Tuple[Tuple[int, ...], Tuple[int, ...], int]
    itemsize: int
    library: str
    root: Tuple[Tuple[int, ...], Tuple[int, ...], int]
    steps: Tuple[Any, ...]
    maker: str
    count: int = 0
    elements: int = 0
    targets: List[Tuple[int, ...]] = field(default_factory=list)


class Copy(NamedTuple):
    """One place where a program copies."""

    file: str
    line: int
    function: str
    code: str
    """The line of the program."""
    op: str
    """The op that copies: what a reshape, an einsum or a matmul comes to."""
    bytes: int
    """All bytes copied there."""
    times: int
    """How often."""
    backward: bool
    """Whether it was in a backward."""
    view: View
    """What was copied, as a view of its memory."""
    why: str
    remedies: Tuple[Remedy, ...]
    """What would avoid it, each tried."""
    stages: Tuple[Stage, ...] = ()
    """How it came about, from the memory on."""

    def __str__(self) -> str:
        times = "" if self.times == 1 else f", {self.times} times"
        lines = [
            f"{self.file}:{self.line} in {self.function}: {self.op} copies {spell_bytes(self.bytes)}{times}",
            f"  {self.code}",
            f"  {self.why}",
        ]
        lines.extend(f"  - {remedy.text}" for remedy in self.remedies)
        return "\n".join(lines)


class Copies(Sequence[Copy]):
    """Every copy of a program, the largest first; ``print`` shows a table, ``show`` a colourful one."""

    def __init__(self) -> None:
        self._raw: Dict[Any, Raw] = {}
        self._told: Optional[Tuple[int, List[Copy]]] = None
        self.result: Any = None
        """What the function returned, of ``copies``."""

    def _copies(self) -> List[Copy]:
        noted = sum(raw.count for raw in self._raw.values())
        if self._told is None or self._told[0] != noted:
            found = sorted(map(tell, self._raw.values()), key=lambda copy: -copy.bytes)
            self._told = (noted, found)
        return self._told[1]

    def __len__(self) -> int:
        return len(self._raw)

    def __getitem__(self, place: Any) -> Any:
        return self._copies()[place]

    def __iter__(self) -> Iterator[Copy]:
        return iter(self._copies())

    @property
    def bytes(self) -> int:
        """All bytes copied."""
        return sum(raw.elements * raw.itemsize for raw in self._raw.values())

    @property
    def times(self) -> int:
        """How many copies there were."""
        return sum(raw.count for raw in self._raw.values())

    def _summary(self) -> str:
        where = "1 place" if len(self) == 1 else f"{len(self)} places"
        many = "1 copy" if self.times == 1 else f"{self.times} copies"
        return f"{many} of {spell_bytes(self.bytes)} at {where}"

    def __repr__(self) -> str:
        return f"<Copies: {self._summary()}>"

    def __str__(self) -> str:
        if not self._raw:
            return "no copies"
        rows = [("bytes", "times", "where", "op", "code")]
        rows += [(*row[:4], row[4][:60]) for row in map(_row, self)]
        widths = [max(len(row[k]) for row in rows) for k in range(4)]
        lines = ["  ".join((*(cell.ljust(width) for cell, width in zip(row, widths)), row[4])) for row in rows]
        lines.append(self._summary())
        for number, copy in enumerate(self, 1):
            lines.extend(("", f"{number}. {copy}"))
        return "\n".join(line.rstrip() for line in lines)

    def show(self) -> None:
        """Prints the report: with rich if it is installed, else as plain text."""
        try:
            from rich import print as rich_print
        except ImportError:
            print(self)
        else:
            rich_print(self)

    def __rich__(self) -> Any:
        from rich.table import Table
        from rich.text import Text

        table = Table(title=self._summary(), show_lines=True)
        for name in ("bytes", "times", "where", "op", "why, and what would avoid it"):
            table.add_column(name)
        for copy in self:
            told = "\n".join([copy.why, *(f"- {remedy.text}" for remedy in copy.remedies)])
            cells = (*_row(copy)[:3], f"{copy.op}\n{copy.code}", told)
            table.add_row(*map(Text, cells))
        return table

    def to_dict(self) -> Dict[str, Any]:
        """All of it as plain data."""
        return {
            "bytes": self.bytes,
            "times": self.times,
            "copies": [
                {
                    **{name: getattr(copy, name) for name in Copy._fields[:8]},
                    "view": str(copy.view),
                    "why": copy.why,
                    "steps": [stage.op for stage in copy.stages[1:]],
                    "remedies": [
                        {"kind": r.kind, "text": r.text, "code": r.code, "elements": r.elements}
                        for r in copy.remedies
                    ],
                }
                for copy in self
            ],
        }

    def to_html(self) -> str:
        """The report as a table of HTML."""
        rows = []
        for copy in self:
            size, times, where, op, code = map(escape, _row(copy))
            helps = "".join(f"<li>{escape(remedy.text)}</li>" for remedy in copy.remedies)
            rows.append(
                f"<tr><td>{size}</td><td>{times}</td><td>{where}</td><td>{op}<br><code>{code}</code></td>"
                f'<td style="text-align:left">{escape(copy.why)}<ul>{helps}</ul></td></tr>'
            )
        head = "".join(f"<th>{name}</th>" for name in ("bytes", "times", "where", "op", "why, and what would avoid it"))
        return f"<table><caption>{escape(self._summary())}</caption><tr>{head}</tr>{''.join(rows)}</table>"

    def _repr_html_(self) -> str:
        return self.to_html()


def _row(copy: Copy) -> Tuple[str, str, str, str, str]:
    name = os.path.basename(copy.file)
    where = f"{name}:{copy.line}" + (" (backward)" if copy.backward else "")
    return spell_bytes(copy.bytes), str(copy.times), where, copy.op, copy.code


def tell(raw: Raw) -> Copy:
    """A copy as it is reported."""
    file, line, function, backward = raw.where
    code = linecache.getline(file, line).strip()
    source = Source(raw.library, raw.itemsize, raw.itemsize)
    stages = _stages(raw, source)
    op, reason, found = _explained(raw, stages, source)
    view = View(*raw.view)
    return Copy(
        file, line, function, code, op, raw.elements * raw.itemsize, raw.count, backward, view, reason, found, stages
    )


def _stages(raw: Raw, source: Source) -> Tuple[Stage, ...]:
    """The views from the memory on; only what was copied where the way there is not known."""
    last = View(*raw.view)
    try:
        traced = front(raw.library)((first_stage(_chain(raw.root)),), source)
        for name, rest in raw.steps:
            traced = _step(traced, name, rest)
        if traced.chain.merge().view == last:
            return traced.stages
    except (Error, TypeError, ValueError):
        pass
    return (first_stage(_chain(raw.view)),)


def _chain(parts: Tuple[Tuple[int, ...], Tuple[int, ...], int]) -> Any:
    from ._core import ViewChain

    return ViewChain(View(*parts))


def _step(traced: Any, name: str, rest: Tuple[Any, ...]) -> Any:
    if name in ("view", "_unsafe_view", "_reshape_alias"):
        return traced.view(rest[0])
    if name == "slice":
        given: List[Any] = [*rest, *(0, None, None, 1)[len(rest) :]]
        dim, start, end, step = given
        part = slice(start, None if end is not None and end >= 2**62 else end, step)
        return traced[(*(slice(None),) * (dim % traced.ndim), part)]
    if name == "expand":
        return traced.expand(rest[0])
    return getattr(traced, name)(*rest)


def _explained(
    raw: Raw, stages: Tuple[Stage, ...], source: Source
) -> Tuple[str, str, Tuple[Remedy, ...]]:
    """(op, why, remedies)."""
    from ._copies import report

    name, arguments, memory = raw.told
    library = raw.library
    each = raw.elements // max(raw.count, 1)
    if name == "reshape" or name == "clone" and raw.targets:
        target = raw.targets[0] if raw.targets else arguments[0]
        traced = front(library)(stages, source).reshape(target)
        op = traced.stages[-1].op
        told = report(traced.stages, source, library)
        helps = [r for r in told.remedies if r.kind != "copy" or r.elements < each]
        if told.verdict:
            return op, f"{op} is one view, which {'PyTorch' if library == 'torch' else 'NumPy'} does not find.", tuple(helps)
        return op, explain_in_words(traced.stages, told.explanation, source), tuple(helps)
    if name in ("clone", "_to_copy") and memory in ("torch.contiguous_format", "C"):
        return "contiguous()", _not_row_major(raw.view), _row_major(stages, source, library)
    reasons = {
        "clone": "clone() always copies.",
        "_to_copy": f"to(memory_format={memory}) asks for another layout.",
        "copy_": "an assignment writes into memory that is there already.",
        "flip": "flip() always copies: PyTorch has no negative strides.",
        "roll": "roll() takes the array apart: no single view is it.",
        "repeat": "repeat() always copies.",
        "slice_backward": "the gradient of a slice, here of all of it, is written into memory of its own.",
        "select_backward": "the gradient of an index is written into memory of its own.",
        "unfold_backward": "the gradient of windows is written into memory of its own.",
        "copy": "copy() always copies.",
        "flatten": "flatten() always copies.",
        "ravel": "ravel() copies what is not contiguous.",
        "ascontiguousarray": _not_row_major(raw.view),
        "asfortranarray": "asfortranarray() asks for another layout.",
    }
    texts = {"_to_copy": f"to(memory_format={memory})"}
    op = texts.get(name, f"{name}({', '.join(map(str, arguments))})")
    offered: Sequence[Remedy] = ()
    if name == "repeat" and library == "torch":
        repeated: Any = front(library)(stages, source)
        traced = repeated.repeat(*arguments)
        offered = _expand_instead(stages[-1], arguments[0] if arguments else (), traced)
    elif name in ("flatten", "ravel"):
        one = front(library)(stages, source).reshape(-1).chain.merge().view
        if one is not None:
            text = f"use reshape(-1) instead of {name}(): it is one view"
            offered = (Remedy("instead", text, "reshape(-1)", 0, one),)
    elif name == "ascontiguousarray":
        offered = _row_major(stages, source, library)
    return op, reasons.get(name, ""), tuple(offered)


def _not_row_major(view: Tuple[Tuple[int, ...], Tuple[int, ...], int]) -> str:
    """Which axis is not where it would be in row-major order."""
    shape, strides, _ = view
    expected = 1
    for axis in reversed(range(len(shape))):
        if shape[axis] != 1 and strides[axis] != expected:
            return f"it is not row-major: axis {axis} has stride {strides[axis]}, {expected} would be contiguous."
        expected *= shape[axis]
    return "it is row-major already."


def _row_major(stages: Tuple[Stage, ...], source: Source, library: str) -> Tuple[Remedy, ...]:
    """The layout of the memory in which what is asked for is row-major already."""
    view = stages[0].chain.last
    if view.rank > 5 or view.is_empty or distinct(view) != view.count:
        return ()
    for order in orders(view):
        layout = laid_out(view.shape, order)
        rest = rest_of(stages, 0, layout)
        if rest is not None and rest.is_contiguous:
            code = allocate_code(view.shape, order, library)
            text = f"allocate {source.noun} in another layout, then nothing is copied: {code}"
            return (Remedy("layout", text, code, 0, layout),)
    return ()


def _expand_instead(stage: Stage, times: Any, traced: Any) -> Tuple[Remedy, ...]:
    """Where repeating is broadcasting: along axes of size 1, and new ones in front."""
    shape = stage.chain.shape
    reps = tuple(times)
    whole = (1,) * (len(reps) - len(shape)) + shape
    if len(reps) < len(shape) or any(r != 1 and n != 1 for r, n in zip(reps, whole)):
        return ()
    one = traced.chain.merge().view
    sizes = ", ".join(str(r * n) for r, n in zip(reps, whole))
    if one is None:
        return ()
    return (Remedy("instead", f"expand({sizes}) is the same without a copy", f"expand({sizes})", 0, one),)


for _public in (Copy, Copies):
    _public.__module__ = "viewmerge"
