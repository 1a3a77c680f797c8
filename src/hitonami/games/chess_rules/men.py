"""Kernels that list and play moves on a chess board that knows where its men stand, for looking ahead.

The board is int8[120], ten squares a row with a margin of walls, a1 = 21 … h8 = 98; pieces are python-chess's numbers,
negative for Black. `men` int64[2, 16] are the squares of White's and Black's pieces, kings first, 0 where one is gone;
`slot` [120] is where the piece of a square is kept there. A move is one number: source, target << 7, promoted << 14,
and above bit 20 its rank, by which the most winning come first and the cheaper piece first among equals.
"""
# ruff: noqa: PLR0912, PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.mailbox import EMPTY, KING, KNIGHT, LEAPS, PAWN, QUEEN, ROOK, STEPS, WALL
from hitonami.kernel import kernel

WORTH: Final = np.array([0, 100, 310, 325, 500, 950, 20_000])
_LINES: Final = np.array(
    [any(apart and not apart % step and abs(apart) < 8 * step for step in (1, 9, 10, 11)) for apart in range(-80, 81)]
)
"""By the difference of two squares: may they lie on one line?"""


@kernel
def place(square: int) -> Any:
    """A square of 64 on the board of 120."""
    return 21 + square % 8 + 10 * (square // 8)


@kernel
def target_of(move: int) -> Any:
    return move >> 7 & 127


@kernel
def gain_of(move: int) -> Any:
    """What the move wins at once, in hundredths of a pawn."""
    return ((move >> 20) + 7) >> 3


@kernel
def is_aligned(square: int, king: int) -> Any:
    """May leaving the square open a line to the king, or is it the king itself that leaves?"""
    return square == king or _LINES[square - king + 80]


@kernel
def pack(source: int, target: int, promoted: int, kind: int, gain: int) -> Any:
    return (gain * 8 - kind) << 20 | promoted << 14 | target << 7 | source


@kernel
def _insert(out: Any, count: int, move: int) -> Any:
    here = count
    while here > 0 and out[here - 1] < move:
        out[here] = out[here - 1]
        here -= 1
    out[here] = move
    return count + 1


@kernel
def list_captures(board: Any, men: Any, side: int, passed: int, out: Any) -> Any:
    """Captures and promotions (to queens) into `out`, by rank; how many. A king may be left in check."""
    count = 0
    for square in men[0 if side > 0 else 1]:
        if square == 0:
            continue
        kind = board[square] * side
        if kind == PAWN:
            ahead = 10 * side
            promoted = QUEEN if (square + ahead) // 10 == (9 if side > 0 else 2) else 0
            more = 850 if promoted else 0
            if promoted and board[square + ahead] == EMPTY:
                count = _insert(out, count, pack(square, square + ahead, promoted, kind, more))
            for sideways in (-1, 1):
                target = square + ahead + sideways
                taken = board[target]
                if taken != WALL and taken * side < 0:
                    count = _insert(out, count, pack(square, target, promoted, kind, WORTH[-taken * side] + more))
                elif target == passed and passed and taken == EMPTY:
                    count = _insert(out, count, pack(square, target, 0, kind, 100))
        elif kind == KNIGHT:
            for leap in LEAPS:
                taken = board[square + leap]
                if taken != WALL and taken * side < 0:
                    count = _insert(out, count, pack(square, square + leap, 0, kind, WORTH[-taken * side]))
        else:
            for index in range(4 if kind == 3 else 0, 4 if kind == ROOK else 8):
                step = STEPS[index]
                target = square + step
                while board[target] == EMPTY and kind != KING:
                    target += step
                taken = board[target]
                if taken != WALL and taken * side < 0:
                    count = _insert(out, count, pack(square, target, 0, kind, WORTH[-taken * side]))
    return count


@kernel
def add_quiet(board: Any, men: Any, side: int, out: Any, count: int) -> Any:
    """Append the moves that win nothing at once; nobody castles. How many there are then."""
    for square in men[0 if side > 0 else 1]:
        if square == 0:
            continue
        kind = board[square] * side
        if kind == PAWN:
            ahead = 10 * side
            if board[square + ahead] != EMPTY or (square + ahead) // 10 == (9 if side > 0 else 2):
                continue
            out[count] = pack(square, square + ahead, 0, kind, 0)
            count += 1
            if square // 10 == (3 if side > 0 else 8) and board[square + 2 * ahead] == EMPTY:
                out[count] = pack(square, square + 2 * ahead, 0, kind, 0)
                count += 1
        elif kind == KNIGHT:
            for leap in LEAPS:
                if board[square + leap] == EMPTY:
                    out[count] = pack(square, square + leap, 0, kind, 0)
                    count += 1
        else:
            for index in range(4 if kind == 3 else 0, 4 if kind == ROOK else 8):
                target = square + STEPS[index]
                while board[target] == EMPTY:
                    out[count] = pack(square, target, 0, kind, 0)
                    count += 1
                    if kind == KING:
                        break
                    target += STEPS[index]
    return count


@kernel
def make(board: Any, men: Any, slot: Any, side: int, move: int, passed: int) -> Any:
    """Play a listed move. What stood on its target and its slot; WALL stands for a pawn taken in passing."""
    source, target, promoted = move & 127, move >> 7 & 127, move >> 14 & 7
    own, other = (0, 1) if side > 0 else (1, 0)
    piece, taken = board[source], board[target]
    lost = slot[target]
    board[target] = promoted * side if promoted else piece
    board[source] = EMPTY
    if taken != EMPTY:
        men[other, lost] = 0
    men[own, slot[source]] = target
    slot[target] = slot[source]
    if piece * side == PAWN and target == passed and passed and taken == EMPTY and (target - source) % 10 != 0:
        behind = target - 10 * side
        board[behind] = EMPTY
        men[other, slot[behind]] = 0
        return WALL, slot[behind]
    return taken, lost


@kernel
def take_back(board: Any, men: Any, slot: Any, side: int, move: int, taken: int, lost: int) -> None:
    source, target = move & 127, move >> 7 & 127
    own, other = (0, 1) if side > 0 else (1, 0)
    board[source] = side if move >> 14 & 7 else board[target]
    slot[source] = slot[target]
    men[own, slot[source]] = source
    if taken == WALL:
        board[target] = EMPTY
        board[target - 10 * side] = -side
        men[other, lost], slot[target - 10 * side] = target - 10 * side, lost
    else:
        board[target] = taken
        if taken != EMPTY:
            slot[target] = lost
            men[other, lost] = target


@kernel
def lay_out(sets: Any, board: Any, men: Any, slot: Any) -> Any:
    """Twelve bitboards onto the board; White's material less Black's."""
    board[:] = WALL
    men[:] = 0
    balance = 0
    counts_white, counts_black = 1, 1
    for square in range(64):
        here = place(square)
        board[here] = EMPTY
        for kind in range(12):
            if (sets[kind] >> np.uint64(square)) & np.uint64(1):
                board[here] = kind + 1 if kind < 6 else 5 - kind
                if kind in (5, 11):
                    men[kind // 6, 0] = here
                    slot[here] = 0
                elif kind < 6:
                    men[0, counts_white] = here
                    slot[here] = counts_white
                    counts_white += 1
                    balance += WORTH[kind + 1]
                else:
                    men[1, counts_black] = here
                    slot[here] = counts_black
                    counts_black += 1
                    balance -= WORTH[kind - 5]
                break
    return balance


@kernel
def begin(board: Any, men: Any, slot: Any, side: int, given: int, passed: int) -> Any:
    """Play a legal move by its id, castling included: the move as listed, what `undo` needs, the rook's squares."""
    source, target, promoted = place(given & 63), place(given >> 6 & 63), given >> 12
    own = 0 if side > 0 else 1
    kind = board[source] * side
    onto_rook = board[target] * side == ROOK
    if kind == KING and (onto_rook or abs(target - source) == 2):
        short = target > source
        first = source // 10 * 10
        rook_from = target if onto_rook else (target + 1 if short else target - 2)
        king_to, rook_to = first + (7 if short else 3), first + (6 if short else 4)
        rook = slot[rook_from]
        board[source] = EMPTY
        board[rook_from] = EMPTY
        board[king_to], board[rook_to] = KING * side, ROOK * side
        slot[king_to], slot[rook_to] = 0, rook
        men[own, 0], men[own, rook] = king_to, rook_to
        return pack(source, king_to, 0, kind, 0), 0, 0, rook_from, rook_to
    gain = WORTH[abs(board[target])]
    if kind == PAWN and target == passed and passed:
        gain = 100
    if promoted:
        gain += WORTH[promoted] - 100
    move = pack(source, target, promoted, kind, gain)
    taken, lost = make(board, men, slot, side, move, passed)
    return move, taken, lost, 0, 0


@kernel
def undo(
    board: Any,
    men: Any,
    slot: Any,
    side: int,
    move: int,
    taken: int,
    lost: int,
    rook_from: int,
    rook_to: int,
) -> None:
    """Take back what `begin` played."""
    if rook_from == 0:
        take_back(board, men, slot, side, move, taken, lost)
        return
    own = 0 if side > 0 else 1
    source, rook = move & 127, slot[rook_to]
    board[rook_to] = EMPTY
    board[move >> 7 & 127] = EMPTY
    board[rook_from], board[source] = ROOK * side, KING * side
    slot[rook_from], slot[source] = rook, 0
    men[own, 0], men[own, rook] = source, rook_from
