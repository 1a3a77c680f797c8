"""What a chess board shows of each move: three plies of counting, exchanges, threats, mates, and the moves before."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player
from hitonami.games.chess import HISTORY, ChessPosition
from hitonami.sights import Floats, Whole

DECIDED: Final = 10.0
"""Pawns won beyond which a position is as good as won, mate included."""
WINDOW: Final = 4.0
"""Pawns below the best move beyond which moves are not told apart."""
COUNTED: Final = (
    *("slip", "loss", "ruin", "gain", "prize", "check", "mate", "best_prize"),
    *("pieces", "balance", "quiet_plies"),
)
_BLOCK: Final = 13
_HEAVY: Final = np.array([0, 3, 3, 5, 9, 0, 0, 3, 3, 5, 9, 0], dtype=np.float64)
_WORTH: Final = np.array([1, 3, 3, 5, 9, 0, -1, -3, -3, -5, -9, 0], dtype=np.float64)


class Chess:
    """Mates are looked at whatever a base thinks of them."""

    scale: Final = (1700.0, 500.0)

    def __init__(self) -> None:
        from hitonami.sights._chess_shown import SHOWN  # numba: an engine must answer before it is loaded

        self.columns: Final = (*SHOWN, *COUNTED)

    def rate(self, player: Player) -> float | None:
        return player.rating

    def strike(self, positions: Sequence[ChessPosition], moves: Whole, begins: Whole) -> NDArray[np.bool_]:
        from hitonami.sights._chess_shown import mark_mates

        found = np.zeros(len(moves), dtype=np.bool_)
        mark_mates(_histories(positions), _turned(positions), _passed(positions), moves, begins, found, _room())
        return found

    def show(self, positions: Sequence[ChessPosition], moves: Whole, begins: Whole) -> Floats:
        from hitonami.sights._chess_shown import SHOWN, show_moves

        histories, turned, passed = _histories(positions), _turned(positions), _passed(positions)
        last = np.array([_last_moves(each) for each in positions], dtype=np.int64)
        shown = np.zeros((len(moves), len(SHOWN)), dtype=np.float32)
        show_moves(histories, turned, passed, last, moves, begins, shown, _room())
        counted = count(histories, turned, passed, moves, begins)
        row = np.repeat(np.arange(len(positions)), np.diff(begins))
        best = np.maximum.reduceat(np.clip(counted[:, 0] / 100.0, -DECIDED, DECIDED), begins[:-1])
        columns = [*_counts(counted, best[row]), *(each[row] for each in _boards(positions, histories, turned, best))]
        return np.concatenate([shown, np.stack(columns, axis=1).astype(np.float32)], axis=1)


def count(histories: NDArray[np.uint64], turned: Whole, passed: Whole, moves: Whole, begins: Whole) -> Whole:
    """[M, 2] what each move wins in hundredths of a pawn, and 1 for a check: see the kernel."""
    from hitonami.sights._chess_count import DEEPEST, STACK, foresee

    out = np.zeros((len(moves), 2), dtype=np.int64)
    listed, stack = np.zeros((DEEPEST + 4, 256), dtype=np.int64), np.zeros((DEEPEST + 2, STACK), dtype=np.int64)
    sets = np.ascontiguousarray(histories[:, 0, :12])
    foresee(sets, turned, passed, moves, begins, out, listed, stack, round(100 * DECIDED), round(100 * WINDOW))
    return out


def count_moves(positions: Sequence[ChessPosition], moves: Whole, begins: Whole) -> Whole:
    """The same, of positions."""
    return count(_histories(positions), _turned(positions), _passed(positions), moves, begins)


def _counts(counted: Whole, best: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    won = np.maximum(np.clip(counted[:, 0] / 100.0, -DECIDED, DECIDED), best - WINDOW)  # below that they are bounds
    less = won - best
    flags = [counted[:, 1] > 0, counted[:, 0] > 500 * DECIDED]
    return [np.tanh(less), np.tanh(less / 3), less / 4, np.tanh(won), np.tanh(won / 3), *flags]


def _boards(
    positions: Sequence[ChessPosition], histories: NDArray[np.uint64], turned: Whole, best: NDArray[np.float64]
) -> list[NDArray[np.float64]]:
    """What is the same for all moves of a position: it tells how much the rest matters."""
    bits = np.unpackbits(np.ascontiguousarray(histories[:, 0, :12]).view(np.uint8).reshape(-1, 12, 8), axis=2)
    men = bits.sum(axis=2).astype(np.float64)
    balance = (men @ _WORTH) * np.where(turned > 0, -1, 1)
    quiet = np.array([min(each.rules.halfmove_clock, 50) for each in positions], dtype=np.float64)
    return [np.tanh(best / 3), men @ _HEAVY / 62, np.tanh(balance / 5), quiet / 25]


def _histories(positions: Sequence[ChessPosition]) -> NDArray[np.uint64]:
    """[B, 8, 13] the last positions, the latest first, nothing where there were fewer."""
    whole = HISTORY * _BLOCK * 8
    joined = b"".join(each.history.ljust(whole, b"\0") for each in positions)
    return np.frombuffer(joined, dtype=np.uint64).reshape(-1, HISTORY, _BLOCK)


def _turned(positions: Sequence[ChessPosition]) -> Whole:
    return np.array([each.to_move for each in positions], dtype=np.int64)


def _passed(positions: Sequence[ChessPosition]) -> Whole:
    squares = [each.rules.en_passant() for each in positions]
    return np.array([-1 if square is None else square for square in squares], dtype=np.int64)


def _last_moves(position: ChessPosition) -> tuple[int, int]:
    """The last two, the latest first, -1 where there was none."""
    before = position.before
    own = None if before is None else before.last_move
    return (-1 if position.last_move is None else position.last_move, -1 if own is None else own)


def _room() -> Whole:
    return np.zeros((3, 256), dtype=np.int64)
