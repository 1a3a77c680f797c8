"""Positions judged by playing on at random, many at a time: what the mind `playout` does, in lockstep.

Searched with `LOOKING` it is that mind's search (uniform priors, its c_puct, one game at random from each leaf), except
that ways to the same position are not joined.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.lanes import Lanes, States
from hitonami.selfplay.forest import Looking

C_PUCT: Final = 4.0


def looking(simulations: int) -> Looking:
    """The search of `playout`."""
    return Looking(simulations, C_PUCT, fpu=0.0)


@dataclass
class Rollouts:
    """Every move as likely as another, and the result of one game at random. Draws come from its own generator."""

    lanes: Lanes
    most_plies: int
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))

    def __call__(
        self, states: States, legal: NDArray[np.int32], counts: NDArray[np.int32]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        points = self.lanes.rows * self.lanes.columns
        scores = self._play_out(states, legal, counts)
        own = np.where(states[:, points] == 0, scores, 1.0 - scores)
        chances = np.stack([own == 1.0, own == 0.5, own == 0.0], axis=1).astype(np.float32)
        return np.zeros((len(states), self.lanes.head_size), np.float32), chances

    def _play_out(self, states: States, legal: NDArray[np.int32], counts: NDArray[np.int32]) -> NDArray[np.float32]:
        """0..1 of player 0."""
        here, rows = states, np.arange(len(states))
        scores = np.full(len(states), 0.5, np.float32)
        for _ in range(self.most_plies):
            moves = legal[np.arange(len(rows)), self.rng.integers(counts)]
            after, legal, counts, ended = _advance(self.lanes, here, moves)
            over = ended >= 0
            scores[rows[over]] = ended[over]
            going = ~over
            here, legal, counts, rows = after[going], legal[going], counts[going], rows[going]
            if not len(rows):
                break
        return scores


def _advance(
    lanes: Lanes, states: States, moves: NDArray[np.int32]
) -> tuple[States, NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    after, legal = np.empty_like(states), np.zeros((len(moves), lanes.most_moves), np.int32)
    counts, scores = np.zeros(len(moves), np.int32), np.zeros(len(moves), np.float32)
    lanes.advance(states, moves, after, legal, counts, scores)
    return after, legal, counts, scores
