"""Our own shogi input: eight positions of pieces as small integers; hands, repetition and check as scalars.

For White the board is turned by half a turn and the sides are exchanged, so that the mover always plays up
the board. Squares keep cshogi's order (down the files from the mover's right), so a plane's first axis is
the file 1 … 9 and its second the rank a … i. Hands are thermometers: "at least one pawn" decides what can
be dropped, and no network should have to learn that from a count. Positions before the start of the record
are zeros, after an SFEN as after the standard start.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position, Query
from hitonami.games.shogi import HISTORY, HISTORY_BYTES, ShogiPosition
from hitonami.models.encoders import HeadIndex
from hitonami.models.encoders._batch import gather_rows, positions_of
from hitonami.models.encoders._shogi_head import SQUARES, move_table
from hitonami.models.players import encode_players

HEAD_SIZE: Final = 27 * SQUARES
_KINDS: Final = 14
_CODES: Final = 31
_WHITE_CODE: Final = 16  # cshogi: Black's pieces are 1 … 14, White's 17 … 30
_MOST_IN_HAND: Final = (8, 4, 4, 4, 4, 2, 2)  # pawn, lance, knight, silver, gold, bishop, rook; pawns beyond 8 are rare
_STEPS: Final = ((0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1), (1, 1), (-1, 1))
"""(file, rank) of a step up, up-left, up-right, left, right, down, down-left, down-right."""
_FIRST_DROP: Final = 20


def _piece_planes() -> NDArray[np.uint8]:
    """[2·31] the plane 0 … 27 of each piece code with Black to move, then with White to move; 255 for none."""
    planes = np.full((2, _CODES), 255, dtype=np.uint8)
    for kind in range(_KINDS):
        for player, (own, other) in enumerate(((1, 1 + _WHITE_CODE), (1 + _WHITE_CODE, 1))):
            planes[player, own + kind] = kind
            planes[player, other + kind] = _KINDS + kind
    return planes.reshape(-1)


_TABLE: Final = move_table(_STEPS, range(_FIRST_DROP, _FIRST_DROP + 7), 0, lambda square: square)
_PIECES: Final = _piece_planes()
_LEVELS: Final = np.concatenate([np.arange(1, most + 1) for most in _MOST_IN_HAND])
_HELD: Final = np.repeat(np.arange(7), _MOST_IN_HAND)


@dataclass(frozen=True)
class CompactShogi:
    """{"planes": uint8 [B, 224, 9, 9], "scalars": float32 [B, 65], "player": float32 [B, 4 or 6], "pool": int64 [B]}.

    `pools` are the rating pools that the network knows; `clock` adds the mover's remaining time.
    """

    pools: tuple[str, ...] = ()
    clock: bool = False

    game = "shogi"

    def encode(self, queries: Sequence[Query]) -> dict[str, NDArray[Any]]:
        positions = positions_of(ShogiPosition, self.game, [query.position for query in queries])
        white = np.array([position.to_move for position in positions], dtype=np.bool_)
        joined = b"".join(position.history.ljust(HISTORY * HISTORY_BYTES, b"\0") for position in positions)
        history = np.frombuffer(joined, dtype=np.uint8).reshape(-1, HISTORY, HISTORY_BYTES)
        scalars = np.empty((len(positions), 2 * len(_LEVELS) + HISTORY + 1), dtype=np.float32)
        scalars[:, : 2 * len(_LEVELS)] = _thermometers(history[:, 0, SQUARES:-1], white)
        scalars[:, 2 * len(_LEVELS) : -1] = history[:, :, -1]
        scalars[:, -1] = [position.board.is_check() for position in positions]
        planes = _paint(history[:, :, :SQUARES], white)
        return {"planes": planes, "scalars": scalars, **encode_players(queries, self.pools, clock=self.clock)}

    def head_size(self, positions: Sequence[Position]) -> int:
        return HEAD_SIZE

    def head_indices(self, positions: Sequence[Position]) -> list[HeadIndex]:
        known = positions_of(ShogiPosition, self.game, positions)
        return gather_rows(_TABLE, [position.to_move for position in known], known)

    def head_index(self, position: Position) -> HeadIndex:
        return self.head_indices([position])[0]


def _paint(codes: NDArray[np.uint8], white: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """[B, 8, 81] piece codes to [B, 8·28, 9, 9] planes."""
    turned = np.where(white[:, None, None], codes[:, :, ::-1] + np.uint8(_CODES), codes)
    pieces = _PIECES.take(turned)[:, :, None, :]
    planes = pieces == np.arange(2 * _KINDS, dtype=np.uint8)[:, None]
    return planes.view(np.uint8).reshape(len(codes), HISTORY * 2 * _KINDS, 9, 9)


def _thermometers(hands: NDArray[np.uint8], white: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """[B, 14] counts of Black then White to [B, 56]: the mover's hand, then the opponent's, one step a piece held."""
    sides = hands.reshape(-1, 2, 7)
    sides = np.where(white[:, None, None], sides[:, ::-1], sides)
    return (sides[:, :, _HELD] >= _LEVELS).reshape(len(hands), 2 * len(_LEVELS))
