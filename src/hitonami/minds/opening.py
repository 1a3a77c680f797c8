"""The first moves as often as people play them, by counts of their games with another mind behind.

Where n games of players of the pool reached the position, the share of a move is

    (its count + weight · the mind's probability) / (n + weight)

first with the games of those of other ratings, and then once more, with this share in the place of the mind's, with
the games of players of the level. So a well-known position follows the people, an unknown one the mind, theory that
others have gone through is known too, and nothing jumps between. The counts come with the package (`docs/openings.md`);
the result stays the mind's. A game without counts, and a pool that they are not about, is left to the mind.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.levels import find_curve
from hitonami.levels.opening_counts import opening_counts
from hitonami.search.rounds import Sketching

METHOD: Final = "opening"
"""The name in a file of levels."""


@dataclass(frozen=True)
class Opening:
    """In the first plies, people's own moves mixed into `mind`.

    `weight` is how many games the mind's opinion counts for; without it, as many as were best on games that the counts
    do not hold: by the profile of `base`, where it holds one, else by the counts' own file.
    """

    mind: Mind
    weight: float | None = None
    base: str = ""

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"mind": "uniform"}, {"mind": "uniform", "weight": 1.0})

    def __post_init__(self) -> None:
        if self.weight is not None and not 0.0 < self.weight < np.inf:
            raise BadSpec(f"opening: weight must be above 0, got {self.weight:g}")

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return self._mix_all(queries, self.mind(queries, effort))

    def sketch(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        """The inner mind's own sketch, where it has one: the result is never the counts' business."""
        return self.mind.sketch(queries, effort) if isinstance(self.mind, Sketching) else self.mind(queries, effort)

    def finish(self, queries: Sequence[Query], sketches: Sequence[Opinion]) -> list[Opinion]:
        finished = self.mind.finish(queries, sketches) if isinstance(self.mind, Sketching) else sketches
        return self._mix_all(queries, finished)

    def _mix_all(self, queries: Sequence[Query], opinions: Sequence[Opinion]) -> list[Opinion]:
        return [self._mix(query, opinion) for query, opinion in zip(queries, opinions, strict=True)]

    def _mix(self, query: Query, opinion: Opinion) -> Opinion:
        known = opening_counts(query.position.game.name)
        found = None if known is None else known.find(query.position, query.player)
        if found is None:
            return opinion
        shares = found.mix(np.exp(opinion.log_probs.astype(np.float64)), self._weight(query))
        with np.errstate(divide="ignore"):
            return replace(opinion, log_probs=dist.normalise(np.log(shares)))

    def _weight(self, query: Query) -> float | None:
        if self.weight is not None:
            return self.weight
        found = find_curve(METHOD, "weight", query.position.game.name, query.player.pool, base=self.base)
        return None if found is None else found.points[0][1]
