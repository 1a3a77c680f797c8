"""How near a side is to being mated, as people see it at a glance: threats, and mates that cannot be parried."""

from typing import Final

import cshogi

_LOOKED: Final = ((1, 4.0), (3, 3.0), (5, 2.0))
"""Plies of the mate that is looked for after every move of the side, and what it counts."""


def judge_peril(board: cshogi.Board) -> float:
    """Of the side to move: 4, 3, 2 where every move of its is met by a mate in one, three, five plies; 1 where it is in
    check, or would be mated at once if it passed; else 0. The board is as before.
    """
    for plies, peril in _LOOKED:
        if _is_mated(board, plies):
            return peril
    return float(board.is_check() or _is_threatened(board))


def _is_mated(board: cshogi.Board, plies: int) -> bool:
    for move in list(board.legal_moves):
        board.push(move)
        # cshogi looks for a mate only where there is no check to answer
        mated = not board.is_check() and bool(board.mate_move_in_1ply() if plies == 1 else board.mate_move(plies))
        board.pop()
        if not mated:
            return False
    return True


def _is_threatened(board: cshogi.Board) -> bool:
    board.push_pass()
    mates = bool(board.mate_move_in_1ply())
    board.pop_pass()
    return mates
