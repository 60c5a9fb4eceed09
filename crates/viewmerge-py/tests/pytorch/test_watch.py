"""watch() on models: the counts equal those of a check that knows no ops, every row names its line, and watching is cheap."""

from __future__ import annotations

import importlib.util
import math
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
import torch
from index_check import IndexCheck
from small_models import MODELS, Block, prepared, run
from torch import nn
from torch.nn import functional as F

from viewmerge import Copies, copies, watch
from viewmerge._places import short

NEW = hasattr(torch._C, "_current_autograd_node")


def by_op(found: Copies[Any]) -> dict[str, int]:
    told: dict[str, int] = {}
    for raw in found._raw.values():
        told[raw.told[0]] = told.get(raw.told[0], 0) + raw.bytes
    return told


@pytest.mark.parametrize("mode", ["grad", "no_grad", "inference"])
@pytest.mark.parametrize("name", MODELS)
def test_bytes_are_those_of_the_index_check(name: str, mode: str) -> None:
    context = {"grad": torch.enable_grad, "no_grad": torch.no_grad, "inference": torch.inference_mode}[mode]
    model, x = prepared(name)
    with context(), IndexCheck() as check:
        run(model, x)
    model, x = prepared(name)
    with context(), watch() as found:
        run(model, x)
    assert by_op(found) == check.bytes and found.times == check.times
    assert found.bytes == sum(copy.bytes for copy in found) == check.total > 0
    # One row for each line and op.
    keys = [(copy.file, copy.line, copy.inner, copy.op.split("(")[0], copy.backward) for copy in found]
    assert len(keys) == len(set(keys))
    for copy in found:
        assert copy.times > 0 and copy.why.endswith(".") and "_watch.py" not in copy.file and "viewmerge" not in short(copy.file)
        if NEW or not copy.backward:
            assert Path(copy.file).name == "small_models.py" and copy.code, copy


@pytest.mark.parametrize("name", MODELS)
def test_inference_mode_shows_what_no_grad_shows(name: str) -> None:
    told = []
    for context in (torch.no_grad, torch.inference_mode):
        model, x = prepared(name)
        with context(), watch() as found:
            run(model, x)
        told.append(sorted((copy.line, copy.op, copy.bytes, copy.times) for copy in found))
    assert told[0] == told[1]


def test_also_copies() -> None:
    x = torch.randn(2, 4, 4, 4)
    calls: list[tuple[Callable[[], Any], int]] = [
        (lambda: torch.cat([torch.zeros(0), x]), 512),
        (lambda: torch.stack([x]), 512),
        (lambda: F.pad(x, (0, 0, 0, 0)), 512),
        (lambda: F.pad(x, (1, 0, 0, 2)), 512),
        (lambda: F.pad(x, (-1, 0)), 384),
        (lambda: F.pixel_shuffle(x, 2), 512),
        (lambda: F.pixel_unshuffle(x, 2), 512),
        (lambda: F.channel_shuffle(x, 2), 512),
        (lambda: torch.rot90(x, 1, (2, 3)), 512),
        (lambda: torch.narrow_copy(x, 1, 0, 2), 256),
        (lambda: x.clone()[:1].copy_(x[1:]), 512 + 256),
        (lambda: x.flip(0), 512),
        (lambda: x.roll(1, 0), 512),
        (lambda: torch.tensor(x.numpy()), 512),
    ]
    for call, size in calls:
        with IndexCheck() as check:
            call()
        with watch() as found:
            call()
        assert found.bytes == check.total == size, found
    y = torch.arange(8.0)
    with watch() as found:
        y[:4] = y[4:]
    assert [(copy.op, copy.bytes) for copy in found] == [("assignment", 16)]
    with watch() as found:
        torch.cat([x, x]), x + 0, x.float(), x.double(), x.view(-1), x.chunk(2)
    assert len(found) == 0
    assert str(found).splitlines()[0] == "no copies" and str(found).splitlines()[-1].startswith("not seen: ")


def test_the_way_there_is_that_of_the_tensor() -> None:
    x = torch.randn(4, 6, 8)
    with watch() as found:
        for _ in range(40):
            # There and back again: the same layout at every turn.
            x.transpose(0, 1).transpose(0, 1).transpose(1, 2).contiguous()
        x.chunk(2, 2)[1].transpose(0, 1).contiguous()
        x.split([2, 6], 2)[1].contiguous()
        x.unbind(1)[3].t().contiguous()
        values, places = torch.randn(6, 4).t().sort()
        values.t().contiguous()
        y = x
        for _ in range(50):
            y = y.transpose(0, 1)
        y.transpose(0, 2).contiguous()
    steps = [[stage.op for stage in copy.stages[1:]] for copy in sorted(found, key=lambda copy: copy.line)]
    assert steps[0] == ["transpose(0, 1)", "transpose(0, 1)", "transpose(1, 2)"]
    assert steps[1] == ["split(4, 2)[1]", "transpose(0, 1)"]
    assert steps[2] == ["split((2, 6), 2)[1]"] and steps[3] == ["select(1, 3)", "t()"] or steps[3] == ["unbind(1)[3]", "t()"]
    assert all(len(way) <= 33 for way in steps)
    for copy in found:
        assert copy.stages[-1].chain.merge().view == copy.view


