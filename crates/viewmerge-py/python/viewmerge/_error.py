"""Errors: what was refused, and why."""

from __future__ import annotations

from typing import Any, Callable, Optional, Tuple, Type


class Error(ValueError):
    """Why an input was refused.

    ``kind`` is a stable name, ``fields`` holds the offending values by name; each
    of them is an attribute too. ``axis``, ``shape`` and ``strides`` always exist, and are
    None if the error has none.

    >>> try:
    ...     View((2, -3))
    ... except Error as error:
    ...     print(error, error.kind, error.axis, error.shape, error.size, sep="; ")
    axis 1 has size -3, a size must be 0 or more; negative_size; 1; (2, -3); -3
    """

    kind: str
    fields: dict[str, Any]
    axis: Optional[int] = None
    shape: Optional[Tuple[int, ...]] = None
    strides: Optional[Tuple[int, ...]] = None

    def __init__(
        self, message: str, kind: str = "error", fields: Optional[dict[str, Any]] = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.fields = dict(fields or {})
        for name, value in self.fields.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"an error of kind {self.__dict__.get('kind')!r} has no {name!r}")

    def __reduce__(self) -> Tuple[Callable[..., Error], Tuple[str, str, dict[str, Any]]]:
        return build, (self.kind, str(self), self.fields)


class OutOfBounds(Error, IndexError):
    """An index or a position that does not exist; also an ``IndexError``.

    >>> try:
    ...     View((2, 3))[5]
    ... except IndexError as error:
    ...     print(error)
    index 5 is outside axis 0 of size 2, it must lie in 0..2
    """


for _class in (Error, OutOfBounds):
    _class.__module__ = "viewmerge"

_OUT_OF_BOUNDS = {"index_out_of_bounds", "position_out_of_bounds", "too_many_slices"}


def build(kind: str, message: str, fields: dict[str, Any]) -> Error:
    """The error of a kind."""
    chosen: Type[Error] = OutOfBounds if kind in _OUT_OF_BOUNDS else Error
    return chosen(message, kind, fields)
