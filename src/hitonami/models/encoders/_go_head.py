"""The policy head of Go's networks: a board's points and passing, on boards of any size that share a batch.

And the eight ways to look at a board: turned and mirrored positions are the same game.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position
from hitonami.errors import BadInput
from hitonami.games.go import GoPosition
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._batch import positions_of


class GoHead:
    """Smaller boards stand in the corner of the largest of the batch, or of `board` where an encoder fixes that."""

    board: int
    game = "go"
    symmetries = 8

    def head_size(self, positions: Sequence[Position]) -> int:
        return self._side(positions_of(GoPosition, self.game, positions)) ** 2 + 1

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        known = positions_of(GoPosition, self.game, positions)
        side = self._side(known)
        return [_places(position.size, side)[position.legal] for position in known]

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]

    def turn(self, arrays: Mapping[str, NDArray[Any]], way: int) -> dict[str, NDArray[Any]]:
        return {name: _turned(array, way) if array.ndim == 4 else array for name, array in arrays.items()}

    def head_turn(self, size: int, way: int) -> HeadIndex:
        return _turned_places(size, way)

    def _side(self, positions: Sequence[GoPosition]) -> int:
        largest = max((position.size for position in positions), default=self.board)
        if self.board and largest > self.board:
            raise BadInput(f"this encoder takes boards up to {self.board}×{self.board}, got {largest}×{largest}")
        return self.board or largest


@lru_cache(maxsize=256)
def _places(size: int, side: int) -> HeadIndex:
    """[size² + 1] where the moves of a small board stand among the side² + 1 of the padded one; passing is the last."""
    points = np.arange(side * side, dtype=np.int32).reshape(side, side)[:size, :size]
    return np.append(points, np.int32(side * side))


def _turned(planes: NDArray[Any], way: int) -> NDArray[Any]:
    """Quarter turns by way 0 to 3, the same of the mirrored board by 4 to 7."""
    seen = planes[..., ::-1] if way >= 4 else planes
    return np.ascontiguousarray(np.rot90(seen, way % 4, axes=(-2, -1)))


@lru_cache(maxsize=256)
def _turned_places(size: int, way: int) -> HeadIndex:
    """[size] where the points of the board as it is stand in the head of the turned one; passing stays the last."""
    side = round((size - 1) ** 0.5)
    turned = _turned(np.arange(side * side, dtype=np.int32).reshape(side, side), way).reshape(-1)
    return np.append(np.argsort(turned).astype(np.int32), np.int32(side * side))
