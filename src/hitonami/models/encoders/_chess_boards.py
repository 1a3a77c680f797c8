"""Chess positions of a batch as bitboards from the mover's side, shared by the chess encoders.

A bitboard becomes a plane by looking each of its bytes up: one byte is one rank, its lowest bit the
a-file. Turning the board upside down for Black is therefore a byte swap.
"""

from collections.abc import Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.games.chess import HISTORY, ChessPosition

Masks = NDArray[np.uint64]
FULL: Final = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
BLOCK_BYTES: Final = 13 * 8
"""One position of ChessPosition.history."""
HISTORY_BYTES: Final = HISTORY * BLOCK_BYTES
_ONE: Final = np.uint64(1)
_FIRST_RANK: Final = np.uint64(0xFF)


def stack_histories(histories: Sequence[bytes], black: NDArray[np.bool_]) -> Masks:
    """[B, 8, 13] own pieces, opponent's pieces, all ones where the position had stood before.

    Each history is HISTORY_BYTES long. `black` tells whose Black is to move.
    """
    boards = np.frombuffer(b"".join(histories), dtype=np.uint64).reshape(-1, HISTORY, 13).copy()
    turned = boards[black]
    boards[black, :, :6] = turned[:, :, 6:12].byteswap()
    boards[black, :, 6:12] = turned[:, :, :6].byteswap()
    boards[:, :, 12] *= FULL
    return boards


def castling_masks(positions: Sequence[ChessPosition], boards: Masks, black: NDArray[np.bool_]) -> Masks:
    """[B, 4] all ones where there is a right: own queen side, own king side, the opponent's two.

    The queen's side is that of the rooks left of the king, so that Chess960 has sides too.
    """
    if len(positions) == 1 and not positions[0].rules.castling():
        return np.zeros((1, 4), dtype=np.uint64)  # one position alone: skip steps that cost more than the rest
    rooks = np.fromiter((position.rules.castling() for position in positions), dtype=np.uint64, count=len(positions))
    rooks[black] = rooks[black].byteswap()
    sides = []
    for king, rank in ((boards[:, 0, 5], _FIRST_RANK), (boards[:, 0, 11], _FIRST_RANK << np.uint64(56))):
        left = king - _ONE
        sides += [rooks & rank & left, rooks & rank & ~left]
    return np.stack(sides, axis=1).astype(bool) * FULL


def turns(positions: Sequence[ChessPosition]) -> NDArray[np.bool_]:
    """[B] whether Black is to move."""
    return np.fromiter((position.to_move for position in positions), dtype=np.bool_, count=len(positions))


def draw_clocks(positions: Sequence[ChessPosition]) -> NDArray[np.float32]:
    """[B] half-moves since the last capture or pawn move."""
    clocks = (position.rules.halfmove_clock for position in positions)
    return np.fromiter(clocks, dtype=np.float32, count=len(positions))


def paint(masks: Masks, dtype: type[Any]) -> NDArray[Any]:
    """[..., C] bitboards to [..., C, 8, 8] zeros and ones, the mover's first rank first."""
    ranks = np.ascontiguousarray(masks).astype("<u8", copy=False).view(np.uint8).reshape(*masks.shape, 8)
    return _BRUSHES[dtype].take(ranks, axis=0)


_BITS = np.array(list(chain.from_iterable(((byte >> file) & 1 for file in range(8)) for byte in range(256))))
_BRUSHES: Final = {dtype: _BITS.reshape(256, 8).astype(dtype) for dtype in (np.float32, np.uint8)}
