"""Watched NumPy arrays: a subclass that notes which of its ops copied.

A marked array behaves like any array. After each of its methods, and each function of NumPy on it, we
check whether the result is other memory. Results of NumPy on a marked array are marked; those of other
libraries are not.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any, Callable, Dict, Tuple

import numpy

from ._found import Layout, Raw
from ._places import trail_of
from ._watch import current

# Functions that only move data, with their names in a report.
_MOVES = frozenset("copy roll repeat tile pad rot90 flip require resize".split())
_JOINS = frozenset("concatenate stack vstack hstack dstack column_stack".split())
# Functions that turn a marked array into a plain one without calling its methods.
_REPLACED = ("array", "asarray", "ascontiguousarray", "asfortranarray", "require")


def marked(x: Any) -> Any:
    """A watched array over the same memory."""
    return numpy.asarray(x).view(Marked)


def _bare(x: Any) -> Any:
    """Arguments with plain arrays in place of marked ones."""
    if isinstance(x, Marked):
        return x.view(numpy.ndarray)
    if isinstance(x, (list, tuple)) and type(x) in (list, tuple):
        return type(x)(map(_bare, x))
    return {key: _bare(value) for key, value in x.items()} if type(x) is dict else x


def _again(x: Any) -> Any:
    """Results with marked arrays."""
    if type(x) is numpy.ndarray:
        return x.view(Marked)
    if type(x) in (list, tuple):
        return type(x)(map(_again, x))
    return type(x)(*map(_again, x)) if isinstance(x, tuple) and hasattr(x, "_fields") else x


def _layout(x: Any) -> Layout:
    size = x.itemsize or 1
    if any(stride % size for stride in x.strides):
        return x.shape, x.strides, 0
    return x.shape, tuple(stride // size for stride in x.strides), 0


def note(x: Any, result: Any, name: str, arguments: Tuple[Any, ...] = (), begin: float = 0.0) -> Any:
    """Notes an op whose result is other memory than the array's."""
    took = perf_counter() - begin
    found = current()
    if found is None or not isinstance(result, numpy.ndarray):
        return result
    if result.size and result.dtype == x.dtype and not numpy.may_share_memory(x, result):
        record(found, x, name, arguments, result.size, took)
    return result


def record(found: Any, x: Any, name: str, arguments: Tuple[Any, ...], elements: int, took: float) -> None:
    """Notes a copy."""
    trail = trail_of(sys._getframe())
    view = _layout(x)
    index = (trail, (name, arguments), view, x.itemsize)
    raw = found._raw.get(index)
    if raw is None:
        raw = Raw(trail, "", (name, arguments, ""), view, x.itemsize, "numpy", str(x.dtype), view)
        found._raw[index] = raw
    raw.count += 1
    raw.elements += elements
    raw.seconds += took


class Marked(numpy.ndarray):  # type: ignore[misc]
    """An array that ``watch`` sees."""

    def reshape(self, *shape: Any, **options: Any) -> Any:
        """As NumPy's."""
        begin = perf_counter()
        result = super().reshape(*shape, **options)
        if options.get("order", "C") != "C":
            return note(self, result, "copy", (), begin)
        return note(self, result, "reshape", (result.shape,), begin)

    def ravel(self, order: Any = "C") -> Any:
        """As NumPy's."""
        begin = perf_counter()
        result = super().ravel(order)
        if order != "C":
            return note(self, result, "copy", (), begin)
        if not numpy.may_share_memory(self, result) and numpy.may_share_memory(self, super().reshape(-1)):
            return note(self, result, "ravel", (), begin)
        return note(self, result, "reshape", (result.shape,), begin)

    def flatten(self, order: Any = "C") -> Any:
        """As NumPy's, which always copies."""
        begin = perf_counter()
        return note(self, super().flatten(order), "flatten", (), begin)

    def copy(self, order: Any = "C") -> Any:
        """As NumPy's, which always copies."""
        begin = perf_counter()
        return note(self, super().copy(order), "copy", (), begin)

    def astype(self, *args: Any, **kwargs: Any) -> Any:
        """As NumPy's, which copies unless ``copy=False``."""
        begin = perf_counter()
        return note(self, super().astype(*args, **kwargs), "astype", (), begin)

    def __setitem__(self, key: Any, value: Any) -> None:
        begin = perf_counter()
        super().__setitem__(key, value)
        found = current()
        if found is not None and isinstance(value, Marked) and value.size and value.dtype == self.dtype:
            record(found, value, "copy_", (), value.size, perf_counter() - begin)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        name = func.__name__
        if name in ("reshape", "ravel") and args and isinstance(args[0], Marked):
            # The methods report more.
            return getattr(args[0], name)(*args[1:], **{"shape" if k == "newshape" else k: v for k, v in kwargs.items()})
        begin = perf_counter()
        result = func(*_bare(args), **_bare(kwargs))
        x = args[0] if args else None
        if name in _JOINS and isinstance(x, (list, tuple)):
            filled = [part for part in x if getattr(part, "size", 0)]
            x = filled[0] if len(filled) == 1 else None
        if isinstance(x, Marked) and (name in _MOVES or name in _JOINS):
            note(x, result, name, (), begin)
        return _again(result)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        result = getattr(ufunc, method)(*_bare(inputs), **_bare(kwargs))
        return _again(result)


def replace_functions() -> Callable[[], None]:
    """Makes functions that do not dispatch, such as ``numpy.ascontiguousarray``, note marked arrays; returns how to undo
    it."""
    kept: Dict[str, Any] = {name: getattr(numpy, name) for name in _REPLACED}

    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(a: Any = None, *args: Any, **kwargs: Any) -> Any:
            if not isinstance(a, Marked):
                return function(a, *args, **kwargs) if a is not None else function(*args, **kwargs)
            begin = perf_counter()
            result = function(a.view(numpy.ndarray), *args, **kwargs)
            note(a, result, name, (), begin)
            return _again(result)

        return call

    for name, function in kept.items():
        setattr(numpy, name, watched(name, function))

    def undo() -> None:
        for name, function in kept.items():
            setattr(numpy, name, function)

    return undo
