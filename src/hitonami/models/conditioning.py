"""Who is playing, as the layers of a network are told it in torch: for training only.

Ratings of every pool are put on one scale, and a small network turns them into what each layer is scaled and shifted by
(FiLM) and into the shares of trunks that lie side by side. Nothing here looks at the board. `train/_writer.py` writes
the same arithmetic as an ONNX graph.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  (torch's own custom)

from hitonami.models.players import RATING_CENTRE, RATING_SPREAD
from hitonami.models.spec import ConditionSpec, GateSpec, GraftSpec, NetSpec

Film = tuple[Tensor, Tensor]
"""Scale and shift, [N, C, 1, 1] each."""
SHARPNESS: Final = 10.0
"""How suddenly a rating stops counting at the edge of the range, where it is off by 7% of half the range."""


def soft_clip(x: Tensor) -> Tensor:
    """The identity within -1 … 1, level beyond, and smooth everywhere."""
    high, low = F.softplus(SHARPNESS * (x - 1.0)), F.softplus(SHARPNESS * (-x - 1.0))
    return x - high / SHARPNESS + low / SHARPNESS


def scale_rating(rating: float) -> float:
    """A rating as encoders write it."""
    return (rating - RATING_CENTRE) / RATING_SPREAD


def lines_of(condition: ConditionSpec, pools: Sequence[str]) -> Tensor:
    """[pools + 1, 2] slope and offset that put each pool's ratings, as encoders write them, on the common scale."""
    rows = [(1.0, 0.0)]
    low, high = scale_rating(condition.low), scale_rating(condition.high)
    for pool in pools:
        own_low, own_high = map(scale_rating, condition.ranges.get(pool, (condition.low, condition.high)))
        slope = (high - low) / (own_high - own_low)
        rows.append((slope, low - slope * own_low))
    return torch.tensor(rows, dtype=torch.float32)


class Told(NamedTuple):
    """What the layers are told of the players."""

    film: list[Film]
    """For each layer what it is scaled and shifted by."""
    shares: Tensor | None
    """[N, K] of the trunks, where there are several."""
    hidden: Tensor


class Condition(nn.Module):
    """Who is playing to what each layer adds (FiLM) and to the trunks' shares. Both start at nothing learned."""

    centres: Tensor
    lines: Tensor

    def __init__(self, spec: NetSpec | GraftSpec, player: int, condition: ConditionSpec, films: Sequence[int]) -> None:
        super().__init__()
        low, high = scale_rating(condition.low), scale_rating(condition.high)
        self.middle, self.half_range = (low + high) / 2, (high - low) / 2
        self.register_buffer("lines", lines_of(condition, spec.pools), persistent=False)
        self.register_buffer("centres", torch.linspace(-1, 1, condition.bumps), persistent=False)
        self.bump_width = 2 / (condition.bumps - 1)
        self.pool = nn.Embedding(len(spec.pools) + 1, condition.pool_size)
        nn.init.normal_(self.pool.weight, std=0.1)
        features = 5 + 2 * condition.bumps + (player - 4) + condition.pool_size
        self.first = nn.Linear(features, condition.hidden)
        self.second = nn.Linear(condition.hidden, condition.hidden)
        self.sizes = tuple(size for size in films for _ in range(2))
        self.film = nn.Linear(condition.hidden, sum(self.sizes))
        gate = spec.gate if isinstance(spec, NetSpec) else None
        self.gate = None if gate is None else Gate(gate, spec.pools, condition.hidden)
        nn.init.zeros_(self.film.weight)
        nn.init.zeros_(self.film.bias)

    def forward(self, player: Tensor, pool: Tensor) -> "Told":
        lines = self.lines[pool]
        (own, own_known), (other, other_known) = (self._rating(player[:, at : at + 2], lines) for at in (0, 2))
        columns = [own, own_known, other, other_known, (own - other) * own_known * other_known]
        columns += [self._bumps(own) * own_known, self._bumps(other) * other_known, player[:, 4:], self.pool(pool)]
        hidden = F.silu(self.second(F.silu(self.first(torch.cat(columns, dim=1)))))
        film = self.film(hidden)[:, :, None, None].split(self.sizes, dim=1)
        shares = None if self.gate is None else self.gate(player, pool, hidden)
        return Told(list(zip(film[0::2], film[1::2], strict=True)), shares, hidden)

    def _rating(self, pair: Tensor, lines: Tensor) -> tuple[Tensor, Tensor]:
        known = pair[:, 1:2]
        rating = pair[:, 0:1] * lines[:, 0:1] + lines[:, 1:2]
        return soft_clip((rating - self.middle) / self.half_range) * known, known

    def _bumps(self, rating: Tensor) -> Tensor:
        return torch.exp(-0.5 * ((rating - self.centres) / self.bump_width).square())


class Gate(nn.Module):
    """The trunks' shares: a bell curve around each trunk's rating, and what training adds to it.

    Logits are mixed, so a share of a half each is the geometric mean of two policies.
    """

    ratings: Tensor

    def __init__(self, gate: GateSpec, pools: tuple[str, ...], hidden: int) -> None:
        super().__init__()
        scaled = [scale_rating(rating) for rating in gate.ratings]
        self.middle, self.half_range = (scaled[0] + scaled[-1]) / 2, (scaled[-1] - scaled[0]) / 2
        self.width = gate.width / RATING_SPREAD
        self.register_buffer("ratings", torch.tensor(scaled), persistent=False)
        self.offset = nn.Embedding(len(pools) + 1, 1)
        self.correction = nn.Linear(hidden, len(scaled))
        with torch.no_grad():
            offsets = [0.0, *(gate.offsets.get(pool, 0.0) / RATING_SPREAD for pool in pools)]
            self.offset.weight.copy_(torch.tensor(offsets)[:, None])
        nn.init.zeros_(self.correction.weight)
        nn.init.zeros_(self.correction.bias)

    def forward(self, player: Tensor, pool: Tensor, hidden: Tensor) -> Tensor:
        rating = player[:, 0:1] + self.offset(pool)
        rating = self.middle + self.half_range * soft_clip((rating - self.middle) / self.half_range)
        bell = -0.5 * ((rating - self.ratings) / self.width).square()
        return torch.softmax(bell * player[:, 1:2] + self.correction(hidden), dim=1)
