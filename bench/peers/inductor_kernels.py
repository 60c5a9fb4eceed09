"""TorchInductor's kernels: the index expressions of some models, in its loops and in its code generator for processors.

    inductor_kernels.py FILE

Needs a torch with `torch.compile`. A line of the file is an expression with the ranges of its variables and
Inductor's simplification (`theirs`), with its processor time:

- *loops*: the input and the output of `SizeVarAllocator._simplify_with_ranges`, which Inductor uses to simplify the indices of a loop body
  for the ranges of the loop. Its own `FloorDiv` and `ModularIndexing` were simplified before, when they were constructed;
- *kernels*: the indices in the generated C++, without vectors. These are final, so `theirs` is the expression itself.

Indices that depend on data are left out, and counted at the end. Conditions of loads are not recorded. Nothing
is compiled or computed.
"""

import json
import os
import sys
import tempfile
import time
import warnings

# Cached compilations would not be seen again.
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp(prefix="inductor")
os.environ["TORCHINDUCTOR_FORCE_DISABLE_CACHES"] = "1"
os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"

import torch  # noqa: E402
import torch._functorch.config  # noqa: E402
import torch._inductor.async_compile as async_compile  # noqa: E402
import torch._inductor.codegen.cpp as cpp  # noqa: E402
import torch._inductor.cpu_vec_isa  # noqa: E402
import torch._inductor.sizevars as sizevars  # noqa: E402
from torch.nn import functional as F  # noqa: E402


def tensor(*shape):
    return torch.zeros(shape, requires_grad=True)


def convolutions():
    """A small net, and convolutions as sums over windows, which Inductor writes itself."""
    w, v = tensor(16, 3, 3, 3), tensor(8 * 27, 10)

    def net(x):
        x = F.max_pool2d(F.relu(F.conv2d(x, w, padding=1)), 2)
        return F.log_softmax(x.flatten(1)[:, :216] @ v, -1)

    def windows(x):
        parts = F.pad(x, (1, 1, 1, 1)).unfold(2, 3, 1).unfold(3, 3, 1)
        return torch.einsum("bchwij,ocij->bohw", parts, w).relu()

    def columns(x):
        return F.fold(F.unfold(x, 3, padding=1, stride=2) * 2, (32, 32), 3, padding=1, stride=2)

    return [(function, (tensor(2, 3, 32, 32),)) for function in (net, windows, columns)]


def pooling_with_gradients():
    runs = []
    for size, stride, pads in ((3, 2, 1), (2, 2, 0), (3, 1, 1), (5, 3, 2)):
        for pool in (F.max_pool2d, F.avg_pool2d):
            def run(x, pool=pool, size=size, stride=stride, pads=pads):
                return pool(x * 2, size, stride=stride, padding=pads).square()
            runs.append((run, (tensor(2, 2, 15, 15),)))
    runs.append((lambda x: F.adaptive_avg_pool2d(x * 2, (4, 6)).square(), (tensor(2, 2, 15, 15),)))
    runs.append((lambda x: F.interpolate(x * 2, scale_factor=3).square(), (tensor(1, 2, 5, 7),)))
    runs.append((lambda x: F.interpolate(x * 2, size=(9, 12)).square(), (tensor(1, 2, 5, 7),)))
    return runs


def padded():
    runs = []
    for mode in ("constant", "reflect", "circular", "replicate"):
        runs.append((lambda x, mode=mode: F.pad(x * 2, (1, 4, 2, 3), mode=mode).square(), (tensor(1, 4, 17, 19),)))
    runs.append((lambda x: F.pad(x * 2, (3, 5)).reshape(2, 34).t().reshape(68) + 1, (tensor(60),)))
    runs.append((lambda x: F.pad(x, (0, 1)).reshape(-1)[:-7].reshape(7, 6) * 2, (tensor(7, 6),)))
    return runs


