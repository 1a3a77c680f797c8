"""Play for what results are worth to somebody: a sore loser shuns losses, who meets an expert takes any win on offer.

P(a) · exp(beta · E[utility after a]), over the moves of a mind that are likely enough to be looked at: what a player of
bounded patience does who values win, draw and loss in their own way (maximum entropy). `hitonami fit GAME utilities`
finds beta and the draw's worth from people's moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.models.shipped import shipped_models
from hitonami.search.results import results_after
from hitonami.sights import log_sums

_MOST = 1_000.0


@dataclass(frozen=True)
class Utility:
    """The moves of `mind`, made likelier by what the results that they lead to are worth.

    `win`, `draw` and `loss` are the worth of each result, `beta` how much the player acts on it. Chances after each
    move are those of `value_mind`, else of `mind`; moves under `min_probability` are not looked at and keep their
    share. The result stays what `mind` says.
    """

    mind: Mind
    value_mind: Mind | None = None
    win: Knob = 1.0
    draw: Knob = 0.5
    loss: Knob = 0.0
    beta: Knob = 5.0
    min_probability: float = 0.005

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("human")))
    """The games of the examples, for the contract tests; other minds know other games."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"mind": "human", "draw": [[800, 0.2], [2400, 0.6]], "loss": -10.0, "min_probability": 0.1},
    )

    def __post_init__(self) -> None:
        for name in ("win", "draw", "loss", "beta"):
            check_knob(f"utility: {name}", getattr(self, name), -_MOST, _MOST)
        if not 0.0 <= self.min_probability <= 1.0:
            raise BadSpec(f"utility: min_probability must lie between 0 and 1, got {self.min_probability:g}")

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = self.mind(queries, effort) if queries else []
        looked = [moves_looked_at(opinion, self.min_probability) for opinion in opinions]
        after = results_after(self.value_mind or self.mind, queries, looked, effort)
        worth = np.stack([read_knob(knob, queries) for knob in (self.win, self.draw, self.loss)], axis=1)
        beta = read_knob(self.beta, queries)
        return [
            tilted(opinion, places, beta[at] * (after[at] @ worth[at]))
            for at, (opinion, places) in enumerate(zip(opinions, looked, strict=True))
        ]


def moves_looked_at(opinion: Opinion, min_probability: float) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """The places of the moves that are likely enough, of the likeliest always."""
    least = min(np.log(min_probability), opinion.log_probs.max()) if min_probability > 0 else -np.inf
    return np.flatnonzero((opinion.log_probs >= least) & ~np.isneginf(opinion.log_probs))


def tilted(
    opinion: Opinion, places: "np.ndarray[Any, np.dtype[np.int64]]", worth: "np.ndarray[Any, np.dtype[np.float64]]"
) -> Opinion:
    """With `worth` added to the log-probabilities at `places`, which keep their share together."""
    own = opinion.log_probs[places].astype(np.float64)
    ends = np.array([0]), np.array([len(places)])
    log_probs = opinion.log_probs.copy()
    log_probs[places] = own + worth + log_sums(own, *ends) - log_sums(own + worth, *ends)
    return replace(opinion, log_probs=log_probs, lines=())
