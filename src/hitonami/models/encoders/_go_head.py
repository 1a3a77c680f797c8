"""The policy head of Go's networks: a board's points and passing, on boards of any size that share a batch."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from hitonami.core import Position
from hitonami.errors import BadInput
from hitonami.games.go import GoPosition
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._batch import positions_of


class GoHead:
    """Smaller boards stand in the corner of the largest of the batch, or of `board` where an encoder fixes that."""

    board: int
    game = "go"

    def head_size(self, positions: Sequence[Position]) -> int:
        return self._side(positions_of(GoPosition, self.game, positions)) ** 2 + 1

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        known = positions_of(GoPosition, self.game, positions)
        side = self._side(known)
        return [_places(position.size, side)[position.legal] for position in known]

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]

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
