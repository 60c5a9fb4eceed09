"""watch() on real models: the bytes are those that a look at values and storages finds,
and every remedy, applied, removes the copy."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
import torch
from support import REMEDIES
from torch import nn
from torch.nn import functional as F
from torch.utils._python_dispatch import TorchDispatchMode

import viewmerge
from viewmerge import Copy, View, copies, watch


class Attention(nn.Module):  # type: ignore[misc]
    """Heads split and merged."""

    def __init__(self, width: int = 32, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Any) -> Any:
        b, t, c = x.shape
        q, k, v = (
            part.view(b, t, self.heads, -1).transpose(1, 2) for part in self.qkv(x).chunk(3, dim=-1)
        )
        weights = (q @ k.transpose(-2, -1)).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, c))


class Block(nn.Module):  # type: ignore[misc]
    """A layer of a transformer."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.attention = Attention(width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.wide, self.back = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Any) -> Any:
        x = x + self.attention(self.first(x))
        return x + self.back(F.gelu(self.wide(self.second(x))))


class Convolution(nn.Module):  # type: ignore[misc]
    """Convolutions, channels last in between."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 8, 3, padding=1)

    def forward(self, x: Any) -> Any:
        x = F.gelu(self.first(x.contiguous(memory_format=torch.channels_last)))
        x = self.second(x).contiguous()
        return x.permute(0, 2, 3, 1).flatten(1)


class Recurrent(nn.Module):  # type: ignore[misc]
    """An LSTM, batch first."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(16, 24, batch_first=True, num_layers=2)

    def forward(self, x: Any) -> Any:
        # Zeros would be the same wherever they are moved.
        begin = (torch.randn(2, x.shape[0], 24), torch.randn(2, x.shape[0], 24))
        out, (h, c) = self.lstm(x, begin)
        return out.transpose(0, 1).reshape(out.shape[1], -1), h, c


