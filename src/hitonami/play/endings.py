"""How games end: on the board, by a claim, by a count, by time, by agreement. One set of rules for all who play.

- Claims are made by the side to move, and a win is claimed before a draw. People and agents claim when they want to; in
  matches an arbiter grants at once what may be claimed; in studies nobody claims.
- A counting game is counted with the stones that look dead; the same board always gets the same guess.
- Offers of draws are simple and say so: an agent offers where its own view has long been even, and answers an offer by
  its own view; both only once the opening is over.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.abilities import Counted, CountingGame, MatingGame
from hitonami.core import Opinion, Position
from hitonami.customs import customs_in

EARLIEST_DRAW_PLY: Final = 20
RESIGNATION: Final = "resignation"
"""What a reason begins with where a game was given up; why it was may follow."""
_OFFER_FROM_PLY: Final = 60
_OFFER_AGAIN_AFTER: Final = 20
_EVEN_WITHIN: Final = 0.05
_DRAWISH: Final = 0.4


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


def offers_draw(position: Position, opinion: Opinion, last_offer: int) -> bool:
    """Whether an agent, having just moved to `position`, offers a draw; `opinion` is what it moved by."""
    if not customs_in(position.game).draws_offered or opinion.wdl is None or position.ply < _OFFER_FROM_PLY:
        return False
    if last_offer >= 0 and position.ply - last_offer < _OFFER_AGAIN_AFTER:
        return False
    even = abs(dist.expected_score(opinion.wdl) - 0.5) <= _EVEN_WITHIN
    return even and float(opinion.wdl[1]) >= _DRAWISH and len(position.legal) > 0
