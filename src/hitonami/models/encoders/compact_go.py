"""Our own Go input: eight boards of stones, liberties, forbidden points; komi, rules and size as scalars.

Boards of different sizes share a batch: smaller ones stand in the top left corner of the largest, and a
plane says which points are on the board. Boards before the start of the record are zeros, as an empty board
is. Komi and prisoners are told from the mover's side, so exchanging the colours changes nothing. Nothing is
said of ladders, territory or who is alive: a network may learn those.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.games.go import HISTORY, GoPosition
from hitonami.models.encoders._batch import positions_of
from hitonami.models.encoders._go_head import GoHead
from hitonami.models.players import encode_players

_LIBERTIES: Final = 2 * HISTORY
_MOST_LIBERTIES: Final = 4
_FORBIDDEN: Final = _LIBERTIES + _MOST_LIBERTIES
_ON_BOARD: Final = _FORBIDDEN + 1
_PLANES: Final = _ON_BOARD + 1
_SCALARS: Final = 6
_POINTS_SCALE, _SIZE_SCALE = 10.0, 19.0


@dataclass(frozen=True)
class CompactGo(GoHead):
    """{"planes": uint8 [B, 22, H, H], "scalars": float32 [B, 6], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `board` fixes H for networks that need it; 0 takes the largest board of each batch. `pools` are the rating
    pools that the network knows; `clock` adds the mover's remaining time.
    """

    pools: tuple[str, ...] = ()
    clock: bool = False
    board: int = 0

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(GoPosition, self.game, [query.position for query in queries])
        side = self._side(positions)
        planes = np.zeros((len(positions), _PLANES, side, side), dtype=np.uint8)
        sizes = np.array([position.size for position in positions], dtype=np.intp)
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == size)
            planes[rows, :, :size, :size] = _paint([positions[row] for row in rows.tolist()], size)
        scalars = np.array([_scalars(position) for position in positions], dtype=np.float32)
        players = encode_players(queries, self.pools, clock=self.clock)
        return {"planes": planes, "scalars": scalars.reshape(-1, _SCALARS), **players}


def _paint(positions: Sequence[GoPosition], size: int) -> NDArray[np.uint8]:
    """[B, 22, size, size] the planes of positions on boards of one size."""
    points = size * size
    joined = b"".join(position.history.ljust(HISTORY * points, b"\0") for position in positions)
    boards = np.frombuffer(joined, dtype=np.uint8).reshape(-1, HISTORY, points)
    own = np.array([1 + position.to_move for position in positions], dtype=np.uint8)[:, None, None]
    liberties = np.stack([position.liberties for position in positions])
    planes = np.empty((len(positions), _PLANES, points), dtype=np.uint8)
    planes[:, 0:_LIBERTIES:2] = boards == own
    planes[:, 1:_LIBERTIES:2] = boards == 3 - own
    for count in range(1, _MOST_LIBERTIES):
        planes[:, _LIBERTIES + count - 1] = liberties == count
    planes[:, _FORBIDDEN - 1] = liberties >= _MOST_LIBERTIES
    planes[:, _FORBIDDEN] = (boards[:, 0] == 0) & ~_allowed(positions, points)
    planes[:, _ON_BOARD] = 1
    return planes.reshape(-1, _PLANES, size, size)


def _allowed(positions: Sequence[GoPosition], points: int) -> NDArray[np.bool_]:
    """[B, points] where the mover may put a stone."""
    marks = np.zeros((len(positions), points + 1), dtype=np.bool_)
    rows = np.repeat(np.arange(len(positions)), [len(position.legal) for position in positions])
    marks[rows, np.concatenate([position.legal for position in positions])] = True
    return marks[:, :points]


def _scalars(position: GoPosition) -> tuple[float, ...]:
    """Komi and prisoners for the mover, territory counting, superko, size, whether the opponent passed."""
    black, white = position.captures
    sign = 1.0 if position.to_move else -1.0
    return (
        sign * position.komi / _POINTS_SCALE,
        sign * (white - black) / _POINTS_SCALE,
        float(position.rules.scoring == "territory"),
        float(position.rules.superko),
        position.size / _SIZE_SCALE,
        float(position.passes > 0),
    )
