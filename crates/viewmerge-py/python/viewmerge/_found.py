"""The copies found in a program: a row for each line and op, the largest first."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Generic, Iterator, List, NamedTuple, Optional, Sequence, Tuple, TypeVar, Union, overload

from ._core import View
from ._places import Line, Place, Trail, place_of, short
from ._stages import Stage, spell_bytes

T = TypeVar("T")
Layout = Tuple[Tuple[int, ...], Tuple[int, ...], int]


@dataclass
class Raw:
    """The record of one call with one layout, noted while the program runs."""

    trail: Trail
    backward: str
    """What PyTorch calls the op whose backward it was in; "unknown" or "thread" if it does not tell; "" in a forward."""
    told: Tuple[str, Tuple[Any, ...], str]
    """The op that copied as PyTorch calls it, its arguments, and the memory format that was asked for."""
    view: Layout
    itemsize: int
    library: str
    dtype: str = ""
    root: Layout = ((), (), 0)
    steps: Tuple[Tuple[str, Tuple[Any, ...]], ...] = ()
    maker: str = ""
    born: Trail = ()
    begin: int = 0
    module: str = ""
    operand: Tuple[int, str] = (0, "")
    count: int = 0
    elements: int = 0
    seconds: float = 0.0
    targets: List[Tuple[int, ...]] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        """All bytes copied."""
        return self.elements * self.itemsize

    @property
    def place(self) -> Place:
        """Where it was called."""
        return place_of(self.trail)


class ProgramRemedy(NamedTuple):
    """A change that was run, and its effect."""

    text: str
    """What to change."""
    where: str
    """The file and the line to change; "" if it is all of the function."""
    before: int
    """The bytes that the program copied."""
    after: int
    """The bytes that it copied with this change alone, copies elsewhere included."""
    equal: str
    """How outputs and gradients compared: "bit-equal", or the difference that was found."""
    seconds: float
    """How long it took to try."""

    def __str__(self) -> str:
        where = f" at {self.where}" if self.where else ""
        sizes = f"{spell_bytes(self.before)} → {spell_bytes(self.after)}"
        return f"{self.text}{where}: {sizes}, outputs {self.equal}"


class ProgramRemedies(NamedTuple):
    """Changes that were run together."""

    remedies: Tuple[ProgramRemedy, ...]
    before: int
    after: int
    equal: str

    def __str__(self) -> str:
        many = "this change" if len(self.remedies) == 1 else f"these {len(self.remedies)} changes"
        return f"{many}: {spell_bytes(self.before)} → {spell_bytes(self.after)}, outputs {self.equal}"


class Copy(NamedTuple):
    """A place where a program copies: a line, and the call there."""

    file: str
    line: int
    function: str
    code: str
    """The line of the program that calls the op: the library's, if it is not the user's."""
    op: str
    """What copies, as it was called."""
    bytes: int
    """All bytes copied there."""
    times: int
    """How often."""
    seconds: float
    """How long all of it took."""
    backward: bool
    """Whether it was in a backward; the line is that of the forward then."""
    why: str
    """Why it copies, in one sentence."""
    witness: str
    """Two places of the result that prove it, where there are such; "" otherwise."""
    view: View
    """What was copied, as a view of its memory: of the largest copies, if there are several layouts."""
    shapes: Tuple[Tuple[int, ...], ...]
    """All shapes that were copied there, those with most bytes first."""
    inner: Optional[Line]
    """File, line and function of the library that called the op, if it was not the user's code."""
    module: str
    """The module that was running when it was seen first, as ``model.layers.0.self_attn``."""
    maker: str
    """The op that made the memory; "" if it was there before."""
    remedies: Tuple[ProgramRemedy, ...] = ()
    """Changes at this line that were run and lowered the sum, the best first."""
    stages: Tuple[Stage, ...] = ()
    """How it came about, from the memory on."""

    @property
    def where(self) -> str:
        """The line, readably."""
        return f"{short(self.file)}:{self.line}" if self.file else "a thread without Python code"

    def __str__(self) -> str:
        from ._tables import paragraph

        return "\n".join(paragraph(self))