class Windows(nn.Module):  # type: ignore[misc]
    """Window attention, shifted."""

    def __init__(self, width: int = 32, window: int = 4) -> None:
        super().__init__()
        self.window, self.attention = window, Attention(width)

    def forward(self, x: Any) -> Any:
        b, h, w, c = x.shape
        k = self.window
        x = torch.roll(x, (-k // 2, -k // 2), (1, 2))
        x = x.view(b, h // k, k, w // k, k, c).permute(0, 1, 3, 2, 4, 5).contiguous()
        x = self.attention(x.view(-1, k * k, c)).view(b, h // k, w // k, k, k, c)
        return x.permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)


class Rearranged(nn.Module):  # type: ignore[misc]
    """What people do with einops."""

    def forward(self, x: Any) -> Any:
        b, c, h, w = x.shape
        patches = x.reshape(b, c, h // 4, 4, w // 4, 4).permute(0, 2, 4, 3, 5, 1).reshape(b, -1, 16 * c)
        depth = x.unfold(2, 2, 2).unfold(3, 2, 2).permute(0, 1, 4, 5, 2, 3).flatten(1, 3)
        shuffled = x.view(b, 2, c // 2, h, w).transpose(1, 2).reshape(b, c, h, w)
        again = x[:, :1].repeat(1, 3, 1, 1) * patches.mean()
        outer = torch.einsum("bchw,bdhw->bcd", x, shuffled)
        wide = x.mean((2, 3))[:, :, None].expand(b, c, 5).reshape(b, c * 5)
        return patches.sum(1), depth * 1.5, again.flip(3), outer, wide


MODELS: dict[str, tuple[Callable[[], Any], tuple[int, ...]]] = {
    "attention": (Attention, (2, 10, 32)),
    "transformer": (lambda: nn.Sequential(Block(), Block()), (2, 10, 32)),
    "convolution": (Convolution, (2, 3, 8, 8)),
    "lstm": (Recurrent, (3, 5, 16)),
    "swin": (Windows, (2, 8, 8, 32)),
    "einops": (Rearranged, (2, 6, 8, 8)),
}


def memory(x: Any) -> int:
    """Where the memory of a tensor begins."""
    return int((x.untyped_storage() if hasattr(x, "untyped_storage") else x.storage()).data_ptr())


class PointerCheck(TorchDispatchMode):  # type: ignore[misc]
    """Finds moved data without knowing any op: other memory that holds the values of one input."""

    def __init__(self) -> None:
        super().__init__()
        self.bytes: dict[str, int] = {}

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        before = [x.detach().clone() if isinstance(x, torch.Tensor) else x for x in args]
        out = func(*args, **(kwargs or {}))
        # Memory that nobody has written to yet may hold anything, old values too.
        empty = "empty" in func.overloadpacket.__name__
        if not empty and isinstance(out, torch.Tensor) and out.numel() > 1 and out.is_floating_point():
            for x, old in zip(args, before):
                if isinstance(x, torch.Tensor) and x.numel() > 1 and x.dtype == out.dtype:
                    apart = memory(x) != memory(out)
                    if apart and self.same_values(old, out):
                        name = func.overloadpacket.__name__
                        size = out.numel() * out.element_size()
                        self.bytes[name] = self.bytes.get(name, 0) + size
                        break
        return out

    @staticmethod
    def same_values(x: Any, y: Any) -> bool:
        if y.numel() % x.numel():
            return False
        times = y.numel() // x.numel()
        expected = x.reshape(-1).sort()[0].repeat_interleave(times)
        return bool(torch.equal(expected, y.detach().reshape(-1).sort()[0]))


def run(model: Any, x: Any) -> None:
    """A forward and a backward from gradients no two of which are the same."""
    out = model(x)
    parts = out if isinstance(out, tuple) else (out,)
    weights = [torch.randn(part.shape) for part in parts]
    torch.autograd.backward(parts, weights)


def prepared(name: str) -> tuple[Any, Any]:
    torch.manual_seed(3)
    make, shape = MODELS[name]
    return make(), torch.randn(shape, requires_grad=True)


def by_op(found: viewmerge.Copies) -> dict[str, int]:
    told: dict[str, int] = {}
    for raw in found._raw.values():
        told[raw.told[0]] = told.get(raw.told[0], 0) + raw.elements * raw.itemsize
    return told


@pytest.mark.parametrize("name", MODELS)
def test_bytes_are_those_of_the_pointer_check(name: str) -> None:
    model, x = prepared(name)
    with PointerCheck() as check:
        run(model, x)
    model, x = prepared(name)
    with watch() as found:
        run(model, x)
    assert by_op(found) == check.bytes
    assert found.bytes == sum(check.bytes.values()) > 0
    for copy in found:
        assert copy.file == __file__ and copy.code and copy.times > 0 and copy.why


def do(op: str, x: Any) -> Any:
    """An op as the report writes it."""
    return eval(f"x{op}" if op.startswith("[") else f"x.{op}", {"x": x, "torch": torch})


def apply(copy: Copy, x: Any) -> Any:
    """The same views of another tensor, by the ops of PyTorch."""
    for stage in copy.stages[1:]:
        x = do(stage.op, x)
    return do(copy.op, x)


@pytest.mark.parametrize("name", MODELS)
def test_every_remedy_removes_the_copy(name: str) -> None:
    model, x = prepared(name)
    found = copies(run, model, x)
    tried = 0
    for copy in found:
        for remedy in copy.remedies:
            tried += 1
            REMEDIES["given"] += 1
            root = copy.stages[0].chain.last
            shape = root.shape
            plain = torch.randn(shape)
            if remedy.kind == "layout":
                laid_out = eval(remedy.code, {"torch": torch})
                assert laid_out.shape == plain.shape
                laid_out.copy_(plain)
                result = apply(copy, laid_out)
                assert result.data_ptr() == laid_out.data_ptr(), (copy, remedy)
                assert torch.equal(result, apply(copy, plain))
            elif remedy.kind == "copy":
                assert remedy.elements * 4 < copy.bytes and remedy.stage is not None
                for stage in copy.stages[1 : remedy.stage + 1]:
                    plain = do(stage.op, plain)
                strides = plain.stride()
                small = plain[tuple(slice(None) if s else slice(0, 1) for s in strides)].contiguous()
                assert small.numel() == remedy.elements
                result = small.expand(plain.shape)
                for stage in copy.stages[remedy.stage + 1 :]:
                    result = do(stage.op, result)
                assert do(copy.op, result).data_ptr() == small.data_ptr()
            elif remedy.kind == "instead":
                for stage in copy.stages[1:]:
                    plain = do(stage.op, plain)
                once = do(remedy.code, plain)
                assert once.data_ptr() == plain.data_ptr()
                assert torch.equal(once, do(copy.op, plain))
            elif remedy.kind == "split":
                for stage in copy.stages[1:]:
                    plain = do(stage.op, plain)
                cut = eval(remedy.code or "y", {"x": plain, "y": plain})
                assert cut.data_ptr() == plain.data_ptr()
                assert torch.equal(cut.flatten(), do(copy.op, plain).flatten())
            else:
                raise AssertionError(remedy)
            REMEDIES["helped"] += 1
    assert tried > 0, str(found)


def test_why_and_where() -> None:
    x = torch.zeros(2, 10, 8, 64)
    with watch() as found:
        for _ in range(3):
            x.transpose(1, 2).reshape(2, 80, 64)
    (copy,) = found
    assert (copy.times, copy.bytes, copy.op) == (3, 3 * 40960, "reshape(2, 80, 64)")
    assert copy.code == "x.transpose(1, 2).reshape(2, 80, 64)" and copy.function == "test_why_and_where"
    assert "the tensor after transpose(1, 2) moves on from axis 2 to axis 1, whose stride is 64" in copy.why
    assert [remedy.code for remedy in copy.remedies] == ["torch.empty((2, 8, 10, 64)).permute(0, 2, 1, 3)", ""]
    assert "over (2, 8, 10, 64) it is as it is before" in copy.remedies[1].text
    told = found.to_dict()
    assert json.loads(json.dumps(told))["copies"][0]["steps"] == ["transpose(1, 2)"]
    assert "reshape(2, 80, 64)" in found.to_html() and found._repr_html_() == found.to_html()
    assert "120.0 KiB" in str(found) and "\n" not in repr(found)
    found.show()


def test_a_copy_that_is_cheaper_elsewhere() -> None:
    x = torch.randn(4, 3)
    with watch() as found:
        x.t().expand(10, 3, 4).reshape(10, 12)
    (copy,) = found
    assert copy.bytes == 480
    cheaper = [remedy for remedy in copy.remedies if remedy.kind == "copy"]
    assert [(remedy.elements, remedy.stage) for remedy in cheaper] == [(12, 1)]
    small = x.t().contiguous()
    result = small.expand(10, 3, 4).reshape(10, 12)
    assert result.data_ptr() == small.data_ptr()


def test_nothing_is_left_behind() -> None:
    x = torch.randn(4, 6)
    with pytest.raises(RuntimeError):
        with watch() as found:
            x.t().view(24)
    assert len(found) == 0 and str(found) == "no copies"
    x.t().reshape(24)
    assert len(found) == 0


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Several threads wait for each other, which on a machine that does other work takes longer than the work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
def test_overhead() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(*(Block(128) for _ in range(2))).eval()
    x = torch.randn(2, 64, 128)

    def plain() -> None:
        model(x)

    def watched() -> None:
        with watch():
            model(x)

    best = {plain: math.inf, watched: math.inf}
    with torch.no_grad():
        for call in [plain, watched] * 30:
            start = time.thread_time()
            call()
            best[call] = min(best[call], time.thread_time() - start)
    print(f"forward {best[plain] * 1e3:.1f} ms, watched {best[watched] * 1e3:.1f} ms")
    assert best[watched] <= 3 * best[plain]


def test_shell(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import sys, torch\nx = torch.zeros(4, 6).t().reshape(24)\nprint(sys.argv[1:])\n")
    command = [sys.executable, "-m", "viewmerge", "watch", "--json", str(script), "a", "b"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("['a', 'b']\n") and '"bytes": 96' in done.stdout
    # What lies beside the script can be imported, and its exit status is passed on.
    (tmp_path / "beside.py").write_text("import torch\nx = torch.zeros(4, 6).t().reshape(24)\n")
    for ending, status, told in (("", 0, ""), ("sys.exit(5)", 5, ""), ("sys.exit('no')", 1, "no\n")):
        script.write_text(f"import sys, beside\n{ending}\n")
        command = [sys.executable, "-m", "viewmerge", "watch", str(script)]
        done = subprocess.run(command, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (status, told)
        assert "beside.py:2" in done.stdout
    for bad in (["watch"], ["walk", "x"], ["watch", str(tmp_path / "none.py")]):
        done = subprocess.run([sys.executable, "-m", "viewmerge", *bad], capture_output=True, text=True)
        assert done.returncode == 2 and done.stderr


def test_no_strides() -> None:
    x = torch.zeros(3, 3)
    for tensor in (x.to_sparse(), x.to_sparse_csr(), x.to_mkldnn()):
        with pytest.raises(viewmerge.Error) as caught:
            View.of(tensor)
        assert caught.value.kind == "no_strides"
    with pytest.raises(viewmerge.Error):
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
        y, traced = call(x), call(viewmerge.trace(x))
        assert traced.shape == tuple(y.shape)
        assert traced.chain.torch(x.view(-1), copy=True).tolist() == y.tolist()
        assert traced.is_view == (memory(y) == memory(x))
    assert not viewmerge.trace(x).flip(0).is_view
    with pytest.raises(TypeError, match="torch.cumsum is not traced"):
        torch.cumsum(viewmerge.trace(x), 0)
    report = viewmerge.why_copy(x.transpose(1, 2), (2, 60))
    assert "x.contiguous()" in str(report) and "torch.empty" in str(report)
    tail = viewmerge.why_copy(x[1:], (60,))
    assert torch.equal(tail.array(), x[1:].reshape(60))
