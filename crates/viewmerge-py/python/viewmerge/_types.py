"""The types that functions accept."""

from __future__ import annotations

from typing import Any, Sequence, SupportsIndex, Tuple, Union

from ._core import StridePattern, View, ViewChain

Numbers = Sequence[SupportsIndex]
Pairs = Sequence[Sequence[SupportsIndex]]
ViewLike = Union[View, str]
ChainLike = Union[View, ViewChain, str, Sequence[Union[View, ViewChain, str]]]
PatternLike = Union[StridePattern, View, str, Sequence[SupportsIndex]]
Op = Union[str, Sequence[Any]]
Mask = Union[None, str, Tuple[Tuple[int, int], ...]]