def transformer():
    width, heads = 48, 4
    weights = [tensor(width, 3 * width), tensor(width, width), tensor(width, 192), tensor(192, width)]

    def block(x):
        b, t, c = x.shape
        q, k, v = (part.view(b, t, heads, -1).transpose(1, 2) for part in (x @ weights[0]).chunk(3, -1))
        scores = (q @ k.transpose(-2, -1)) / 3.5
        mask = torch.ones(t, t, dtype=torch.bool).tril()
        y = scores.masked_fill(~mask, float("-inf")).softmax(-1) @ v
        x = x + y.transpose(1, 2).reshape(b, t, c) @ weights[1]
        x = F.layer_norm(x, (c,))
        return x + F.gelu(x @ weights[2]) @ weights[3]

    def rotary(x):
        b, t, c = x.shape
        parts = x.view(b, t, heads, -1, 2)
        turned = torch.stack((parts[..., 0] * 2 - parts[..., 1], parts[..., 0] + parts[..., 1] * 2), -1)
        return turned.flatten(3).transpose(1, 2).reshape(b * heads, t, -1).exp()

    def grouped(x):
        b, t, c = x.shape
        kept = x.view(b, t, 2, -1).transpose(1, 2)
        return kept[:, :, None].expand(b, 2, 3, t, c // 2).reshape(b, 6, t, c // 2).sin()

    return [(function, (tensor(2, 12, width),)) for function in (block, rotary, grouped)]


def windows():
    def parts(x):
        b, h, w, c = x.shape
        return (x * 2).reshape(b, h // 7, 7, w // 7, 7, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, 49, c) + 1

    def back(x):
        return (x.exp().reshape(1, 2, 2, 7, 7, 8).permute(0, 1, 3, 2, 4, 5).reshape(1, 14, 14, 8)).roll((3, 3), (1, 2)) + 1

    def shifted(x):
        return parts(x.roll((-3, -3), (1, 2)))

    def shuffle(x):
        return F.pixel_shuffle(x * 2, 2).sin() + 1

    def unshuffle(x):
        return F.pixel_unshuffle(x * 2, 2).sin() + 1

    def channels(x):
        b, c, h, w = x.shape
        return x.sin().view(b, 2, c // 2, h, w).transpose(1, 2).reshape(b, c, h, w) + F.channel_shuffle(x, 2)

    def patches(x):
        b, c, h, w = x.shape
        return x.reshape(b, c, h // 4, 4, w // 4, 4).permute(0, 2, 4, 3, 5, 1).reshape(b, -1, 16 * c).exp() * 3

    runs = [(function, (tensor(1, 14, 14, 8),)) for function in (parts, shifted)]
    runs.append((back, (tensor(4, 49, 8),)))
    runs += [(function, (tensor(2, 8, 8, 12),)) for function in (shuffle, unshuffle, channels, patches)]
    return runs


def rearranged():
    """Rolls, flips, concatenations, and reshapes across them."""
    runs = [
        (lambda x: x.sin().flip(0).reshape(60).roll(7).reshape(4, 15).t().reshape(60) + 1, (tensor(6, 10),)),
        (lambda x: x[1::3].flip(1)[:, ::2].reshape(-1, 3).exp(), (tensor(13, 11),)),
        (lambda x, y, z: torch.cat((x, y * 2, z)).reshape(5, 9).t().reshape(45).sin(), (tensor(3, 5), tensor(4, 5), tensor(2, 5))),
        (lambda x, y: torch.stack((x, y), -1).flatten().reshape(8, -1).t().contiguous() * 2, (tensor(6, 8), tensor(6, 8))),
        (lambda x: x.exp().t().reshape(10, 36).t().reshape(20, 18) + x.reshape(20, 18), (tensor(15, 24),)),
        (lambda x: x.repeat(3, 2).reshape(9, -1).sum(0), (tensor(6, 10),)),
        (lambda x: x.repeat_interleave(3, 1).reshape(15, 12).exp(), (tensor(6, 10),)),
        (lambda x: x.diagonal(1).exp() + x.flatten()[: 11 * 10 : 11], (tensor(11, 11),)),
        (lambda x: x.unfold(0, 6, 4).reshape(-1, 4).sin() + 1, (tensor(42),)),
        (lambda x: x.permute(2, 0, 1).reshape(6, -1).softmax(-1).reshape(3, 8, 5).sum(1), (tensor(4, 5, 6),)),
    ]
    return runs


MODELS = (convolutions, pooling_with_gradients, padded, transformer, windows, rearranged)


class Found:
    """The recorded expressions."""

    def __init__(self):
        self.model, self.lines, self.dependent = "", {}, 0

    def add(self, stage, expr, theirs, ranges, ns=None):
        """An expression over these ranges: symbols with sizes, which count from 0."""
        if expr.is_number:
            return
        if not all(symbol in ranges for symbol in expr.free_symbols):
            self.dependent += 1
            return
        try:
            variables = {str(symbol): [0, int(ranges[symbol]) - 1] for symbol in ranges if symbol in expr.free_symbols}
        except (TypeError, ValueError):
            self.dependent += 1
            return
        if any(last < 0 for _, last in variables.values()):
            return
        line = {"source": f"{stage}:_{self.model}", "vars": variables, "expr": str(expr), "theirs": str(theirs)}
        if ns is not None:
            line["ns"] = ns
        # The same loops recur under other names.
        names = {name: f"v{place}" for place, name in enumerate(variables)}
        plain = str(expr.xreplace({symbol: type(symbol)(names[str(symbol)], integer=True) for symbol in expr.free_symbols}))
        self.lines.setdefault((stage, plain, tuple(last for _, last in variables.values())), line)


def watched(found):
    """Hooks the recorder into Inductor."""
    simplify = sizevars.SizeVarAllocator._simplify_with_ranges

    def look(self, expr, ranges):
        # It recurses until nothing changes.
        sizevars.SizeVarAllocator._simplify_with_ranges = simplify
        try:
            start = time.thread_time_ns()
            result = simplify(self, expr, ranges)
            ns = time.thread_time_ns() - start
        finally:
            sizevars.SizeVarAllocator._simplify_with_ranges = look
        if isinstance(expr, sizevars.sympy.Expr):
            found.add("loops", expr, result, ranges, ns)
        return result

    sizevars.SizeVarAllocator._simplify_with_ranges = look
    rename = cpp.CppKernel.rename_indexing

    def seen(self, index):
        result = rename(self, index)
        if isinstance(result, sizevars.sympy.Expr):
            found.add("kernels", result, result, dict(zip(self.itervars, self.ranges)))
        return result

    cpp.CppKernel.rename_indexing = seen
    # A kernel that does nothing needs no compiler; the backward is written with the forward.
    async_compile.AsyncCompile.cpp_pybinding = lambda *_: lambda *_: None


def main(file):
    warnings.simplefilter("ignore")
    torch._inductor.config.cpp.simdlen = 1
    torch._functorch.config.force_non_lazy_backward_lowering = True
    torch._inductor.cpu_vec_isa.valid_vec_isa_list = lambda: []
    found = Found()
    watched(found)
    for model in MODELS:
        found.model = model.__name__
        for function, inputs in model():
            torch._dynamo.reset()
            try:
                torch.compile(function, fullgraph=True, dynamic=False)(*inputs)
            except Exception as error:  # what it cannot compile is skipped
                print(f"{model.__name__}: {type(error).__name__}: {str(error).splitlines()[0]}", file=sys.stderr)
    with open(file, "w") as out:
        out.writelines(json.dumps(line) + "\n" for line in found.lines.values())
    print(f"{len(found.lines)} expressions, {found.dependent} left out that depend on data", file=sys.stderr)


main(*sys.argv[1:])
