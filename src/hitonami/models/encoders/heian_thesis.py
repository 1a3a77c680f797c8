"""The twelve planes of the first network for Heian shogi (S. Pan, JAIST 2025, 2.4.3), as printed there.

Ten planes, one a kind of piece, have 1 for the first player's and -1 for the second's, on the board just before the
last move; the eleventh has -1 where that move came from and 1 where it went; the twelfth is ones where the first player
is to move. Nothing is turned for the second player. The thesis names no kinds: these are king, gold, silver, knight,
lance, pawn and the four promoted ones. Its head has 2,038 logits and no list of them; ours has the 1,748 moves that
some piece of either side can make.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, Query
from hitonami.errors import BadInput
from hitonami.games.heian import Heian, HeianPosition
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._batch import positions_of

_KINDS: Final = 10
_SIDE: Final = 9


@dataclass(frozen=True)
class HeianThesis:
    """{"planes": float32 [B, 12, 9, 9]}. Boards of 9×9 without the elephant."""

    game = "heian"
    symmetries = 2

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = self._known([query.position for query in queries])
        planes = np.zeros((len(positions), _KINDS + 2, _SIDE * _SIDE), np.float32)
        for row, position in zip(planes, positions, strict=True):
            cells = (position.before or position).cells
            squares = np.flatnonzero(cells)
            row[np.abs(cells[squares]) - 1, squares] = np.sign(cells[squares])
            if position.last_move is not None:
                row[_KINDS, position.last_move >> 7 & 127] = -1.0
                row[_KINDS, position.last_move & 127] = 1.0
            row[_KINDS + 1] = 1.0 - position.to_move
        return {"planes": planes.reshape(-1, _KINDS + 2, _SIDE, _SIDE)}

    def _known(self, positions: Sequence[Position]) -> list[HeianPosition]:
        known = positions_of(HeianPosition, self.game, positions)
        for position in known:
            if len(position.cells) != _SIDE * _SIDE or np.abs(position.cells).max() > _KINDS:
                raise BadInput("this encoder takes boards of heian shogi of 9×9 without the elephant")
        return known

    def head_size(self, positions: Sequence[Position]) -> int:
        return len(_moves())

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        return [np.searchsorted(_moves(), position.legal).astype(np.int32) for position in self._known(positions)]

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]

    def turn(self, arrays: Mapping[str, NDArray[Any]], way: int) -> dict[str, NDArray[Any]]:
        """Way 1 is the mirror image, left for right."""
        return {
            name: np.ascontiguousarray(array[..., ::-1]) if way and array.ndim == 4 else array
            for name, array in arrays.items()
        }

    def head_turn(self, size: int, way: int) -> HeadIndex:
        return _mirrored() if way else np.arange(size, dtype=np.int32)


@cache
def _moves() -> NDArray[np.int32]:
    return np.array(Heian().all_moves(), np.int32)


@cache
def _mirrored() -> HeadIndex:
    moves = _moves()
    squares = np.arange(_SIDE * _SIDE).reshape(_SIDE, _SIDE)[:, ::-1].ravel()
    turned = moves >> 14 << 14 | squares[moves >> 7 & 127] << 7 | squares[moves & 127]
    return np.searchsorted(moves, turned).astype(np.int32)
