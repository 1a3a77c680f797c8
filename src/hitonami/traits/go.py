"""Traits of Go players: on which lines and how far away they play, contact, captures, corners."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.columns import Columns
from hitonami.games.go_rules.rulesets import LARGEST
from hitonami.traits._go_walk import APART, MADE, ONCE, WIDTH, walk
from hitonami.traits._trait import Trait

_WORDS: Final = {
    "line": "mean line of a stone, from the edge",
    "first_line": "stones on the first line",
    "second_line": "stones on the second line",
    "third_line": "stones on the third line",
    "fourth_line": "stones on the fourth line",
    "centre": "stones above the fourth line",
    "contact": "stones beside an opposing one",
    "solid": "stones beside an own one",
    "diagonal": "stones diagonal to an own one and beside none",
    "captures": "moves that take stones",
    "stones_taken": "stones taken a move",
    "atari": "moves that leave an opposing chain in atari",
    "liberties": "liberties of the chain that a stone joins",
    "from_last": "distance from the opponent's last stone (Rémi)",
    "from_own_last": "distance from the own last stone (Rémi)",
    "tenuki": "stones further than a third of the board from the opponent's last",
    "star": "first two stones on 4-4 points",
    "komoku": "first two stones on 3-4 points",
    "san_san": "first two stones on 3-3 points",
    "takamoku": "first two stones on 4-5 points",
    "mokuhazushi": "first two stones on 3-5 points",
    "passes": "moves that are passes",
    "own_moves": "moves a game",
}
_NUMBERS: Final = {"line", "stones_taken", "liberties", "from_last", "from_own_last", "own_moves"}


class Go:
    """Boards of all sizes; corners from 13 lines on."""

    traits = tuple(Trait(name, _WORDS[name], share=name not in _NUMBERS) for name in (*MADE, *APART, *ONCE))

    def measure(self, games: Columns) -> NDArray[np.float32]:
        starts: list[Any] = games.starts()
        cells = np.zeros((len(starts), LARGEST * LARGEST), np.uint8)
        for at, each in enumerate(starts):
            cells[at, : each.size * each.size] = each.board
        sizes = np.array([each.size for each in starts], dtype=np.int64)
        out = np.zeros((len(games), 2, WIDTH))
        walk(cells, sizes, games.setup, games.moves, games.movers, games.begins, out)
        return out.astype(np.float32)
