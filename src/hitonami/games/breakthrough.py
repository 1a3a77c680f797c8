"""Breakthrough: two rows of men each, who step straight or aslant forward and take aslant only. Who reaches the far row
wins. Boards of 5 to 12 lines, 8 where none is asked for.

White moves first, from below. Move ids are `3·origin + way` (left, straight, right as drawn), with squares counted row
by row from the top. There are no draws: somebody can always move.
"""

from collections.abc import Sequence
from dataclasses import replace
from operator import index
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Claims, Diagram, Moves, Setup, Square, index_of
from hitonami.customs import Customs, KnownEngine, Phases
from hitonami.errors import BadMove, BadPosition, quote
from hitonami.fairy import FairyRules
from hitonami.games._boards import (
    MOVE,
    NO_MOVES,
    Linked,
    choose_size,
    draw,
    name_square,
    read_board,
    read_square,
    refuse_move,
    refuse_setup,
    sign_cells,
    write_board,
)
from hitonami.games._breakthrough_lanes import breakthrough_lanes
from hitonami.games._breakthrough_rules import CHECKED, WON, advance, list_moves, target_of
from hitonami.games._lanes import BoardLanes

LEAST: Final = 5
MOST: Final = 12


class BreakthroughPosition(Linked):
    """A situation in a game of Breakthrough. `state` as the kernels have it."""

    __slots__ = ("size", "state")

    def __init__(  # noqa: PLR0913, PLR0917  (a position is many things)
        self,
        state: NDArray[np.int32],
        size: int,
        to_move: int,
        legal: Moves,
        setup: Setup,
        before: "BreakthroughPosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        self.setup = setup
        self.before = before
        self.last_move = last_move
        self.ply = 0 if before is None else before.ply + 1
        self.state = state
        self.size = size
        self.to_move = to_move
        self.legal = legal
        self.ending = None
        self.score = None

    def _lost(self) -> "BreakthroughPosition":
        """This position, as the end of the game that it is for the side to move."""
        reached = (self.cells.reshape(self.size, self.size)[0 if self.to_move else -1] == 2 - self.to_move).any()
        self.ending, self.score = "far row reached" if reached else "all taken", float(self.to_move)
        return self

    @property
    def game(self) -> "Breakthrough":
        return _BREAKTHROUGH

    @property
    def cells(self) -> NDArray[np.int32]:
        """[size²] 0 empty, 1 White, 2 Black."""
        return self.state[: self.size * self.size]

    @property
    def key(self) -> tuple[bytes, int]:
        return self.cells.tobytes(), self.to_move

    def rows(self) -> list[list[int]]:
        return self.cells.reshape(self.size, self.size).tolist()

    def play(self, move: int) -> "BreakthroughPosition":
        if self.ending is not None:
            refuse_move(self, move)
        return self._after(index(move), self.to_move | CHECKED)

    def follow(self, move: int) -> "BreakthroughPosition":
        return self._after(index(move), self.to_move)

    def _after(self, move: int, flags: int) -> "BreakthroughPosition":
        size = self.size
        points = size * size
        state = np.empty(points + 6 * size, MOVE)
        answer = advance(self.state, size, move, flags, state)
        if answer < 0:
            refuse_move(self, move)
        to_move = 1 - self.to_move
        if answer == WON:
            return BreakthroughPosition(state, size, to_move, NO_MOVES, self.setup, self, move)._lost()
        return BreakthroughPosition(state, size, to_move, state[points : points + answer], self.setup, self, move)


class Breakthrough:
    """Breakthrough. Positions are boards as text: w for White's men, b for Black's, then the side to move."""

    name = "breakthrough"
    sides = ("White", "Black")
    customs = Customs(
        title="Breakthrough",
        japanese={
            "Breakthrough": "ブレイクスルー",
            "far row reached": "奥の段に着いた",
            "all taken": "全部取られた",
        },
        diagram_style="checkered",
        place=18,
        engine=KnownEngine("fairy-stockfish", "fairy-stockfish", "fairy:fairy-stockfish", {"nodes": 20_000}),
        can_draw=False,
        sizes=(5, 6, 8, 10),
        usual_size=8,
        lines={
            8: ("b2b3 g7g6", "d2d3 d7d6", "c2c3 f7f6", "e2e3 e7e6", "b2b3 b7b6", "g2g3 g7g6", "f2f3 c7c6", "a2a3 h7h6")
        },
        phases=Phases(16, 50),
        most_plies=250,
    )
    examples: Sequence[Setup] = (
        Setup(),
        Setup(size=5),
        Setup(size=12),
        Setup(start="5/1w3/5/3b1/5 w"),
        Setup(start="b4/2b2/1w3/5/w4 b"),
    )

    def start(self, setup: Setup = Setup()) -> BreakthroughPosition:  # noqa: B008  (frozen)
        refuse_setup(setup, self.name, ("size",))
        if setup.start.strip() in ("", "startpos"):
            size = choose_size(setup, self.name, 8, LEAST, MOST)
            state = _usual_state(size)
            return BreakthroughPosition(state, size, 0, _listed(state, size, 0), setup)
        board = read_board(setup.start, "wb")
        size, to_move = len(board.rows), board.to_move
        if size != len(board.rows[0]) or board.words or (setup.size and setup.size != size):
            raise BadPosition(f"not a board of Breakthrough, as many rows as columns: {quote(setup.start)}")
        choose_size(replace(setup, size=size), self.name, 8, LEAST, MOST)
        state = np.zeros(size * size + 6 * size, MOVE)
        cells = state[: size * size]
        cells[:] = np.ravel(board.rows)
        if self._has_won(cells, size, to_move) or max((cells == 1).sum(), (cells == 2).sum()) > 2 * size:
            raise BadPosition(f"more than {2 * size} men, or the side to move has won: {quote(setup.start)}")
        if self._has_won(cells, size, 1 - to_move):
            return BreakthroughPosition(state, size, to_move, NO_MOVES, setup)._lost()
        return BreakthroughPosition(state, size, to_move, _listed(state, size, to_move), setup)

    def _has_won(self, cells: NDArray[np.int32], size: int, side: int) -> bool:
        far = cells[-size:] if side else cells[:size]
        return bool((far == side + 1).any() or not (cells == 2 - side).any())

    def read(self, text: str) -> BreakthroughPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: BreakthroughPosition) -> str:
        return write_board(position.rows(), position.to_move, "wb")

    def format(self, position: BreakthroughPosition, move: int) -> str:
        index_of(position, move)
        return "".join(name_square(*square, position.size) for square in self.touches(position, move))

    def parse(self, position: BreakthroughPosition, text: str) -> int:
        """From where to where: "a2a3", "a2xb3" or "a2-a3", in any case."""
        plain = text.strip().lower()
        for at in range(2, 4):
            rest = plain[at:].removeprefix("x").removeprefix("-")
            if plain[at - 1 : at].isdigit() and rest[:1].isalpha():
                row, column = read_square(plain[:at], position.size, position.size, from_bottom=True)
                near, beside = read_square(rest, position.size, position.size, from_bottom=True)
                move = 3 * (row * position.size + column) + beside - column + 1
                forward = near - row == (1 if position.to_move else -1)
                if forward and abs(beside - column) <= 1 and move in position.legal:
                    return move
                raise BadMove(f"not a legal move: {quote(text)}", self.write(position))
        raise BadMove(f"not a move: {quote(text)}; moves are written from where to where, as in a2a3 or a2xb3")

    def describe(self, position: BreakthroughPosition, move: int) -> str:
        text = self.format(position, move)
        target = target_of(position.size, position.to_move, move)
        origin = name_square(*divmod(move // 3, position.size), position.size)
        return f"{origin}{'x' if position.cells[target] else '-'}{text[len(origin) :]}"

    def claims(self, position: BreakthroughPosition) -> Claims:
        return Claims()

    def fairy_rules(self, position: BreakthroughPosition) -> FairyRules:
        return _fairy_rules(position.size)

    def fairy_fen(self, position: BreakthroughPosition) -> str:
        board, side = self.write(position).split()
        return f"{board.replace('w', 'P').replace('b', 'p')} {side} - - 0 1"

    def fairy_move(self, position: BreakthroughPosition, move: int) -> str:
        return "".join(name_square(*square, position.size) for square in self.touches(position, move))

    def read_fairy_move(self, position: BreakthroughPosition, text: str) -> int:
        return self.parse(position, text)

    def lanes(self, setup: Setup) -> BoardLanes:
        return breakthrough_lanes(self.start(setup).size)

    def diagram(self, position: BreakthroughPosition) -> Diagram:
        return draw(position, position.rows(), ("♙", "♟"), from_bottom=True, style="checkered")

    def fill_cells(self, position: BreakthroughPosition) -> NDArray[np.int8]:
        return sign_cells(position.cells)

    def list_landings(self, position: BreakthroughPosition) -> NDArray[np.int32]:
        moves, size = position.legal, position.size
        step = moves % 3 - 1 + (size if position.to_move else -size)
        return np.stack([moves // 3, moves // 3 + step], axis=1)

    def touches(self, position: BreakthroughPosition, move: int) -> tuple[Square, ...]:
        target = target_of(position.size, position.to_move, move)
        return divmod(move // 3, position.size), divmod(target, position.size)


def _fairy_rules(size: int) -> FairyRules:
    """Eight lines Fairy-Stockfish knows by itself. Regions have their names of today, and those of its version 11."""
    if size == 8:
        return FairyRules("breakthrough")
    name = f"breakthrough{size}"
    regions = "".join(
        f"{option} = *{rank}\n"
        for option, rank in (("flagRegionWhite", size), ("flagRegionBlack", 1), ("whiteFlag", size), ("blackFlag", 1))
    )
    row, gap = "p" * size, "/".join([str(size)] * (size - 4))
    start = f"startFen = {row}/{row}/{gap}/{row.upper()}/{row.upper()} w - - 0 1\n"
    return FairyRules(name, f"[{name}:breakthrough]\nmaxRank = {size}\nmaxFile = {size}\n{start}{regions}")


def _usual_state(size: int) -> NDArray[np.int32]:
    state = np.zeros(size * size + 6 * size, MOVE)
    state[: 2 * size], state[size * size - 2 * size : size * size] = 2, 1
    return state


def _listed(state: NDArray[np.int32], size: int, to_move: int) -> Moves:
    """The moves of a state, listed in it."""
    points = size * size
    return state[points : points + list_moves(state, size, to_move)]


_BREAKTHROUGH = Breakthrough()
