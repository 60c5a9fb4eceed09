"""Explains a copy in the words of the question."""

from __future__ import annotations

from html import escape
from typing import Any, List, Optional, Sequence

from ._core import Hole, Step, Witness
from ._records import BlamedAxes, BlamedMask, Explanation
from ._remedies import stage_name
from ._stages import Source, Stage


def index_text(index: Sequence[int]) -> str:
    return f"({','.join(map(str, index))})"


def axis_text(axis: int, names: Optional[Sequence[str]]) -> str:
    """An axis, by its name if it has one."""
    return f"axis {axis}" if names is None else f"axis {axis} ({names[axis]})"


def stage_of_view(stages: Sequence[Stage], number: int) -> int:
    """The stage after which a view of the last chain is the one that is indexed."""
    # The last stage that changed the view is the one before another view went on top.
    last = [k for k, stage in enumerate(stages) if len(stage.chain.views) <= number + 1]
    return last[-1] if last else 0


def view_name(stages: Sequence[Stage], number: int, source: Source) -> str:
    """A readable name of a view of the chain."""
    if number + 1 == len(stages[-1].chain.views):
        return "the result"
    return stage_name(stages, stage_of_view(stages, number), source)


def why(stages: Sequence[Stage], explanation: Explanation, source: Source) -> str:
    """The witness and what is to blame, as sentences."""
    witness = explanation.verdict.witness
    parts = [_witness(witness, stages[-1].names)] if witness is not None else []
    # The first entry is where the witness breaks; the others repeat it.
    for blame in explanation.blame[:1]:
        name = view_name(stages, blame.view, source)
        names = stages[stage_of_view(stages, blame.view)].names
        if names is not None and len(names) != explanation.chain.views[blame.view].rank:
            names = None
        if isinstance(blame, BlamedAxes):
            inner, outer = axis_text(blame.inner, names), axis_text(blame.outer, names)
            counted = " bytes" if source.unit == 1 and source.itemsize != 1 else ""
            parts.append(
                f"There {inner} of {name} carries into {outer}, which has stride "
                f"{blame.stride}{counted} and would need {blame.contiguous}."
            )
        elif isinstance(blame, BlamedMask):
            across = " and ".join(f"axis {axis}" for axis in blame.across)
            parts.append(
                f"The padding along {axis_text(blame.axis, names)} of {name} is met along {across} of "
                "the result, in a set that is no box."
            )
    return " ".join(parts)


def signed(number: int) -> str:
    """A number with its sign, in the library's style.

    >>> signed(3), signed(-2)
    ('+3', '−2')
    """
    return f"−{-number}" if number < 0 else f"+{number}"


def _witness(witness: Witness, names: Optional[Sequence[str]]) -> str:
    if isinstance(witness, Step):
        return (
            f"the step along {axis_text(witness.axis, names)} of the result is {signed(witness.step)} at "
            f"{index_text(witness.at)}, but {signed(witness.other_step)} at {index_text(witness.other)}."
        )
    assert isinstance(witness, Hole)
    first, second = map(index_text, witness.valid)
    return f"{first} and {second} of the result are data, but {index_text(witness.invalid)} between them is padding."


def steps(stages: Sequence[Stage]) -> List[str]:
    """The ops with their results, a line each."""
    first, *rest = stages
    lines = [f"trace of {first.chain}"]
    width = max((len(stage.op) for stage in rest), default=0)
    for number, stage in enumerate(rest, 1):
        mark = "" if stage.is_view else "  <- copies" if stage.copies else "  <- not one view"
        lines.append(f"  {number}. {stage.op:<{width}}  {stage.chain}{mark}")
    return lines


def story(report: Any) -> str:
    """The full text of a report."""
    stages, source = report.stages, report.source
    broke = report.broke
    if report.is_view:
        lines = [f"One view: {report.verdict.view}; nothing needs to be copied."]
    else:
        stage = stages[broke]
        op = stage.op if broke else source.noun
        if report.verdict:
            lines = [f"{op} copies {source.size(stage.chain.count)}, though all of it is one view: {report.verdict.view}."]
        else:
            lines = [f"Not one view: {op} must copy {source.size(stage.chain.count)}."]
            lines.append(f"Why: {why(stages, report.explanation, source)}")
        if stage.copies:
            lines.append(f"{stage.copies}.")
        if len(stages) > 2 and broke and not stage.copies and broke + 1 < len(stages):
            lines.append(f"It broke at op {broke}, {op}.")
    if report.remedies:
        lines.append("Remedies:")
        lines.extend(f"  - {remedy.text}" for remedy in report.remedies)
    return "\n".join(lines)


def report_html(report: Any) -> str:
    """The steps, where it broke, the remedies and the picture."""
    return _html(report.stages, str(report), report.svg())


def trace_html(traced: Any) -> str:
    """The same for a trace."""
    text = str(traced).split("\n", len(traced.stages))
    return _html(traced.stages, text[-1] if len(text) > len(traced.stages) else "", traced.svg())


def _html(stages: Sequence[Stage], text: str, svg: str) -> str:
    rows = []
    for number, stage in enumerate(stages):
        mark = "" if stage.is_view else "copies" if stage.copies else "not one view"
        colour = "" if stage.is_view else ' style="color:#b00020"'
        op = stage.op if number else "start"
        cells = (str(number), op, str(stage.chain), mark)
        rows.append(f"<tr{colour}>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "<tr><th></th><th>op</th><th>views</th><th></th></tr>"
    table = f'<table style="text-align:left">{head}{"".join(rows)}</table>'
    return f'<div>{table}<pre style="white-space:pre-wrap">{escape(text)}</pre>{svg}</div>'
