"""Kernels that look a few plies ahead and count pieces: what each chess move would win or lose.

After the move the opponent has every reply, the mover every answer, and then captures are played out as far as they
pay. Only material is counted, nothing is remembered from call to call, nobody castles after the first move, and a pawn
may be taken in passing by the first two moves alone.

The board is int8[120], ten squares a row with a margin of walls, a1 = 21 … h8 = 98; pieces are python-chess's numbers,
negative for Black. numba keeps no recursive function on disk that could be read back, so there is a function a ply.
"""
# ruff: noqa: PLR0912, PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.mailbox import LEAPS, STEPS, WALL, is_attacked
from hitonami.kernel import kernel

KING_TAKEN: Final = 15_000
MATE: Final = 10_000
BOTTOM: Final = -30_000
DEEPEST: Final = 8
"""Captures in a row after which the count stands as it is."""
_WORTH: Final = np.array([0, 100, 310, 325, 500, 950, 20_000])
SQUARES: Final = np.array([21 + file + 10 * rank for rank in range(8) for file in range(8)])


@kernel
def list_captures(board: Any, side: int, passed: int, out: Any) -> Any:
    """Fill `out` [moves, 4] with source, target, piece promoted to, and what it wins; how many.

    Captures and promotions (to queens), the most winning first, the cheaper piece first among equals. A king may be
    left in check.
    """
    count = 0
    for square in SQUARES:
        piece = board[square] * side
        if piece <= 0:
            continue
        if piece == 1:
            ahead = 10 * side
            promoted = 5 if (square + ahead) // 10 == (9 if side > 0 else 2) else 0
            if promoted and board[square + ahead] == 0:
                count = _insert(board, side, out, count, square, square + ahead, promoted, 0)
            for sideways in (-1, 1):
                target = square + ahead + sideways
                taken = board[target]
                if taken != WALL and taken * side < 0:
                    count = _insert(board, side, out, count, square, target, promoted, _WORTH[-taken * side])
                elif target == passed and passed and taken == 0:
                    count = _insert(board, side, out, count, square, target, 0, 100)
        elif piece == 2:
            for leap in LEAPS:
                taken = board[square + leap]
                if taken != WALL and taken * side < 0:
                    count = _insert(board, side, out, count, square, square + leap, 0, _WORTH[-taken * side])
        else:
            for index in range(4 if piece == 3 else 0, 4 if piece == 4 else 8):
                step = STEPS[index]
                target = square + step
                while board[target] == 0 and piece != 6:
                    target += step
                taken = board[target]
                if taken != WALL and taken * side < 0:
                    count = _insert(board, side, out, count, square, target, 0, _WORTH[-taken * side])
    return count


@kernel
def _insert(board: Any, side: int, out: Any, count: int, source: int, target: int, promoted: int, worth: int) -> Any:
    gain = worth + (850 if promoted else 0)
    rank = gain * 8 - board[source] * side
    here = count
    while here > 0 and out[here - 1, 3] * 8 - board[out[here - 1, 0]] * side < rank:
        for column in range(4):
            out[here, column] = out[here - 1, column]
        here -= 1
    out[here, 0], out[here, 1], out[here, 2], out[here, 3] = source, target, promoted, gain
    return count + 1


@kernel
def add_quiet(board: Any, side: int, out: Any, count: int) -> Any:
    """Append the moves that win nothing at once; nobody castles. How many there are then."""
    for square in SQUARES:
        piece = board[square] * side
        if piece <= 0:
            continue
        if piece == 1:
            ahead = 10 * side
            if board[square + ahead] != 0 or (square + ahead) // 10 == (9 if side > 0 else 2):
                continue
            count = _append(out, count, square, square + ahead)
            if square // 10 == (3 if side > 0 else 8) and board[square + 2 * ahead] == 0:
                count = _append(out, count, square, square + 2 * ahead)
        elif piece == 2:
            for leap in LEAPS:
                if board[square + leap] == 0:
                    count = _append(out, count, square, square + leap)
        else:
            for index in range(4 if piece == 3 else 0, 4 if piece == 4 else 8):
                target = square + STEPS[index]
                while board[target] == 0:
                    count = _append(out, count, square, target)
                    if piece == 6:
                        break
                    target += STEPS[index]
    return count


@kernel
def _append(out: Any, count: int, source: int, target: int) -> Any:
    out[count, 0], out[count, 1], out[count, 2], out[count, 3] = source, target, 0, 0
    return count + 1


@kernel
def make(board: Any, kings: Any, side: int, move: Any, passed: int) -> Any:
    """Play a listed move. What stood on its target; WALL stands for a pawn taken in passing."""
    source, target, promoted = move[0], move[1], move[2]
    piece, taken = board[source], board[target]
    board[target] = promoted * side if promoted else piece
    board[source] = 0
    if piece * side == 6:
        kings[0 if side > 0 else 1] = target
    elif piece * side == 1 and target == passed and passed and taken == 0 and (target - source) % 10 != 0:
        board[target - 10 * side] = 0
        return WALL
    return taken


