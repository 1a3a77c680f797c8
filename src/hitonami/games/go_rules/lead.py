"""Who is ahead in Go long before the end, roughly, as people reckon it."""

import numpy as np

from hitonami.games.go_rules.count import Board
from hitonami.games.go_rules.rulesets import Start
from hitonami.games.go_rules.score import play_out

_RECKONED = 16
_CLEAR = 0.3
"""By how much more often than the other a side must own a point at the end for it to count as its own."""


def reckon_lead(board: Board, start: Start, to_move: int) -> float:
    """Points by which Black is ahead, were every point his who mostly owns it after random play: rough, the more so the
    emptier the board is.
    """
    owned = [np.zeros(len(board), np.int32) for _ in range(2)]
    play_out(board, start.size, to_move + 1, 0, _RECKONED, *owned)
    more = owned[0] - owned[1]
    return float(np.sign(more)[np.abs(more) > _CLEAR * _RECKONED].sum()) - start.komi
