"""Kernels that tell how a chess game stands: over by force, ended on the board, or a draw to claim.

The trail is int64[TRAIL], the hashes of the positions since the last capture or pawn move. Two different
positions of one game share a hash with a chance below 1e-14, and that is the one inexactness here.
"""
# ruff: noqa: PLR1714, SIM109  (comparisons compile to less than `in`)

from typing import Any, Final

from hitonami.games.chess_rules.mailbox import (
    BISHOP,
    EMPTY,
    HASH,
    KING,
    KINGS,
    KNIGHT,
    LEAPS,
    QUEEN,
    QUIET,
    ROOK,
    SIDE,
    STEPS,
    TAKEABLE,
    WALL,
    find_pawn,
    is_attacked,
    is_safe,
    may_castle,
)
from hitonami.kernel import kernel

TRAIL: Final = 256

GOES_ON: Final = 0
CHECKMATE: Final = 1
STALEMATE: Final = 2
DEAD: Final = 3
LONG: Final = 4
FIVEFOLD: Final = 5
THREEFOLD: Final = 6
FIFTY: Final = 7
ENDINGS: Final = (
    "",
    "checkmate",
    "stalemate",
    "insufficient material",
    "75-move rule",
    "fivefold repetition",
    "threefold repetition",
    "fifty-move rule",
)
"""In the words of games/chess.py. The first five end a game, the last two are claims."""
FORCED: Final = (CHECKMATE, STALEMATE, DEAD, LONG, FIVEFOLD)


@kernel
def is_dead(board: Any) -> Any:
    """Neither side has material to mate: at most one minor piece, or bishops all of one colour of square."""
    minors, knights, shades = 0, 0, 0
    for square in range(21, 99):
        piece = abs(board[square])
        if piece == EMPTY or piece == WALL or piece == KING:
            continue
        if piece != KNIGHT and piece != BISHOP:
            return False
        minors += 1
        if piece == KNIGHT:
            knights += 1
        else:
            shades |= 1 + (square // 10 + square) % 2
    return minors < 2 or (knights == 0 and shades != 3)


@kernel
def count_repeats(trail: Any, held: int) -> Any:
    """How often the position stood on the board before. The trail's last entry, held - 1, is the position itself."""
    repeats = 0
    for at in range(held - 3, -1, -2):
        if trail[at] == trail[held - 1]:
            repeats += 1
    return repeats


@kernel
def note(state: Any, trail: Any, held: int) -> Any:
    """Put the position on the trail, which a capture or a pawn move has emptied. Returns its new length."""
    if state[QUIET] == 0:
        held = 0
    held = min(held, TRAIL - 1)
    trail[held] = state[HASH] ^ state[TAKEABLE]
    return held + 1


@kernel
def has_move(board: Any, state: Any) -> Any:
    """Has the mover any legal move?"""
    side = state[SIDE]
    for target in range(21, 99):
        if board[target] == WALL or board[target] * side > 0:
            continue
        file = target % 10 - 1
        for from_file in range(max(file - 1, 0), min(file + 1, 7) + 1):
            if find_pawn(board, state, target, from_file, -1) > 0:
                return True
        for index in range(16):
            step = LEAPS[index - 8] if index >= 8 else STEPS[index]
            here = target + step
            if index >= 8:
                if board[here] * side == KNIGHT and is_safe(board, state, here, target):
                    return True
                continue
            if board[here] * side == KING and is_safe(board, state, here, target):
                return True
            while board[here] == EMPTY:
                here += step
            piece = board[here] * side
            if (piece == QUEEN or piece == (ROOK if index < 4 else BISHOP)) and is_safe(board, state, here, target):
                return True
    return may_castle(board, state, 0) or may_castle(board, state, 1)


@kernel
def is_drawn(board: Any, state: Any, trail: Any, held: int, capture: bool) -> Any:
    """DEAD, LONG or FIVEFOLD where the rules end the game before its players do; mate goes before LONG."""
    if capture and is_dead(board):
        return DEAD
    if state[QUIET] >= 16 and count_repeats(trail, held) >= 4:
        return FIVEFOLD
    if state[QUIET] >= 150 and has_move(board, state):
        return LONG
    return GOES_ON


@kernel
def judge(board: Any, state: Any, trail: Any, held: int) -> Any:
    """How the last position stands."""
    side = state[SIDE]
    if not has_move(board, state):
        return CHECKMATE if is_attacked(board, state[KINGS + (side < 0)], -side) else STALEMATE
    drawn = is_drawn(board, state, trail, held, True)
    if drawn != GOES_ON:
        return drawn
    if count_repeats(trail, held) >= 2:
        return THREEFOLD
    return FIFTY if state[QUIET] >= 100 else GOES_ON
