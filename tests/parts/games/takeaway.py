"""A game whose only drawing is text: seven counters, each side takes one to three, who takes the last one wins."""

from collections.abc import Sequence

import numpy as np

from hitonami.core import Claims, Diagram, Moves, Setup, Square
from hitonami.errors import BadMove, BadPosition, BadSetup, quote

COUNTERS, MOST = 7, 3


class TakeawayPosition:
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, left: int, side: int, setup: Setup, before: "TakeawayPosition | None", last: int | None) -> None:
        self.left, self.to_move, self.setup, self.before, self.last_move = left, side, setup, before, last
        self.ply: int = 0 if before is None else before.ply + 1
        self.legal: Moves = np.arange(1, min(MOST, left) + 1, dtype=np.int32)
        self.score = None if left else float(side == 1)
        self.ending = None if left else "last counter taken"
        self.key = (left, side)

    @property
    def game(self) -> "Takeaway":
        return _TAKEAWAY

    def play(self, move: int) -> "TakeawayPosition":
        if move not in self.legal:
            raise BadMove(f"move id {move} is not legal here")
        return self.follow(move)

    def follow(self, move: int) -> "TakeawayPosition":
        return TakeawayPosition(self.left - move, 1 - self.to_move, self.setup, self, move)


class Takeaway:
    name = "takeaway"
    sides = ("First", "Second")
    examples: Sequence[Setup] = (Setup(),)

    def start(self, setup: Setup = Setup()) -> TakeawayPosition:  # noqa: B008
        if setup != Setup(start=setup.start) or (setup.start and not setup.start.isdigit()):
            raise BadSetup("takeaway begins with a number of counters")
        return TakeawayPosition(int(setup.start or COUNTERS), 0, setup, None, None)

    def read(self, text: str) -> TakeawayPosition:
        if text.strip() in ("", "startpos"):
            return self.start()
        if not text.strip().isdigit():
            raise BadPosition(f"a position of takeaway is a number of counters, got {quote(text)}")
        return self.start(Setup(start=text.strip()))

    def write(self, position: TakeawayPosition) -> str:
        return str(position.left)

    def format(self, position: TakeawayPosition, move: int) -> str:
        return f"take{move}"

    def parse(self, position: TakeawayPosition, text: str) -> int:
        word, _, taken = text.strip().partition("take")
        if word or not taken.isdigit() or int(taken) not in position.legal:
            raise BadMove(f"{quote(text)} is not legal here")
        return int(taken)

    def describe(self, position: TakeawayPosition, move: int) -> str:
        return self.format(position, move)

    def claims(self, position: TakeawayPosition) -> Claims:
        return Claims()

    def diagram(self, position: TakeawayPosition) -> Diagram:
        return Diagram((), (), (), text="o" * position.left or "none left")

    def touches(self, position: TakeawayPosition, move: int) -> tuple[Square, ...]:
        return ()


_TAKEAWAY = Takeaway()
