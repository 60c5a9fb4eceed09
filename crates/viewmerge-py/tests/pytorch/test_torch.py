"""Against PyTorch, on random tensors that hold their own positions."""

from __future__ import annotations

from math import prod
from typing import Any, Callable

import numpy
import pytest
import torch
from support import Choices, cases

from viewmerge import Error, View, ViewChain, equivalent, merge, trace, why_copy


def some_view(choose: Choices, memory: Any) -> Any:
    """A tensor that is a view of memory: permuted, sliced, expanded, diagonal."""
    shape = choose.shape()
    x = memory[: prod(shape)].view(shape)
    for _ in range(choose.below(4)):
        kind = choose.pick(["permute", "slice", "expand", "view", "diagonal", "unfold"])
        if kind == "permute":
            x = x.permute(choose.order(x.dim()))
        elif kind == "slice" and x.dim():
            key = [choose.slice(size, steps=(1, 1, 2, 3)) for size in x.shape]
            x = x[tuple(key)]
        elif kind == "expand" and x.numel() <= 60 and x.dim() < 5:
            place = choose.below(x.dim() + 1)
            one = x.unsqueeze(place)
            sizes = list(one.shape)
            sizes[place] = choose.between(1, 3)
            x = one.expand(sizes)
        elif kind == "view" and x.numel():
            try:
                x = x.view(choose.regrouping(x.numel()))
            except RuntimeError:
                pass
        elif kind == "diagonal" and x.dim() >= 2:
            x = x.diagonal(0, 0, 1)
        elif kind == "unfold" and x.dim() and x.numel() <= 60 and x.shape[0] >= 2:
            x = x.unfold(0, 2, choose.between(1, 2))
    return x


@cases(2500)
def test_view(choose: Choices) -> None:
    """Tensor.view succeeds: one view here. One view here: as_strided gives what reshape gives."""
    memory = torch.arange(500)
    x = some_view(choose, memory)
    view = View.of(x)
    assert (view.shape, view.count) == (tuple(x.shape), x.numel())
    if x.numel():
        assert view.offset == x.storage_offset()
    assert torch.equal(view.torch(memory), x)
    shape = choose.regrouping(x.numel())
    try:
        x.view(shape)
        no_copy = True
    except RuntimeError:
        no_copy = False
    y = x.reshape(shape)
    verdict = view.reshape(shape)
    assert verdict or not no_copy, (view, shape)
    if verdict.view is not None:
        merged = verdict.view
        assert merged.shape == tuple(y.shape)
        if min(merged.strides, default=0) >= 0:
            through = merged.torch(memory)
            assert torch.equal(through, y)
            assert not y.numel() or through.data_ptr() >= memory.data_ptr()
        assert list(merged.positions()) == y.reshape(-1).tolist()
    else:
        chain = ViewChain(view).reshape(shape)
        assert verdict.witness is not None and verdict.witness.check(chain)
        assert torch.equal(chain.torch(memory, copy=True), y)
        assert not why_copy(x, shape)


@cases(1000)
def test_other_ways_to_the_same_view(choose: Choices) -> None:
    memory = torch.arange(500)
    x = some_view(choose, memory)
    view = View.of(x)
    if x.numel():
        assert View.of(x, base=memory) == view
        assert View.of(x.numpy(), base=memory) == view
    assert equivalent(ViewChain.of(x), [View((500,)), View(view.shape, view.strides, view.offset)])


def test_base_is_counted_from() -> None:
    memory = torch.arange(24)
    part = memory[4:].view(4, 5)
    assert View.of(part.T) == View((5, 4), (1, 5), 4)
    assert View.of(part.T, base=part) == View((5, 4), (1, 5))
    assert View.of(part[1:], base=part) == View((3, 5), (5, 1), 5)
    assert torch.equal(View((5, 4), (1, 5)).torch(part), part.T)


