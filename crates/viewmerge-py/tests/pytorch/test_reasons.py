"""Every kind of sentence in a report, each checked: what it says about strides, views and other ways to write the op is
true."""

from __future__ import annotations

import re
from typing import Any, Callable

import numpy
import pytest
import torch
from torch.nn import functional as F

from viewmerge import Copies, watch


def told(call: Callable[[], Any]) -> Any:
    """The one row of a call."""
    with watch() as found:
        call()
    assert len(found) == 1, found
    return found[0]


def numbers(why: str) -> tuple[int, int, int]:
    """The axis, its stride and the one it would have."""
    match = re.search(r"because axis (\d+) has stride (\d+), \w+ would be (\d+)", why)
    assert match is not None, why
    return int(match[1]), int(match[2]), int(match[3])


X = torch.randn(2, 8, 6, 4)


def test_contiguous() -> None:
    x = X.transpose(1, 2)
    row = told(lambda: x.contiguous())
    axis, stride, wanted = numbers(row.why)
    assert row.op == "contiguous()" and row.why.startswith("contiguous() copies because axis")
    assert x.stride(axis) == stride and x.contiguous().stride(axis) == wanted != stride
    # The view after it is another op, and succeeds.
    row = told(lambda: x.contiguous().view(2, -1))
    assert row.op == "contiguous()" and "does not find" not in row.why


def test_memory_formats() -> None:
    last = torch.channels_last
    calls: list[tuple[Callable[[], Any], str]] = [
        (lambda: X.contiguous(memory_format=last), "contiguous(memory_format=torch.channels_last)"),
        (lambda: X.to(memory_format=last), "to(memory_format=torch.channels_last)"),
    ]
    for call, op in calls:
        row = told(call)
        axis, stride, wanted = numbers(row.why)
        assert row.why.startswith(f"{op} copies because axis") and "channels_last would be" in row.why
        assert X.stride(axis) == stride and call().stride(axis) == wanted != stride


def test_clones() -> None:
    row = told(lambda: X.clone())
    assert (row.op, row.why) == ("clone()", "clone() always copies.")
    row = told(lambda: X.clone(memory_format=torch.contiguous_format))
    assert (row.op, row.why) == ("clone()", "clone() always copies.")
    assert X.clone(memory_format=torch.contiguous_format).data_ptr() != X.data_ptr()


def test_reshapes() -> None:
    x = X.transpose(1, 2)
    for call, op in ((lambda: x.reshape(2, 48, 4), "reshape(2, 48, 4)"), (lambda: x.flatten(1, 2), "flatten()")):
        row = told(call)
        axis, stride, wanted = numbers(row.why)
        assert row.op == op and x.stride(axis) == stride != wanted
        # With that stride the two axes would be joined without a copy.
        joined = torch.empty_strided(x.shape, [wanted if k == axis else s for k, s in enumerate(x.stride())])
        assert joined.flatten(1, 2).data_ptr() == joined.data_ptr()
        assert "the step along" in row.witness


def test_inside_other_ops() -> None:
    q, k = X, X.transpose(1, 2).contiguous().transpose(1, 2)
    row = told(lambda: torch.matmul(q, k.transpose(-1, -2)))
    axis, stride, wanted = numbers(row.why)
    assert row.why.startswith("matmul() copies its second operand, k, because") and row.op == "matmul()"
    assert k.transpose(-1, -2).stride(axis) == stride != wanted
    row = told(lambda: q @ k.transpose(-1, -2))
    assert row.why.startswith("@ copies its second operand, k, because")


def test_ops_that_always_copy() -> None:
    x = torch.randn(1, 4, 4, 4)
    rows: list[tuple[Callable[[], Any], str]] = [
        (lambda: x.flip(1), "flip(1) always copies: PyTorch has no negative strides."),
        (lambda: x.roll(1, 0), "roll(1, 0) always copies: it joins two parts of the tensor in another order."),
        (lambda: x.repeat(2, 1, 1, 1), "repeat(2, 1, 1, 1) always copies."),
        (lambda: torch.cat([x]), "cat() copies because it makes new memory even of one tensor."),
        (lambda: torch.stack([x]), "stack() copies because it makes new memory even of one tensor."),
        (lambda: F.pad(x, (0, 0)), "pad() by nothing copies all of the tensor."),
        (lambda: F.pad(x, (1, 0)), "pad() copies because what is padded is new memory."),
        (lambda: F.pixel_shuffle(x, 2), "pixel_shuffle() always copies."),
        (lambda: torch.tensor(x.numpy()), "torch.tensor() always copies; torch.as_tensor() and torch.from_numpy() do not."),
        (lambda: x.to(torch.float32, copy=True), "to() copies because a new tensor is asked for."),
    ]
    for call, why in rows:
        row = told(call)
        assert row.why == why
        assert call().data_ptr() != x.data_ptr()
    array = numpy.zeros(3)
    for make in (torch.as_tensor, torch.from_numpy):
        assert make(array).data_ptr() == array.ctypes.data


