"""The board behind a GTP session: a setup, the moves that were played on it, and the way back.

GTP lets either side move at any time, while the rules of Go take turns. A side that moves twice is given
a pass of the other side between; a pass that would end the game that way, and the passes that ended it,
are taken back instead, because a further move shows that the game goes on. Which side moved is kept, so
that `undo` takes back one command, with the passes that came with it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hitonami.core import Game, Position, Setup
from hitonami.errors import BadInput

_MOST_GIVEN = 25
"""No board has points for more fixed handicap stones than this."""


class Goban:
    """One game. Every change either happens as a whole or raises and leaves the game as it was."""

    def __init__(self, rules: Game[Any]) -> None:
        self.rules = rules
        self._plain = Setup(size=19)
        self._log: list[tuple[int, int]] = []
        self._positions: list[Position] = [rules.start(self._plain)]

    @property
    def position(self) -> Position:
        return self._positions[-1]

    @property
    def size(self) -> int:
        return len(self.rules.diagram(self.position).ranks)

    @property
    def is_empty(self) -> bool:
        return not self._log and not self.stones(0) and not self.stones(1)

    def clear(self, size: int | None = None) -> None:
        """An empty board, of another size where one is given. Komi and rules stay. Raises BadSetup."""
        wanted = replace(self._plain, size=size or self.size)
        start = self.rules.start(wanted)
        self._plain, self._log, self._positions = wanted, [], [start]

    def change(self, **fields: Any) -> None:
        """Another komi or rule set for the game as it stands. Raises BadInput where its moves do not fit."""
        self._positions = self._replay(replace(self._positions[0].setup, **fields))
        self._plain = replace(self._plain, **fields)

    def _replay(self, setup: Setup) -> list[Position]:
        positions = [self.rules.start(setup)]
        for side, move in self._log:
            positions.append(self._after(positions[-1], side, move))
        return positions

    def _after(self, position: Position, side: int, move: int) -> Position:
        if not len(position.legal) and move == _pass_of(position):
            return position  # a third pass changes nothing
        return self.turn_to(side, position).play(move)

    def turn_to(self, side: int, position: Position | None = None) -> Position:
        """The position with this side to move."""
        here = self.position if position is None else position
        while not len(here.legal) and here.before is not None:
            here = here.before  # before the passes that ended the game
        if here.to_move == side:
            return here
        if here.before is not None and here.last_move == _pass_of(here) and here.before.to_move == side:
            return here.before
        return here.play(_pass_of(here))

    def play(self, side: int, text: str) -> None:
        """Raises BadMove."""
        move = self.rules.parse(self.turn_to(side), text)
        self._positions.append(self._after(self.position, side, move))
        self._log.append((side, move))

    def undo(self) -> bool:
        """Take one command back. False where there is none."""
        if not self._log:
            return False
        self._log.pop()
        self._positions.pop()
        return True

    def give(self, stones: int) -> list[str]:
        """Put a fixed handicap on the empty board; White moves next. Raises BadSetup."""
        return self._begin(replace(self._plain, handicap=stones))

    def give_at_most(self, stones: int) -> list[str]:
        """As `give`, with as many stones as the board has points for. Raises BadSetup where it has none."""
        for fewer in range(min(stones, _MOST_GIVEN), 2, -1):
            try:
                return self.give(fewer)
            except BadInput:
                continue
        return self.give(2)

    def give_at(self, points: list[str]) -> list[str]:
        """Put handicap stones on these points. Raises BadInput."""
        start = self.rules.start(self._plain)
        moves = [self.rules.parse(start, text) for text in points]
        if len(set(moves)) < len(moves) or _pass_of(start) in moves:
            raise BadInput("a point given twice, or a pass")
        size = self.size
        placed = "".join(f"[{_letter(move % size)}{_letter(move // size)}]" for move in moves)
        return self._begin(replace(self._plain, start=f"(;SZ[{size}]HA[{len(moves)}]AB{placed}PL[W])"))

    def _begin(self, setup: Setup) -> list[str]:
        self._log, self._positions = [], [self.rules.start(setup)]
        return self.stones(0)

    def take(self, setup: Setup, moves: tuple[int, ...]) -> None:
        """Go on from a record. Raises BadInput."""
        position: Position = self.rules.start(setup)
        positions, log = [position], []
        for move in moves:
            log.append((position.to_move, move))
            position = position.play(move)
            positions.append(position)
        self._log, self._positions = log, positions
        self._plain = replace(self._plain, size=self.size, komi=setup.komi)

    def stones(self, side: int) -> list[str]:
        """The points on which this side has stones, from the top left."""
        diagram = self.rules.diagram(self.position)
        return [
            f"{column}{rank}"
            for rank, row in zip(diagram.ranks, diagram.rows, strict=True)
            for column, cell in zip(diagram.columns, row, strict=True)
            if cell.side == side
        ]

    def show(self) -> list[str]:
        """The board in plain characters: X Black, O White, the side to move below."""
        diagram = self.rules.diagram(self.position)
        letters = "   " + " ".join(diagram.columns)
        rows = [
            f"{rank:>2} " + " ".join(".XO"[0 if cell.side is None else cell.side + 1] for cell in row) + f" {rank}"
            for rank, row in zip(diagram.ranks, diagram.rows, strict=True)
        ]
        side = self.rules.sides[self.position.to_move]
        said = self.position.ending or f"{side} to move"
        return [letters, *rows, letters, f"captured by Black {diagram.hands[0]}, by White {diagram.hands[1]}; {said}"]

    def name_points(self, points: Sequence[int]) -> list[str]:
        """Move ids as points of this board."""
        diagram, size = self.rules.diagram(self.position), self.size
        return [f"{diagram.columns[at % size]}{diagram.ranks[at // size]}" for at in points]


def _pass_of(position: Position) -> int:
    """The id of a pass: the last one of any position that is not over, and one more than the last point."""
    return int(position.legal[-1]) if len(position.legal) else int(position.last_move or 0)


def _letter(number: int) -> str:
    return chr(ord("a") + number)
