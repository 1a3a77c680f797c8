"""Kernels that show what hangs on a chess board: attacks, exchanges, pins, checks and mates in one, square by square.

The board is int8[120], ten squares a row with a margin of walls, a1 = 21 … h8 = 98; pieces are python-chess's numbers,
the mover's positive and playing up the board, the opponent's negative. Nobody castles, takes in passing or promotes to
anything but a queen here.
"""

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.exchanges import MOST_SWAPS, exchange
from hitonami.games.chess_rules.mailbox import EMPTY, KING, KNIGHT, LEAPS, PAWN, QUEEN, STEPS, WALL, is_attacked
from hitonami.kernel import kernel

ATTACKS: Final = 0
"""Squares attacked by own pawns … kings, then by how many; the same for the opponent."""
LOSES: Final = 14
"""What the opponent wins by taking there, then what the mover wins, in pawns."""
PINNED: Final = 16
"""Own pieces that may not leave their line, then the opponent's."""
UNMASKS: Final = 18
"""Own pieces whose leaving gives check, then the opponent's."""
CHECKS: Final = 20
"""Squares where an own knight, bishop, rook or pawn would give check, then the opponent's."""
MATES: Final = 28
"""Where a mate in one begins and ends, then where the opponent's would if it were his move."""
PLANES: Final = 32
_SQUARES: Final = np.array([21 + file + 10 * rank for rank in range(8) for file in range(8)])
_MOST_MOVES: Final = 256


@kernel
def show_tactics(sets: Any, out: Any) -> None:
    """Fill `out` uint8 [B, PLANES, 64] from bitboards `sets` uint64 [B, 12], own pieces first, seen by the mover."""
    board, kings = np.empty(120, np.int8), np.zeros(2, np.int64)
    moves, replies = np.zeros((_MOST_MOVES, 2), np.int64), np.zeros((_MOST_MOVES, 2), np.int64)
    swaps = np.zeros((3, MOST_SWAPS), np.int64)
    for row in range(len(sets)):
        _lay_out(sets[row], board, kings)
        planes = out[row]
        for place in range(64):
            piece = board[_SQUARES[place]]
            if piece:
                _show_attacks(board, place, planes)
        for place in range(64):
            piece = board[_SQUARES[place]]
            if piece and abs(piece) != KING:
                side = 1 if piece > 0 else -1
                planes[LOSES + (side < 0), place] = exchange(board, _SQUARES[place], -side, swaps)
        for who in range(2):
            side = 1 - 2 * who
            if kings[0] and kings[1]:
                _show_lines(board, kings, side, planes)
                _show_checks(board, kings[1 - who], side, planes[CHECKS + 4 * who :])
                if side > 0 or not is_attacked(board, kings[0], -1):
                    _show_mates(board, kings, side, planes[MATES + 2 * who :], moves, replies)


