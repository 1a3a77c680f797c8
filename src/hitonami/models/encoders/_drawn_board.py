"""The board and the moves of a game that has nothing but its rules: read off its diagrams.

Kinds of pieces are the signs that diagrams of the game show, found in the starts of its examples and in some games
at random, always the same ones. Where the sides have signs of their own these are paired in their order. A move stands
where it lands, on a plane for where it came from; moves that touch the same squares (promotions) are told apart by the
order of their ids.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Diagram, Game, Position, Setup, last_touched, open_game
from hitonami.errors import BadInput

_GAMES: Final = 4
_PLIES: Final = 80


@dataclass(frozen=True, eq=False)
class DrawnBoard:
    """What diagrams of one board show. `alternates` moves may touch the same squares."""

    game: str
    rows: int
    columns: int
    kinds: int
    signs: tuple[dict[str, int], dict[str, int]]
    """The kind of each sign, by side."""
    view: Literal["same", "turned"]
    carries: bool
    """Whether moves have an origin; else pieces are only placed."""
    alternates: int

    @property
    def points(self) -> int:
        return self.rows * self.columns

    @cached_property
    def head_size(self) -> int:
        ways = (2 * self.rows - 1) * (2 * self.columns - 1) if self.carries else 0
        return (self.alternates * (1 + ways) + 1) * self.points

    def states_of(self, positions: Sequence[Position]) -> NDArray[np.int16]:
        states = [self._state(position) for position in positions]
        return np.stack(states) if states else np.zeros((0, self.points + 4), np.int16)

    def _state(self, position: Position) -> NDArray[np.int16]:
        state = np.full(self.points + 4, -1, np.int16)
        state[: self.points] = self._read(position.game.diagram(position))
        state[self.points], state[self.points + 3] = position.to_move, 0
        touched = [self._square(each) for each in last_touched(position)]
        if touched:
            state[self.points + 2] = touched[-1]
        if len(touched) > 1:
            state[self.points + 1] = touched[0]
        return state

    def _read(self, drawing: Diagram) -> list[int]:
        if (len(drawing.rows), len(drawing.rows[0]) if drawing.rows else 0) != (self.rows, self.columns):
            raise BadInput(f"this encoder takes boards of {self.game} of {self.rows}×{self.columns}")
        cells = []
        for cell in (cell for row in drawing.rows for cell in row):
            if cell.side is None or cell.off:
                cells.append(0)
                continue
            kind = self.signs[cell.side].get(cell.glyph)
            if kind is None:
                raise BadInput(f"{self.game}: the sign {cell.glyph!r} is new to this encoder")
            cells.append(-kind if cell.side else kind)
        return cells

    def _square(self, square: tuple[int, int]) -> int:
        return square[0] * self.columns + square[1]

    def places_of(self, position: Position) -> NDArray[np.int32]:
        """[L] where the legal moves stand."""
        met: dict[int, int] = {}
        turned = self.view == "turned" and position.to_move == 1
        places = []
        for move in position.legal.tolist():
            base = self._plane(position.game.touches(position, move), turned)
            nth = met.get(base, 0)
            met[base] = nth + 1
            passes = base < self.points
            if not passes and nth >= self.alternates:
                raise BadInput(
                    f"{self.game}: more than {self.alternates} moves touch the same squares; "
                    f"give the encoder alternates = {nth + 1}"
                )
            places.append(base + nth if passes else base + nth * self.points)
        return np.array(places, np.int32)

    def _plane(self, touched: Sequence[tuple[int, int]], turned: bool) -> int:
        """The place of the first of all moves that touch these squares; passes have the first plane."""
        if not touched:
            return 0
        squares = [
            (self.rows - 1 - row, self.columns - 1 - column) if turned else (row, column) for row, column in touched
        ]
        target, way = squares[-1], 0
        if self.carries and len(squares) > 1:
            down, right = (target[axis] - squares[0][axis] for axis in (0, 1))
            way = 1 + (down + self.rows - 1) * (2 * self.columns - 1) + right + self.columns - 1
        return (1 + way * self.alternates) * self.points + self._square(target)


@cache
def read_board(name: str, size: int, variant: str, alternates: int) -> DrawnBoard:
    """Raises BadInput for a game that is not drawn as a board."""
    game = open_game(name)
    start = game.start(Setup(size=size, variant=variant))
    drawing = game.diagram(start)
    if not drawing.rows:
        raise BadInput(f"{name} is not drawn as a board: no network can see it through its diagram")
    signs: tuple[set[str], set[str]] = (set(), set())
    carries, most = False, 1
    for position in _sample(game, start):
        for cell in (cell for row in game.diagram(position).rows for cell in row):
            if cell.side is not None and not cell.off:
                signs[cell.side].add(cell.glyph)
        touched = [tuple(game.touches(position, move)) for move in position.legal.tolist()]
        carries = carries or any(len(each) > 1 for each in touched)
        most = max(most, *(touched.count(each) for each in set(touched) if each), 1)
    kinds, paired = _pair(*map(sorted, signs))
    shape = len(drawing.rows), len(drawing.rows[0])
    view: Literal["same", "turned"] = "turned" if _faces_itself(drawing) else "same"
    return DrawnBoard(name, *shape, kinds, paired, view, carries, alternates or most)


def _sample(game: Game[Any], start: Position) -> Iterator[Position]:
    """Starts of the examples, and positions of games at random."""
    yield from (game.start(setup) for setup in game.examples)
    rng = np.random.default_rng(0)
    for _ in range(_GAMES):
        here = start
        for _ in range(_PLIES):
            yield here
            if not len(here.legal):
                break
            here = here.play(int(rng.choice(here.legal)))


def _pair(first: list[str], second: list[str]) -> tuple[int, tuple[dict[str, int], dict[str, int]]]:
    """Signs of both sides as kinds from 1 on: the same sign is the same kind, else the same letter, else the order."""
    if set(first) & set(second) or len(first) != len(second):
        both = {sign: at for at, sign in enumerate(sorted({*first, *second}), start=1)}
        return len(both), (both, both)
    order = sorted(second, key=lambda sign: (sign.casefold(), sign))
    ordered = sorted(first, key=lambda sign: (sign.casefold(), sign))
    numbers = range(1, len(first) + 1)
    return len(first), (dict(zip(ordered, numbers, strict=True)), dict(zip(order, numbers, strict=True)))


def _faces_itself(drawing: Diagram) -> bool:
    """Whether the start, turned by half a turn, has the other side's pieces everywhere."""
    sides = [cell.side for row in drawing.rows for cell in row]
    pairs = list(zip(sides, reversed(sides), strict=True))
    return any(each is not None for each in sides) and all(
        (a is None and b is None) or (a is not None and b == 1 - a) for a, b in pairs
    )


_HELD: Final = re.compile(r"(\D)(\d*)")


def count_hand(text: str, signs: dict[str, int], kinds: int) -> NDArray[np.float32]:
    """[kinds] how many of each are held, by a diagram's line: a sign, and a number where there are several."""
    counts = np.zeros(kinds, np.float32)
    for sign, number in _HELD.findall(text):
        if sign in signs:
            counts[signs[sign] - 1] += int(number or 1)
    return counts
