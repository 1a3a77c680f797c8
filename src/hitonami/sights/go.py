"""What a Go board shows of each move: captures, ataris, ladders, liberties, and where it lies from the last moves."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player, walk_back
from hitonami.games.go import GoPosition
from hitonami.sights import Floats, Whole

_RANKS: Final = (3.0, 39.0)
_RATED: Final = {"goquest": (900.0, 2500.0)}
"""Pools with ratings instead of ranks: the ratings that stand for the lowest and the highest rank."""


class Go:
    """Nothing is looked at that the base does not think of: no move in Go is one that everybody sees."""

    scale: Final = (22.0, 8.0)

    def __init__(self) -> None:
        from hitonami.sights._go_shown import SHOWN  # numba: an engine must answer before it is loaded

        self.columns: Final = SHOWN

    def rate(self, player: Player) -> float | None:
        if player.rating is None or player.pool not in _RATED:
            return player.rating
        low, high = _RATED[player.pool]
        return _RANKS[0] + (player.rating - low) / (high - low) * (_RANKS[1] - _RANKS[0])

    def strike(self, positions: Sequence[GoPosition], moves: Whole, begins: Whole) -> NDArray[np.bool_]:
        return np.zeros(len(moves), dtype=np.bool_)

    def show(self, positions: Sequence[GoPosition], moves: Whole, begins: Whole) -> Floats:
        shown = np.zeros((len(moves), len(self.columns)), dtype=np.float32)
        sizes = np.array([position.size for position in positions])
        widths = np.diff(begins)
        for size in np.unique(sizes).tolist():
            rows = np.flatnonzero(sizes == size)
            at = np.repeat(np.isin(np.arange(len(positions)), rows), widths)
            ends = np.concatenate([[0], np.cumsum(widths[rows])])
            shown[at] = _show_size(size, [positions[row] for row in rows.tolist()], moves[at], ends, shown.shape[1])
        return shown


def _show_size(size: int, positions: Sequence[GoPosition], moves: Whole, begins: Whole, columns: int) -> Floats:
    from hitonami.sights._go_shown import show_moves

    lines = [list(islice(walk_back(position), 3)) for position in positions]
    boards = np.stack([np.stack([line[0].board, line[min(2, len(line) - 1)].board]) for line in lines])
    last = np.array([_last_moves(line) for line in lines], dtype=np.int64)
    took = np.array([_taken(line) for line in lines], dtype=np.int64)
    kos = np.array([position.ko_point for position in positions], dtype=np.int64)
    own = np.array([position.to_move + 1 for position in positions], dtype=np.int64)
    shown = np.zeros((len(moves), columns), dtype=np.float32)
    show_moves(size, boards, kos, own, last, took, moves, begins, shown)
    return shown


def _last_moves(line: Sequence[GoPosition]) -> list[int]:
    """The last three, the latest first, -1 where there was none."""
    told = [-1 if each.last_move is None else each.last_move for each in line]
    return [*told, -1, -1, -1][:3]


def _taken(line: Sequence[GoPosition]) -> int:
    """How many stones the last move took."""
    return sum(line[0].captures) - sum(line[1].captures) if len(line) > 1 else 0
