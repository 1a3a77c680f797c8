"""A game in one file, as docs/adding-a-game.md tells it: five in a row on seven lines, two stones a turn.

Black begins with one stone; from then on each side puts two, so turns do not alternate. Move ids are `row·7 + column`.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from hitonami.core import Cell, Claims, Diagram, Moves, Setup, Square, last_touched
from hitonami.errors import BadMove, BadPosition, BadSetup, quote

SIZE, WIN = 7, 5
_LINES = [
    [(row + down * at) * SIZE + column + right * at for at in range(WIN)]
    for row in range(SIZE)
    for column in range(SIZE)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + down * (WIN - 1) < SIZE and 0 <= column + right * (WIN - 1) < SIZE
]
_CELLS = {".": Cell(), "x": Cell("x", 0), "o": Cell("o", 1)}


class TwofoldPosition:
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self, text: str, setup: Setup, before: "TwofoldPosition | None" = None, last: int | None = None
    ) -> None:
        self.text = text
        self.setup, self.before, self.last_move = setup, before, last
        self.ply: int = 0 if before is None else before.ply + 1
        stones = SIZE * SIZE - text.count(".")
        self.to_move = (stones + 1) // 2 % 2

    @property
    def game(self) -> "Twofold":
        return _TWOFOLD

    @property
    def key(self) -> str:
        return self.text

    @cached_property
    def winner(self) -> int | None:
        for line in _LINES:
            stones = {self.text[at] for at in line}
            if stones in ({"x"}, {"o"}):
                return "xo".index(stones.pop())
        return None

    @cached_property
    def legal(self) -> Moves:
        if self.winner is not None:
            return np.empty(0, np.int32)
        return np.array([at for at, cell in enumerate(self.text) if cell == "."], dtype=np.int32)

    @property
    def score(self) -> float | None:
        if self.winner is not None:
            return float(self.winner == 0)
        return None if "." in self.text else 0.5

    @property
    def ending(self) -> str | None:
        return "five in a row" if self.winner is not None else None if "." in self.text else "full board"

    def play(self, move: int) -> "TwofoldPosition":
        if move not in self.legal:
            raise BadMove(f"move id {move} is not legal here")
        return self.follow(move)

    def follow(self, move: int) -> "TwofoldPosition":
        stone = "xo"[self.to_move]
        return TwofoldPosition(self.text[:move] + stone + self.text[move + 1 :], self.setup, self, move)


class Twofold:
    name = "twofold"
    sides = ("Black", "White")
    examples: Sequence[Setup] = (Setup(),)

    def start(self, setup: Setup = Setup()) -> TwofoldPosition:  # noqa: B008
        if setup != Setup(start=setup.start):
            raise BadSetup("twofold has one board and no handicap")
        return TwofoldPosition(_check(setup.start) if setup.start else "." * SIZE * SIZE, setup)

    def read(self, text: str) -> TwofoldPosition:
        plain = text.strip()
        return self.start() if plain in ("", "startpos") else self.start(Setup(start=_check(plain)))

    def write(self, position: TwofoldPosition) -> str:
        return position.text

    def format(self, position: TwofoldPosition, move: int) -> str:
        if move not in position.legal:
            raise BadMove(f"move id {move} is not legal here")
        return f"{'abcdefg'[move % SIZE]}{SIZE - move // SIZE}"

    def parse(self, position: TwofoldPosition, text: str) -> int:
        plain = text.strip().lower()
        if len(plain) != 2 or plain[0] not in "abcdefg" or plain[1] not in "1234567":
            raise BadMove(f"not a square of this board: {quote(text)}; squares are a1 to g7")
        move = (SIZE - int(plain[1])) * SIZE + "abcdefg".index(plain[0])
        if move not in position.legal:
            raise BadMove(f"{quote(text)} is not legal here")
        return move

    def describe(self, position: TwofoldPosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: TwofoldPosition) -> Claims:
        return Claims()

    def diagram(self, position: TwofoldPosition) -> Diagram:
        rows = [position.text[at : at + SIZE] for at in range(0, SIZE * SIZE, SIZE)]
        return Diagram(
            tuple(tuple(_CELLS[cell] for cell in row) for row in rows),
            tuple("abcdefg"),
            tuple("7654321"),
            marked=frozenset(last_touched(position)),
        )

    def touches(self, position: TwofoldPosition, move: int) -> tuple[Square, ...]:
        return (divmod(move, SIZE),)


def _check(text: str) -> str:
    if len(text) != SIZE * SIZE or set(text) - set(".xo"):
        raise BadPosition(f"a position of twofold is {SIZE * SIZE} letters of . x o, got {quote(text)}")
    return text


_TWOFOLD = Twofold()
