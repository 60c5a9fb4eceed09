"""Small models with every kind of copy, forward and backward."""

from __future__ import annotations

from typing import Any, Callable

import torch
from torch import nn
from torch.nn import functional as F

# On a busy machine, several threads wait for each other longer than they work.
torch.set_num_threads(1)


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
        # Moved zeros could not be told apart.
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
    """Typical patterns of einops."""

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


def run(model: Any, x: Any) -> Any:
    """A forward and a backward pass, from distinct gradients."""
    out = model(x)
    parts = out if isinstance(out, tuple) else (out,)
    ends = [part for part in parts if part.requires_grad]
    weights = [torch.randn(part.shape) for part in ends]
    if ends:
        torch.autograd.backward(ends, weights)
    return out


def prepared(name: str) -> tuple[Any, Any]:
    """A model and an input, the same every time."""
    torch.manual_seed(3)
    make, shape = MODELS[name]
    return make(), torch.randn(shape, requires_grad=True)
