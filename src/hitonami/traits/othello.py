"""Traits of Othello players: mobility, frontier, edges and corners, how they answer the first move."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.columns import Columns
from hitonami.traits._othello_walk import MADE, ONCE, WIDTH, walk
from hitonami.traits._trait import Trait

_WORDS: Final = {
    "choices": "moves to choose from",
    "choices_left": "moves that the opponent is left with",
    "frontier": "own discs beside an empty square",
    "their_frontier": "opposing discs beside an empty square",
    "turned": "discs turned over a move",
    "edges": "discs on edges, but for corners and the squares beside them",
    "c_squares": "discs on the edge beside a corner (C)",
    "x_squares": "discs diagonal to a corner (X)",
    "corners": "corners taken a game",
    "lead_at_ply_20": "more discs than the opponent after ply 20",
    "lead_at_ply_40": "more discs than the opponent after ply 40",
    "diagonal": "with White, the diagonal answer",
    "perpendicular": "with White, the perpendicular answer",
    "parallel": "with White, the parallel answer",
    "passes": "passes a game",
    "own_moves": "moves a game",
}
_SHARES: Final = {"edges", "c_squares", "x_squares", "diagonal", "perpendicular", "parallel"}


class Othello:
    """On 8×8."""

    traits = tuple(Trait(name, _WORDS[name], share=name in _SHARES) for name in (*MADE, *ONCE))

    def measure(self, games: Columns) -> NDArray[np.float32]:
        starts: list[Any] = games.starts()
        boards = np.array([each.boards for each in starts], dtype=np.uint64).reshape(-1, 2)
        usual = np.array([not each.setup.start for each in starts], dtype=np.bool_)
        out = np.zeros((len(games), 2, WIDTH))
        walk(boards, usual, games.setup, games.moves, games.movers, games.begins, out)
        return out.astype(np.float32)
