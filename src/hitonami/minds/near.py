"""Attention stays near the last move: moves far from it are made less likely (Rémi's correction, GPW 2024).

The distance is Go's, |dx| + |dy| + max(|dx|, |dy|), from the point where the last move ended to the point where a move
would end. The weight of a move is

    W(d) = 0.1 + m · (far − d), d brought into near … far

and 1 where either move is a pass. Go has near 4 and far 14 as published. Chess and shogi take the same steps of ten
from 0 (a recapture) to 10: a piece dropped has no origin, so targets are compared there too. Nothing is known of other
games, and a position without a last move is left alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Effort, Knob, LogProbs, Mind, Opinion, Position, Query, check_knob, read_knob
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.games.go import GoPosition

_FLOOR = 0.1


@dataclass(frozen=True)
class Reach:
    """Where a game's moves end on its board (`ids >> shift & mask`), and the distances between which weights fall."""

    shift: int
    mask: int
    width: int
    near: float
    far: float
    passing: int = -1


_REACHES = {"chess": Reach(6, 63, 8, 0, 10), "shogi": Reach(0, 127, 9, 0, 10)}


@dataclass(frozen=True)
class Near:
    """Weigh moves by their distance to the last one: 0.1 + m · (far − distance), flat below `near` and beyond `far`.

    `m` is 0.25 for Go players of 16 kyu and 0.03 for 9 dan by the published fit; with 0 moves on the board keep their
    proportions to each other. The result stays.
    """

    mind: Mind
    m: Knob

    GAMES: ClassVar[tuple[str, ...]] = ("chess", "go", "shogi")
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
    reach = reach_of(position)
    last = position.last_move
    if last is None or last == reach.passing:
        return np.full(len(position.legal), np.nan, dtype=np.float32)
    rows, columns = np.divmod(position.legal >> reach.shift & reach.mask, reach.width)
    row, column = divmod(last >> reach.shift & reach.mask, reach.width)
    across, along = np.abs(columns - column), np.abs(rows - row)
    distances = (across + along + np.maximum(across, along)).astype(np.float32)
    distances[position.legal == reach.passing] = np.nan
    return distances


def distance_weights(
    distances: NDArray[np.float32], m: float | NDArray[np.float64], near: float, far: float
) -> NDArray[np.float64]:
    """[L] the factor of each move; 1 where there is no distance."""
    return np.where(np.isnan(distances), 1.0, _FLOOR + m * (far - np.clip(distances, near, far)))


def _weigh(log_probs: LogProbs, position: Position, m: float) -> LogProbs:
    reach = reach_of(position)
    if position.last_move is None or position.last_move == reach.passing:
        return log_probs
    weights = distance_weights(remi_distances(position), m, reach.near, reach.far)
    return dist.normalise(log_probs + np.log(weights))


def reach_of(position: Position) -> Reach:
    """Where the moves of the position's game end. Raises BadInput for a game that this mind does not know."""
    name = position.game.name
    if name == "go":
        size = cast("GoPosition", position).size
        return Reach(0, -1, size, 4, 14, passing=size * size)
    if name not in _REACHES:
        known = ", ".join(sorted([*_REACHES, "go"]))
        raise BadInput(f"the mind near does not know where the moves of {name} end on the board; it knows: {known}")
    return _REACHES[name]
