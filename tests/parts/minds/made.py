"""A mind whose games are known beforehand."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Opinion, Position, Query
from hitonami.errors import NoOpinion


@dataclass(frozen=True)
class Made:
    """Likes the first legal moves, expects `first` for player 0, fails from a ply on, and counts its batches."""

    first: float = 0.5
    fails_at: int = 10_000
    log: str = ""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        if self.log:
            with Path(self.log).open("a") as stream:
                stream.write(f"{len(queries)}\n")
        if any(query.position.ply >= self.fails_at for query in queries):
            raise NoOpinion(f"nothing left to say at ply {self.fails_at}")
        return [self._judge(query.position) for query in queries]

    def _judge(self, position: Position) -> Opinion:
        mine = self.first if position.to_move == 0 else 1 - self.first
        return Opinion(dist.uniform(len(position.legal)), np.array([mine, 0, 1 - mine], dtype=np.float32))