class Copies(Sequence[Copy], Generic[T]):
    """Every copy of a program, the largest first; ``print`` shows the report."""

    def __init__(self) -> None:
        self._raw: Dict[Any, Raw] = {}
        self._told: Optional[Tuple[int, List[Copy]]] = None
        self._result: List[T] = []
        self.best: Optional[ProgramRemedies] = None
        """The changes that together lower the sum most; None if none was found, or none was run."""
        self.note = "remedies were not run: give viewmerge.copies a function, or watch a rerun="
        """Why there are no remedies; "" if they were tried."""
        self.tried: int = 0
        """How many changes were run."""
        self._remedies: Dict[Any, List[ProgramRemedy]] = {}

    @property
    def result(self) -> T:
        """The return value of the function given to ``copies``."""
        if not self._result:
            raise AttributeError("there is no result: no function was called, or it raised")
        return self._result[0]

    def _copies(self) -> List[Copy]:
        noted = self.times
        if self._told is None or self._told[0] != noted:
            self._told = (noted, rows(self))
        return self._told[1]

    def __len__(self) -> int:
        return len(self._copies())

    @overload
    def __getitem__(self, place: int) -> Copy: ...
    @overload
    def __getitem__(self, place: slice) -> List[Copy]: ...
    def __getitem__(self, place: Union[int, slice]) -> Union[Copy, List[Copy]]:
        return self._copies()[place]

    def __iter__(self) -> Iterator[Copy]:
        return iter(self._copies())

    @property
    def bytes(self) -> int:
        """All bytes copied."""
        return sum(raw.bytes for raw in self._raw.values())

    @property
    def times(self) -> int:
        """How many copies there were."""
        return sum(raw.count for raw in self._raw.values())

    @property
    def seconds(self) -> float:
        """How long all copies took."""
        return sum(raw.seconds for raw in self._raw.values())

    def __repr__(self) -> str:
        from ._tables import summary

        return f"<Copies: {summary(self)}>"

    def __str__(self) -> str:
        return self.text()

    def text(self, *, top: Optional[int] = None, min_bytes: int = 0, why: bool = False) -> str:
        """The report: the first ``top`` rows, of at least ``min_bytes``; ``why`` adds the witnesses."""
        from ._tables import text

        return text(self, top, min_bytes, why)

    def show(self) -> None:
        """Prints the report: with rich if it is installed and this is a terminal, else as plain text."""
        from ._tables import show

        show(self)

    def __rich__(self) -> Any:
        from ._tables import rich_table

        return rich_table(self)

    def to_dict(self, *, top: Optional[int] = None, min_bytes: int = 0) -> Dict[str, Any]:
        """The report as plain data."""
        from ._tables import as_dict

        return as_dict(self, top, min_bytes)

    def to_html(self, *, top: Optional[int] = None, min_bytes: int = 0) -> str:
        """The report as an HTML table."""
        from ._tables import html

        return html(self, top, min_bytes)

    def _repr_html_(self) -> str:
        return self.to_html()


def row_key(raw: Raw) -> Tuple[Any, ...]:
    """The key of a row: the line, the op, and the direction."""
    from ._reasons import op_name

    return (raw.place.lines, op_name(raw), bool(raw.backward))


def rows(found: Copies[Any]) -> List[Copy]:
    """A row for each line and op, the largest first."""
    groups: Dict[Any, List[Raw]] = {}
    for raw in found._raw.values():
        groups.setdefault(row_key(raw), []).append(raw)
    made = [_row(group, found._remedies.get(key, [])) for key, group in groups.items()]
    return sorted(made, key=lambda copy: (-copy.bytes, copy.file, copy.line))


def _row(group: List[Raw], remedies: List[ProgramRemedy]) -> Copy:
    from ._reasons import op_text, reason, stages_of, witness

    group = sorted(group, key=lambda raw: -raw.bytes)
    raw = group[0]
    file, line, function = raw.place.user
    shapes = tuple(dict.fromkeys(one.view[0] for one in group))
    return Copy(
        file=file,
        line=line,
        function=function,
        code=raw.place.code,
        op=op_text(raw, several=len(shapes) > 1),
        bytes=sum(one.bytes for one in group),
        times=sum(one.count for one in group),
        seconds=sum(one.seconds for one in group),
        backward=bool(raw.backward),
        why=reason(raw),
        witness=witness(raw),
        view=View(*raw.view),
        shapes=shapes,
        inner=raw.place.inner,
        module=next((one.module for one in group if one.module), ""),
        maker=raw.maker,
        remedies=tuple(sorted(remedies, key=lambda remedy: remedy.after)),
        stages=stages_of(raw),
    )


for _public in (Copy, Copies):
    _public.__module__ = "viewmerge"
