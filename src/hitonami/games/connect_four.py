"""Connect Four: seven columns of six, four in a row across, up or aslant win. The first player has the red discs.

Move ids are columns from the left, 0 to 6. A move is written as the square where the disc comes to rest ("d1"), and
read as that or as its column alone ("d").
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Claims, Diagram, Moves, Setup, Square, index_of
from hitonami.customs import Customs, Phases
from hitonami.errors import BadMove, BadPosition, quote
from hitonami.games._boards import (
    NO_MOVES,
    Linked,
    draw,
    name_square,
    read_board,
    read_square,
    refuse_move,
    refuse_setup,
    write_board,
)
from hitonami.games._connect_four_lanes import connect_four_lanes
from hitonami.games._lanes import BoardLanes
from hitonami.kernel import kernel

WIDE: Final = 7
HIGH: Final = 6
_STRIDE: Final = HIGH + 1
"""Bits of a column: one stays empty on top, so that lines do not run from a column into the next."""
_FULL: Final = sum(((1 << HIGH) - 1) << _STRIDE * column for column in range(WIDE))
_TOPS: Final = [1 << _STRIDE * column + HIGH - 1 for column in range(WIDE)]
_BOTTOMS: Final = [1 << _STRIDE * column for column in range(WIDE)]


def _open_columns(closed: int) -> Moves:
    moves = np.array([column for column in range(WIDE) if not closed >> column & 1], np.int32)
    moves.flags.writeable = False
    return moves


_OPEN: Final = [_open_columns(closed) for closed in range(1 << WIDE)]
_TOP_ROW: Final = sum(_TOPS)
_CLOSED: Final = {
    sum(top for at, top in enumerate(_TOPS) if closed >> at & 1): _OPEN[closed] for closed in range(1 << WIDE)
}
"""Legal moves by the discs in the top row."""


def has_four(discs: int) -> bool:
    up, across, down, aslant = discs & discs >> 1, discs & discs >> 7, discs & discs >> 6, discs & discs >> 8
    return bool(up & up >> 2 or across & across >> 14 or down & down >> 12 or aslant & aslant >> 16)


@kernel
def spread_discs(taken: int, own: int, sign: int, cells: Any) -> None:
    """Fill cells[42], the top row first, with `sign` for own discs and -sign for the other side's."""
    for row in range(HIGH):
        for column in range(WIDE):
            bit = _STRIDE * column + HIGH - 1 - row
            if taken >> bit & 1:
                cells[row * WIDE + column] = sign if own >> bit & 1 else -sign
            else:
                cells[row * WIDE + column] = 0


@kernel
def drop_discs(taken: int, columns: Any, landings: Any) -> None:
    """Fill landings[columns, 2] with where a disc comes to rest."""
    for at in range(len(columns)):
        high = 0
        while taken >> (_STRIDE * columns[at] + high) & 1:
            high += 1
        landings[at, 0] = -1
        landings[at, 1] = (HIGH - 1 - high) * WIDE + columns[at]


