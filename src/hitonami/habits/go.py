"""Habits of Go players: how they open, what they answer in a corner, which shapes they like.

Boards are seen as the mover's own and the other's stones, and every scene is the first of its mirror images: the same
corner turned or mirrored is the same corner, and its moves are told alike.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.games.go import GoPosition
from hitonami.games.go_rules.points import mirrors
from hitonami.habits import Whole
from hitonami.levels.opening_counts import View, view_of

_OPENING_PLIES: Final = 24
_CORNER_PLIES: Final = 60
_HALF: Final = 10
"""Lines from the edge: farther ones count as this one."""
_FAR: Final = 6
_WALL: Final = 3
_RING: Final = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))
_ELSEWHERE: Final = 10_000


class Go:
    """A corner is the quarter of the board with the last move in it; who plays elsewhere leaves it."""

    scenes = ("own stones", "corner", "position")
    kinds = (("point", 56), ("from last", 50), ("shape", 1108))

    def view(self, position: GoPosition) -> tuple[View, ...]:
        return _own_stones(position), _corner(position), view_of(position)

    def sort(self, positions: Sequence[GoPosition], moves: Whole, begins: Whole) -> Whole:
        found = [
            _sort_here(position, moves[begin:end])
            for position, begin, end in zip(positions, begins[:-1], begins[1:], strict=True)
        ]
        return np.concatenate(found) if found else np.zeros((0, len(self.kinds)), dtype=np.int64)


def _own_stones(position: GoPosition) -> View:
    """Openings by plan: one's own stones, wherever the other side has played."""
    if position.ply >= _OPENING_PLIES:
        return View("")
    images = mirrors(position.size)
    own = np.flatnonzero(position.board == position.to_move + 1)
    named = [" ".join(map(str, sorted(each))) for each in images[:, own].tolist()]
    first = min(named)
    ways = [at for at, name in enumerate(named) if name == first]
    return View(f"{position.size} {'bw'[position.to_move]} {first}", images[ways])


def _corner(position: GoPosition) -> View:
    size, last = position.size, position.last_move
    if last is None or last >= size * size or position.ply >= _CORNER_PLIES:
        return View("")
    row, column = divmod(last, size)
    if size in (2 * row + 1, 2 * column + 1):  # on the middle line, which is of no corner
        return View("")
    image = _quarters(size)[2 * (2 * row >= size) + (2 * column >= size)]
    half = (size + 1) // 2
    seen = np.where(position.board == 0, 0, 2 - (position.board == position.to_move + 1)).astype(np.uint8)
    seen[last] += 2
    inside = np.flatnonzero(image < _ELSEWHERE)
    board = np.zeros(half * half, dtype=np.uint8)
    board[image[inside]] = seen[inside]
    turned = np.append(np.arange(half * half).reshape(half, half).T.ravel(), 0)
    plain, other = board.tobytes(), board[turned[:-1]].tobytes()
    swapped = np.where(image < _ELSEWHERE, turned[np.minimum(image, half * half)], _ELSEWHERE)
    ways = [way for way, name in ((image, plain), (swapped, other)) if name == min(plain, other)]
    return View(f"{size} {min(plain, other).hex()}", np.stack(ways))


@lru_cache(maxsize=8)
def _quarters(size: int) -> NDArray[np.int64]:
    """[4, moves] the points of each quarter as seen from its corner; other points and the pass are elsewhere."""
    half, board = (size + 1) // 2, np.arange(size * size).reshape(size, size)
    found = np.full((4, size * size + 1), _ELSEWHERE, dtype=np.int64)
    for quarter in range(4):
        turned = board[::-1] if quarter >= 2 else board
        turned = turned[:, ::-1] if quarter % 2 else turned
        found[quarter, turned[:half, :half].ravel()] = np.arange(half * half)
    return found


def _sort_here(position: GoPosition, moves: Whole) -> Whole:
    size = position.size
    row, column = np.divmod(moves, size)
    passes = moves >= size * size
    one, other = np.minimum(row, size - 1 - row), np.minimum(column, size - 1 - column)
    low, high = np.clip(np.minimum(one, other), 0, _HALF - 1), np.clip(np.maximum(one, other), 0, _HALF - 1)
    point = np.where(passes, 55, high * (high + 1) // 2 + low)
    return np.stack([point, _from_last(position, row, column, passes), _shapes(position, row, column, passes)], axis=1)


def _from_last(position: GoPosition, row: Whole, column: Whole, passes: NDArray[np.bool_]) -> Whole:
    """How the move lies to the last one, whichever way round; apart where that one was on a low line."""
    size, last = position.size, position.last_move
    if last is None or last >= size * size:
        return np.full(len(row), 49)
    there = divmod(last, size)
    down, across = np.abs(row - there[0]), np.abs(column - there[1])
    near, far = np.minimum(down, across), np.maximum(down, across)
    low = min(there[0], there[1], size - 1 - there[0], size - 1 - there[1]) <= 2
    steps = np.where(far < _FAR, np.minimum(far, _FAR - 1) * (np.minimum(far, _FAR - 1) + 1) // 2 + near, 21)
    return np.where(passes, 48, steps + 24 * low)


def _shapes(position: GoPosition, row: Whole, column: Whole, passes: NDArray[np.bool_]) -> Whole:
    """What stands on the eight points around, up to mirror images."""
    size, own = position.size, position.to_move + 1
    board = np.full((size + 2, size + 2), _WALL, dtype=np.int64)
    cells = position.board.reshape(size, size)
    board[1:-1, 1:-1] = np.where(cells == 0, 0, np.where(cells == own, 1, 2))
    code = np.zeros(len(row), dtype=np.int64)
    down, across = np.minimum(row, size - 1) + 1, column + 1
    for at, (step, side) in enumerate(_RING):
        code |= board[down + step, across + side] << 2 * at
    return np.where(passes, len(_shape_table()[1]), _shape_table()[0][code])


@lru_cache(maxsize=1)
def _shape_table() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """[4⁸] the number of each shape among those that boards have, and what they are."""
    codes = np.arange(4**8)
    ring = np.stack([codes >> 2 * at & 3 for at in range(8)], axis=1)
    images = [
        np.roll(each, 2 * turn, axis=1) for each in (ring, np.roll(ring[:, ::-1], 1, axis=1)) for turn in range(4)
    ]
    folded = np.min([(image << 2 * np.arange(8)).sum(axis=1) for image in images], axis=0)
    walls = ring == _WALL
    sides = [walls[:, [0, 1, 2]], walls[:, [2, 3, 4]], walls[:, [4, 5, 6]], walls[:, [6, 7, 0]]]
    edges = np.stack([side.all(axis=1) for side in sides], axis=1)
    by_edges = np.zeros((len(codes), 8), dtype=bool)
    for at, points in enumerate(((0, 1, 2), (2, 3, 4), (4, 5, 6), (6, 7, 0))):
        by_edges[:, points] |= edges[:, [at]]
    real = (by_edges == walls).all(axis=1) & ~(edges[:, 0] & edges[:, 2]) & ~(edges[:, 1] & edges[:, 3])
    known = np.unique(folded[real])
    return np.searchsorted(known, np.where(real, folded, known[0])), known
