"""Writes the report: as text, as a table of rich or HTML, and as data."""

from __future__ import annotations

import sys
from html import escape
from typing import Any, Dict, List, Optional, Tuple

from ._found import Copies, Copy
from ._places import short, to_change
from ._stages import spell_bytes

UNSEEN = (
    "not seen: what a kernel copies inside itself (convolutions, BLAS), what is picked by an index tensor, what is compiled, "
    "and arrays of NumPy that are not marked"
)
_HEAD = ("bytes", "times", "ms", "where", "op")


def spell_shape(shape: Tuple[int, ...]) -> str:
    """A shape, as short as possible."""
    return f"({','.join(map(str, shape))})"


def shapes_text(copy: Copy) -> str:
    """The copied shapes, summarised."""
    first = spell_shape(copy.shapes[0]) if copy.shapes else ""
    return first if len(copy.shapes) < 2 else f"{len(copy.shapes)} shapes, {first} …"


def summary(found: Copies[Any]) -> str:
    """How much was copied, and at how many lines."""
    lines = len({(copy.file, copy.line, copy.inner) for copy in found})
    where = "1 line" if lines == 1 else f"{lines} lines"
    many = "1 copy" if found.times == 1 else f"{found.times} copies"
    return f"{many} of {spell_bytes(found.bytes)} at {where}, in {found.seconds * 1e3:.2f} ms"


def _chosen(found: Copies[Any], top: Optional[int], least: int) -> List[Copy]:
    kept = [copy for copy in found if copy.bytes >= least]
    return kept if top is None else kept[:top]


def _cells(copy: Copy) -> Tuple[str, str, str, str, str]:
    file, line, _ = to_change((copy.file, copy.line, copy.function), copy.inner)
    where = f"{short(file)}:{line}" if file else copy.where
    return spell_bytes(copy.bytes), str(copy.times), f"{copy.seconds * 1e3:.2f}", where, copy.op


def paragraph(copy: Copy, why: bool = False) -> List[str]:
    """The lines about one row."""
    times = "" if copy.times == 1 else f", {copy.times} times"
    within = f" in {copy.function}" if copy.function else ""
    lines = [f"{copy.where}{within}: {copy.op} copies {spell_bytes(copy.bytes)}{times}, {copy.seconds * 1e3:.2f} ms"]
    if copy.inner is not None:
        module = f", in {copy.module}" if copy.module else ""
        lines.append(f"  by {short(copy.inner[0])}:{copy.inner[1]} in {copy.inner[2]}{module}")
    elif copy.module:
        lines.append(f"  in {copy.module}")
    if copy.code:
        lines.append(f"  > {copy.code}")
    lines.append(f"  {copy.why}")
    made = f"; the memory is made by {copy.maker}()" if copy.maker else ""
    steps = ", ".join(stage.op for stage in copy.stages[1:])
    lines.append(f"  copied: {shapes_text(copy)}{made}{f', then {steps}' if steps else ''}")
    if why and copy.witness:
        lines.append(f"  {copy.witness}")
    lines.extend(f"  - run: {remedy}" for remedy in copy.remedies)
    return lines


def ending(found: Copies[Any]) -> List[str]:
    """The end of the report."""
    lines: List[str] = []
    if found.best is not None:
        lines.extend(f"  {number}. {remedy}" for number, remedy in enumerate(found.best.remedies, 1))
        lines.append(str(found.best))
    elif found.note:
        lines.append(found.note)
    else:
        lines.append(f"of {found.tried} changes that were run, none lowers the sum")
    lines.append(UNSEEN)
    return lines


def text(found: Copies[Any], top: Optional[int], least: int, why: bool) -> str:
    """The report as plain text."""
    if not found._raw:
        return "\n".join(["no copies", UNSEEN])
    shown = _chosen(found, top, least)
    rows: List[Tuple[str, ...]] = [_HEAD, *map(_cells, shown)]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    lines = ["  ".join((*(cell.ljust(width) for cell, width in zip(row, widths)), row[4])).rstrip() for row in rows]
    left = len(found) - len(shown)
    if left:
        rest = sum(copy.bytes for copy in found) - sum(copy.bytes for copy in shown)
        lines.append(f"and {left} more of {spell_bytes(rest)}")
    lines.append(summary(found))
    for number, copy in enumerate(shown, 1):
        first, *others = paragraph(copy, why)
        lines.extend(("", f"{number}. {first}", *others))
    return "\n".join([*lines, "", *ending(found)])


def show(found: Copies[Any]) -> None:
    """Prints the report."""
    seen = bool(getattr(sys.stdout, "isatty", lambda: False)())
    try:
        from rich import print as rich_print
    except ImportError:
        seen = False
    if seen:
        rich_print(found)
    else:
        print(found)


def rich_table(found: Copies[Any]) -> Any:
    """The report as a rich table."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    table = Table(title=summary(found), show_lines=True)
    for name in (*_HEAD, "why"):
        table.add_column(name)
    for copy in found:
        table.add_row(*map(Text, (*_cells(copy), "\n".join(paragraph(copy)[1:]))))
    return Group(table, Text("\n".join(ending(found))))


def as_dict(found: Copies[Any], top: Optional[int], least: int) -> Dict[str, Any]:
    """The report as plain data."""
    names = ("file", "line", "function", "code", "op", "bytes", "times", "seconds", "backward", "why", "witness", "module", "maker")
    best = found.best
    return {
        "bytes": found.bytes,
        "times": found.times,
        "seconds": found.seconds,
        "copies": [
            {
                **{name: getattr(copy, name) for name in names},
                "inner": copy.inner,
                "view": str(copy.view),
                "shapes": copy.shapes,
                "steps": [stage.op for stage in copy.stages[1:]],
                "remedies": [remedy._asdict() for remedy in copy.remedies],
            }
            for copy in _chosen(found, top, least)
        ],
        "tried": found.tried,
        "best": None if best is None else {**best._asdict(), "remedies": [remedy._asdict() for remedy in best.remedies]},
        "note": found.note,
        "unseen": UNSEEN,
    }


def html(found: Copies[Any], top: Optional[int], least: int) -> str:
    """The report as an HTML table."""
    rows = []
    for copy in _chosen(found, top, least):
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in _cells(copy))
        told = "<br>".join(map(escape, paragraph(copy)[1:]))
        rows.append(f'<tr>{cells}<td style="text-align:left">{told}</td></tr>')
    head = "".join(f"<th>{name}</th>" for name in (*_HEAD, "why"))
    end = "<br>".join(map(escape, ending(found)))
    return f"<table><caption>{escape(summary(found))}</caption><tr>{head}</tr>{''.join(rows)}</table><p>{end}</p>"
