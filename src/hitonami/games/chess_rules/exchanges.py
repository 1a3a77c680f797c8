"""Kernels that say what hangs on a chess board: exchanges, attackers, pins, and mates in one and two.

Board and men are those of `men`. Exchanges are static: pieces take on one square in turn, the least first, while it
pays. Nobody castles, takes in passing (but where it is said) or promotes to anything but a queen here.
"""
# ruff: noqa: PLR0913, PLR0917, PLR1714  (a kernel's state is its arguments; comparisons compile to less than `in`)

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.mailbox import (
    BISHOP,
    EMPTY,
    KING,
    KNIGHT,
    LEAPS,
    PAWN,
    QUEEN,
    ROOK,
    STEPS,
    WALL,
    is_attacked,
)
from hitonami.games.chess_rules.men import add_quiet, list_captures, make, take_back, target_of
from hitonami.kernel import kernel

MOST_SWAPS: Final = 32
"""Room that `exchange` needs: int64 [3, MOST_SWAPS]."""
_WORTH: Final = np.array([0, 1, 3, 3, 5, 9, 50])


@kernel
def cheapest(board: Any, square: int, by: int) -> Any:
    """Where the least piece of `by` stands that attacks the square, or 0."""
    for step in (-9 * by, -11 * by):
        if board[square + step] * by == PAWN:
            return square + step
    for leap in LEAPS:
        if board[square + leap] * by == KNIGHT:
            return square + leap
    found, least = 0, 7
    for index in range(8):
        here = square + STEPS[index]
        if board[here] * by == KING and least > KING:
            found, least = here, KING
        while board[here] == EMPTY:
            here += STEPS[index]
        kind = board[here] * by
        if (kind == QUEEN or kind == (ROOK if index < 4 else BISHOP)) and kind < least:
            found, least = here, kind
    return found


@kernel
def exchange(board: Any, square: int, by: int, swaps: Any) -> Any:
    """What `by` wins, in pawns, when pieces take on the square in turn, the least first, while it pays; 0 at least."""
    gains, sources, pieces = swaps
    standing, count, first = board[square], 0, board[square]
    while count < MOST_SWAPS:
        source = cheapest(board, square, by)
        if source == 0 or (board[source] * by == KING and cheapest(board, square, -by)):
            break
        gains[count] = _WORTH[abs(standing)] - (gains[count - 1] if count else 0)
        standing = board[source]
        sources[count], pieces[count] = source, standing
        board[source], board[square] = EMPTY, standing
        by = -by
        count += 1
    for at in range(count - 1, -1, -1):
        board[sources[at]] = pieces[at]
    board[square] = first
    for at in range(count - 2, -1, -1):
        gains[at] = min(gains[at], -gains[at + 1])
    return max(gains[0], 0) if count else 0


@kernel
def count_attackers(board: Any, square: int, by: int) -> Any:
    """How many pieces of `by` attack the square; those behind others do not count."""
    count = 0
    for step in (-9 * by, -11 * by):
        count += board[square + step] * by == PAWN
    for leap in LEAPS:
        count += board[square + leap] * by == KNIGHT
    for index in range(8):
        here = square + STEPS[index]
        if board[here] * by == KING:
            count += 1
        while board[here] == EMPTY:
            here += STEPS[index]
        kind = board[here] * by
        count += kind == QUEEN or kind == (ROOK if index < 4 else BISHOP)
    return count


@kernel
def reach(board: Any, square: int, prey: Any) -> Any:
    """How many squares the piece attacks that are free or the other side's; `prey` gets the pieces among them."""
    side = 1 if board[square] > 0 else -1
    kind = board[square] * side
    count, found = 0, 0
    for index in range(8):
        if kind == PAWN:
            if index > 1:
                break
            here, step = square + (9 + 2 * index) * side, 0
        elif kind == KNIGHT:
            here, step = square + LEAPS[index], 0
        else:
            if (index >= 4 and kind == ROOK) or (index < 4 and kind == BISHOP):
                continue
            step = STEPS[index] if kind != KING else 0
            here = square + STEPS[index]
        while board[here] != WALL:
            if board[here] * side <= 0:
                count += 1
                if board[here] != EMPTY:
                    prey[found] = here
                    found += 1
            if board[here] != EMPTY or step == 0:
                break
            here += step
    return count, found


@kernel
def loose(board: Any, men: Any, side: int, but: int, swaps: Any, out: Any) -> None:
    """The most that the other side wins by an exchange on one piece of `side`, then the sum; `but` is left out."""
    most, total = 0, 0
    for square in men[0 if side > 0 else 1, 1:]:
        if square != 0 and square != but:
            lost = exchange(board, square, -side, swaps)
            most, total = max(most, lost), total + lost
    out[0], out[1] = most, total


@kernel
def has_reply(board: Any, men: Any, slot: Any, side: int, passed: int, moves: Any) -> Any:
    own = 0 if side > 0 else 1
    for at in range(add_quiet(board, men, side, moves, list_captures(board, men, side, passed, moves))):
        taken, lost = make(board, men, slot, side, moves[at], passed)
        safe = not is_attacked(board, men[own, 0], -side)
        take_back(board, men, slot, side, moves[at], taken, lost)
        if safe:
            return True
    return False


@kernel
def can_mate(board: Any, men: Any, slot: Any, side: int, moves: Any) -> Any:
    """Has `side` a mate in one, if it were to move? Nobody castles or takes in passing."""
    own, other = (0, 1) if side > 0 else (1, 0)
    for at in range(add_quiet(board, men, side, moves[0], list_captures(board, men, side, 0, moves[0]))):
        move = moves[0, at]
        if target_of(move) == men[other, 0]:
            continue
        taken, lost = make(board, men, slot, side, move, 0)
        mates = (
            is_attacked(board, men[other, 0], side)
            and not is_attacked(board, men[own, 0], -side)
            and not has_reply(board, men, slot, -side, 0, moves[1])
        )
        take_back(board, men, slot, side, move, taken, lost)
        if mates:
            return True
    return False


@kernel
def forces_mate(board: Any, men: Any, slot: Any, side: int, moving: Any) -> Any:
    """After a check: has every reply (there is one) a mate in one for `side`?"""
    other = 1 if side > 0 else 0
    replies, found = moving[2], False
    for at in range(add_quiet(board, men, -side, replies, list_captures(board, men, -side, 0, replies))):
        taken, lost = make(board, men, slot, -side, replies[at], 0)
        legal = not is_attacked(board, men[other, 0], side)
        mates = legal and can_mate(board, men, slot, side, moving)
        take_back(board, men, slot, -side, replies[at], taken, lost)
        if legal and not mates:
            return False
        found = found or legal
    return found


@kernel
def is_pinned(board: Any, king: int, square: int, side: int) -> Any:
    """Does the piece stand alone between its king and a slider of the other side?"""
    for index in range(8):
        here = king + STEPS[index]
        while board[here] == EMPTY:
            here += STEPS[index]
        if here == square:
            here += STEPS[index]
            while board[here] == EMPTY:
                here += STEPS[index]
            kind = -board[here] * side
            return board[here] != WALL and (kind == QUEEN or kind == (ROOK if index < 4 else BISHOP))
    return False
