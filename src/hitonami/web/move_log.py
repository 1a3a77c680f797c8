"""The moves of games as texts: one place that writes them, and a log that writes each move of a growing game once.

Naming a move as people do needs the legal moves of its position, so writing a whole game again after every move costs
more than the move. The log keeps what it has written as long as the game goes on from there.
"""

from hitonami.core import Position

_Written = tuple[Position, str, str]
"""The position after a move, the move as people write it, and as programs do."""


class MoveLog:
    """What was written of one game. Several threads may ask: a list is replaced, never changed."""

    def __init__(self) -> None:
        self._written: tuple[_Written, ...] = ()

    def names(self, position: Position) -> list[str]:
        """Every move up to here, as people write them."""
        return [name for _, name, _ in self._up_to(position)]

    def texts(self, position: Position) -> list[str]:
        """Every move up to here, as programs write them."""
        return [text for _, _, text in self._up_to(position)]

    def _up_to(self, position: Position) -> tuple[_Written, ...]:
        known = self._written
        fresh: list[_Written] = []
        here = position
        while here.before is not None and here.last_move is not None:
            if here.ply <= len(known) and known[here.ply - 1][0] is here:
                break
            before, move = here.before, here.last_move
            fresh.append((here, here.game.describe(before, move), here.game.format(before, move)))
            here = before
        self._written = known[: here.ply] + tuple(reversed(fresh))
        return self._written


def move_names(position: Position) -> list[str]:
    """Every move up to here, as people write them."""
    return MoveLog().names(position)


def move_texts(position: Position) -> list[str]:
    """Every move up to here, as programs write them; cheaper than a log where nobody wants their names."""
    texts = []
    here = position
    while here.before is not None and here.last_move is not None:
        texts.append(here.game.format(here.before, here.last_move))
        here = here.before
    return texts[::-1]
