"""Chess positions of a batch as bitboards from the mover's side, shared by the chess encoders.

A bitboard becomes a plane by looking each of its bytes up: one byte is one rank, its lowest bit the
a-file. Turning the board upside down for Black is therefore a byte swap.
"""

from collections.abc import Sequence
from functools import lru_cache
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


def stack_histories(histories: Sequence[bytes], black: NDArray[np.bool_]) -> Masks:
    """[B, 8, 13] own pieces, opponent's pieces, all ones where the position had stood before.

    Each history is HISTORY_BYTES long. `black` tells whose Black is to move.
    """
    boards = np.frombuffer(b"".join(histories), dtype=np.uint64).reshape(-1, HISTORY, 13).copy()
    rows = slice(0, int(black[0])) if len(black) == 1 else black  # one position alone needs no gathering
    turned = boards[rows, :, :12].byteswap()
    boards[rows, :, :6], boards[rows, :, 6:12] = turned[:, :, 6:], turned[:, :, :6]
    boards[:, :, 12] *= FULL
    return boards


def castling_masks(positions: Sequence[ChessPosition], boards: Masks, black: NDArray[np.bool_]) -> Masks:
    """[B, 4] all ones where there is a right: own queen side, own king side, the opponent's two.

    The queen's side is that of the rooks left of the king, so that Chess960 has sides too.
    """
    kings = zip(boards[:, 0, 5].tolist(), boards[:, 0, 11].tolist(), strict=True)
    sides = [
        castling_sides(position.rules.castling(), turned, own, other)
        for position, turned, (own, other) in zip(positions, black.tolist(), kings, strict=True)
    ]
    return np.array(sides, dtype=np.uint64).reshape(-1, 4)


@lru_cache(maxsize=4096)
def castling_sides(rooks: int, turned: bool, own_king: int, other_king: int) -> tuple[int, int, int, int]:
    """Plain integers, remembered: for one position alone, numpy's calls would cost more than all else."""
    if turned:
        rooks = int.from_bytes(rooks.to_bytes(8, "little"), "big")
    own, other = rooks & 0xFF, rooks >> 56 << 56
    sides = (own & own_king - 1, own & -own_king, other & other_king - 1, other & -other_king)
    full = int(FULL)
    return full * bool(sides[0]), full * bool(sides[1]), full * bool(sides[2]), full * bool(sides[3])


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
    return paint_ranks(ranks, dtype)


def paint_ranks(ranks: NDArray[np.uint8], dtype: type[Any]) -> NDArray[Any]:
    """[...] bytes, each a rank, to [..., 8] zeros and ones."""
    return _BRUSHES[dtype].take(ranks, axis=0)


_BITS = np.array(list(chain.from_iterable(((byte >> file) & 1 for file in range(8)) for byte in range(256))))
_BRUSHES: Final = {dtype: _BITS.reshape(256, 8).astype(dtype) for dtype in (np.float32, np.uint8)}