def test_zero_copy_and_in_bounds() -> None:
    memory = torch.arange(12)
    x = View((3, 2), (4, 1), 1).torch(memory)
    x[0, 0] = 100
    assert memory[1] == 100
    for view, kind in (
        (View((13,)), "outside_buffer"),
        (View((2,), (-1,), 1), "negative_stride"),
        (View((2,)).pad((1, 1)), "masked"),
    ):
        with pytest.raises(Error) as caught:
            view.torch(memory)
        assert caught.value.kind == kind
    with pytest.raises(Error):
        View((3,)).torch(memory[::2])
    padded = View((2,)).pad((1, 1)).torch(memory, fill=-1)
    assert padded.tolist() == [-1, 0, 100, -1]
    assert View((3,), mask="nothing").torch(memory, fill=7).tolist() == [7, 7, 7]


def test_dlpack_of_a_tensor() -> None:
    class DLPack:
        def __init__(self, x: Any) -> None:
            self.x = x

        def __dlpack__(self) -> Any:
            return self.x.__dlpack__()

    x = torch.arange(24, dtype=torch.float32).view(4, 6)[1:, ::2].T
    assert View.of(DLPack(x)) == View((3, 3), (2, 6))
    assert View.of(DLPack(x), base=DLPack(x._base)) == View((3, 3), (2, 6), 6)


def test_bfloat16_has_no_numpy() -> None:
    x = torch.zeros((2, 3), dtype=torch.bfloat16).T
    assert View.of(x) == View((3, 2), (1, 3))
    with pytest.raises(TypeError):
        numpy.asarray(x)


def test_readme_of_pytorch() -> None:
    """The usual story: attention heads, transposed, cannot be viewed together."""
    x = torch.zeros(2, 8, 10, 64)
    heads = x.transpose(1, 2)
    with pytest.raises(RuntimeError):
        heads.view(2, 10, 512)
    report = why_copy(heads, (2, 10, 512))
    assert not report and report.fix is not None and report.fix.elements == 2 * 10 * 512
    assert why_copy(heads, (2, 10, 4, 2, 64)).is_view
    assert merge(View.of(heads), View((20, 512))).witness is not None


def memory(x: Any) -> int:
    """The address of a tensor's memory."""
    return int((x.untyped_storage() if hasattr(x, "untyped_storage") else x.storage()).data_ptr())


def test_no_strides() -> None:
    x = torch.zeros(3, 3)
    for tensor in (x.to_sparse(), x.to_sparse_csr(), x.to_mkldnn()):
        with pytest.raises(Error) as caught:
            View.of(tensor)
        assert caught.value.kind == "no_strides"
    with pytest.raises(Error):
        View.of(x, base=torch.zeros(3))


def test_traces_of_tensors() -> None:
    x = torch.arange(120).view(2, 3, 4, 5)
    calls: list[Callable[[Any], Any]] = [
        lambda t: t.permute(0, 2, 1, 3).reshape(2, 4, 15),
        lambda t: t.permute(0, 2, 3, 1).view(2, 20, 3),
        lambda t: t.movedim(1, -1),
        lambda t: t.transpose(1, 2).unfold(3, 2, 3),
        lambda t: t.flatten(1),
        lambda t: t.narrow(3, 1, 2).select(1, -1),
        lambda t: t.unflatten(2, (2, 2)).chunk(2, 3)[1],
        lambda t: t.split([1, 2], 1)[1].squeeze(0),
        lambda t: t[:, 0, 1:].mT,
        lambda t: t.unbind(1)[2].expand(3, 2, 4, 5),
        lambda t: torch.permute(t, (3, 2, 1, 0)),
        lambda t: t.diagonal(1, 2, 3),
        lambda t: t[0, 0].t(),
        lambda t: t.swapdims(0, 3).unsqueeze(1),
    ]
    for call in calls:
        y, traced = call(x), call(trace(x))
        assert traced.shape == tuple(y.shape)
        assert traced.chain.torch(x.view(-1), copy=True).tolist() == y.tolist()
        assert traced.is_view == (memory(y) == memory(x))
    assert not trace(x).flip(0).is_view
    with pytest.raises(TypeError, match="torch.cumsum is not traced"):
        torch.cumsum(trace(x), 0)
    report = why_copy(x.transpose(1, 2), (2, 60))
    assert "x.contiguous()" in str(report) and "torch.empty" in str(report)
    tail = why_copy(x[1:], (60,))
    assert torch.equal(tail.array(), x[1:].reshape(60))
