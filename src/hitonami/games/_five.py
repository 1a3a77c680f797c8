"""Games of five in a row: everything but which rows win and which points are forbidden."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Claims, Diagram, Setup, Square, index_of
from hitonami.errors import BadMove, BadPosition, quote
from hitonami.games._boards import (
    CELL,
    MOVE,
    NO_MOVES,
    BoardText,
    Linked,
    draw,
    land_on,
    name_square,
    read_board,
    read_square,
    refuse_move,
    sign_cells,
    write_board,
)
from hitonami.games._five_rules import EXACT, RENJU, WON, list_points, makes_five, place

LEAST: Final = 5
MOST: Final = 25


class FivePosition(Linked):
    """A situation in a game of five in a row. `cells` has 0 for empty, 1 Black, 2 White, in the order of move ids."""

    __slots__ = ("cells", "game", "rule", "size")

    def __init__(  # noqa: PLR0913, PLR0917  (a position is many things)
        self,
        game: "FiveInARow",
        cells: NDArray[np.uint8],
        size: int,
        rule: int,
        to_move: int,
        setup: Setup,
        before: "FivePosition | None" = None,
        last_move: int | None = None,
    ) -> None:
        self.setup = setup
        self.before = before
        self.last_move = last_move
        self.ply = 0 if before is None else before.ply + 1
        self.game = game
        self.cells = cells
        self.size = size
        self.rule = rule
        self.to_move = to_move
        self.legal = NO_MOVES
        self.ending = None
        self.score = None

    def _settle(self, answer: int, moves: NDArray[np.int32]) -> "FivePosition":
        """Take what a kernel answered for this position."""
        if answer == WON:
            self.ending, self.score = "five in a row", float(self.to_move)
        elif answer == 0:
            self.ending, self.score = "full board" if self.cells.all() else "no point allowed", 0.5
        else:
            self.legal = moves[:answer]
        return self

    @property
    def key(self) -> tuple[bytes, int, int]:
        return self.cells.tobytes(), self.to_move, self.rule

    def rows(self) -> list[list[int]]:
        return self.cells.reshape(self.size, self.size).tolist()

    def play(self, move: int) -> "FivePosition":
        if self.ending is not None:
            refuse_move(self, move)
        return self._after(int(move), True)

    def follow(self, move: int) -> "FivePosition":
        return self._after(int(move), False)

    def _after(self, move: int, checked: bool) -> "FivePosition":
        size = self.size
        cells, moves = np.empty(size * size, CELL), np.empty(size * size, MOVE)
        answer = place(self.cells, size, self.to_move, self.rule, move, checked, cells, moves)
        if answer < 0:
            refuse_move(self, move)
        after = FivePosition(self.game, cells, size, self.rule, 1 - self.to_move, self.setup, self, move)
        if 0 < answer < WON:
            after.legal = moves[:answer]
            return after
        return after._settle(answer, moves)


class FiveInARow(ABC):
    """What gomoku and renju share. Positions are boards as text, x for Black and o for White."""

    name: ClassVar[str]
    examples: Sequence[Setup]
    sides = ("Black", "White")

    def _begin(self, setup: Setup, size: int, rule: int, board: BoardText | None) -> FivePosition:
        cells = np.zeros(size * size, np.uint8)
        to_move = 0
        if board is not None:
            cells, to_move = np.array(board.rows, np.uint8).ravel(), board.to_move
        position = FivePosition(self, cells, size, rule, to_move, setup)
        for side in (to_move, 1 - to_move):
            exact = rule == EXACT or (rule == RENJU and side == 0)
            own = np.flatnonzero(cells == side + 1)
            if any(makes_five(cells, size, int(point), side + 1, exact) for point in own):
                if side == to_move:
                    raise BadPosition(f"the side to move has five in a row: {quote(setup.start)}")
                return position._settle(WON, NO_MOVES)
        moves = np.empty(size * size, np.int32)
        return position._settle(list_points(cells, size, to_move, rule, moves), moves)

    @abstractmethod
    def start(self, setup: Setup = Setup()) -> FivePosition: ...  # noqa: B008  (frozen)

    def read(self, text: str) -> FivePosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=plain))

    def write(self, position: FivePosition) -> str:
        return write_board(position.rows(), position.to_move, "xo", *self.words(position))

    def words(self, position: FivePosition) -> tuple[str, ...]:
        """What a position's text says beyond the board."""
        return ()

    def format(self, position: FivePosition, move: int) -> str:
        index_of(position, move)
        return name_square(*divmod(move, position.size), position.size)

    def parse(self, position: FivePosition, text: str) -> int:
        """A point: "h8", counted from the lower left, in any case."""
        row, column = read_square(text, position.size, position.size, from_bottom=True)
        move = row * position.size + column
        if not len(position.legal) or move not in position.legal:
            raise BadMove(f"not a legal move: {quote(text)} ({self.why_not(position, move)})")
        return move

    def why_not(self, position: FivePosition, move: int) -> str:
        if position.ending:
            return f"the game is over: {position.ending}"
        return "the point is taken" if position.cells[move] else "forbidden to Black"

    def describe(self, position: FivePosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: FivePosition) -> Claims:
        return Claims()

    def diagram(self, position: FivePosition) -> Diagram:
        return draw(position, position.rows(), ("●", "○"), from_bottom=True, style="points", dots=_dots(position.size))

    def fill_cells(self, position: FivePosition) -> NDArray[np.int8]:
        return sign_cells(position.cells)

    def list_landings(self, position: FivePosition) -> NDArray[np.int32]:
        return land_on(position.legal, len(position.cells))

    def touches(self, position: FivePosition, move: int) -> tuple[Square, ...]:
        return (divmod(move, position.size),)


def read_square_board(text: str, game: str) -> BoardText | None:
    """A board of as many rows as columns, None for the usual start. Raises BadPosition."""
    if text.strip() in ("", "startpos"):
        return None
    board = read_board(text, "xo")
    if len(board.rows) != len(board.rows[0]) or not LEAST <= len(board.rows) <= MOST:
        raise BadPosition(f"not a board of {game}, {LEAST} to {MOST} lines each way: {quote(text)}")
    return board


def agree_on_size(setup: Setup, board: BoardText | None, game: Any) -> int:
    """The size of the start where there is one. Raises BadPosition where the setup says another."""
    if board is not None and setup.size and setup.size != len(board.rows):
        raise BadPosition(f"a start of {len(board.rows)} lines in a setup of {setup.size}")
    return len(board.rows) if board is not None else setup.size


def _dots(size: int) -> frozenset[Square]:
    """The middle and four points towards the corners."""
    if size < 13 or size % 2 == 0:
        return frozenset()
    near, far, middle = 3, size - 4, size // 2
    return frozenset({(row, column) for row in (near, far) for column in (near, far)} | {(middle, middle)})
