"""Remedies: each is applied to the source by hand, and then copies as much as the report says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
import torch
from small_models import MODELS, prepared, run
from torch import nn
from torch.nn import functional as F

from viewmerge import copies, watch
from viewmerge.__main__ import main

torch.manual_seed(0)
X = torch.randn(2, 3, 4, 5)
EMPTY = torch.zeros(0)
WEIGHT = nn.Parameter(torch.randn(6, 7))
STORED = nn.Parameter(WEIGHT.detach().t().contiguous().t())

ROWS: dict[str, tuple[Callable[[], Any], Callable[[], Any], str]] = {
    "contiguous": (
        lambda: X.transpose(1, 2).contiguous() * 2,
        lambda: X.transpose(1, 2) * 2,
        "leave out contiguous()",
    ),
    "reshape": (
        lambda: X[:1].permute(0, 2, 1, 3).contiguous().view(4, 3, 5) * 2,
        lambda: X[:1].permute(0, 2, 1, 3).reshape(4, 3, 5) * 2,
        "leave out contiguous()",
    ),
    "repeat": (
        lambda: X[:, :1].repeat(1, 9, 1, 1) + 1,
        lambda: X[:, :1].expand(2, 9, 4, 5) + 1,
        "expand() instead of repeat()",
    ),
    "cat": (lambda: torch.cat([EMPTY, X]) + 1, lambda: X + 1, "leave what is empty out of cat()"),
    "stack": (lambda: torch.stack([X]) + 1, lambda: X.unsqueeze(0) + 1, "leave what is empty out of stack()"),
    "pad": (lambda: F.pad(X, (0, 0)) + 1, lambda: X + 1, "leave out pad() by nothing"),
    "in place": (
        lambda: F.silu(WEIGHT * 2, inplace=True),
        lambda: F.silu(WEIGHT * 2),
        "silu() instead of silu_(), which is inplace=False for a module",
    ),
    "order": (
        lambda: X[:, :1].expand(2, 9, 4, 5).flip(3) + 1,
        lambda: X[:, :1].flip(3).expand(2, 9, 4, 5) + 1,
        "flip() before expand()",
    ),
    "factory": (
        lambda: torch.zeros(4, 6).t().reshape(24) + 1,
        lambda: torch.empty(6, 4).t().zero_().t().reshape(24) + 1,
        "allocate it as torch.empty((6, 4)).permute(1, 0)",
    ),
    "parameter": (
        lambda: WEIGHT.t().reshape(42) * 2,
        lambda: STORED.t().reshape(42) * 2,
        "store WEIGHT in another layout, as torch.empty((7, 6)).permute(1, 0)",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_remedy_written_by_hand_copies_what_was_told(name: str) -> None:
    before, after, text = ROWS[name]
    found = copies(before)
    assert found.best is not None, found
    assert found.best.remedies[0].text == text and found.best.before == found.bytes
    with watch() as by_hand:
        result = after()
    assert by_hand.bytes == found.best.after < found.best.before
    assert torch.equal(result, found.result) and found.best.equal == "bit-equal"
    remedy = found[0].remedies[0]
    assert remedy.after == found.best.after and remedy.seconds > 0 and "→" in str(remedy)
    if name != "parameter":
        assert remedy.where.startswith("test_trials.py:")
    told = str(found).splitlines()
    assert any(line.startswith("  - run: ") for line in told) and told[-2].startswith("this change: ")


def test_a_view_that_needs_reshape() -> None:
    def heads(x: Any) -> Any:
        x = x * 2
        return x.permute(0, 2, 1, 3).contiguous().view(-1, x.shape[1], x.shape[3])

    # For one batch the view exists, for several it does not: reshape() copies only those.
    found = copies(lambda: (heads(X[:1]), heads(X)))
    assert found.best is not None and found.best.remedies[0].text == "reshape() instead of contiguous() and view()"
    assert (found.best.before, found.best.after) == (720, 480)


def test_what_does_not_help_is_not_offered() -> None:
    calls: list[Callable[[], Any]] = [
        # The view needs it; the copy moves on; the output would be the input itself; what comes out would be other values.
        lambda: (X * 2).transpose(1, 2).contiguous().view(24, 5) + 1,
        lambda: (X * 2).transpose(1, 2).contiguous().reshape(-1) + 1,
        lambda: X.clone(),
        lambda: X.clone().add_(1) + X,
    ]
    for call in calls:
        values = X.clone()
        found = copies(call)
        assert found.best is None and found.tried > 0 and not found[0].remedies, found
        assert f"of {found.tried} changes that were run, none lowers the sum" in str(found)
        assert torch.equal(X, values)


def test_changes_are_joined() -> None:
    def two(x: Any) -> Any:
        y = (x * 2).transpose(1, 2).contiguous()
        return y.transpose(2, 3).contiguous() * x[:, :1].repeat(1, 4, 1, 1)

    found = copies(two, torch.randn(2, 4, 4, 4))
    # Either contiguous() alone may move the copy to the other; together they and the repeat go.
    assert found.best is not None and found.best.after == 0 and len(found.best.remedies) == 3
    assert "these 3 changes: " in str(found)


def test_a_step_of_training_is_put_back() -> None:
    model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.SiLU(inplace=True), nn.Dropout(0.5))
    x = torch.randn(2, 3, 8, 8)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)

    def step() -> Any:
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss

    torch.manual_seed(5)
    expected = [p.clone() for p in model.state_dict().values()]
    found = copies(step)
    assert found.best is not None and "silu" in found.best.remedies[0].text and found.best.equal != ""
    once = [p.clone() for p in model.state_dict().values()]
    # The parameters are those after one step: not as before, and not after many.
    assert any(not torch.equal(a, b) for a, b in zip(expected, once))
    assert int(model[1].num_batches_tracked) == 1
    assert x.grad is None


def test_functions_that_differ_each_time() -> None:
    calls = iter(range(1000))

    def other() -> Any:
        return torch.zeros(4, 6).t().contiguous() + next(calls)

    found = copies(other)
    assert found.note == "remedies were not run: two runs of the function differ" and found.note in str(found)

    done: list[int] = []

    def once() -> Any:
        done.append(1)
        if len(done) > 1:
            raise ValueError("no more")
        return torch.zeros(4, 6).t().contiguous()

    assert "the function raised ValueError: no more" in copies(once).note


def test_watch_with_a_rerun() -> None:
    def program() -> Any:
        return X.transpose(1, 2).contiguous() * 2

    with watch(rerun=program) as found:
        program()
    assert found.best is not None and found.best.after == 0 and found[0].remedies


@pytest.mark.parametrize("name", MODELS)
def test_models_with_the_best_set(name: str) -> None:
    model, x = prepared(name)
    found = copies(lambda: (torch.manual_seed(1), run(model, x))[1])
    assert found.note == "" or found.best is not None
    if found.best is not None:
        assert found.best.after < found.best.before and all(r.after < r.before or len(found.best.remedies) > 1 for r in found.best.remedies)


class Shell:
    """Runs the command in this process: importing PyTorch again and again is slow."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Status, output and errors."""
        self.monkeypatch.setattr(sys, "argv", ["viewmerge"])
        self.monkeypatch.setattr(sys, "path", ["", *sys.path[1:]])
        sys.modules.pop("beside", None)
        try:
            status = main(list(arguments))
        except SystemExit as stop:
            status = int(str(stop.code))
        told = self.capsys.readouterr()
        return status, told.out, told.err


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_shell(tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, torch\n"
        "def step():\n"
        "    return torch.ones(4, 6).t().contiguous() * 2\n"
        "if __name__ == '__main__':\n"
        "    x = torch.zeros(4, 6).t().reshape(24)\n"
        "    print(sys.argv[1:])\n"
    )
    report = tmp_path / "report.json"
    # As users call it.
    command = [sys.executable, "-m", "viewmerge", "watch", "--json", "-o", str(report), str(script), "a", "b"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "['a', 'b']\n"), done.stderr
    assert json.loads(report.read_text())["bytes"] == 96
    read, write = os.pipe()
    status, out, _ = shell("watch", "--html", "-o", f"fd:{write}", str(script))
    os.close(write)
    with os.fdopen(read) as file:
        assert file.read().startswith("<table>") and (status, out) == (0, "[]\n")
    _, out, _ = shell("watch", f"{script}::step")
    assert "leave out contiguous() at script.py:3: 96 bytes → 0 bytes, outputs bit-equal" in out, out
    monkeypatch.chdir(tmp_path)
    _, out, _ = shell("watch", "--top", "0", "-m", "script", "x")
    assert out.startswith("['x']\n") and "and 1 more of 96 bytes" in out
    # The script can import its neighbours, and its exit status is passed on.
    (tmp_path / "beside.py").write_text("import torch\nx = torch.zeros(4, 6).t().reshape(24)\n")
    for ending, status, told in (("", 0, ""), ("sys.exit(5)", 5, ""), ("sys.exit('no')", 1, "no\n")):
        script.write_text(f"import sys, beside\n{ending}\n")
        found, out, err = shell("watch", "--min-bytes", "96", "--why", str(script))
        assert (found, err) == (status, told)
        assert "beside.py:2" in out and "the step along" in out


def test_shell_mistakes(tmp_path: Path, shell: Shell) -> None:
    script = tmp_path / "script.py"
    script.write_text("def step(): pass\n")
    rows = [
        (["watch"], 2, "usage"),
        (["walk", "x"], 2, "usage"),
        (["watch", str(tmp_path / "none.py")], 2, "there is no such script"),
        (["watch", "--json", str(script)], 2, "--json takes -o FILE"),
        (["watch", "-o", "fd:x", str(script)], 2, "a descriptor is fd: and a number"),
        (["watch", "--top", "many", str(script)], 2, "'many' is no number"),
        (["watch", f"{script}::other"], 1, "there is no function other"),
    ]
    for arguments, status, told in rows:
        found, _, err = shell(*arguments)
        assert found == status and told in err, (arguments, err)
