"""How soon a person gives up lost games, beside the people whom they play.

Whether a lost game is given up or played to its end is a habit as personal as an opening. Who they play are people of
their level, in the same pool and under the same clocks: their lost games say what is usual there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from hitonami.dataset.shards import start_of
from hitonami.records import Record
from hitonami.style.person import OwnGame

_BELIEVED_AFTER: Final = 4.0
"""Lost games of their own that weigh as much as what is usual."""
_LOST_TURNS: Final = 8.0
"""Turns of a lost game at which it might be given up: a chance for the game becomes one for each of them so."""
_SURE: Final = 0.01


@dataclass(frozen=True)
class Readiness:
    """Lost games that were given up, and those that were given up or played to their end by the rules."""

    given_up: int = 0
    lost: int = 0
    others_given_up: int = 0
    others_lost: int = 0

    @property
    def usual(self) -> float:
        """The share of lost games that the others give up."""
        return _kept_open(self.others_given_up / max(self.others_lost, 1))

    @property
    def share(self) -> float:
        """That of the person."""
        return _kept_open((self.given_up + _BELIEVED_AFTER * self.usual) / (self.lost + _BELIEVED_AFTER))

    @property
    def log_odds(self) -> float:
        """Of giving up at a turn, beyond those of the others; 0 where nobody's lost games say how they ended."""
        if not self.others_given_up or not self.lost:
            return 0.0
        return _turn_odds(self.share) - _turn_odds(self.usual)


def _kept_open(share: float) -> float:
    """Nobody always gives up, or never."""
    return min(max(share, _SURE), 1.0 - _SURE)


def _turn_odds(share: float) -> float:
    at_a_turn = 1.0 - (1.0 - share) ** (1.0 / _LOST_TURNS)
    return log(at_a_turn / (1.0 - at_a_turn))


def read_readiness(games: Sequence[OwnGame]) -> Readiness:
    """From the games of a person. Losses on time, and such that the record does not explain, say nothing."""
    counts = {True: [0, 0], False: [0, 0]}
    for game in games:
        ended = _gave_up(game.record)
        if ended is not None:
            own = counts[game.record.score == game.side]
            own[0] += ended
            own[1] += 1
    return Readiness(*counts[True], *counts[False])


def _gave_up(record: Record) -> bool | None:
    """Whether the loser gave up, or played to the end; None where nobody lost, or lost otherwise."""
    if record.score not in {0.0, 1.0}:
        return None
    if record.termination == "resignation":
        return True
    position = start_of(record.game, record.setup)
    for move in record.moves:
        position = position.follow(move)
    return None if len(position.legal) else False