@kernel
def take_back(board: Any, kings: Any, side: int, move: Any, taken: int) -> None:
    source, target = move[0], move[1]
    piece = side if move[2] else board[target]
    board[source] = piece
    if taken == WALL:
        board[target] = 0
        board[target - 10 * side] = -side
    else:
        board[target] = taken
    if piece * side == 6:
        kings[0 if side > 0 else 1] = source


@kernel
def settle(board: Any, kings: Any, side: int, balance: int, low: int, high: int, moves: Any, stack: Any) -> Any:
    """The balance for `side` once captures are played out, within low … high; each may also be declined.

    `stack` [levels, 6] holds balance, low, high, count, next, what was taken.
    """
    level = 0
    stack[0, 0], stack[0, 1], stack[0, 2] = balance, low, high
    entering, result = True, 0
    while True:
        done = False
        if entering:
            stack[level, 1] = max(stack[level, 0], stack[level, 1])
            stack[level, 4] = 0
            if stack[level, 1] >= stack[level, 2] or level == DEEPEST:
                done, result = True, stack[level, 1]
            else:
                stack[level, 3] = list_captures(board, side, 0, moves[level])
        if not done:
            at = stack[level, 4]
            # captures come by what they win: when one cannot reach the bound, those after it cannot either
            if at == stack[level, 3] or stack[level, 0] + moves[level, at, 3] <= stack[level, 1]:
                done, result = True, stack[level, 1]
            elif moves[level, at, 3] >= KING_TAKEN:
                done, result = True, KING_TAKEN
        if not done:
            stack[level, 4] = at + 1
            source, target = moves[level, at, 0], moves[level, at, 1]
            guarded = board[target + 9 * side] == -side or board[target + 11 * side] == -side
            if guarded and _WORTH[board[source] * side] > moves[level, at, 3]:
                entering = False  # a dear piece for a cheap one that a pawn guards: nobody goes on with that
                continue
            stack[level, 5] = make(board, kings, side, moves[level, at], 0)
            stack[level + 1, 0] = -(stack[level, 0] + moves[level, at, 3])
            stack[level + 1, 1], stack[level + 1, 2] = -stack[level, 2], -stack[level, 1]
            level, side, entering = level + 1, -side, True
            continue
        if level == 0:
            return result
        level, side, entering = level - 1, -side, False
        take_back(board, kings, side, moves[level, stack[level, 4] - 1], stack[level, 5])
        if result != KING_TAKEN:
            stack[level, 1] = max(stack[level, 1], -result)
        if stack[level, 1] >= stack[level, 2]:
            stack[level, 3] = stack[level, 4]  # the opponent will not let this happen: nothing more to try


@kernel
def answer(board: Any, kings: Any, side: int, balance: int, low: int, high: int, moves: Any, stack: Any) -> Any:
    """The best of all moves of `side`, captures played out after it.

    No move wins more than it takes, because the opponent may decline all captures. Where nothing hangs, some quiet move
    keeps it so: then they are not tried.
    """
    checked = is_attacked(board, kings[0 if side > 0 else 1], -side)
    best, legal = low, False
    if not checked:
        legal = True
        best = max(best, -settle(board, kings, -side, -balance, -high, -low, moves[1:], stack))
    count, quiet = list_captures(board, side, 0, moves[0]), False
    at = 0
    while best < high:
        if at == count and not quiet:
            quiet = True
            count = add_quiet(board, side, moves[0], count)
        if at == count or (legal and balance + moves[0, at, 3] <= best):
            if quiet or (legal and balance <= best):
                break
            at = count
            continue
        move = moves[0, at]
        taken = make(board, kings, side, move, 0)
        if not is_attacked(board, kings[0 if side > 0 else 1], -side):
            legal = True
            best = max(best, -settle(board, kings, -side, -(balance + move[3]), -high, -best, moves[1:], stack))
        take_back(board, kings, side, move, taken)
        at += 1
    return best if legal else -MATE


