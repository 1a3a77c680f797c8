"""Whole games of Go replayed in one call, for the readers of Go records."""

from typing import Final

import numpy as np

from hitonami.core import Setup
from hitonami.errors import BadRecord
from hitonami.games.go_rules.board import REASONS
from hitonami.games.go_rules.points import vertex
from hitonami.games.go_rules.replay import replay
from hitonami.games.go_rules.rulesets import Start, lay_stones
from hitonami.games.go_rules.sgf import resolve

PLAY_AFTER_PASSES: Final = "play after two passes"
ILLEGAL_MOVE: Final = "illegal move"


def replay_moves(setup: Setup, moves: list[int]) -> Start:
    """Check every move by the setup's rules; passes after the second are dropped from `moves`.

    Returns the start that the moves were played from. Raises BadRecord for an illegal move.
    """
    start = resolve(setup)
    _check_passes(moves, start.points)
    played, answer = replay(
        lay_stones(start), start.size, start.to_move + 1, start.rules.flags, np.array(moves, np.int32)
    )
    if answer < 0:
        at = f"move {played + 1} at {vertex(start.size, moves[played])}"
        raise BadRecord(f"{ILLEGAL_MOVE}, {REASONS[answer]}: {at}")
    return start


def _check_passes(moves: list[int], points: int) -> None:
    if points not in moves:
        return
    ends = next((at + 1 for at in range(1, len(moves)) if moves[at] == points == moves[at - 1]), len(moves))
    if any(move != points for move in moves[ends:]):
        raise BadRecord(f"{PLAY_AFTER_PASSES}: from move {ends + 1} on")
    del moves[ends:]
