"""Ends by the rules: which moves win at once, and which ones would not have lost at once."""

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Position


def list_winning(position: Position) -> NDArray[np.bool_]:
    """[moves] whether each ends the game with a win of who makes it."""
    return np.array([_wins(position, move) for move in position.legal.tolist()])


def list_sound(position: Position, answer: int) -> NDArray[np.bool_]:
    """[moves] whether the other side has no move after each that wins at once; `answer` is tried first."""
    return np.array([not _is_refuted(position.follow(move), answer) for move in position.legal.tolist()])


def _is_refuted(after: Position, answer: int) -> bool:
    if answer in after.legal and _wins(after, answer):
        return True
    return any(_wins(after, move) for move in after.legal.tolist())


def _wins(position: Position, move: int) -> bool:
    after = position.follow(move)
    if len(after.legal) or after.score is None:
        return False
    return after.score == (1.0 if position.to_move == 0 else 0.0)
