"""A network made one person's: whole, in stages, as the published methods do, or by a vector that stands for them.

Stages (base → similar games → own games) are plain SGD over positions that fit into memory. A *told head* keeps the
network frozen and adds to what its policy head reads a direction that a vector of the player chooses: the directions
are learned with the vectors of many players, a new player's vector begins at the prototype that explains their moves
best and alone is fitted to them (in the manner of Maia4All).
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from hitonami.models.layers import Board
from hitonami.models.net import Net
from hitonami.train.losses import legal_log_probs, played_index

Batch = Mapping[str, Tensor]


@dataclass(frozen=True)
class Stage:
    """Positions, and how often each is seen; a part of an epoch is one, too."""

    batch: Batch
    epochs: float


@dataclass(frozen=True)
class Tuning:
    """As the source has it, but for the size of a batch: few positions are here."""

    rate: float = 2.5e-4
    batch_size: int = 64
    momentum: float = 0.9
    weight_decay: float = 1e-4
    seed: int = 0


def fine_tune(base: Net, stages: Sequence[Stage], tuning: Tuning) -> Net:
    """A copy of the base, taught by one stage after the other."""
    net, rng = deepcopy(base), np.random.default_rng(tuning.seed)
    net.train()
    for stage in stages:
        optimizer = torch.optim.SGD(
            net.parameters(), tuning.rate, momentum=tuning.momentum, weight_decay=tuning.weight_decay
        )
        count = len(stage.batch["target"])
        steps = max(round(stage.epochs * count / tuning.batch_size), 1)
        order = np.concatenate([rng.permutation(count) for _ in range(int(np.ceil(stage.epochs)) + 1)])
        for step in range(steps):
            rows = torch.from_numpy(order[step * tuning.batch_size : (step + 1) * tuning.batch_size])
            part = {name: values[rows] for name, values in stage.batch.items()}
            loss = _nats(net(part)["human"], part).mean()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
    return net.eval()


def _nats(logits: Tensor, batch: Batch) -> Tensor:
    return -legal_log_probs(logits, batch["legal"]).gather(1, played_index(batch)[:, None])[:, 0]


@torch.no_grad()
def look(net: Net, batch: Batch, size: int = 256) -> Tensor:
    """[n, channels, 8, 8] what the policy head reads."""
    planes = batch["planes"].to(torch.float32)
    board = Board(None)
    return torch.cat([net.trunk(planes[at : at + size], None, board, []) for at in range(0, len(planes), size)])


@torch.no_grad()
def log_probs(net: Net, batch: Batch, shifts: Tensor | None = None, size: int = 256) -> Tensor:
    """[n, most] of the legal moves; with a shift [channels] of what the policy head reads."""
    parts = []
    for at in range(0, len(batch["target"]), size):
        part = {name: values[at : at + size] for name, values in batch.items()}
        seen = look(net, part)
        seen = seen if shifts is None else seen + shifts[:, None, None]
        parts.append(legal_log_probs(net.human(seen, Board(None))[:, 0], part["legal"]))
    return torch.cat(parts)


class ToldHead(nn.Module):
    """Directions [channels, size] and a vector of each player who taught them."""

    def __init__(self, net: Net, players: int, size: int, seed: int = 0) -> None:
        super().__init__()
        torch.manual_seed(seed)
        self.head = net.human
        self.directions = nn.Parameter(torch.randn(net.spec.width, size) * 0.1)
        self.players = nn.Parameter(torch.zeros(players, size))

    def nats(self, seen: Tensor, batch: Batch, vectors: Tensor) -> Tensor:
        """[n] of what was played, each by its own vector [n, size]."""
        return _nats(self.head(seen + (vectors @ self.directions.T)[:, :, None, None], Board(None))[:, 0], batch)


@dataclass(frozen=True)
class VectorTuning:
    """How vectors are fitted: `pull` is towards where they began."""

    epochs: int = 10
    rate: float = 0.02
    batch_size: int = 128
    pull: float = 0.01
    seed: int = 0


def learn_directions(net: Net, batch: Batch, player: Tensor, size: int, tuning: VectorTuning) -> ToldHead:
    """From positions of players [n], numbered; the network itself stays as it is."""
    told = ToldHead(net, int(player.max()) + 1, size, tuning.seed)
    held = _Seen(told, look(net, batch), batch)
    held.fit((told.directions, told.players), lambda rows: told.players[player[rows]], tuning)
    return told


def prototypes(told: ToldHead, count: int, rounds: int = 20) -> Tensor:
    """[count + 1, size] centres of the vectors that were learned (k-means from far ones), and nothing at all."""
    vectors = told.players.detach()
    centres = vectors[:1]
    while len(centres) < min(count, len(vectors)):
        centres = torch.cat([centres, vectors[torch.cdist(vectors, centres).amin(1).argmax()][None]])
    for _ in range(rounds):
        near = torch.cdist(vectors, centres).argmin(1)
        means = [vectors[near == at].mean(0) if (near == at).any() else centres[at] for at in range(len(centres))]
        centres = torch.stack(means)
    return torch.cat([centres, torch.zeros(1, vectors.shape[1])])


def fit_vector(net: Net, told: ToldHead, batch: Batch, starts: Tensor, tuning: VectorTuning) -> Tensor:
    """[size] of a new player: from the prototype that explains the positions best, fitted to them."""
    seen = look(net, batch)
    with torch.no_grad():
        worth = [told.nats(seen, batch, start.expand(len(seen), -1)).mean() for start in starts]
    vector = nn.Parameter(starts[int(torch.stack(worth).argmin())].clone())
    _Seen(told, seen, batch).fit((vector,), lambda rows: vector.expand(len(rows), -1), tuning)
    return vector.detach()


@dataclass(frozen=True)
class _Seen:
    """Positions as the policy head reads them, and what was played."""

    told: ToldHead
    seen: Tensor
    batch: Batch

    def fit(
        self, learned: Sequence[nn.Parameter], vectors_of: Callable[[Tensor], Tensor], tuning: VectorTuning
    ) -> None:
        optimizer, rng = torch.optim.Adam(learned, tuning.rate), np.random.default_rng(tuning.seed)
        starts = learned[-1].detach().clone()
        for _ in range(tuning.epochs):
            for places in torch.split(torch.from_numpy(rng.permutation(len(self.seen))), tuning.batch_size):
                part = {name: values[places] for name, values in self.batch.items()}
                loss = self.told.nats(self.seen[places], part, vectors_of(places)).mean()
                loss = loss + tuning.pull * (learned[-1] - starts).square().sum(-1).mean()
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                optimizer.step()