@kernel
def reply(
    board: Any, kings: Any, side: int, passed: int, balance: int, low: int, high: int, moves: Any, stack: Any, last: Any
) -> Any:
    """The best of all moves of `side` when every one is answered. `last` remembers the move that refuted before."""
    best, legal = low, False
    count = add_quiet(board, side, moves[0], list_captures(board, side, passed, moves[0]))
    for at in range(1, count):
        if moves[0, at, 0] == last[0] and moves[0, at, 1] == last[1]:
            for column in range(4):
                moves[0, at, column], moves[0, 0, column] = moves[0, 0, column], moves[0, at, column]
            break
    for at in range(count):
        gain = moves[0, at, 3]
        taken = make(board, kings, side, moves[0, at], passed)
        if not is_attacked(board, kings[0 if side > 0 else 1], -side):
            legal = True
            best = max(best, -answer(board, kings, -side, -(balance + gain), -high, -best, moves[1:], stack))
        take_back(board, kings, side, moves[0, at], taken)
        if best >= high:
            last[0], last[1] = moves[0, at, 0], moves[0, at, 1]
            return best
    if legal:
        return best
    return -MATE if is_attacked(board, kings[0 if side > 0 else 1], -side) else 0


@kernel
def lay_out(sets: Any, board: Any, kings: Any) -> Any:
    """Twelve bitboards onto the board; White's material less Black's."""
    board[:] = WALL
    balance = 0
    for square in range(64):
        board[21 + square % 8 + 10 * (square // 8)] = 0
    for kind in range(12):
        piece = kind + 1 if kind < 6 else 5 - kind
        mask = sets[kind]
        for square in range(64):
            if (mask >> np.uint64(square)) & np.uint64(1):
                place = 21 + square % 8 + 10 * (square // 8)
                board[place] = piece
                if kind == 5 or kind == 11:  # noqa: PLR1714
                    kings[kind // 6] = place
                else:
                    balance += _WORTH[piece] if kind < 6 else -_WORTH[-piece]
    return balance


@kernel
def foresee(
    sets: Any,
    turned: Any,
    passed: Any,
    moves: Any,
    begins: Any,
    out: Any,
    listed: Any,
    stack: Any,
    decided: int,
    window: int,
) -> None:
    """For each move of each position: out [moves, 2].

    What is won when every reply is answered, in hundredths of a pawn (exact down to `window` below the position's best,
    or below `decided`), and 1 for a check. `sets` [B, 12] are bitboards, White's first, `turned` [B] is 1 where Black
    is to move, `passed` [B] the square a pawn may be taken on or -1, `moves` [M] ids, by position from `begins` on.
    """
    board, kings, last = np.empty(120, np.int8), np.zeros(2, np.int64), np.zeros(2, np.int64)
    move = np.zeros(4, np.int64)
    for row in range(len(sets)):
        side = -1 if turned[row] else 1
        balance = lay_out(sets[row], board, kings) * side
        target = passed[row]
        square = 21 + target % 8 + 10 * (target // 8) if target >= 0 else 0
        best = BOTTOM
        last[:] = 0
        for at in range(begins[row], begins[row + 1]):
            taken, gain, rook_from, rook_to = _begin(board, kings, side, moves[at], square, move)
            out[at, 1] = is_attacked(board, kings[1 if side > 0 else 0], side)
            then = -balance - gain
            jumped = (move[0] + move[1]) // 2
            jumped = jumped if board[move[1]] * side == 1 and abs(move[1] - move[0]) == 20 else 0
            low = max(BOTTOM, min(best, balance + decided) - window)
            value = -reply(board, kings, -side, jumped, then, BOTTOM, -low, listed, stack, last)
            best = max(best, value)
            out[at, 0] = value - balance
            if rook_from:
                board[rook_to] = 0
                board[move[1]] = 0
                board[rook_from] = 4 * side
                board[move[0]] = 6 * side
                kings[0 if side > 0 else 1] = move[0]
            else:
                take_back(board, kings, side, move, taken)


@kernel
def _begin(board: Any, kings: Any, side: int, given: int, passed: int, move: Any) -> Any:
    """Play a legal move by its id, castling included; what take_back needs, what it won, and the rook's squares."""
    source, target, promoted = given & 63, given >> 6 & 63, given >> 12
    move[0], move[1] = 21 + source % 8 + 10 * (source // 8), 21 + target % 8 + 10 * (target // 8)
    move[2] = promoted
    onto_rook = board[move[1]] * side == 4
    if board[move[0]] * side == 6 and (onto_rook or abs(move[1] - move[0]) == 2):
        short = move[1] > move[0]
        first = move[0] // 10 * 10
        rook_from = move[1] if onto_rook else (move[1] + 1 if short else move[1] - 2)
        king_to, rook_to = first + (7 if short else 3), first + (6 if short else 4)
        board[move[0]] = 0
        board[rook_from] = 0
        board[king_to], board[rook_to] = 6 * side, 4 * side
        kings[0 if side > 0 else 1] = king_to
        move[1] = king_to
        return 0, 0, rook_from, rook_to
    taken = board[move[1]]
    gain = _WORTH[abs(taken)]
    taken = make(board, kings, side, move, passed)
    if taken == WALL:
        gain = 100
    if promoted:
        gain += _WORTH[promoted] - 100
    return taken, gain, 0, 0
