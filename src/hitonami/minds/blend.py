"""Blend: a weighted mean of several minds' move probabilities.

The geometric mean of a human and an expert policy predicts strong humans better than either; the
arithmetic and power means are there for comparison. Without fields it blends the packaged `human` with the mind that a
weight was fitted against for the player's pool: the expert head of its network, or its own look `ahead`. Where no
weight was fitted it says so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.bases import over_base
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.levels import fitted_minds, read_level
from hitonami.levels.profiles import profile_of
from hitonami.models.runtime import LARGEST_BATCH
from hitonami.specs import Room

_EXPONENTS = {"geometric": 0.0, "arithmetic": 1.0}
_PARTNERS = ("expert", "ahead")


@dataclass(frozen=True)
class Blend:
    """Mix minds with weights (scaled to sum to 1) by a geometric, arithmetic or power mean.

    A number as `mean` is the exponent of the power mean. The result is the weighted arithmetic mean of
    the results of those minds that have one. Without minds and weights, `human` is mixed with `expert` or `ahead`, with
    the weight that was fitted for the game, the player's pool and rating, and the result is that of `human`. With a
    `base` (`blend:maia3-5m`), both stand on it.
    """

    base: str = ""
    minds: tuple[Mind, ...] = ()
    weights: tuple[Knob, ...] = ()
    mean: Literal["geometric", "arithmetic"] | float = "geometric"

    EXAMPLES: ClassVar = (
        {"minds": ["uniform", "uniform"], "weights": [0.7, 0.3]},
        {"minds": ["uniform", "uniform", "uniform"], "weights": [0.7, [[1000, 0.1], [2000, 0.3]], 1], "mean": -0.5},
    )

    def __post_init__(self) -> None:
        if len(self.minds) != len(self.weights):
            raise BadSpec(f"blend: {len(self.minds)} minds need as many weights, got {len(self.weights)}")
        if not self.minds and self.mean != "geometric":
            raise BadSpec(f"blend: the fitted weights are those of the geometric mean; {self.mean!r} needs its own")
        if self.minds and self.base:
            raise BadSpec("blend: minds and weights of its own have no base; name the base in each of them")
        for at, weight in enumerate(self.weights):
            check_knob(f"weights[{at}]", weight, 0.0)

    def open(self, room: Room) -> Mind:
        """Itself, or the packaged heads where no minds were named."""
        return self if self.minds else _FittedBlend(room, room.open(over_base("human", self.base)), self.base)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        exponent = _EXPONENTS[self.mean] if isinstance(self.mean, str) else self.mean
        views = [mind(queries, effort) for mind in self.minds]
        return _mix(views, np.stack([read_knob(weight, queries) for weight in self.weights]), exponent)


@dataclass(frozen=True)
class _FittedBlend:
    """The packaged `human`, and the packaged mind that its weight was fitted against."""

    room: Room
    human: Mind
    base: str

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions: dict[int, Opinion] = {}
        places: dict[str, list[int]] = {}
        for at, query in enumerate(queries):
            places.setdefault(_partner(query, self.base), []).append(at)
        for name, rows in places.items():
            partner = self.room.open(over_base(name, self.base))
            for begin in range(0, len(rows), LARGEST_BATCH):  # a pass for one must still be remembered for the other
                part = rows[begin : begin + LARGEST_BATCH]
                opinions.update(zip(part, self._answer([queries[at] for at in part], partner, effort), strict=True))
        return [opinions[at] for at in range(len(queries))]

    def _answer(self, queries: Sequence[Query], partner: Mind, effort: Effort) -> list[Opinion]:
        """Who wins is the human's word alone: its chances are calibrated."""
        other = partner(queries, effort)  # first: an expert's pass tells the human's moves too, and is remembered
        own = self.human(queries, effort)
        alpha = read_level("blend", "weight", queries, profile_of(self.base))
        mixed = _mix((own, other), np.stack([alpha, 1.0 - alpha]), 0.0)
        return [replace(both, wdl=human.wdl) for both, human in zip(mixed, own, strict=True)]


def _partner(query: Query, base: str) -> str:
    """The second mind of the fit for the query's game and pool. A base has no expert."""
    if base:
        return "ahead"
    minds = fitted_minds("blend", "weight", query.position.game.name, query.player.pool)
    return minds[1] if len(minds) > 1 and minds[1] in _PARTNERS else "expert"


def _mix(views: Iterable[Sequence[Opinion]], weights: NDArray[np.float64], exponent: float) -> list[Opinion]:
    """One opinion for each query from those of all minds; weights [minds, queries]."""
    return [
        Opinion(
            dist.mix([opinion.log_probs for opinion in held], weights[:, at].tolist(), exponent),
            dist.mean_result([opinion.wdl for opinion in held], weights[:, at].tolist()),
        )
        for at, held in enumerate(zip(*views, strict=True))
    ]
