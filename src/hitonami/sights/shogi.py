"""What a shogi board shows of each move: exchanges, what hangs, checks, mates in one, drops, and the moves before."""

from collections.abc import Sequence
from typing import Final

import cshogi
import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player
from hitonami.games.shogi import HISTORY, HISTORY_BYTES, ShogiPosition
from hitonami.sights import Floats, Whole

READ: Final = ("check", "mate", "is_mated", "threatens_mate", "in_check", "mate_threatened")
BOARDS: Final = ("own_hand", "their_hand", "balance")
_WORTH: Final = np.array([0, 1, 3, 3, 5, 8, 10, 6, 0, 4, 4, 4, 6, 11, 13, 0], dtype=np.float64)
_HAND_WORTH: Final = np.array([1, 3, 3, 5, 6, 8, 10], dtype=np.float64)
_MOVE_BITS: Final = 0x7FFF
_HIGHEST: Final = 48.0
"""9 dan of professionals."""


class Shogi:
    """A mate in one is looked at whatever a base thinks of it; mates are found by cshogi."""

    scale: Final = (29.0, 4.0)

    def __init__(self) -> None:
        from hitonami.sights._shogi_shown import SHOWN  # numba: an engine must answer before it is loaded

        self.columns: Final = (*SHOWN, *READ, *BOARDS)

    def rate(self, player: Player) -> float | None:
        """Ranks; points of clubs are on scales of their own and tell nothing here."""
        return None if player.rating is None or player.rating > _HIGHEST else player.rating

    def strike(self, positions: Sequence[ShogiPosition], moves: Whole, begins: Whole) -> NDArray[np.bool_]:
        found, board = np.zeros(len(moves), dtype=np.bool_), cshogi.Board()
        for row, position in enumerate(positions):
            if position.in_check:
                continue  # cshogi looks for a mate only where there is no check to answer
            board.set_sfen(position.sfen)
            mate = board.mate_move_in_1ply() & _MOVE_BITS
            if mate:
                part = slice(begins[row], begins[row + 1])
                found[part] = moves[part] == mate
        return found

    def show(self, positions: Sequence[ShogiPosition], moves: Whole, begins: Whole) -> Floats:
        from hitonami.sights._shogi_shown import SHOWN, show_moves

        whole = HISTORY * HISTORY_BYTES
        joined = b"".join(each.history.ljust(whole, b"\0") for each in positions)
        history = np.frombuffer(joined, dtype=np.uint8).reshape(-1, HISTORY, HISTORY_BYTES)
        turned = np.array([each.to_move for each in positions], dtype=np.int64)
        last = np.array([_last_moves(each) for each in positions], dtype=np.int64)
        shown = np.zeros((len(moves), len(SHOWN)), dtype=np.float32)
        show_moves(history, turned, last, moves, begins, shown)
        row = np.repeat(np.arange(len(positions)), np.diff(begins))
        boards = np.stack(_boards(history, turned), axis=1)
        return np.concatenate([shown, _read(positions, moves, begins), boards[row]], axis=1).astype(np.float32)


def _read(positions: Sequence[ShogiPosition], moves: Whole, begins: Whole) -> Floats:
    """[M, READ] checks and mates, each move made on a board."""
    out, board = np.zeros((len(moves), len(READ)), dtype=np.float32), cshogi.Board()
    for row, position in enumerate(positions):
        board.set_sfen(position.sfen)
        part = out[begins[row] : begins[row + 1]]
        part[:, 4] = position.in_check
        part[:, 5] = not position.in_check and _mates_after_pass(board)
        for seen, move in zip(part, moves[begins[row] : begins[row + 1]].tolist(), strict=True):
            board.push(board.move_from_move16(move))
            if board.is_check():
                seen[0], seen[1] = 1, len(board.legal_moves) == 0
            else:
                seen[2] = board.mate_move_in_1ply() != 0
                seen[3] = _mates_after_pass(board)
            board.pop()
    return out


def _mates_after_pass(board: cshogi.Board) -> bool:
    board.push_pass()
    mates = board.mate_move_in_1ply() != 0
    board.pop_pass()
    return bool(mates)


def _boards(history: NDArray[np.uint8], turned: Whole) -> list[NDArray[np.float64]]:
    """What is the same for all moves of a position: the hands, and who has more."""
    codes, hands = history[:, 0, :81], history[:, 0, 81:95].reshape(-1, 2, 7).astype(np.float64)
    sides = [np.where(codes >> 4 == white, _WORTH[codes & 15], 0.0).sum(axis=1) for white in (0, 1)]
    held, worth = hands.sum(axis=2), hands @ _HAND_WORTH
    balance = (sides[0] + worth[:, 0] - sides[1] - worth[:, 1]) * np.where(turned > 0, -1, 1)
    at = np.arange(len(turned))
    return [held[at, turned] / 6, held[at, 1 - turned] / 6, np.tanh(balance / 12)]


def _last_moves(position: ShogiPosition) -> tuple[int, int]:
    """The last two, the latest first, -1 where there was none."""
    before = position.before
    own = None if before is None else before.last_move
    return (-1 if position.last_move is None else position.last_move, -1 if own is None else own)
