"""Points of a board of Go: as GTP names them, and where its mirror images take them."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadMove, quote
from hitonami.games.go_rules.rulesets import LETTERS


@lru_cache(maxsize=8)
def mirrors(size: int) -> NDArray[np.int64]:
    board = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(each, times) for each in (board, board.T) for times in range(4)]
    return np.stack([np.append(each.ravel(), size * size) for each in turned])


def vertex(size: int, move: int) -> str:
    """A move id as GTP writes it."""
    return "pass" if move == size * size else f"{LETTERS[move % size]}{size - move // size}"


def read_vertex(size: int, text: str) -> int:
    """The id of a GTP vertex on this board, legal or not. Raises BadMove."""
    plain = text.strip().upper()
    if plain == "PASS":
        return size * size
    column, row = LETTERS.find(plain[:1]), plain[1:]
    if not (plain and 0 <= column < size and row.isascii() and row.isdigit() and 1 <= int(row[:3]) <= size):
        last = f"{LETTERS[size - 1]}{size}"
        raise BadMove(f"not a point of this board: {quote(text)}; points are A1 to {last} without I, or pass")
    return (size - int(row[:3])) * size + column
