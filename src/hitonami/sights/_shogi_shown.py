"""Kernels that say what a shogi board shows of each move: what it takes and leaves hanging, and where it goes.

Squares are cshogi's; cells are the squares with a margin wide enough for a knight. A cell holds 0 where it is empty,
WALL in the margin, else cshogi's piece type, negative for White. Exchanges are static: pieces take on one square in
turn, the least first, while it pays. Pins and promotions on the way are not seen.
"""
# ruff: noqa: PLR0913, PLR0917  (a kernel's state is its arguments)

from typing import Any, Final

import numpy as np

from hitonami.games.shogi_rules.cells import CELLS, FLIPPED, RAYS, SHORT, STEPS, WALL, WIDE, cell_of, lay_out
from hitonami.kernel import kernel

SHOWN: Final = (
    *("pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king", "promoted"),
    *("drops", "promotes", "declines", "takes", "takes_any", "takes_back", "takes_mover", "exchange", "retaken"),
    *("source_loose", "others_loose", "others_loose_before", "prey", "prey_before"),
    *("forward", "rank", "file", "their_king_to", "own_king", "their_king_from"),
    *("near_last", "from_last", "near_own", "moved_last", "goes_back", "repeats"),
    *("guards", "attackers", "camp", "beside_their_king", "beside_own_king"),
)
"""The columns that `show_moves` fills, in their order."""
_KING, _KNIGHT, _DROP = 8, 3, 81
_MOST: Final = 24
WORTH: Final = np.array([0, 1, 3, 3, 5, 8, 10, 6, 100, 4, 4, 4, 6, 11, 13], dtype=np.int64)
"""By cshogi's piece type, in pawns; the king cannot be given."""


@kernel
def least_attacker(board: Any, target: int, side: int) -> Any:
    """The cell of the cheapest piece of `side` that takes on the target, 0 for none."""
    found, price = 0, 1000
    for way in range(8):
        step = STEPS[7 - way]  # outwards: the piece comes back by the opposite
        seen = way if side > 0 else FLIPPED[way]
        here, far = target + step, False
        while board[here] == 0:
            here, far = here + step, True
        kind = board[here] * side
        if board[here] == WALL or kind <= 0:
            continue
        reaches = RAYS[kind] >> seen & 1 or (not far and SHORT[kind] >> seen & 1)
        if reaches and WORTH[kind] < price:
            found, price = here, WORTH[kind]
    for across in (-WIDE, WIDE):
        here = target + across + 2 * side
        if board[here] == _KNIGHT * side and WORTH[_KNIGHT] < price:
            found, price = here, WORTH[_KNIGHT]
    return found


@kernel
def count_attackers(board: Any, target: int, side: int) -> Any:
    count = 0
    for way in range(8):
        step = STEPS[7 - way]
        seen = way if side > 0 else FLIPPED[way]
        here, far = target + step, False
        while board[here] == 0:
            here, far = here + step, True
        kind = board[here] * side
        if board[here] != WALL and kind > 0:
            count += (RAYS[kind] >> seen & 1) or (not far and (SHORT[kind] >> seen & 1))
    for across in (-WIDE, WIDE):
        count += board[target + across + 2 * side] == _KNIGHT * side
    return count


@kernel
def exchange(board: Any, target: int, side: int, swaps: Any) -> Any:
    """What `side` wins on the target, where a piece of the other side stands, if it begins and both stop in time."""
    gains, cells, kinds = swaps[0], swaps[1], swaps[2]
    standing = abs(board[target])
    here = least_attacker(board, target, side)
    if here == 0:
        return 0
    depth, mover = 0, side
    while here and depth < _MOST - 1:
        gains[depth] = WORTH[standing] - (gains[depth - 1] if depth else 0)
        cells[depth], kinds[depth] = here, board[here]
        standing = abs(board[here])
        board[here] = 0
        depth += 1
        mover = -mover
        here = least_attacker(board, target, mover)
    for at in range(depth):
        board[cells[at]] = kinds[at]
    for at in range(depth - 1, 0, -1):
        gains[at - 1] = -max(-gains[at - 1], gains[at])
    return max(gains[0], 0)


@kernel
def loose(board: Any, side: int, but: int, swaps: Any) -> Any:
    """The most that the other side wins by taking a piece of `side`, not on the cell `but`."""
    most = 0
    for here in range(WIDE, CELLS - WIDE):
        kind = board[here] * side
        if here == but or board[here] == WALL or kind <= 0 or kind == _KING or WORTH[kind] <= most:
            continue
        most = max(most, exchange(board, here, -side, swaps))
    return most