def test_assignments() -> None:
    y = torch.zeros(4)

    def assign() -> None:
        y[:2] = y[2:]

    row = told(assign)
    assert row.why == "the assignment copies because it writes into memory that is there already."
    row = told(lambda: y.copy_(torch.ones(4)))
    assert row.why == "copy_() copies because it writes into memory that is there already."
    begin = y.data_ptr()
    assign()
    assert y.data_ptr() == begin


def test_in_place_activations() -> None:
    w = torch.randn(3, 4, requires_grad=True)
    row = told(lambda: F.silu(w * 2, inplace=True))
    assert row.why == "silu_() copies because autograd needs what it overwrites."
    with watch() as found, torch.no_grad():
        F.silu(w * 2, inplace=True)
    assert len(found) == 0
    with watch() as found:
        F.silu(w * 2)
    assert len(found) == 0


def backward_rows(call: Callable[[], Any]) -> list[Any]:
    with watch() as found:
        call().sum().backward()
    return [row for row in found if row.backward]


def test_backwards() -> None:
    w = torch.randn(4, 6, requires_grad=True)
    scale = torch.randn(2, 6)
    (row,) = backward_rows(lambda: torch.narrow(w, 0, 1, 2) * scale)
    assert row.bytes == 48 and "slice_backward() writes the gradient of a slice into new memory" in row.why
    x = torch.randn(2, 3, 4, requires_grad=True)
    rows = backward_rows(lambda: (x * 1.5).view(6, 4).view(2, 3, 4).transpose(1, 2).contiguous() * torch.randn(2, 4, 3))
    for row in rows:
        assert row.why.startswith("the backward") and "copies a gradient" in row.why
    if not hasattr(torch._C, "_current_autograd_node"):
        assert all("does not tell of which line" in row.why for row in rows)


def test_the_report() -> None:
    x = torch.zeros(2, 10, 8, 64)
    with watch() as found:
        for size in (2, 4, 8):
            for _ in range(3):
                x[:, :size].transpose(1, 2).contiguous()
        x.transpose(1, 2).reshape(2, 80, 64)
    assert len(found) == 2 and [row.times for row in found] == [9, 1]
    first, second = found
    assert first.bytes > second.bytes and len(first.shapes) == 3 and first.seconds > 0
    text = str(found)
    assert "3 shapes, (2,8,8,64) …" in text and "10 copies of" in text and "at 2 lines" in text
    assert "remedies were not run: give viewmerge.copies a function" in text and not first.remedies
    assert text.splitlines()[-1].startswith("not seen: what a kernel copies inside itself")
    short = found.text(top=1)
    assert "and 1 more of 40.0 KiB" in short and "reshape(2, 80, 64)" not in short
    assert "reshape(2, 80, 64)" not in found.text(min_bytes=first.bytes)
    assert "the step along" not in text and "at (0,0,0), but" in found.text(why=True)
    assert found.to_dict(top=1)["copies"][0]["bytes"] == first.bytes and len(found.to_dict()["copies"]) == 2
    assert "<table>" in found.to_html() and found._repr_html_() == found.to_html()
    assert found[:1] == [first] and "\n" not in repr(found)
    # No part of a report repeats another.
    for row in found:
        assert row.why.count("copies") == 1 and not row.why.startswith("Why")


def test_piped_output_is_plain(capsys: pytest.CaptureFixture[str]) -> None:
    with watch() as found:
        torch.zeros(4, 6).t().contiguous()
    found.show()
    assert capsys.readouterr().out == f"{found}\n"


def test_result_and_types() -> None:
    from viewmerge import copies

    found: Copies[int] = copies(lambda: 3)
    number: int = found.result
    assert number == 3
    with watch() as watched:
        pass
    with pytest.raises(AttributeError, match="there is no result"):
        watched.result
