"""What every encoder does with a batch before it looks at a board."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position
from hitonami.errors import BadInput
from hitonami.models.encoders import HeadIndex

P = TypeVar("P", bound=Position)


def positions_of(kind: type[P], game: str, positions: Sequence[Position]) -> list[P]:
    """The same positions, known to be of one game. Raises BadInput for a stranger."""
    found: list[P] = []
    for position in positions:
        if not isinstance(position, kind):
            raise BadInput(f"this encoder takes positions of {game}, got one of {position.game.name}")
        found.append(position)
    return found


def gather_rows(table: NDArray[np.int32], rows: Sequence[int], positions: Sequence[Position]) -> list[HeadIndex]:
    """Look every legal move up in `table[row, move]`, the row of its position: one gather for the batch."""
    if not positions:
        return []
    if len(positions) == 1:  # a player's move: the steps of a batch would cost as much as the encoding
        return [table[rows[0]].take(positions[0].legal)]
    counts = [len(position.legal) for position in positions]
    moves = np.concatenate([position.legal for position in positions])
    found = table[np.repeat(np.asarray(rows, dtype=np.intp), counts), moves]
    ends = np.cumsum(counts).tolist()
    return [found[end - count : end] for end, count in zip(ends, counts, strict=True)]
