"""Habits of Othello players: openings whichever way they are turned, and which squares and edges they like."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.games.othello import OthelloPosition
from hitonami.habits import Whole
from hitonami.levels.opening_counts import View, view_of

_PASS: Final = 64


class Othello:
    """The start looks the same from four sides: the position's scene is the first of its images."""

    scenes = ("position",)
    kinds = (("square", 11), ("square by phase", 45), ("edge", 1 + 3**8))

    def view(self, position: OthelloPosition) -> tuple[View, ...]:
        return (view_of(position),)

    def sort(self, positions: Sequence[OthelloPosition], moves: Whole, begins: Whole) -> Whole:
        row = np.repeat(np.arange(len(positions)), np.diff(begins))
        phase = np.array([min(position.ply // 15, 3) for position in positions], dtype=np.int64)[row]
        square = _squares()[moves]
        by_phase = np.where(moves == _PASS, 44, square + 11 * phase)
        boards = np.array([position.boards for position in positions], dtype=np.uint64).reshape(-1, 2)
        own = np.array([position.to_move for position in positions], dtype=np.int64)
        return np.stack([square, by_phase, _edges(boards, own, row, moves)], axis=1)


@lru_cache(maxsize=1)
def _squares() -> NDArray[np.int64]:
    """[65] the kind of each square up to mirror images, the pass last."""
    row, column = np.divmod(np.arange(64), 8)
    one, other = np.minimum(row, 7 - row), np.minimum(column, 7 - column)
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.append(high * (high + 1) // 2 + low, 10)


def _edges(boards: NDArray[np.uint64], own: Whole, row: Whole, moves: Whole) -> Whole:
    """What stands on the edge that a move goes to and where on it, from the nearer end; 0 for moves inside."""
    bits = (boards[:, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1)).astype(np.int64)
    side = np.arange(len(boards))
    cells = bits[side, own] + 2 * bits[side, 1 - own]
    found = np.zeros(len(moves), dtype=np.int64)
    for line in (range(8), range(56, 64), range(0, 64, 8), range(7, 64, 8)):
        squares = np.array(line)
        at = np.flatnonzero(np.isin(moves, squares))
        if not len(at):
            continue
        seen = cells[row[at]][:, squares]
        place = np.searchsorted(squares, moves[at])
        turned = place >= 4
        seen[turned] = seen[turned, ::-1]
        place = np.where(turned, 7 - place, place)
        code = _without(seen, place) @ (3 ** np.arange(7)) + 3**7 * np.minimum(place, 2)
        found[at] = 1 + code
    return found


def _without(seen: Whole, place: Whole) -> Whole:
    """[M, 7] the other squares of the edge."""
    keep = np.arange(8)[None, :] != place[:, None]
    return seen[keep].reshape(-1, 7)
