"""Hex on any board of 2 to 26 lines, 11 where none is asked for. Red moves first and joins the top to the bottom, Blue
joins the left to the right; there are no draws.

Move ids are `row·size + column`, row 0 on top, and `size²` swaps: by the rules "swap" (the usual ones here) the second
player may answer the first stone by taking it over, as a blue stone at the place mirrored in the long diagonal: the
same position with colours and edges exchanged. By "no-swap" nobody may.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from operator import index
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Claims, Diagram, Setup, Square, index_of
from hitonami.customs import Customs, Phases
from hitonami.errors import BadMove, BadPosition, quote
from hitonami.games._boards import (
    MOVE,
    NO_MOVES,
    BoardText,
    Linked,
    choose_size,
    choose_word,
    draw,
    land_on,
    name_square,
    read_board,
    read_square,
    refuse_move,
    refuse_setup,
    sign_cells,
    write_board,
)
from hitonami.games._hex_lanes import hex_lanes
from hitonami.games._hex_rules import CHECKED, SWAP, WON, join, list_cells, place
from hitonami.games._lanes import BoardLanes

LEAST: Final = 2
MOST: Final = 26
_RULES: Final = ("swap", "no-swap")


class HexPosition(Linked):
    """A situation in a game of Hex. `swappable` says whether the last stone may be taken over."""

    __slots__ = ("size", "state", "swappable", "swaps")

    def __init__(  # noqa: PLR0913, PLR0917  (a position is many things)
        self,
        state: NDArray[np.int32],
        size: int,
        swaps: bool,
        to_move: int,
        setup: Setup,
        before: "HexPosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        self.setup = setup
        self.before = before
        self.last_move = last_move
        self.ply = 0 if before is None else before.ply + 1
        self.state = state
        self.size = size
        self.swaps = swaps
        self.to_move = to_move
        self.legal = NO_MOVES
        self.swappable = False
        self.ending = None
        self.score = None

    def _lost(self) -> "HexPosition":
        """This position, as the end of the game that it is for the side to move."""
        self.ending, self.score = "joined edges", float(self.to_move)
        return self

    def _listed(self, swappable: bool) -> "HexPosition":
        """This position, with its moves."""
        points = self.size * self.size
        self.legal = self.state[points : points + list_cells(self.state, self.size, swappable)]
        self.swappable = swappable
        return self

    @property
    def game(self) -> "Hex":
        return _HEX

    @property
    def cells(self) -> NDArray[np.int32]:
        """[size²] 0 empty, 1 Red, 2 Blue."""
        return self.state[: self.size * self.size] & 3

    @property
    def key(self) -> tuple[bytes, int, bool]:
        return self.cells.tobytes(), self.to_move, self.swappable

    def rows(self) -> list[list[int]]:
        return self.cells.reshape(self.size, self.size).tolist()

    def play(self, move: int) -> "HexPosition":
        if self.ending is not None:
            refuse_move(self, move)
        return self._after(index(move), self.to_move | CHECKED)

    def follow(self, move: int) -> "HexPosition":
        return self._after(index(move), self.to_move)

    def _after(self, move: int, flags: int) -> "HexPosition":
        size = self.size
        points = size * size
        if self.before is None and self.swaps and self.to_move == 0 and not self.cells.any():
            flags |= SWAP
        state = np.empty(points + points + 1, MOVE)
        answer = place(self.state, size, move, flags, state)
        if answer < 0:
            return self._swapped(move, flags)
        after = HexPosition(state, size, self.swaps, 1 - self.to_move, self.setup, self, move)
        if answer == WON:
            return after._lost()
        after.legal = state[points : points + answer]
        after.swappable = flags >= SWAP
        return after

    def _swapped(self, move: int, flags: int) -> "HexPosition":
        """After what is no stone: a swap, or refused."""
        size = self.size
        if move != size * size or (flags & CHECKED and not self.swappable):
            refuse_move(self, move)
        state = np.zeros(2 * size * size + 1, MOVE)
        row, column = divmod(int(np.flatnonzero(self.cells)[0]), size)
        join(state, size, self.to_move, column * size + row)
        return HexPosition(state, size, self.swaps, 1 - self.to_move, self.setup, self, move)._listed(False)


class Hex:
    """Hex. Positions are boards as text: x for Red, o for Blue, the side to move, then "swap" where it may."""

    name = "hex"
    sides = ("Red", "Blue")

    @cached_property
    def customs(self) -> Customs:
        return Customs(
            title="Hex",
            japanese={"Hex": "ヘックス", "Red": "赤", "Blue": "青", "joined edges": "両辺がつながった"},
            diagram_style="hexagons",
            place=16,
            can_draw=False,
            sizes=(11, 13, 14, 19),
            usual_size=11,
            lines={size: _lines(size) for size in range(5, MOST + 1)},
            phases=Phases(1 / 12, 1 / 3, per_point=True),
            plies_per_point=1,
        )

    examples: Sequence[Setup] = (
        Setup(size=5),
        Setup(),
        Setup(size=2),
        Setup(size=4, rules="no-swap"),
        Setup(start="3/1x1/3 o swap"),
        Setup(start="xo1/xo1/3 x"),
    )

    def start(self, setup: Setup = Setup()) -> HexPosition:  # noqa: B008  (frozen)
        refuse_setup(setup, self.name, ("size", "rules"))
        swaps = choose_word(setup.rules, _RULES, "rules of hex") == "swap"
        if setup.start.strip() in ("", "startpos"):
            size = choose_size(setup, self.name, 11, LEAST, MOST)
            state = np.zeros(2 * size * size + 1, MOVE)
            return HexPosition(state, size, swaps, 0, setup)._listed(False)
        return self._begin(setup, read_board(setup.start, "xo"), swaps)

    def _begin(self, setup: Setup, board: BoardText, swaps: bool) -> HexPosition:
        size = len(board.rows)
        if size != len(board.rows[0]) or (setup.size and setup.size != size):
            raise BadPosition(f"not a board of Hex, as many lines either way: {quote(setup.start)}")
        choose_size(replace(setup, size=size), self.name, 11, LEAST, MOST)
        state = np.zeros(2 * size * size + 1, MOVE)
        won = [False, False]
        for point, cell in enumerate(each for row in board.rows for each in row):
            if cell:
                won[cell - 1] |= bool(join(state, size, cell - 1, point))
        if won[board.to_move]:
            raise BadPosition(f"the side to move has won: {quote(setup.start)}")
        swappable = board.words == ("swap",)
        single = np.count_nonzero(state) == 1 and bool((state & 1).any()) and board.to_move == 1
        if board.words and not (swappable and single and swaps):
            raise BadPosition(f"only Red's first stone may be swapped, after the word swap: {quote(setup.start)}")
        position = HexPosition(state, size, swaps, board.to_move, setup)
        return position._lost() if won[1 - board.to_move] else position._listed(swappable)

    def read(self, text: str) -> HexPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: HexPosition) -> str:
        words = ("swap",) if position.swappable else ()
        return write_board(position.rows(), position.to_move, "xo", *words)

    def format(self, position: HexPosition, move: int) -> str:
        index_of(position, move)
        return "swap" if move == position.size**2 else name_square(*divmod(move, position.size))

    def parse(self, position: HexPosition, text: str) -> int:
        """A cell ("c4", rows counted from the top) or "swap", in any case."""
        if text.strip().lower() == "swap":
            move = position.size**2
        else:
            row, column = read_square(text, position.size, position.size)
            move = row * position.size + column
        if move not in position.legal:
            reason = f"the game is over: {position.ending}" if position.ending else "the cell is taken"
            reason = "only Red's first stone may be swapped" if move == position.size**2 else reason
            raise BadMove(f"not a legal move: {quote(text)} ({reason})")
        return move

    def describe(self, position: HexPosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: HexPosition) -> Claims:
        return Claims()

    def lanes(self, setup: Setup) -> BoardLanes:
        return hex_lanes(self.start(setup).size)

    def diagram(self, position: HexPosition) -> Diagram:
        return draw(position, position.rows(), ("●", "○"), style="hexagons", edges=(0, 1, 0, 1))

    def fill_cells(self, position: HexPosition) -> NDArray[np.int8]:
        return sign_cells(position.cells)

    def list_landings(self, position: HexPosition) -> NDArray[np.int32]:
        return land_on(position.legal, position.size**2)

    def touches(self, position: HexPosition, move: int) -> tuple[Square, ...]:
        return () if move == position.size**2 else (divmod(move, position.size),)


def _lines(size: int) -> tuple[str, ...]:
    """First stones that are neither lost nor won at a glance, on the edge: with a swap they are nearly even."""
    last = name_square(size - 1, size - 2)
    return ("a2", f"a{size - 1}", name_square(size - 2, size - 1), last, "b1", f"a{size // 2 + 1}")


_HEX = Hex()
