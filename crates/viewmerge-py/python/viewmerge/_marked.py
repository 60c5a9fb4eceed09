"""Arrays of NumPy that are watched: a subclass that notes which of its ops copied.

A marked array is an array in every respect. Its methods and the functions of
NumPy do what they do, and then it is looked whether the result is other memory.
"""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Tuple

import numpy

from ._found import Raw
from ._watch import _HERE, current, user_line

_SKIPPED = (_HERE, os.path.dirname(numpy.__file__) + os.sep)
_FUNCTIONS = ("reshape", "ravel", "copy")


def marked(x: Any) -> Any:
    """The same memory, watched."""
    return numpy.asarray(x).view(Marked)


def _parts(x: Any) -> Tuple[Tuple[int, ...], Tuple[int, ...], int]:
    size = x.itemsize or 1
    if any(stride % size for stride in x.strides):
        return x.shape, x.strides, 0
    return x.shape, tuple(stride // size for stride in x.strides), 0


def note(x: Any, result: Any, name: str, arguments: Tuple[Any, ...] = (), memory: str = "") -> Any:
    """Notes an op whose result is other memory than the array's."""
    found = current()
    if found is None or not isinstance(result, numpy.ndarray):
        return result
    if result.size and result.dtype == x.dtype and not numpy.may_share_memory(x, result):
        where = user_line(_SKIPPED)
        told = (name, arguments, memory)
        view = _parts(x)
        index = (where, told, view, x.itemsize)
        raw = found._raw.get(index)
        if raw is None:
            raw = Raw(where, told, view, x.itemsize, "numpy", view, (), "")
            found._raw[index] = raw
        raw.count += 1
        raw.elements += result.size
    return result


class Marked(numpy.ndarray):  # type: ignore[misc]
    """An array that ``watch`` sees."""

    def reshape(self, *shape: Any, **options: Any) -> Any:
        """As NumPy's."""
        result = super().reshape(*shape, **options)
        if options.get("order", "C") != "C":
            return note(self, result, "copy")
        return note(self, result, "reshape", (result.shape,))

    def ravel(self, order: Any = "C") -> Any:
        """As NumPy's."""
        result = super().ravel(order)
        if order != "C":
            return note(self, result, "copy")
        if not numpy.may_share_memory(self, result) and numpy.may_share_memory(self, super().reshape(-1)):
            return note(self, result, "ravel")
        return note(self, result, "reshape", (result.shape,))

    def flatten(self, order: Any = "C") -> Any:
        """As NumPy's, which always copies."""
        return note(self, super().flatten(order), "flatten")

    def copy(self, order: Any = "C") -> Any:
        """As NumPy's, which always copies."""
        return note(self, super().copy(order), "copy")

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return super().__array_function__(func, types, args, kwargs)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        bare = [x.view(numpy.ndarray) if isinstance(x, Marked) else x for x in inputs]
        if "out" in kwargs:
            kwargs["out"] = tuple(
                x.view(numpy.ndarray) if isinstance(x, Marked) else x for x in kwargs["out"]
            )
        result = getattr(ufunc, method)(*bare, **kwargs)
        if isinstance(result, numpy.ndarray):
            return result.view(Marked)
        return result


def replace_functions() -> Callable[[], None]:
    """Has ``numpy.ascontiguousarray`` and ``asfortranarray`` tell of marked arrays; gives what undoes it."""
    kept: Dict[str, Any] = {name: getattr(numpy, name) for name in ("ascontiguousarray", "asfortranarray")}

    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(a: Any, *args: Any, **kwargs: Any) -> Any:
            result = function(a, *args, **kwargs)
            if isinstance(a, Marked):
                return note(a, result, name).view(Marked)
            return result

        return call

    for name, function in kept.items():
        setattr(numpy, name, watched(name, function))

    def undo() -> None:
        for name, function in kept.items():
            setattr(numpy, name, function)

    return undo
