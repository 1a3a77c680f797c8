"""Attention stays near the last move: moves far from it are made less likely (Rémi's correction, GPW 2024).

The distance is Go's, |dx| + |dy| + max(|dx|, |dy|), from the square where the last move landed to the one where a move
would land. The weight of a move is

    W(d) = 0.1 + m · (far − d), d brought into near … far

and 1 where either move is a pass. Near and far are customs: Go has 4 and 14 as published. Other games take the same
steps of ten from 0 (a recapture) to 10: a piece dropped has no origin, so landings are compared there too. A position
without a last move is left alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Effort, LogProbs, Mind, Opinion, Position, Query, last_touched
from hitonami.customs import customs_in
from hitonami.knobs import Knob, check_knob, read_knob

_FLOOR = 0.1


@dataclass(frozen=True)
class Near:
    """Weigh moves by their distance to the last one: 0.1 + m · (far − distance), flat below `near` and beyond `far`.

    `m` is 0.25 for Go players of 16 kyu and 0.03 for 9 dan by the published fit; with 0 moves on the board keep their
    proportions to each other. The result stays.
    """

    mind: Mind
    m: Knob

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"mind": "uniform", "m": 0.15},
        {"mind": "uniform", "m": [[1000, 0.2], [2200, 0.05]]},
    )

    def __post_init__(self) -> None:
        check_knob("m", self.m, 0.0, 1000.0)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions = self.mind(queries, effort)
        return [
            replace(opinion, log_probs=_weigh(opinion.log_probs, query.position, m))
            for opinion, query, m in zip(opinions, queries, read_knob(self.m, queries).tolist(), strict=True)
        ]


def remi_distances(position: Position) -> NDArray[np.float32]:
    """[L] of each legal move to the last one; NaN where either is a pass, or where there is no last move."""
    distances = np.full(len(position.legal), np.nan, dtype=np.float32)
    last = last_touched(position)
    if not last:
        return distances
    touches = position.game.touches
    landed = [touched[-1] if (touched := touches(position, move)) else None for move in position.legal.tolist()]
    known = [at for at, square in enumerate(landed) if square is not None]
    squares = np.array([square for square in landed if square is not None], dtype=np.int32).reshape(-1, 2)
    apart = np.abs(squares - np.array(last[-1], dtype=np.int32))
    distances[known] = apart.sum(axis=1) + apart.max(axis=1, initial=0)
    return distances


def distance_weights(
    distances: NDArray[np.float32], m: float | NDArray[np.float64], near: float, far: float
) -> NDArray[np.float64]:
    """[L] the factor of each move; 1 where there is no distance."""
    return np.where(np.isnan(distances), 1.0, _FLOOR + m * (far - np.clip(distances, near, far)))


def _weigh(log_probs: LogProbs, position: Position, m: float) -> LogProbs:
    distances = remi_distances(position)
    if np.isnan(distances).all():
        return log_probs
    weights = distance_weights(distances, m, *customs_in(position.game).reach)
    return dist.normalise(log_probs + np.log(weights))
