"""Gomoku: five stones in a row win. 15 lines where no other number is asked for, Black moves first.

Move ids are `row·size + column`, row 0 on top. By the rules "free" (the usual ones here) more than five in a row win
too; by "exact" neither side wins with more than five. No point is forbidden: that is renju.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hitonami.core import Setup
from hitonami.customs import Customs, Phases
from hitonami.errors import BadPosition, quote
from hitonami.games._boards import choose_size, choose_word, refuse_setup
from hitonami.games._five import LEAST, MOST, FiveInARow, FivePosition, agree_on_size, read_square_board
from hitonami.games._five_rules import EXACT, FREE
from hitonami.games._gomoku_lanes import gomoku_lanes
from hitonami.games._lanes import BoardLanes

_RULES: Final = {"free": FREE, "exact": EXACT}


class Gomoku(FiveInARow):
    """Gomoku, "free" or "exact". Positions are boards as text; the word "exact" may follow the side to move."""

    name = "gomoku"
    customs = Customs(
        title="Gomoku",
        japanese={"Gomoku": "五目並べ", "five in a row": "五連", "full board": "盤が埋まった"},
        diagram_style="points",
        place=14,
        sizes=(15, 19),
        usual_size=15,
        lines={15: ("h8 i9", "h8 h9", "h8 i8 i9", "h8 h9 i7", "f10 h8", "g7 h8 i6", "h8 j10", "e11 h8", "h8 i10 g9")},
        phases=Phases(10, 40),
        plies_per_point=1,
        reach=(2.0, 8.0),
    )
    examples: Sequence[Setup] = (
        Setup(),
        Setup(size=5),
        Setup(size=7, rules="exact"),
        Setup(size=19),
        Setup(start="7/7/xxx1xx1/7/ooo4/7/7 x exact"),
        Setup(start="xoxox/xoxox/oxoxo/oxoxo/xoxo1 x"),
    )

    def start(self, setup: Setup = Setup()) -> FivePosition:  # noqa: B008  (frozen)
        refuse_setup(setup, self.name, ("size", "rules"))
        board = read_square_board(setup.start, self.name)
        rules = setup.rules
        if board is not None and board.words:
            if board.words != ("exact",) or rules not in ("", "exact"):
                raise BadPosition(f"after the side to move only the word exact may stand: {quote(setup.start)}")
            rules = "exact"
        size = choose_size(replace(setup, size=agree_on_size(setup, board, self)), self.name, 15, LEAST, MOST)
        return self._begin(setup, size, _RULES[choose_word(rules, tuple(_RULES), "rules of gomoku")], board)

    def lanes(self, setup: Setup) -> BoardLanes:
        start = self.start(setup)
        return gomoku_lanes(start.size, start.rule == EXACT)

    def words(self, position: FivePosition) -> tuple[str, ...]:
        return ("exact",) if position.rule == EXACT else ()


_GOMOKU = Gomoku()
