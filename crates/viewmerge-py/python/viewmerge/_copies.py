"""Why an array is copied, and the cheapest remedy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Sequence, SupportsIndex, Tuple, Union, overload

from ._arrays import tell
from ._core import Verdict, View, ViewChain
from ._error import Error
from ._optext import Call, calls
from ._questions import explain
from ._records import Explanation
from ._remedies import Fix, Remedy, remedies
from ._stages import Source, Stage, first_break, first_stage
from ._symbolic import SymbolicChain
from ._symbolic_copies import SymbolicReport, symbolic_report, symbolic_start
from ._trace import Traced, front, source_of, start
from ._types import Op


class _Anchored(View):
    """A view of a known memory, which notices if it is read from another place in that memory."""

    __slots__ = ("_anchor",)
    _anchor: Any

    def numpy(self, buffer: Any, fill: Any = None, *, dtype: Any = None) -> Any:
        self._check(buffer)
        return View.numpy(self, buffer, fill, dtype=dtype)

    def _check(self, buffer: Any) -> None:
        """Refuses a buffer over the same memory that begins elsewhere."""
        try:
            counted, given = tell(self._anchor), tell(buffer)
        except TypeError:
            return
        if counted.address is None or given.address is None or counted.address == given.address:
            return
        from ._arrays import extent

        (low, high), (first, last) = extent(counted), extent(given)
        if low < last and first < high:
            ahead = counted.address - given.address
            raise Error(
                f"the view counts from an array that begins {ahead} bytes behind this buffer, in the "
                "same memory: why_copy(..., base=buffer) counts from the buffer",
                "other_base",
                {"offset": ahead, "shape": self.shape, "strides": self.strides},
            )

    def __reduce__(self) -> Any:
        return View, (self.shape, self.strides, self.offset, self.mask)


@dataclass(frozen=True)
class CopyReport:
    """Whether some ops on an array are a view; true if they are, and ``str`` is the report."""

    stages: Tuple[Stage, ...]
    explanation: Explanation
    remedies: Tuple[Remedy, ...]
    """What helps, each checked by doing the ops again from it; empty if nothing needs to be copied."""
    fix: Optional[Fix]
    """The cheapest copy that helps; None if there is nothing to copy."""
    source: Source = Source()
    """What is known of the array besides its view."""
    _array: Any = field(default=None, repr=False, compare=False)
    _base: Any = field(default=None, repr=False, compare=False)

    @property
    def chain(self) -> ViewChain:
        """The chain after all ops."""
        return self.stages[-1].chain

    @property
    def verdict(self) -> Verdict:
        """Whether the whole chain is one view."""
        return self.explanation.verdict

    @property
    def view(self) -> Optional[View]:
        """The one view, or None; its positions count from the array, or from ``base=``."""
        view = self.verdict.view
        anchor = self._array if self._base is None else self._base
        if view is None or anchor is None or self.source.library == "torch":
            return view
        anchored = _Anchored(view.shape, view.strides, view.offset, view.mask)
        object.__setattr__(anchored, "_anchor", anchor)
        return anchored

    @property
    def is_view(self) -> bool:
        """Whether no copy is needed."""
        return self.stages[-1].is_view

    @property
    def broke(self) -> Optional[int]:
        """The number of the first op after which it was not one view, counted from 1, or None."""
        return first_break(self.stages)

    def array(self) -> Any:
        """The result as a view of the array in question, without copying.

        >>> import numpy
        >>> x = numpy.arange(12)[3:]
        >>> why_copy(x, (3, 3)).array()
        array([[ 3,  4,  5],
               [ 6,  7,  8],
               [ 9, 10, 11]])
        """
        view = self.verdict.view
        if self._array is None:
            raise Error("the report is of no array, or was unpickled", "no_array", {})
        if view is None:
            raise Error(f"there is no such view: {self.verdict.witness}", "not_mergeable", {})
        return view_of_array(view, self._array, self.stages[0].chain.last, self.source)

    def __bool__(self) -> bool:
        return self.is_view

    def __str__(self) -> str:
        from ._words import story

        return story(self)

    def __repr__(self) -> str:
        what = "one view" if self.is_view else f"not one view since {self.stages[self.broke or 0].op}"
        return f"<CopyReport {self.chain}: {what}>"

    def svg(self, *, title: Optional[str] = None, most_cells: Optional[int] = None) -> str:
        """The picture: the steps between neighbours, with those that differ highlighted."""
        return self.explanation.svg(title=title, most_cells=most_cells)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_html_(self) -> str:
        from ._words import report_html

        return report_html(self)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_array": None, "_base": None}


CopyReport.__module__ = "viewmerge"


def view_of_array(view: View, array: Any, start: View, source: Source) -> Any:
    """The view as an array over the memory of ``array``, whose own view is ``start``."""
    if view.mask is not None:
        raise Error("the view has padding, which is in no memory", "masked", {"shape": view.shape})
    if source.library == "torch":
        offset = array.storage_offset() + view.offset - start.offset
        return array.as_strided(view.shape, view.strides, offset)
    import numpy

    unit = source.unit or 1
    strides = tuple(stride * unit for stride in view.strides)
    ahead = (view.offset - start.offset) * unit
    interface = dict(array.__array_interface__)
    if view.is_empty:
        return numpy.asarray(array).reshape(-1)[:0].reshape(view.shape)
    address, readonly = interface["data"]
    readonly = readonly or not view.is_injective()
    interface.update(data=(address + ahead, readonly), shape=view.shape, strides=strides)
    return numpy.asarray(_Interface(interface, array))


class _Interface:
    """An array interface for NumPy, which keeps the memory alive."""

    def __init__(self, interface: Dict[str, Any], keep: Any) -> None:
        self.__array_interface__ = interface
        self.keep = keep


@overload
def why_copy(
    x: SymbolicChain,
    new_shape: Any = None,
    *,
    ops: Union[str, Iterable[Op], None] = None,
) -> SymbolicReport: ...
@overload
def why_copy(
    x: Union[Tuple[int, ...], List[int]],
    new_shape: Union[SupportsIndex, Sequence[SupportsIndex], str, None] = None,
    *,
    ops: Union[str, Iterable[Op], None] = None,
    order: str = "C",
    names: Optional[Sequence[str]] = None,
    like: Optional[str] = None,
    **sizes: int,
) -> CopyReport: ...
@overload
def why_copy(
    x: Union[Tuple[Any, ...], List[Any]],
    new_shape: Any = None,
    *,
    ops: Union[str, Iterable[Op], None] = None,
) -> SymbolicReport: ...
@overload
def why_copy(
    x: Any,
    new_shape: Union[SupportsIndex, Sequence[SupportsIndex], str, None] = None,
    *,
    ops: Union[str, Iterable[Op], None] = None,
    order: str = "C",
    base: Any = None,
    names: Optional[Sequence[str]] = None,
    like: Optional[str] = None,
    **sizes: int,
) -> CopyReport: ...
def why_copy(
    x: Any,
    new_shape: Union[SupportsIndex, Sequence[SupportsIndex], str, None] = None,
    *,
    ops: Union[str, Iterable[Op], None] = None,
    order: str = "C",
    base: Any = None,
    names: Optional[Sequence[str]] = None,
    like: Optional[str] = None,
    **sizes: int,
) -> Any:
    """Whether a reshape of an array, or some ops on it, is a view; if not, why, and what would help.

    ``x`` is an array, a view, a chain, or the shape of a row-major array. ``new_shape`` is a shape, in the order "C" or "F", or a pattern
    of axes in einops' notation, with the lengths of axes by name. ``ops`` is text, ops with ``|`` between them, or a list of texts and
    (name, argument, ...). An op has the meaning of the array's library, and for views that of PyTorch; ``like`` ("numpy" or "torch")
    overrides this. With unknown sizes (a ``SymbolicChain``, a shape or a pair of shape and strides with expressions of ``sym``, sympy or
    PyTorch's tracing) the answer is a ``SymbolicReport``: for which sizes it is a view, and how much is copied otherwise. Positions count
    from the first element of ``base``, an array over the same memory; ``names`` are the names of the axes.

    >>> import numpy
    >>> report = why_copy(numpy.zeros((2, 3)).T, 6)
    >>> report.is_view, report.fix.elements
    (False, 6)
    >>> print(report)  # doctest: +NORMALIZE_WHITESPACE
    Not one view: reshape(6) must copy 6 elements (48 bytes).
    Why: the step along axis 0 of the result is +3 at (0), but −2 at (1). There axis 1
    of the array carries into axis 0, which has stride 1 and would need 6.
    Remedies:
      - copy the 6 elements (48 bytes) of the array, before reshape(6): np.ascontiguousarray(x);
        the rest is a view
      - allocate the array in another layout, then nothing is copied: np.empty((3, 2))
      - with axis 0 of 6 cut into 3 by 2: leave out reshape(6), over (3, 2) it is as it is before
    >>> why_copy(numpy.zeros((2, 3)), (3, 2)).view
    View((3, 2), (2, 1))
    >>> why_copy(View((2, 3)), ops="permute(1,0) | reshape(6) | expand(100,6)").broke
    2
    >>> why_copy(numpy.zeros((2, 10, 512)), "b t (h d) -> b h t d", h=8).view
    View((2, 8, 10, 64), (5120, 64, 512, 1))
    """
    if (new_shape is None) == (ops is None):
        raise TypeError("why_copy takes either a new shape or ops=")
    symbolic = symbolic_start(x)
    if symbolic is not None:
        texts = [text for text in (new_shape, ops) if isinstance(text, str)]
        if any("->" in text for text in texts):
            raise Error(
                f"{texts[0]!r}: a pattern of axes takes sizes that are known; for unknown ones write the reshapes and permutes",
                "symbolic_pattern",
                {"pattern": texts[0]},
            )
        if order != "C" or base is not None or names is not None or like is not None or sizes:
            raise TypeError("why_copy of unknown sizes takes a new shape or ops= alone")
        return symbolic_report(symbolic, new_shape, ops)
    if isinstance(new_shape, str):
        new_shape, ops = None, new_shape
    elif sizes:
        raise TypeError(f"{', '.join(sizes)}: lengths of axes go with a pattern")
    if isinstance(x, (tuple, list)) and all(hasattr(size, "__index__") for size in x):
        x = View(x)
    is_array = not isinstance(x, (View, ViewChain, str, Traced))
    traced = _start(x, base, names, like)
    if new_shape is not None:
        traced = traced.reshape(_argument(new_shape), order=order)
    for call in calls(ops, known_ops(traced)) if ops is not None else ():
        traced = _do(traced, call, sizes)
    kept = (x, base) if is_array else (None, None)
    return report(traced.stages, traced._source, traced.library, *kept)


def _argument(shape: Any) -> Tuple[int, ...]:
    if hasattr(shape, "__index__"):
        return (shape.__index__(),)
    sizes = tuple(shape) if hasattr(shape, "__iter__") else ()
    if not hasattr(shape, "__iter__") or not all(hasattr(size, "__index__") for size in sizes):
        raise TypeError(f"a shape is an integer or a sequence of integers, not {shape!r}")
    return tuple(size.__index__() for size in sizes)


def _start(x: Any, base: Any, names: Optional[Sequence[str]], like: Optional[str]) -> Any:
    if isinstance(x, Traced):
        return x
    source = source_of(x, base)
    library = like or source.library
    stage = first_stage(start(x, base), names)
    return front(library)((stage,), source) if library else Traced((stage,), source)


def known_ops(traced: Traced) -> Sequence[str]:
    """The names of ops that a trace knows."""
    told = {"stages", "chain", "shape", "ndim", "size", "names", "is_view", "verdict", "broke", "report"}
    told |= {"svg", "library", "size_known", "dim", "numel"}
    return [name for name in dir(traced) if not name.startswith("_") and name not in told]


def _do(traced: Any, call: Call, sizes: Dict[str, int]) -> Any:
    """The trace after an op."""
    member = getattr(traced, call.name)
    if isinstance(member, Traced):
        return member
    keywords = dict(sizes) if call.name == "rearrange" and not call.keywords else call.keywords
    try:
        done = member(*call.arguments, **keywords)
    except Error as error:
        raise Error(f"in {call.given!r}, at column {call.at + 1}: {error}", error.kind, {"at": call.at, **error.fields}) from None
    except (TypeError, ValueError, IndexError) as error:
        told = str(error).split("() ")[-1] if isinstance(error, TypeError) else str(error)
        raise Error(
            f"in {call.given!r}, at column {call.at + 1}: {call.name}: {told}",
            "bad_argument",
            {"at": call.at, "op": call.name},
        ) from None
    if not isinstance(done, Traced):
        raise Error(
            f"in {call.given!r}, at column {call.at + 1}: {call.name} gives several arrays, an op gives one",
            "bad_argument",
            {"at": call.at, "op": call.name},
        )
    return done


def report(
    stages: Sequence[Stage], source: Source = Source(), library: str = "", array: Any = None, base: Any = None
) -> CopyReport:
    """The report on some stages."""
    explanation = explain(stages[-1].chain)
    found: Tuple[Remedy, ...] = ()
    fix: Optional[Fix] = None
    if library or not stages[-1].is_view:
        found, fix = remedies(stages, source, library)
    return CopyReport(tuple(stages), explanation, found, fix, source, array, base)
