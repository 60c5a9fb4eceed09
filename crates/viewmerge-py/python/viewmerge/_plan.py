"""How few bytes the copies of a whole model must write, and the proof."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Optional, Tuple, Union

from . import _core


class PlanCost(NamedTuple):
    """Copies, and the bytes they write."""

    copies: int
    bytes: int


class PlanBound(NamedTuple):
    """Lower bounds for all plans, in bytes; costs of configurations included."""

    considered: int
    """Over the layouts that were considered."""
    all_layouts: int
    """Over all layouts."""


class PlanCopy(NamedTuple):
    """A copy that remains."""

    tensor: str
    """The tensor that is copied, or the op that copies by itself."""
    bytes: int
    why: str
    """Which contracts conflict, and along which ops."""


@dataclass(frozen=True)
class Plan:
    """A plan of a model; ``str`` is the report."""

    now: PlanCost
    least: PlanCost
    bound: PlanBound
    copies: Tuple[PlanCopy, ...]
    text: str = field(repr=False)
    """The report for people."""
    certificate: str = field(repr=False)
    """The proof, for ``viewmerge verify``."""
    onnx: bytes = field(repr=False)
    """The planned model, serialised; weights in external files stay there."""

    def __str__(self) -> str:
        return self.text


def plan(
    model: Any,
    target: str = "onnx",
    *,
    emit: Optional[Union[str, "os.PathLike[str]"]] = None,
) -> Plan:
    """Plans a model: an ``onnx.ModelProto``, its bytes, or a path to a file.

    ``target`` defines what ops can do and at which cost: "onnx", "ort-cpu", "nhwc", or a path that ends in
    ``.toml``. ``emit`` names a file for the planned model.

    >>> plan(b"")
    Traceback (most recent call last):
        ...
    viewmerge.Error: the model has no graph
    """
    path: Optional[str] = None
    data: Optional[bytes] = None
    if isinstance(model, (bytes, bytearray, memoryview)):
        data = bytes(model)
    elif hasattr(model, "SerializeToString"):
        data = model.SerializeToString()
    elif isinstance(model, (str, os.PathLike)):
        path = os.fspath(model)
    else:
        raise TypeError(f"a model is an onnx.ModelProto, bytes or a path, not {type(model).__name__}")
    table: Optional[str] = None
    if target.endswith(".toml"):
        with open(target, encoding="utf-8") as file:
            table = file.read()
    report, text, certificate, planned = _core.planned(
        data, path, target, table, None if emit is None else os.fspath(emit)
    )
    found = json.loads(report)
    copies = tuple(PlanCopy(one.get("tensor", one.get("op")), one["bytes"], one["why"]) for one in found["copies"])
    now, least, bound = PlanCost(**found["now"]), PlanCost(**found["least"]), PlanBound(**found["bound"])
    return Plan(now, least, bound, copies, text, certificate, planned)


for _public in (Plan, PlanBound, PlanCopy, PlanCost):
    _public.__module__ = "viewmerge"
