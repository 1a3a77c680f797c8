"""Renju: five in a row on 15×15, with points that are forbidden to Black, who moves first.

Black wins with five exactly and may not make an overline (six or more), two fours at once, or two open threes at once,
unless the same stone makes five. A three counts as open only where Black may really make a straight four of it: a move
that is itself forbidden does not count, and so on as deep as it goes. White has no forbidden points and wins with five
or more. Move ids are `row·15 + column`, row 0 on top.

A forbidden point is no legal move, so nobody loses by an oversight. Where Black has no point left that is allowed the
game is drawn; passing and the opening protocols of tournaments (swaps, offered fifth moves) are not part of it.
"""

from collections.abc import Sequence

from hitonami.core import Setup
from hitonami.customs import Customs, Opening, Phases
from hitonami.errors import BadPosition, quote
from hitonami.games._boards import refuse_setup
from hitonami.games._five import FiveInARow, FivePosition, read_square_board
from hitonami.games._five_rules import RENJU, count_run, is_forbidden

_SIZE = 15


class Renju(FiveInARow):
    """Renju. Positions are boards as text, x for Black and o for White, then the side to move."""

    name = "renju"
    customs = Customs(
        title="Renju",
        japanese={
            "Renju": "連珠",
            "five in a row": "五連",
            "full board": "満局",
            "no point allowed": "打てる点がない",
        },
        diagram_style="points",
        place=15,
        openings=(
            Opening("Kansei", "寒星", "h8 h9 h10"),
            Opening("Keigetsu", "渓月", "h8 h9 i10"),
            Opening("Sosei", "疎星", "h8 h9 j10"),
            Opening("Kagetsu", "花月", "h8 h9 i9"),
            Opening("Zangetsu", "残月", "h8 h9 j9"),
            Opening("Ugetsu", "雨月", "h8 h9 i8"),
            Opening("Kinsei", "金星", "h8 h9 j8"),
            Opening("Hogetsu", "浦月", "h8 i9 j10"),
            Opening("Meigetsu", "名月", "h8 i9 j7"),
        ),
        lines=("h8 h9 j10", "h8 h9 j9", "h8 h9 i8", "h8 i9 j7", "h8 i9 i8", "h8 h9 h7", "h8 h9 h6", "h8 i9 g6"),
        phases=Phases(10, 40),
        most_plies=_SIZE * _SIZE,
        reach=(2.0, 8.0),
    )
    examples: Sequence[Setup] = (
        Setup(),
        Setup(start="15/15/15/15/15/7x7/7x7/5xx8/15/15/15/ooo12/15/15/15 x"),
        Setup(start="15/15/15/15/15/2xxx2xxx5/15/15/15/15/15/ooo12/15/15/15 x"),
        Setup(start="15/15/15/15/4ooo1oo5/15/15/15/4xxxx7/15/15/15/15/15/15 o"),
    )

    def start(self, setup: Setup = Setup()) -> FivePosition:  # noqa: B008  (frozen)
        refuse_setup(setup, self.name)
        board = read_square_board(setup.start, self.name)
        if board is not None and (len(board.rows) != _SIZE or board.words):
            raise BadPosition(f"not a board of renju, {_SIZE}×{_SIZE} and a side to move: {quote(setup.start)}")
        return self._begin(setup, _SIZE, RENJU, board)

    def why_not(self, position: FivePosition, move: int) -> str:
        if position.ending is None and not position.cells[move] and position.to_move == 0:
            return forbidden_kind(position, move)
        return super().why_not(position, move)


def forbidden_kind(position: FivePosition, move: int) -> str:
    """Why Black may not play on an empty point; "" where it is allowed."""
    cells = position.cells.copy()
    if not is_forbidden(cells, position.size, move):
        return ""
    if max(count_run(cells, position.size, move, 1, way) for way in range(4)) > 5:
        return "forbidden to Black: six or more in a row"
    return "forbidden to Black: two fours or two open threes"


_RENJU = Renju()
