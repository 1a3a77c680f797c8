"""Replay of whole games of Othello: enough to read records, not a game to play.

Squares are `row·8 + column` from a1 = 0 (b1 = 1, a2 = 8, h8 = 63); 64 passes. Black moves first from the
usual start (black discs on e4 and d5). Records leave passes out, so they are put in here where the rules
demand them.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.kernel import kernel

PASS: Final = 64
ILLEGAL: Final = -1
AFTER_END: Final = -2
_LONGEST: Final = 128
_WIDE: Final = 10
"""The board has a margin of one square, so that runs need no bounds check."""


@kernel
def _flip(board: Any, here: int, own: int, doing: bool) -> int:
    """How many discs a disc of `own` at margined `here` turns over; turns them over if `doing`."""
    if board[here] != 0:
        return 0
    turned = 0
    for step in (-11, -10, -9, -1, 1, 9, 10, 11):
        there = here + step
        while board[there] == 3 - own:
            there += step
        if board[there] == own:
            there -= step
            while there != here:
                turned += 1
                if doing:
                    board[there] = own
                there -= step
    if doing and turned:
        board[here] = own
    return turned


@kernel
def _can_move(board: Any, own: int) -> bool:
    for row in range(1, 9):
        for column in range(1, 9):
            if _flip(board, row * _WIDE + column, own, False):
                return True
    return False


@kernel
def _play_out(squares: Any, out: Any, facts: Any) -> int:
    """Fill `out` with ids and `facts` with (moves in out, black discs, white discs, over or not).

    Returns 0, or ILLEGAL or AFTER_END with facts[0] the index of the offending square.
    """
    board = np.full(_WIDE * _WIDE, 3, np.int8)
    for row in range(1, 9):
        board[row * _WIDE + 1 : row * _WIDE + 9] = 0
    board[45], board[54] = 1, 1  # e4, d5
    board[44], board[55] = 2, 2  # d4, e5
    own, count, ready = 1, 0, False
    for at in range(len(squares)):
        square = squares[at]
        if not ready and not _can_move(board, own):
            if not _can_move(board, 3 - own):
                facts[0] = at
                return AFTER_END
            own = 3 - own
            out[count] = PASS
            count += 1
            if square == PASS:
                ready = True
                continue
        ready = False
        here = 0 if square == PASS else (square // 8 + 1) * _WIDE + square % 8 + 1
        if not _flip(board, here, own, True):
            facts[0] = at
            return ILLEGAL
        out[count] = square
        count += 1
        own = 3 - own
    facts[0] = count
    for at in range(_WIDE * _WIDE):
        facts[1] += board[at] == 1
        facts[2] += board[at] == 2
    facts[3] = not _can_move(board, own) and not _can_move(board, 3 - own)
    return 0


def play_out(squares: NDArray[np.int16]) -> tuple[int, tuple[int, ...], tuple[int, int], bool]:
    """Replay a record. Returns an answer, the moves with their passes, the discs of both sides, whether it is over.

    A negative answer (ILLEGAL, AFTER_END) comes with the moves before the offending one.
    """
    out, facts = np.empty(_LONGEST, np.int16), np.zeros(4, np.int64)
    if len(squares) > _LONGEST // 2:
        return AFTER_END, tuple(squares[: _LONGEST // 2].tolist()), (0, 0), False
    answer = int(_play_out(squares, out, facts))
    if answer < 0:
        return answer, tuple(squares[: facts[0]].tolist()), (0, 0), False
    return 0, tuple(out[: facts[0]].tolist()), (int(facts[1]), int(facts[2])), bool(facts[3])