class ConnectFourPosition(Linked):
    """A situation in a game of Connect Four: all discs, and those of the side to move, as bits, columns from below."""

    __slots__ = ("own", "taken")

    def __init__(  # noqa: PLR0913, PLR0917  (a position is many things)
        self,
        taken: int,
        own: int,
        to_move: int,
        setup: Setup,
        before: "ConnectFourPosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        self.setup = setup
        self.before = before
        self.last_move = last_move
        self.ply = 0 if before is None else before.ply + 1
        self.taken = taken
        self.own = own
        self.to_move = to_move
        self.ending = None
        self.score = None
        if has_four(taken ^ own):
            self.ending, self.score, self.legal = "four in a row", float(to_move), NO_MOVES
        elif taken == _FULL:
            self.ending, self.score, self.legal = "full board", 0.5, NO_MOVES
        else:
            self.legal = _CLOSED[taken & _TOP_ROW]

    @property
    def game(self) -> "ConnectFour":
        return _CONNECT_FOUR

    @property
    def key(self) -> tuple[int, int, int]:
        return self.taken, self.own, self.to_move

    def height(self, column: int) -> int:
        """Discs in a column."""
        return (self.taken >> _STRIDE * column & (1 << HIGH) - 1).bit_count()

    def rows(self) -> list[list[int]]:
        """0 empty, 1 and 2 the two sides', the top row first."""
        own, other = self.own, self.taken ^ self.own
        first, second = (other, own) if self.to_move else (own, other)
        at = [[_STRIDE * column + row for column in range(WIDE)] for row in range(HIGH - 1, -1, -1)]
        return [[(first >> bit & 1) + 2 * (second >> bit & 1) for bit in row] for row in at]

    def play(self, move: int) -> "ConnectFourPosition":
        move, taken = int(move), self.taken
        if self.ending is not None or not 0 <= move < WIDE or taken & _TOPS[move]:
            refuse_move(self, move)
        fuller = taken | taken + _BOTTOMS[move]
        return ConnectFourPosition(fuller, taken ^ self.own, 1 - self.to_move, self.setup, self, move)

    def follow(self, move: int) -> "ConnectFourPosition":
        move, taken = int(move), self.taken
        fuller = taken | taken + _BOTTOMS[move]
        return ConnectFourPosition(fuller, taken ^ self.own, 1 - self.to_move, self.setup, self, move)


class ConnectFour:
    """Connect Four. Positions are boards as text: x for the first player's discs, o for the second's."""

    name = "connect-four"
    sides = ("Red", "Yellow")
    customs = Customs(
        title="Connect Four",
        japanese={
            "Connect Four": "四目並べ",
            "Red": "赤",
            "Yellow": "黄",
            "four in a row": "四目",
            "full board": "盤が埋まった",
        },
        place=12,
        lines=("d1 d2", "d1 d2 d3", "c1 d1", "d1 c1", "b1 d1", "d1 e1", "a1 d1", "c1 c2", "b1 b2", "d1 b1", "e1 d1"),
        phases=Phases(8, 24),
        most_plies=WIDE * HIGH,
    )
    examples: Sequence[Setup] = (
        Setup(),
        Setup(start="7/7/7/7/xxx4/ooox3 o"),
        Setup(start="xxoxox1/xxoxoxo/ooxoxox/ooxoxox/xxoxoxo/xxoxoxo x"),
        Setup(start="ooxxoo1/xxooxx1/ooxxoo1/xxooxx1/ooxxoo1/xxooxx1 x"),
    )

    def start(self, setup: Setup = Setup()) -> ConnectFourPosition:  # noqa: B008  (frozen)
        refuse_setup(setup, self.name)
        text = setup.start.strip()
        if text in ("", "startpos"):
            return ConnectFourPosition(0, 0, 0, setup)
        board = read_board(text, "xo")
        if len(board.rows) != HIGH or len(board.rows[0]) != WIDE or board.words:
            raise BadPosition(f"not a board of Connect Four, {WIDE} columns of {HIGH} and a side: {quote(text)}")
        discs = [0, 0]
        for column in range(WIDE):
            cells = [board.rows[HIGH - 1 - row][column] for row in range(HIGH)]
            for row, cell in enumerate(cells):
                if cell and not all(cells[:row]):
                    raise BadPosition(f"a disc hangs in the air in column {chr(97 + column)}: {quote(text)}")
                if cell:
                    discs[cell - 1] |= 1 << _STRIDE * column + row
        if has_four(discs[board.to_move]):
            raise BadPosition(f"the side to move has four in a row: {quote(text)}")
        return ConnectFourPosition(discs[0] | discs[1], discs[board.to_move], board.to_move, setup)

    def read(self, text: str) -> ConnectFourPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: ConnectFourPosition) -> str:
        return write_board(position.rows(), position.to_move, "xo")

    def format(self, position: ConnectFourPosition, move: int) -> str:
        index_of(position, move)
        return name_square(HIGH - 1 - position.height(move), move, HIGH)

    def parse(self, position: ConnectFourPosition, text: str) -> int:
        """A column ("d"), or the square where the disc comes to rest ("d1")."""
        plain = text.strip().lower()
        row, column = read_square(plain if len(plain) != 1 else f"{plain}1", WIDE, HIGH, from_bottom=True)
        if column not in position.legal:
            raise BadMove(f"not a legal move: {quote(text)}; open columns: {_name_columns(position)}")
        if len(plain) > 1 and HIGH - 1 - row != position.height(column):
            raise BadMove(f"not a legal move: {quote(text)}; there the disc falls to {self.format(position, column)}")
        return column

    def describe(self, position: ConnectFourPosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: ConnectFourPosition) -> Claims:
        return Claims()

    def lanes(self, setup: Setup) -> BoardLanes:
        return connect_four_lanes()

    def diagram(self, position: ConnectFourPosition) -> Diagram:
        return draw(position, position.rows(), ("●", "○"), from_bottom=True, ground="rack")

    def fill_cells(self, position: ConnectFourPosition) -> NDArray[np.int8]:
        cells = np.empty(WIDE * HIGH, np.int8)
        spread_discs(position.taken, position.own, 1 - 2 * position.to_move, cells)
        return cells

    def list_landings(self, position: ConnectFourPosition) -> NDArray[np.int32]:
        landings = np.empty((len(position.legal), 2), np.int32)
        drop_discs(position.taken, position.legal, landings)
        return landings

    def touches(self, position: ConnectFourPosition, move: int) -> tuple[Square, ...]:
        return ((max(HIGH - 1 - position.height(move), 0), move),)


def _name_columns(position: ConnectFourPosition) -> str:
    return " ".join(chr(97 + int(column)) for column in position.legal) or "none, the game is over"


_CONNECT_FOUR = ConnectFour()
