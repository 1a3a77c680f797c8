"""The expected result along likely human play: realisation-probability search, without a choice of moves.

Where the inner product looks one move on, this follows every line as long as people are likely enough to play it
(Tsuruoka, Yokoyama and Chikayama 2002 bound search by that product), and takes the mean of the values at the ends.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.models.shipped import shipped_models
from hitonami.search.results import Walk


@dataclass(frozen=True)
class Realise:
    """The moves of `mind`; as result the mean of `value_mind`'s over the ends of likely play.

    A position is expanded while play comes to it with a probability of at least `threshold`, at most `positions` of
    them for each query. A threshold of 1 is the inner product, unless a move is certain. Moves under
    `min_probability` are left out, the others share their mass. One batch of `mind` a layer, one of `value_mind`.
    """

    mind: Mind
    value_mind: Mind
    threshold: float = 0.1
    min_probability: float = 0.01
    positions: int = 64

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("human")))
    """The games of the example, for the contract tests; other minds know other games."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"mind": "human", "value_mind": "human", "threshold": 0.3, "min_probability": 0.1, "positions": 3},
    )

    def __post_init__(self) -> None:
        if not 0.0 < self.threshold <= 1.0 or not 0.0 <= self.min_probability <= 1.0:
            given = f"{self.threshold:g} and {self.min_probability:g}"
            raise BadSpec(f"realise: threshold must lie in 0 … 1 and above 0, min_probability in 0 … 1, got {given}")
        if self.positions < 1:
            raise BadSpec(f"realise: positions must be at least 1, got {self.positions}")

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        walk = Walk(self.mind, self.value_mind, self.threshold, self.min_probability, self.positions)
        return walk(queries, effort)
