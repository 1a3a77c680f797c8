"""Habits of chess players: where they stand as they stand themselves, and which piece they like to put where."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hitonami.games.chess import ChessPosition
from hitonami.habits import Whole
from hitonami.levels.opening_counts import View, view_of

_SETS: Final = 12
_OWN: Final = 6
_MIRROR: Final = 56


class Chess:
    """Systems are known by one's own men alone, whatever the other side does: a broader scene than the position."""

    scenes = ("own men", "position")
    kinds = (("piece to", 6 * 64), ("piece from", 6 * 64))

    def view(self, position: ChessPosition) -> tuple[View, ...]:
        begin = 8 * _OWN * position.to_move
        men = position.history[begin : begin + 8 * _OWN].hex()
        return (View(f"{men} {'wb'[position.to_move]}"), view_of(position))

    def sort(self, positions: Sequence[ChessPosition], moves: Whole, begins: Whole) -> Whole:
        """Squares are seen from the mover's side."""
        joined = b"".join(each.history[: 8 * _SETS] for each in positions)
        sets = np.frombuffer(joined, dtype=np.uint8).reshape(-1, _SETS, 8)
        bits = np.unpackbits(sets, axis=2, bitorder="little")
        row = np.repeat(np.arange(len(positions)), np.diff(begins))
        source, target = moves & 63, moves >> 6 & 63
        piece = bits[row, :, source].argmax(axis=1) % _OWN
        turned = np.array([each.to_move for each in positions], dtype=np.int64)[row] * _MIRROR
        return np.stack([piece * 64 + (target ^ turned), piece * 64 + (source ^ turned)], axis=1)
