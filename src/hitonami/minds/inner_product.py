"""The expected result one move on: V_ip(s) = Σ π(a|s) · V(s·a), over what people are likely to play.

A strong mind's value tells who wins with best play; people do not play best. Weighing the values after each move by
the chance that it is played asks what becomes of the position in the hands of these players.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.models.shipped import shipped_models
from hitonami.search.results import Walk


@dataclass(frozen=True)
class InnerProduct:
    """The moves of `mind`; as result the mean of `value_mind`'s over the moves, by their probabilities.

    Values are those of the positions after the moves, seen from the mover; a game that a move ends counts its result.
    Moves under `min_probability` are not looked at, the others share their mass (0 looks at all). Both ratings go
    along, swapped with the turn. All positions of a call are one batch of `value_mind`.
    """

    mind: Mind
    value_mind: Mind
    min_probability: float = 0.005

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("human")))
    """The games of the example, for the contract tests; other minds know other games."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"mind": "human", "value_mind": "human", "min_probability": 0.1},)

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_probability <= 1.0:
            raise BadSpec(f"inner-product: min_probability must lie between 0 and 1, got {self.min_probability:g}")

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return Walk(self.mind, self.value_mind, 1.0, self.min_probability)(queries, effort)
