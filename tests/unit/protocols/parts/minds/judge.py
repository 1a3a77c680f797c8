"""A mind with firm views: moves are likelier the earlier they stand, and whoever is to move wins 3 of 5."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Opinion, Query


@dataclass(frozen=True)
class Judge:
    """Each move is half as likely as the one before it."""

    win: float = 0.6
    draw: float = 0.08

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        wdl = np.array([self.win, self.draw, 1 - self.win - self.draw], dtype=np.float32)
        halving = -np.log(2.0)
        return [Opinion(dist.normalise(halving * np.arange(len(query.position.legal))), wdl) for query in queries]