@kernel
def _lay_out(sets: Any, board: Any, kings: Any) -> None:
    board[:] = WALL
    kings[:] = 0
    board[_SQUARES] = EMPTY
    for kind in range(12):
        mask = sets[kind]
        for place in range(64):
            if (mask >> np.uint64(place)) & np.uint64(1):
                board[_SQUARES[place]] = kind + 1 if kind < 6 else 5 - kind
                if kind == 5 or kind == 11:  # noqa: PLR1714
                    kings[kind // 6] = _SQUARES[place]


@kernel
def _place_of(square: int) -> Any:
    return square % 10 - 1 + 8 * (square // 10 - 2)


@kernel
def _show_attacks(board: Any, place: int, planes: Any) -> None:
    square = _SQUARES[place]
    side = 1 if board[square] > 0 else -1
    kind = board[square] * side
    first = ATTACKS if side > 0 else ATTACKS + 7
    for index in range(8):
        if kind == PAWN:
            if index > 1:
                break
            here, step = square + (9 + 2 * index) * side, 0
        elif kind == KNIGHT:
            here, step = square + LEAPS[index], 0
        else:
            if (index >= 4 and kind == 4) or (index < 4 and kind == 3):
                continue
            step = STEPS[index] if kind != KING else 0
            here = square + STEPS[index]
        while board[here] != WALL:
            target = _place_of(here)
            planes[first + kind - 1, target] = 1
            planes[first + 6, target] += 1
            if board[here] != EMPTY or step == 0:
                break
            here += step


@kernel
def _show_lines(board: Any, kings: Any, side: int, planes: Any) -> None:
    """Pieces that stand alone between a king and a slider of `side`: pinned ones, and own ones that unmask it."""
    king = kings[1 if side > 0 else 0]
    for index in range(8):
        here = king + STEPS[index]
        while board[here] == EMPTY:
            here += STEPS[index]
        if board[here] == WALL:
            continue
        between = here
        here += STEPS[index]
        while board[here] == EMPTY:
            here += STEPS[index]
        kind = board[here] * side
        if board[here] != WALL and (kind == QUEEN or kind == (4 if index < 4 else 3)):  # noqa: PLR1714
            own = board[between] * side > 0
            plane = UNMASKS + (side < 0) if own else PINNED + (side > 0)
            planes[plane, _place_of(between)] = 1


@kernel
def _show_checks(board: Any, king: int, side: int, planes: Any) -> None:
    """Squares, free or the other side's, from where a piece of `side` would attack the king."""
    for leap in LEAPS:
        if board[king + leap] != WALL and board[king + leap] * side <= 0:
            planes[0, _place_of(king + leap)] = 1
    for index in range(8):
        here = king + STEPS[index]
        while board[here] != WALL:
            if board[here] * side <= 0:
                planes[2 if index < 4 else 1, _place_of(here)] = 1
            if board[here] != EMPTY:
                break
            here += STEPS[index]
    for step in (-9 * side, -11 * side):
        if board[king + step] != WALL and board[king + step] * side <= 0:
            planes[3, _place_of(king + step)] = 1


@kernel
def _list_moves(board: Any, side: int, out: Any) -> Any:
    """Fill `out` [moves, 2] with sources and targets; how many. A king may be left in check."""
    count = 0
    for square in _SQUARES:
        kind = board[square] * side
        if kind <= 0:
            continue
        if kind == PAWN:
            ahead = square + 10 * side
            if board[ahead] == EMPTY:
                count = _append(out, count, square, ahead)
                if square // 10 == (3 if side > 0 else 8) and board[ahead + 10 * side] == EMPTY:
                    count = _append(out, count, square, ahead + 10 * side)
            for here in (ahead - 1, ahead + 1):
                if board[here] != WALL and board[here] * side < 0:
                    count = _append(out, count, square, here)
            continue
        for index in range(4 if kind == 3 else 0, 4 if kind == 4 else 8):
            step = LEAPS[index] if kind == KNIGHT else STEPS[index]
            here = square + step
            while board[here] == EMPTY:
                count = _append(out, count, square, here)
                if kind == KNIGHT or kind == KING:  # noqa: PLR1714, SIM109
                    break
                here += step
            if board[here] != WALL and board[here] * side < 0:
                count = _append(out, count, square, here)
    return count


@kernel
def _append(out: Any, count: int, source: int, target: int) -> Any:
    out[count, 0], out[count, 1] = source, target
    return count + 1


@kernel
def _make(board: Any, kings: Any, side: int, source: int, target: int) -> Any:
    """Play a listed move, pawns to queens; what stood on its target."""
    piece, taken = board[source], board[target]
    promotes = piece * side == PAWN and target // 10 == (9 if side > 0 else 2)
    board[source], board[target] = EMPTY, QUEEN * side if promotes else piece
    if piece * side == KING:
        kings[0 if side > 0 else 1] = target
    return taken


@kernel
def _take_back(board: Any, kings: Any, side: int, source: int, target: int, piece: int, taken: int) -> None:  # noqa: PLR0913, PLR0917
    board[source], board[target] = piece, taken
    if piece * side == KING:
        kings[0 if side > 0 else 1] = source


@kernel
def _show_mates(board: Any, kings: Any, side: int, planes: Any, moves: Any, replies: Any) -> None:  # noqa: PLR0913, PLR0917
    own, other = (0, 1) if side > 0 else (1, 0)
    for at in range(_list_moves(board, side, moves)):
        source, target = moves[at, 0], moves[at, 1]
        piece = board[source]
        if abs(board[target]) == KING:
            continue
        taken = _make(board, kings, side, source, target)
        mates = (
            is_attacked(board, kings[other], side)
            and not is_attacked(board, kings[own], -side)
            and not _has_reply(board, kings, -side, replies)
        )
        _take_back(board, kings, side, source, target, piece, taken)
        if mates:
            planes[0, _place_of(source)] = 1
            planes[1, _place_of(target)] = 1


@kernel
def _has_reply(board: Any, kings: Any, side: int, moves: Any) -> Any:
    own = 0 if side > 0 else 1
    for at in range(_list_moves(board, side, moves)):
        source, target = moves[at, 0], moves[at, 1]
        piece = board[source]
        taken = _make(board, kings, side, source, target)
        safe = not is_attacked(board, kings[own], -side)
        _take_back(board, kings, side, source, target, piece, taken)
        if safe:
            return True
    return False
