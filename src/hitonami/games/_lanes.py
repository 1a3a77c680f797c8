"""Boards as rows of numbers, many at a time: what the games with compiled rules share (see abilities.Lanes)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.lanes import STOOD

TO_MOVE: Final = 0
"""Places after the cells."""
ORIGIN: Final = 1
TARGET: Final = 2
OWN: Final = 4
"""Where what only one game knows begins."""
Advance = Callable[..., None]


@dataclass(frozen=True, eq=False)
class BoardLanes:
    """The rules of one board. `read` turns a position into a state, `step` is the kernel behind `advance`."""

    rows: int
    columns: int
    kinds: int
    width: int
    most_moves: int
    places: NDArray[np.int32]
    head_size: int
    images: NDArray[np.int32]
    head_images: NDArray[np.int32]
    read: Callable[[Any], NDArray[np.int16]]
    step: Advance
    view: Literal["same", "turned", "transposed"] = "same"

    def state_of(self, position: Any) -> NDArray[np.int16]:
        return self.read(position)

    def advance(  # noqa: PLR0913, PLR0917  (arrays of one batch)
        self,
        states: NDArray[np.int16],
        moves: NDArray[np.int32],
        after: NDArray[np.int16],
        legal: NDArray[np.int32],
        counts: NDArray[np.int32],
        scores: NDArray[np.float32],
    ) -> None:
        self.step(states, moves, after, legal, counts, scores)


def turn_squares(rows: int, columns: int, ways: tuple[int, ...]) -> NDArray[np.int32]:
    """[ways, squares] where images take a square: quarter turns by 0 to 3, the same of the mirrored board by 4 to 7."""
    board = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    found = []
    for way in ways:
        seen = np.rot90(board[:, ::-1] if way >= 4 else board, way % 4).ravel()
        found.append(np.argsort(seen).astype(np.int32))
    return np.stack(found)


def fill_state(
    cells: NDArray[Any], to_move: int, touched: tuple[int, ...], stood: int = 0, width: int = 0
) -> NDArray[np.int16]:
    """A state: `touched` are the squares of the last move, where it landed last."""
    points = len(cells)
    state = np.zeros(max(width, points + OWN), np.int16)
    state[:points] = cells
    state[points + TO_MOVE] = to_move
    state[points + ORIGIN] = touched[0] if len(touched) > 1 else -1
    state[points + TARGET] = touched[-1] if touched else -1
    state[points + STOOD] = stood
    return state
