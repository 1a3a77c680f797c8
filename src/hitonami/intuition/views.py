"""How positions look to patterns: what stands on each cell for the side to move, and where each move leads.

A game is read through its diagram and what its moves touch, or faster where it says so itself (`CellGame`). A game
that is drawn in words has no cells: there a move is known by its number alone.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Diagram, Position, last_touched
from hitonami.lanes import CellGame

OFF: Final = 0
EMPTY: Final = 1
FRIEND: Final = 2
ENEMY: Final = 3
LAST: Final = 4
"""Where the last move landed."""
ORIGIN: Final = 5
"""Where the move comes from."""
KINDS: Final = 6
"""From here on own pieces by kind, then the other side's."""
MOST_KINDS: Final = 28
WORDS: Final = ("off", "empty", "friend", "enemy", "last", "origin")
BLOCKED: Final = 127
"""A cell that is no cell, or that nobody can own."""
NOWHERE: Final = -1


@dataclass(frozen=True, slots=True)
class View:
    """A position as patterns see it."""

    bits: NDArray[np.uint64]
    """[cells + 1] what is true of each cell, a bit a condition; the last is off the board."""
    landings: NDArray[np.int32]
    """[moves, 2] cells that each move leaves and lands on, -1 for none."""
    numbers: NDArray[np.int32]
    """[moves] the moves' own numbers in a game without a board; nothing on boards, where they are told by cells."""
    high: int
    wide: int
    to_move: int


@dataclass(frozen=True)
class Eyes:
    """Reads the positions of one game. `kinds` are pairs: how a kind of piece is drawn for each side."""

    kinds: tuple[tuple[str, str], ...] = ()

    @cached_property
    def _codes(self) -> dict[tuple[int | None, str], int]:
        codes: dict[tuple[int | None, str], int] = {}
        for at, pair in enumerate(self.kinds, start=1):
            for side, glyph in enumerate(pair):
                codes[side, glyph] = at if side == 0 else -at
        return codes

    @cached_property
    def _plain(self) -> NDArray[np.uint64]:
        """[2, 3] bits of an empty cell, player 0's and player 1's piece, by who is to move: -1 is the last."""
        friend, enemy = 1 << FRIEND, 1 << ENEMY
        return np.array([[1 << EMPTY, friend, enemy], [1 << EMPTY, enemy, friend]], np.uint64)

    @cached_property
    def _meanings(self) -> NDArray[np.uint64]:
        """[2, 256] bits of a code, by who is to move; codes of pieces without a kind are ±126."""
        table = np.zeros((2, 256), np.uint64)
        count = len(self.kinds)
        for side in (0, 1):
            table[side, 0], table[side, BLOCKED] = 1 << EMPTY, 1 << OFF
            for code in [*range(1, count + 1), 126]:
                for sign in (1, -1):
                    own = (sign == 1) == (side == 0)
                    bits = 1 << (FRIEND if own else ENEMY)
                    if code <= min(count, MOST_KINDS):
                        bits |= 1 << (KINDS + code - 1 + (0 if own else count))
                    table[side, sign * code & 255] = bits
        return table

    def conditions(self) -> tuple[str, ...]:
        """Names of what can be true of a cell, in the order of their bits."""
        own = [f"own {pair[0]}" for pair in self.kinds]
        return (*WORDS, *own, *(f"their {pair[0]}" for pair in self.kinds))

    def codes(self, position: Position) -> tuple[NDArray[np.int8], int, int]:
        """[cells] the pieces, player 0's as positive numbers; rows; columns. Nothing where the game has no board."""
        game: Any = position.game
        if is_fast(game) and not self.kinds:
            cells = game.fill_cells(position)
            signed = np.where(cells == 0, 0, np.where(cells > 0, 126, -126)).astype(np.int8)
            return signed, *_shape_of(position, len(cells))
        return self._read(game.diagram(position))

    def _read(self, diagram: Diagram) -> tuple[NDArray[np.int8], int, int]:
        high, wide = len(diagram.rows), len(diagram.rows[0]) if diagram.rows else 0
        found = [
            BLOCKED
            if cell.off or (cell.side is None and cell.glyph)
            else 0
            if cell.side is None
            else self._codes.get((cell.side, cell.glyph), -126 if cell.side else 126)
            for row in diagram.rows
            for cell in row
        ]
        return np.array(found, np.int8), high, wide

    def look(self, position: Position) -> View:
        game: Any = position.game
        if is_fast(game) and not self.kinds:
            cells = game.fill_cells(position)
            high, wide = _shape_of(position, len(cells))
            bits = np.empty(len(cells) + 1, np.uint64)
            bits[:-1] = self._plain[position.to_move][cells]
            landings = game.list_landings(position)
        else:
            codes, high, wide = self._read(game.diagram(position))
            bits = np.empty(len(codes) + 1, np.uint64)
            bits[:-1] = self._meanings[position.to_move][codes.view(np.uint8)]
            landings = list_landings(position, wide)
        bits[-1] = 1
        touched = last_touched(position) if wide else ()
        if touched:
            row, column = touched[-1]
            bits[row * wide + column] |= _LAST_BIT
        return View(bits, landings, _NO_NUMBERS if wide else position.legal, high, wide, position.to_move)


_NO_NUMBERS: Final = np.empty(0, np.int32)
_LAST_BIT: Final = np.uint64(1 << LAST)


def is_fast(game: Any) -> bool:
    """Whether a game reads itself. Asked once for each of its class: a protocol takes longer than a whole look."""
    kind = type(game)
    if kind not in _FAST:
        _FAST[kind] = isinstance(game, CellGame)
    return _FAST[kind]


_FAST: Final[dict[type, bool]] = {}


def _shape_of(position: Position, cells: int) -> tuple[int, int]:
    """Rows and columns, from the drawing once for each number of cells of a game."""
    game: Any = position.game
    key = game.name, cells
    if key not in _SHAPES:
        rows = game.diagram(position).rows
        _SHAPES[key] = len(rows), len(rows[0])
    return _SHAPES[key]


_SHAPES: Final[dict[tuple[str, int], tuple[int, int]]] = {}


def list_landings(position: Position, wide: int) -> NDArray[np.int32]:
    """[moves, 2] cells that each move leaves and lands on, -1 for none."""
    game: Any = position.game
    if is_fast(game):
        listed: NDArray[np.int32] = game.list_landings(position)
        return listed
    landings = np.full((len(position.legal), 2), NOWHERE, np.int32)
    if not wide:
        return landings
    for at, move in enumerate(position.legal.tolist()):
        touched = game.touches(position, move)
        if touched:
            landings[at, 1] = touched[-1][0] * wide + touched[-1][1]
        if len(touched) > 1:
            landings[at, 0] = touched[0][0] * wide + touched[0][1]
    return landings
