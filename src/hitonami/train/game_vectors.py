"""A game as one vector: a small transformer over tokens, taught so that games of one person lie together (GE2E).

Generalised end-to-end loss (Wan and others 2018): in a batch of some games of some people, each game must be nearer, by
cosine, to the mean of its own person's other games than to the mean of anybody else's.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (torch's own custom)

from hitonami.train.tokens import Tokens

Whole = NDArray[np.int64]
_BYTE = 32.0


@dataclass(frozen=True)
class VectorLesson:
    """How vectors are learned. The source: 512 numbers, batches of 15 people with 10 games, six epochs."""

    width: int = 128
    layers: int = 2
    heads: int = 4
    size: int = 256
    people: int = 15
    games: int = 10
    steps: int = 600
    rate: float = 1e-3
    dropout: float = 0.1
    seed: int = 0


class GameVectors(nn.Module):
    """Tokens [N, T, inputs] as bytes, how many there are [N] and the sides [N], to unit vectors [N, size]."""

    def __init__(self, inputs: int, tokens: int, lesson: VectorLesson) -> None:
        super().__init__()
        width = lesson.width
        self.entry = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width))
        self.places = nn.Parameter(torch.zeros(tokens, width))
        self.sides = nn.Embedding(2, width)
        layer = nn.TransformerEncoderLayer(
            width, lesson.heads, 2 * width, lesson.dropout, batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, lesson.layers, enable_nested_tensor=False)
        self.out = nn.Linear(width, lesson.size)
        self.scale = nn.Parameter(torch.tensor(10.0))
        self.shift = nn.Parameter(torch.tensor(-5.0))

    def forward(self, tokens: Tensor, lengths: Tensor, sides: Tensor) -> Tensor:
        x = self.entry(tokens.float() / _BYTE) + self.places + self.sides(sides)[:, None]
        missing = torch.arange(tokens.shape[1]) >= lengths.clamp(min=1)[:, None]
        y = self.layers(x, src_key_padding_mask=missing).masked_fill(missing[:, :, None], 0.0)
        return F.normalize(self.out(y.sum(1) / lengths.clamp(min=1)[:, None]), dim=1)


def ge2e_loss(vectors: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
    """Of unit vectors [people, games, size], two games at least: the mean over games."""
    people, games, _ = vectors.shape
    sums = vectors.sum(1)
    means = F.normalize(sums, dim=1)
    without = F.normalize(sums[:, None] - vectors, dim=2)
    near = torch.einsum("pgs,qs->pgq", vectors, means)
    own = (vectors * without).sum(2)
    here = torch.eye(people, dtype=torch.bool)[:, None].expand(people, games, people)
    odds = scale.clamp(min=1e-3) * torch.where(here, own[:, :, None], near) + shift
    return (odds.logsumexp(2) - (odds * here).sum(2)).mean()


def learn_vectors(
    held: Tokens, person: Whole, lesson: VectorLesson, report: Callable[[int, float], None] = lambda step, loss: None
) -> GameVectors:
    """From seats [n] of people, numbered; each has `lesson.games` at least."""
    torch.manual_seed(lesson.seed)
    rng = np.random.default_rng(lesson.seed)
    net = GameVectors(held.seen.shape[2], held.seen.shape[1], lesson)
    own = [np.flatnonzero(person == each) for each in np.unique(person)]
    optimizer = torch.optim.AdamW(net.parameters(), lesson.rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, lesson.rate, total_steps=lesson.steps)
    net.train()
    for step in range(lesson.steps):
        chosen = rng.choice(len(own), min(lesson.people, len(own)), replace=False)
        rows = np.concatenate([rng.choice(own[each], lesson.games, replace=False) for each in chosen])
        vectors = net(*_tensors(held.take(rows)))
        loss = ge2e_loss(vectors.reshape(len(chosen), lesson.games, -1), net.scale, net.shift)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 3.0)
        optimizer.step()
        schedule.step()
        report(step + 1, float(loss.detach()))
    return net.eval()


@torch.no_grad()
def embed_games(net: GameVectors, held: Tokens, batch: int = 512) -> NDArray[np.float32]:
    """[n, size] unit vectors."""
    firsts = range(0, len(held.lengths), batch)
    return np.concatenate([net(*_tensors(held.take(slice(first, first + batch)))).numpy() for first in firsts])


def _tensors(held: Tokens) -> tuple[Tensor, Tensor, Tensor]:
    return torch.from_numpy(held.seen), torch.from_numpy(held.lengths), torch.from_numpy(held.sides)
