"""Kernels that say what a chess board shows of each move: what it takes and leaves, threatens, guards and undoes.

The board is that of `hitonami.games.chess_rules.men`, pieces are python-chess's numbers, negative for Black. Exchanges
are static: pieces take on one square in turn, the least first, while it pays.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.exchanges import (
    MOST_SWAPS,
    can_mate,
    count_attackers,
    exchange,
    forces_mate,
    has_reply,
    is_pinned,
    loose,
    reach,
)
from hitonami.games.chess_rules.mailbox import EMPTY, KING, PAWN, QUEEN, WALL, is_attacked
from hitonami.games.chess_rules.men import begin, gain_of, lay_out, place, target_of, undo
from hitonami.kernel import kernel

SHOWN: Final = (
    *("pawn", "knight", "bishop", "rook", "queen", "king"),
    *("takes", "takes_any", "takes_back", "takes_mover", "exchange", "retaken"),
    *("source_loose", "others_loose", "others_loose_before", "sum_loose", "prey", "prey_before", "prey_of_mover"),
    *("unmasks", "threatens_mate", "castles", "promotes", "underpromotes", "push", "push_two", "passed_pawn"),
    *("forward", "rank", "centre_from", "centre_to", "their_king_from", "their_king_to", "own_king"),
    *("near_last", "from_last", "near_own", "moved_last", "goes_back", "repeats"),
    *(
        "guards",
        "attackers",
        "pawn_attacks",
        "pawn_guards",
        "reach_from",
        "reach_to",
        "pinned",
        "mate_in_two",
        "is_mated",
    ),
)
"""The columns that `show_moves` fills, in their order."""


@kernel
def apart(one: int, other: int) -> Any:
    """King's moves between two squares of the board."""
    return max(abs(one // 10 - other // 10), abs(one % 10 - other % 10))


@kernel
def from_centre(square: int) -> Any:
    return max(abs(2 * (square // 10) - 11), abs(2 * (square % 10) - 9)) // 2


@kernel
def is_passed(board: Any, square: int, side: int) -> Any:
    """No pawn of the other side ahead on the three files."""
    for file in (-1, 0, 1):
        here = square + file + 10 * side
        while board[here] != WALL:
            if board[here] * side == -PAWN:
                return False
            here += 10 * side
    return True


@kernel
def stood_before(board: Any, history: Any) -> Any:
    """Is this the position that stood on the board two, four, six … plies before the one that comes?"""
    for age in range(1, 8, 2):
        same, any_piece = True, False
        for square in range(64):
            here = 0
            for kind in range(12):
                if (history[age, kind] >> np.uint64(square)) & np.uint64(1):
                    here = kind + 1 if kind < 6 else 5 - kind
                    any_piece = True
            if here != board[21 + square % 8 + 10 * (square // 8)]:
                same = False
                break
        if same and any_piece:
            return True
    return False


@kernel
def mark_mates(history: Any, turned: Any, passed: Any, moves: Any, begins: Any, out: Any, moving: Any) -> None:
    """1 in out [M] for each move that mates; the arguments are those of `show_moves`."""
    board, men, slot = np.empty(120, np.int8), np.zeros((2, 16), np.int64), np.zeros(120, np.int64)
    for row in range(len(history)):
        side = -1 if turned[row] else 1
        lay_out(history[row, 0], board, men, slot)
        square = place(passed[row]) if passed[row] >= 0 else 0
        for at in range(begins[row], begins[row + 1]):
            move, taken, lost, rook_from, rook_to = begin(board, men, slot, side, moves[at], square)
            source, target = move & 127, target_of(move)
            if is_attacked(board, men[1 if side > 0 else 0, 0], side):
                jumped = (source + target) // 2 if board[target] * side == PAWN and abs(target - source) == 20 else 0
                out[at] = not has_reply(board, men, slot, -side, jumped, moving[0])
            undo(board, men, slot, side, move, taken, lost, rook_from, rook_to)


@kernel
def show_moves(
    history: Any, turned: Any, passed: Any, last: Any, moves: Any, begins: Any, out: Any, moving: Any
) -> None:
    """Fill out [M, len(SHOWN)] for each move of each position.

    `history` [B, 8, 13] as a position keeps it, `turned` [B] is 1 where Black is to move, `passed` [B] the square a
    pawn may be taken on or -1, `last` [B, 2] ids of the last two moves, the latest first, or -1, `moves` [M] ids, by
    position from `begins` on. `moving` [3, 256] is room to list moves in.
    """
    board, men, slot = np.empty(120, np.int8), np.zeros((2, 16), np.int64), np.zeros(120, np.int64)
    swaps, prey, held = np.zeros((3, MOST_SWAPS), np.int64), np.zeros(16, np.int64), np.zeros(2, np.int64)
    for row in range(len(history)):
        side = -1 if turned[row] else 1
        lay_out(history[row, 0], board, men, slot)
        own, other = (0, 1) if side > 0 else (1, 0)
        square = place(passed[row]) if passed[row] >= 0 else 0
        loose(board, men, -side, 0, swaps, held)
        prey_before = held[0]
        their_to = place(last[row, 0] >> 6 & 63) if last[row, 0] >= 0 else 0
        our_from = place(last[row, 1] & 63) if last[row, 1] >= 0 else 0
        our_to = place(last[row, 1] >> 6 & 63) if last[row, 1] >= 0 else 0
        took = False
        if their_to:
            mask = np.uint64(1) << np.uint64(last[row, 0] >> 6 & 63)
            for kind in range(12):
                took = took or (history[row, 1, kind] & mask) != 0
        for at in range(begins[row], begins[row + 1]):
            shown = out[at]
            shown[:] = 0
            source = place(moves[at] & 63)
            kind = board[source] * side
            shown[kind - 1] = 1
            shown[12] = exchange(board, source, -side, swaps) / 3.0 if kind != KING else 0.0
            loose(board, men, side, source, swaps, held)
            shown[14] = held[0] / 3.0
            shown[44], _ = reach(board, source, prey)
            shown[46] = is_pinned(board, men[own, 0], source, side)
            move, taken, lost, rook_from, rook_to = begin(board, men, slot, side, moves[at], square)
            target, gain = target_of(move), gain_of(move)
            show_move(board, men, slot, side, move, shown, swaps, prey, held, moving)
            shown[17] = prey_before / 3.0
            shown[8] = took and gain > 0 and target == their_to
            shown[9] = gain > 0 and target == their_to
            shown[21] = rook_from > 0
            if kind == PAWN:
                shown[24] = abs(target - source) == 10
                shown[25] = abs(target - source) == 20
                shown[26] = is_passed(board, target, side)
            promoted = move >> 14 & 7
            shown[22], shown[23] = promoted == QUEEN, 0 < promoted < QUEEN
            if their_to:
                shown[34], shown[35] = apart(target, their_to) / 7.0, apart(source, their_to) / 7.0
            if our_to:
                shown[36] = apart(target, our_to) / 7.0
                shown[37], shown[38] = source == our_to, source == our_to and target == our_from
            if gain == 0 and kind != PAWN:
                shown[39] = stood_before(board, history[row])
            undo(board, men, slot, side, move, taken, lost, rook_from, rook_to)
            shown[31] = apart(source, men[other, 0]) / 7.0


@kernel
def show_move(
    board: Any,
    men: Any,
    slot: Any,
    side: int,
    move: int,
    shown: Any,
    swaps: Any,
    prey: Any,
    held: Any,
    moving: Any,
) -> None:
    """What is seen once the move is made."""
    own, other = (0, 1) if side > 0 else (1, 0)
    source, target, gain = move & 127, target_of(move), gain_of(move)
    kind = board[target] * side
    shown[6], shown[7] = gain / 900.0, gain > 0
    lost = exchange(board, target, -side, swaps) if kind != KING else 0
    shown[10], shown[11] = (gain / 100.0 - lost) / 3.0, lost / 3.0
    loose(board, men, side, target, swaps, held)
    shown[13], shown[15] = held[0] / 3.0, held[1] / 6.0
    loose(board, men, -side, 0, swaps, held)
    shown[16] = held[0] / 3.0
    squares, found = reach(board, target, prey)
    shown[45] = squares / 14.0
    shown[44] /= 14.0
    most = 0
    for each in range(found):
        if prey[each] != men[other, 0]:
            most = max(most, exchange(board, prey[each], side, swaps))
    shown[18] = most / 3.0
    if is_attacked(board, men[other, 0], side):
        piece = board[target]
        board[target] = EMPTY
        shown[19] = is_attacked(board, men[other, 0], side)
        board[target] = piece
        shown[47] = forces_mate(board, men, slot, side, moving)
    else:
        shown[20] = can_mate(board, men, slot, side, moving)
    shown[48] = can_mate(board, men, slot, -side, moving)
    shown[27] = (target // 10 - source // 10) * side / 7.0
    shown[28] = (target // 10 - 2 if side > 0 else 9 - target // 10) / 7.0
    shown[29], shown[30] = from_centre(source) / 3.0, from_centre(target) / 3.0
    shown[32], shown[33] = apart(target, men[other, 0]) / 7.0, apart(target, men[own, 0]) / 7.0
    shown[40], shown[41] = count_attackers(board, target, side) / 4.0, count_attackers(board, target, -side) / 4.0
    shown[42] = board[target + 9 * side] * side == -PAWN or board[target + 11 * side] * side == -PAWN
    shown[43] = board[target - 9 * side] * side == PAWN or board[target - 11 * side] * side == PAWN
