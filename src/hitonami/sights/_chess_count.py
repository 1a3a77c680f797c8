"""Kernels that look a few plies ahead and count pieces: what each chess move would win or lose.

After the move the opponent has every reply, the mover every answer, and then captures are played out as far as they
pay. Only material is counted, nothing is remembered from call to call, nobody castles after the first move, and a pawn
may be taken in passing by the first two moves alone. Where the mover threatens nothing, quiet replies that attack
nothing count as passing, once for all of them.

numba keeps no recursive function on disk that could be read back, so there is a function a ply.
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
from hitonami.games.chess_rules.men import (
    WORTH,
    add_quiet,
    begin,
    gain_of,
    is_aligned,
    lay_out,
    list_captures,
    make,
    place,
    take_back,
    target_of,
    undo,
)
from hitonami.kernel import kernel

KING_TAKEN: Final = 15_000
MATE: Final = 10_000
BOTTOM: Final = -30_000
DEEPEST: Final = 8
"""Captures in a row after which the count stands as it is."""
STACK: Final = 7
"""Numbers that `settle` keeps a ply: balance, low, high, count, next, what was taken, and its slot."""


@kernel
def settle(
    board: Any, men: Any, slot: Any, side: int, balance: int, low: int, high: int, moves: Any, stack: Any
) -> Any:
    """The balance for `side` once captures are played out, within low … high; each may also be declined."""
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
                stack[level, 3] = list_captures(board, men, side, 0, moves[level])
        if not done:
            at = stack[level, 4]
            move = moves[level, at]
            gain = gain_of(move)
            # captures come by what they win: when one cannot reach the bound, those after it cannot either
            if at == stack[level, 3] or stack[level, 0] + gain <= stack[level, 1]:
                done, result = True, stack[level, 1]
            elif gain >= KING_TAKEN:
                done, result = True, KING_TAKEN
        if not done:
            stack[level, 4] = at + 1
            target = target_of(move)
            guarded = board[target + 9 * side] == -side or board[target + 11 * side] == -side
            if guarded and WORTH[board[move & 127] * side] > gain:
                entering = False  # a dear piece for a cheap one that a pawn guards: nobody goes on with that
                continue
            stack[level, 5], stack[level, 6] = make(board, men, slot, side, move, 0)
            stack[level + 1, 0] = -(stack[level, 0] + gain)
            stack[level + 1, 1], stack[level + 1, 2] = -stack[level, 2], -stack[level, 1]
            level, side, entering = level + 1, -side, True
            continue
        if level == 0:
            return result
        level, side, entering = level - 1, -side, False
        take_back(board, men, slot, side, moves[level, stack[level, 4] - 1], stack[level, 5], stack[level, 6])
        if result != KING_TAKEN:
            stack[level, 1] = max(stack[level, 1], -result)
        if stack[level, 1] >= stack[level, 2]:
            stack[level, 3] = stack[level, 4]  # the opponent will not let this happen: nothing more to try


@kernel
def answer(
    board: Any, men: Any, slot: Any, side: int, balance: int, low: int, high: int, moves: Any, stack: Any
) -> Any:
    """The best of all moves of `side`, captures played out after it.

    No move wins more than it takes, because the opponent may decline all captures. Where nothing hangs, some quiet move
    keeps it so: then they are not tried.
    """
    own = 0 if side > 0 else 1
    checked = is_attacked(board, men[own, 0], -side)
    best, legal = low, False
    if not checked:
        legal = True
        best = max(best, -settle(board, men, slot, -side, -balance, -high, -low, moves[1:], stack))
        if best >= high:
            return best
    count, quiet = list_captures(board, men, side, 0, moves[0]), False
    at = 0
    while best < high:
        if at == count and not quiet:
            quiet = True
            count = add_quiet(board, men, side, moves[0], count)
        if at == count or (legal and balance + gain_of(moves[0, at]) <= best):
            if quiet or (legal and balance <= best):
                break
            at = count
            continue
        move = moves[0, at]
        near = checked or is_aligned(move & 127, men[own, 0])
        taken, lost = make(board, men, slot, side, move, 0)
        if not near or not is_attacked(board, men[own, 0], -side):
            legal = True
            then = -(balance + gain_of(move))
            best = max(best, -settle(board, men, slot, -side, then, -high, -best, moves[1:], stack))
        take_back(board, men, slot, side, move, taken, lost)
        at += 1
    return best if legal else -MATE


@kernel
def attacks_any(board: Any, square: int, side: int) -> Any:
    """Does the piece of `side` attack the king, a dearer piece, or one that nothing guards?"""
    kind = board[square] * side
    for index in range(8):
        if kind == PAWN:
            if index > 1:
                break
            here = square + (9 + 2 * index) * side
        elif kind == KNIGHT:
            here = square + LEAPS[index]
        else:
            if (index >= 4 and kind == ROOK) or (index < 4 and kind == BISHOP):
                continue
            here = square + STEPS[index]
            while board[here] == EMPTY and kind != KING:
                here += STEPS[index]
        prey = -board[here] * side
        if board[here] != WALL and prey > 0 and (prey > kind or not is_attacked(board, here, -side)):
            return True
    return False


@kernel
def uncovers(board: Any, square: int, side: int) -> Any:
    """Did a slider of `side` get a line onto something when the square was left?"""
    for index in range(8):
        here = square + STEPS[index]
        while board[here] == EMPTY:
            here += STEPS[index]
        kind = board[here] * side
        if board[here] != WALL and (kind == QUEEN or kind == (ROOK if index < 4 else BISHOP)):
            here = square - STEPS[index]
            while board[here] == EMPTY:
                here -= STEPS[index]
            if board[here] != WALL and board[here] * side < 0:
                return True
    return False


@kernel
def is_idle(board: Any, move: int, side: int) -> Any:
    """Once it is made: does a quiet move attack nothing, uncover nothing and come no nearer to promotion?"""
    target = target_of(move)
    if board[target] * side == PAWN and target // 10 == (8 if side > 0 else 3):
        return False
    return not attacks_any(board, target, side) and not uncovers(board, move & 127, side)


@kernel
def reply(
    board: Any,
    men: Any,
    slot: Any,
    side: int,
    passed: int,
    balance: int,
    low: int,
    high: int,
    moves: Any,
    stack: Any,
    last: Any,
) -> Any:
    """The best of all moves of `side` when every one is answered. `last` remembers the move that refuted before."""
    own = 0 if side > 0 else 1
    checked = is_attacked(board, men[own, 0], -side)
    best, legal = low, False
    # where the other side would win something by itself, a quiet move may prevent that, so all of them are tried
    calm = not checked and settle(board, men, slot, -side, -balance, BOTTOM, -BOTTOM, moves, stack) <= -balance
    count, idled = add_quiet(board, men, side, moves[0], list_captures(board, men, side, passed, moves[0])), False
    for at in range(1, count):
        if moves[0, at] & 16383 == last[0]:
            moves[0, at], moves[0, 0] = moves[0, 0], moves[0, at]
            break
    for at in range(count):
        move = moves[0, at]
        near = checked or passed or is_aligned(move & 127, men[own, 0])
        taken, lost = make(board, men, slot, side, move, passed)
        if not near or not is_attacked(board, men[own, 0], -side):
            legal = True
            idle = calm and gain_of(move) == 0 and is_idle(board, move, side)
            if idle:
                take_back(board, men, slot, side, move, taken, lost)
            if not idle or not idled:
                then = -(balance + gain_of(move))
                best = max(best, -answer(board, men, slot, -side, then, -high, -best, moves[1:], stack))
            if idle:
                idled = True
                continue
        take_back(board, men, slot, side, move, taken, lost)
        if best >= high:
            last[0] = move & 16383
            return best
    if legal:
        return best
    return -MATE if checked else 0


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
    `listed` [DEEPEST + 4, 256] and `stack` [DEEPEST + 2, STACK] are room to work in.
    """
    board, men, slot = np.empty(120, np.int8), np.zeros((2, 16), np.int64), np.zeros(120, np.int64)
    last = np.zeros(1, np.int64)
    for row in range(len(sets)):
        side = -1 if turned[row] else 1
        balance = lay_out(sets[row], board, men, slot) * side
        square = place(passed[row]) if passed[row] >= 0 else 0
        best = BOTTOM
        last[0] = 0
        for at in range(begins[row], begins[row + 1]):
            move, taken, lost, rook_from, rook_to = begin(board, men, slot, side, moves[at], square)
            source, target = move & 127, target_of(move)
            out[at, 1] = is_attacked(board, men[1 if side > 0 else 0, 0], side)
            then = -balance - gain_of(move)
            jumped = (source + target) // 2 if board[target] * side == PAWN and abs(target - source) == 20 else 0
            low = max(BOTTOM, min(best, balance + decided) - window)
            value = -reply(board, men, slot, -side, jumped, then, BOTTOM, -low, listed, stack, last)
            best = max(best, value)
            out[at, 0] = value - balance
            undo(board, men, slot, side, move, taken, lost, rook_from, rook_to)
