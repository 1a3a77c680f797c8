"""Minds for fixed ratings, joined into one for every rating between them."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadInput, BadSpec


@dataclass(frozen=True)
class ByRating:
    """Between two minds that each stand for one rating, their geometric blend, by the mover's rating.

    `minds` are pairs of a rating and a mind, ratings rising (Maia's networks, for example). Below the first and above
    the last, that mind alone. Only the two neighbours of a query's rating are asked. The result is their weighted mean.
    """

    minds: tuple[tuple[float, Mind], ...]

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"minds": [[1100, "uniform"], [1500, {"kind": "floor", "mind": "uniform"}], [1900, "uniform"]]},
    )

    def __post_init__(self) -> None:
        ratings = [rating for rating, _ in self.minds]
        if not ratings or not np.isfinite(ratings).all() or any(a >= b for a, b in pairwise(ratings)):
            raise BadSpec(f"by-rating: needs pairs [rating, mind] with rising ratings, got ratings {ratings}")

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        shares = [self._shares(query) for query in queries]
        heard: list[list[tuple[float, Opinion]]] = [[] for _ in queries]
        for at, (_, mind) in enumerate(self.minds):
            asked = [row for row, share in enumerate(shares) if share.get(at)]
            opinions = mind([queries[row] for row in asked], effort) if asked else []
            for row, opinion in zip(asked, opinions, strict=True):
                heard[row].append((shares[row][at], opinion))
        return [_blend(parts) for parts in heard]

    def _shares(self, query: Query) -> dict[int, float]:
        """The weight of each mind that has a say, by its place."""
        rating = query.player.rating
        if rating is None:
            raise BadInput("this mind depends on rating, and the player has none: give a rating")
        above = bisect_right([each for each, _ in self.minds], rating)
        if above in (0, len(self.minds)):
            return {max(above - 1, 0): 1.0}
        low, high = self.minds[above - 1][0], self.minds[above][0]
        part = (rating - low) / (high - low)
        return {above - 1: 1.0 - part, above: part}


def _blend(parts: Sequence[tuple[float, Opinion]]) -> Opinion:
    if len(parts) == 1:
        return parts[0][1]
    weights = [weight for weight, _ in parts]
    log_probs = dist.mix([opinion.log_probs for _, opinion in parts], weights)
    return Opinion(log_probs, dist.mean_result([opinion.wdl for _, opinion in parts], weights))