@kernel
def apart(one: int, other: int) -> Any:
    """King's moves between two cells."""
    return max(abs(one // WIDE - other // WIDE), abs(one % WIDE - other % WIDE))


@kernel
def find_king(board: Any, side: int) -> Any:
    for here in range(WIDE, CELLS - WIDE):
        if board[here] == _KING * side:
            return here
    return 0


@kernel
def stood_before(board: Any, history: Any) -> Any:
    """Is this the board that stood one, three … plies before this position? Hands are not looked at."""
    for age in range(1, 8, 2):
        same, some = True, False
        for square in range(81):
            code = np.int64(history[age, square])
            if code > 0:
                some = True
            if board[cell_of(square)] != (-(code - 16) if code > 16 else code):
                same = False
                break
        if same and some:
            return True
    return False


@kernel
def show_moves(history: Any, turned: Any, last: Any, moves: Any, begins: Any, out: Any) -> None:
    """Fill out [M, ≥ len(SHOWN)] for each move of each position.

    `history` uint8 [B, 8, 96] as a position keeps it, `turned` [B] is 1 where White is to move, `last` [B, 2] ids of
    the last two moves, the latest first, or -1, `moves` [M] ids, by position from `begins` on.
    """
    board, swaps = np.zeros(CELLS, np.int64), np.zeros((3, _MOST), np.int64)
    for row in range(len(history)):
        side = -1 if turned[row] else 1
        lay_out(history[row, 0], board)
        own_king, their_king = find_king(board, side), find_king(board, -side)
        prey_before = loose(board, -side, 0, swaps)
        their_to = cell_of(last[row, 0] & 127) if last[row, 0] >= 0 else 0
        our_to = cell_of(last[row, 1] & 127) if last[row, 1] >= 0 else 0
        our_from = 0
        if our_to and last[row, 1] >> 7 & 127 < _DROP:
            our_from = cell_of(last[row, 1] >> 7 & 127)
        took = their_to > 0 and history[row, 1, last[row, 0] & 127] > 0
        for at in range(begins[row], begins[row + 1]):
            shown, move = out[at], moves[at]
            shown[:] = 0
            shown[22] = prey_before / 5.0
            target = cell_of(move & 127)
            if our_to:
                shown[31] = apart(target, our_to) / 8.0
            if their_to:
                shown[29] = apart(target, their_to) / 8.0
            gain = show_move(board, side, move, own_king, their_king, swaps, history[row], shown)
            shown[14] = took and gain > 0 and target == their_to
            shown[15] = gain > 0 and target == their_to
            if move >> 7 & 127 < _DROP:
                source = cell_of(move >> 7 & 127)
                shown[30] = apart(source, their_to) / 8.0 if their_to else 0.0
                shown[32] = source == our_to
                shown[33] = source == our_to and target == our_from


@kernel
def show_move(
    board: Any, side: int, move: int, own_king: int, their_king: int, swaps: Any, history: Any, shown: Any
) -> Any:
    """What is seen of a move by itself, before and after it is made. Returns what it takes."""
    target, dropped = cell_of(move & 127), (move >> 7 & 127) - _DROP + 1
    promotes = move >> 14 & 1
    source = 0 if dropped > 0 else cell_of(move >> 7 & 127)
    kind = dropped if dropped > 0 else board[source] * side
    shown[(kind if kind <= _KING else kind - _KING) - 1] = 1
    shown[8], shown[9], shown[10] = kind > _KING, dropped > 0, promotes
    if side > 0:
        rank, rank_from = 10 - target % WIDE, 10 - source % WIDE
    else:
        rank, rank_from = target % WIDE - 2, source % WIDE - 2
    shown[24], shown[25] = rank / 8.0, abs(target // WIDE - 5) / 4.0
    shown[28] = 1.0
    if source:
        shown[11] = not promotes and kind <= 6 and (rank >= 6 or rank_from >= 6)
        shown[18] = exchange(board, source, -side, swaps) / 5.0 if kind != _KING else 0.0
        shown[23] = (rank - rank_from) / 8.0
        shown[28] = apart(source, their_king) / 8.0
    shown[20] = loose(board, side, source, swaps) / 5.0
    taken, moved = board[target], board[source] if source else kind * side
    gain = WORTH[abs(taken)]
    shown[12], shown[13] = gain / 10.0, gain > 0
    after = (kind + _KING if promotes else kind) * side
    board[target] = after
    if source:
        board[source] = 0
    lost = exchange(board, target, -side, swaps) if kind != _KING else 0
    shown[16], shown[17] = (gain - lost) / 5.0, lost / 5.0
    shown[19] = loose(board, side, target, swaps) / 5.0
    shown[21] = loose(board, -side, 0, swaps) / 5.0
    king = target if kind == _KING else own_king
    shown[26], shown[27] = apart(target, their_king) / 8.0, apart(target, king) / 8.0
    shown[35] = count_attackers(board, target, side) / 4.0
    shown[36] = count_attackers(board, target, -side) / 4.0
    shown[37] = rank >= 6
    shown[38], shown[39] = shown[26] < 0.2, kind != _KING and shown[27] < 0.2
    if source and gain == 0:
        shown[34] = stood_before(board, history)
    board[target] = taken
    if source:
        board[source] = moved
    return gain
