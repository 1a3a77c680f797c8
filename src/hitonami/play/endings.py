"""How games end: on the board, by a claim, by a count, by time, by agreement. One set of rules for all who play.

- Claims are made by the side to move, and a win is claimed before a draw. People and agents claim when they want to; in
  matches an arbiter grants at once what may be claimed; in studies nobody claims.
- A counting game is counted with the stones that look dead; the same board always gets the same guess.
- Draws are offered and answered by the agents themselves (`agent`), once the opening is over; an offer that was not
  taken is not made again soon.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.abilities import Counted, CountingGame, MatingGame
from hitonami.agent import OFFER_AGAIN_AFTER
from hitonami.core import Position

RESIGNATION: Final = "resignation"
"""What a reason begins with where a game was given up; why it was may follow."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended. `score` is 0..1 for player 0."""

    score: float
    reason: str


def outcome_by_force(position: Position, dead: Collection[int] = ()) -> Outcome | None:
    """What the rules say of a finished board, counted with these stones dead; None while the game goes on."""
    if position.ending is None or position.score is None:
        return None
    if (counted := count(position, dead)) is not None:
        return Outcome(counted.score, f"{position.ending}, {counted}")
    return Outcome(position.score, position.ending)


def outcome_by_claim(position: Position) -> Outcome | None:
    """What the side to move may claim: a win first, then a draw; None where there is nothing to claim."""
    claims = position.game.claims(position)
    if claims.win is not None:
        return won_by(position.to_move, claims.win)
    return None if claims.draw is None else Outcome(0.5, claims.draw)


def outcome_on_time(position: Position) -> Outcome:
    """The side to move has no time left. It draws where the other side could not win by any moves at all."""
    winner = 1 - position.to_move
    if isinstance(position.game, MatingGame) and not position.game.can_mate(position, winner):
        return Outcome(0.5, "time, and nothing left to mate with")
    return won_by(winner, "time")


def won_by(side: int, reason: str) -> Outcome:
    return Outcome(float(side == 0), reason)


def guess_dead(position: Position) -> tuple[int, ...]:
    """The stones that look dead in a counting game; none in others. Chance is the board's own, so guesses agree."""
    if not isinstance(position.game, CountingGame):
        return ()
    return tuple(position.game.guess_dead(position, np.random.default_rng(position.ply)))


def count(position: Position, dead: Collection[int]) -> Counted | None:
    """The count with these stones dead; None in games that are not counted."""
    return position.game.count(position, dead) if isinstance(position.game, CountingGame) else None


def may_offer(position: Position, last_offer: int) -> bool:
    """Whether a draw that an agent wants to offer with its move to `position` is told; -1: none was offered yet."""
    recent = last_offer >= 0 and position.ply - last_offer < OFFER_AGAIN_AFTER
    return bool(len(position.legal)) and not recent
