"""A kernel that replays a whole record of Go.

Earlier positions stand in an open-addressed table of their hashes, at most half full: a search through the trail for
every capture would make a long record cost its length squared.
"""

from typing import Any, Final

import numpy as np

from hitonami.games.go_rules.board import (
    MARGINED,
    REPEATS,
    SITUATIONAL,
    SUPERKO,
    WHITE_TO_MOVE,
    hash_board,
    put_stone,
    with_margin,
)
from hitonami.kernel import kernel

_NOT_EMPTY: Final = np.uint64(0xD6E8FEB86659FD93)
"""Turns the hash of the empty board, 0, into another number: in the table 0 is a free place."""


@kernel
def _note(table: Any, sought: Any) -> bool:
    """Put a hash into the table. Was it there before?"""
    sought ^= _NOT_EMPTY
    mask = np.uint64(len(table) - 1)
    at = sought & mask
    while table[at] != 0:
        if table[at] == sought:
            return True
        at = (at + np.uint64(1)) & mask
    table[at] = sought
    return False


@kernel
def replay(cells: Any, size: int, to_move: int, flags: int, moves: Any) -> Any:
    """Play a whole record from a start without ko. Moves of n = size² pass; the caller checks the passes.

    Returns (moves played, 0) or (index of the first illegal move, its negative reason).
    """
    n = size * size
    board = with_margin(cells, size)
    stood = cells[n:].copy()
    stack = np.empty(MARGINED, np.int32)
    room = 16
    while room < 2 * len(moves) + 2:
        room *= 2
    met = np.zeros(room, np.uint64)
    here = hash_board(cells, size)
    if flags & SITUATIONAL and to_move == 2:
        here ^= WHITE_TO_MOVE
    _note(met, here)
    own, ko = to_move, -1
    for ply in range(len(moves)):
        move = moves[ply]
        if flags & SITUATIONAL:
            here ^= WHITE_TO_MOVE
        if move == n:
            ko = -1
            _note(met, here)
        else:
            answer, _, lost, ko, change = put_stone(board, size, own, ko, flags, move, stack)
            if answer < 0:
                return ply, answer
            here ^= change
            repeats = _note(met, here)
            if flags & SUPERKO and (lost or stood[move] & own) and repeats:
                return ply, REPEATS
            stood[move] |= own
        own = 3 - own
    return len(moves), 0