@pytest.mark.skipif(not NEW, reason="this PyTorch does not tell which node of a backward runs")
def test_backward_rows_point_at_the_forward() -> None:
    weight = torch.randn(4, 6, requires_grad=True)

    def forward() -> Any:
        return (weight * 2).view(2, 2, 6).transpose(1, 2) * torch.arange(24).view(2, 6, 2)

    with watch() as found:
        forward().sum().backward()
    (row,) = [copy for copy in found if copy.backward]
    assert row.code.startswith("return (weight * 2)") and row.function.endswith("forward") and row.op == "backward of view"
    # The gradient of a leaf has its layout.
    leaf = torch.randn(4, 6, requires_grad=True)
    with watch() as found:
        (leaf.t() * torch.arange(24).view(6, 4)).sum().backward()
    (row,) = found
    assert row.op == "backward into .grad" and row.why == "the backward copies a gradient of shape (4, 6) into the .grad of a leaf."
    assert row.code.endswith(".sum().backward()") or row.inner is not None

    # Deep in re-entrant backwards PyTorch uses other threads, which run no Python code of the program.
    class Deeper(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any, depth: int) -> Any:
            ctx.depth = depth
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            with torch.enable_grad():
                x = torch.ones(2, 3, requires_grad=True)
                y = Deeper.apply(x, ctx.depth - 1) if ctx.depth else x.t().reshape(6) * 2
                y.sum().backward()
            return grad, None

    with watch() as found:
        Deeper.apply(torch.ones(2, 3, requires_grad=True), 70).sum().backward()
    assert found.times > 70
    for copy in found:
        # The .grad of a leaf has no line of its own; if a thread runs no Python code, the report says so.
        known = Path(copy.file).name == "test_watch.py" and "__torch_dispatch__" not in copy.function
        assert known or copy.op == "backward into .grad" and copy.where == "a thread without Python code"


def test_threads() -> None:
    with watch() as found:
        worker = threading.Thread(target=lambda: torch.randn(4, 6).t().contiguous())
        worker.start()
        worker.join()
    # A mode belongs to one thread: nothing is seen, nothing fails.
    assert len(found) == 0


LIBRARY = """
import torch
class Inner(torch.nn.Module):
    def forward(self, q, k):
        return torch.matmul(q, k.transpose(-1, -2))
class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Inner()])
    def forward(self, x):
        return self.layers[0](x * 2, x.transpose(1, 2))
"""


def test_lines_modules_and_operands(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "models"
    package.mkdir(parents=True)
    (package / "outer.py").write_text(LIBRARY)
    spec = importlib.util.spec_from_file_location("outer", package / "outer.py")
    assert spec is not None and spec.loader is not None
    library = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(library)
    model = library.Outer()
    x = torch.randn(2, 3, 3, 5)
    with watch() as found:
        model(x)
    (copy,) = found
    assert Path(copy.file).name == "test_watch.py" and copy.function == "test_lines_modules_and_operands"
    assert copy.inner is not None and short(copy.inner[0]) == "models/outer.py" and copy.inner[1] == 5
    assert copy.module == "model.layers.0" and copy.code == "return torch.matmul(q, k.transpose(-1, -2))"
    assert "matmul() copies its second operand, k, because axis" in copy.why
    told = str(found)
    assert "models/outer.py:5" in told and "in model.layers.0" in told and "_python_dispatch" not in told
    with watch() as found:
        torch.randn(3, 4).t().contiguous()
    assert found[0].maker == "randn" and "made by randn()" in str(found[0])
    # Python's library is not the user's code either.
    import copy as copying

    with watch() as found:
        copying.deepcopy(nn.Linear(3, 4))
    assert {Path(row.file).name for row in found} == {"test_watch.py"} and found[0].inner is not None


def test_nothing_is_left_behind() -> None:
    x = torch.randn(4, 6)
    with pytest.raises(RuntimeError):
        with watch() as found:
            x.t().view(24)
    assert len(found) == 0
    x.t().reshape(24)
    assert len(found) == 0
    before = (torch.Tensor.view, torch.Tensor.contiguous, torch.cat, sys.meta_path[:])
    copies(lambda: torch.cat([x.t().contiguous().view(-1)]).clone())
    assert before == (torch.Tensor.view, torch.Tensor.contiguous, torch.cat, sys.meta_path[:])
    assert "contiguous" not in vars(torch.Tensor)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """On a busy machine, several threads wait for each other longer than they work."""
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


def test_torch_imported_inside(tmp_path: Path) -> None:
    script = tmp_path / "late.py"
    script.write_text(
        "import sys, viewmerge\n"
        "with viewmerge.watch() as found:\n"
        "    assert 'torch' not in sys.modules\n"
        "    import torch\n"
        "    torch.zeros(4, 6).t().reshape(24)\n"
        "print(found.bytes, found[0].op)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("96 reshape(24)\n", 0), done.stderr
