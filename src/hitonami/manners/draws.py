"""When people agree on a draw: the chance that a game is agreed drawn at this turn, and what each side does for it.

Records tell that a draw was agreed and not who offered it, nor how often an offer was declined. One sum of curves
(`additive`), fitted to turns at which games were agreed drawn or went on, gives the chance a turn. It is shared out:
the one who has just moved offers with its power OFFERED, the other accepts with the rest, so that two such players
agree as often as people do. Who stands better wants it less, by the square of the odds; who stands worse takes it the
sooner by as much, and offers no more often than in an even game.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.core import Query
from hitonami.manners.additive import Additive, Features, Floats, log_odds, scale_levels, to_chance
from hitonami.manners.counting import balance_of

OFFERED: Final = 2 / 3
"""Our choice: in a dead ending where one turn of thirty is agreed on, one of ten is offered at and a third of the
offers are taken."""


@dataclass(frozen=True)
class Draws:
    """The sum of one game."""

    agrees: Additive

    def chance(self, features: Features, pools: np.ndarray | None = None) -> Floats:
        """[n] that a game is agreed drawn at this turn."""
        return to_chance(self.agrees.score(features, pools))

    def offer(self, query: Query, hope: float, draw: float) -> float:
        """The chance that who is to move offers a draw with the move."""
        return self._agreed(query, hope, draw) ** OFFERED * min(1.0, _odds_against(hope) ** 2)

    def answer(self, query: Query, hope: float, draw: float) -> float:
        """The chance that who is to move takes a draw that is offered."""
        return min(1.0, self._agreed(query, hope, draw) ** (1 - OFFERED) * _odds_against(hope) ** 2)

    def _agreed(self, query: Query, hope: float, draw: float) -> float:
        columns = {
            "hope": hope,
            "draw": draw,
            "balance": balance_of(query.position),
            "ply": query.position.ply,
            "rating": query.player.rating,
            "opponent": query.opponent.rating,
        }
        told = {name: np.array([np.nan if x is None else x], np.float64) for name, x in columns.items()}
        return float(self.chance(draw_features(told), np.array([query.player.pool])).item())


def _odds_against(hope: float) -> float:
    return float(np.exp(-log_odds(np.array([hope])).item()))


def draw_features(columns: Features) -> Features:
    """From what is known of turns to what counts; the same from either side of the board.

    `lead`: log-odds of the expected score, whoever has it; `drawish`: log-odds that the game is drawn; `uneven`: what
    one side has more; `ply`; `level`: the mean of both players; `edge`: how far they are apart.
    """
    own, other = scale_levels(columns["rating"]), scale_levels(columns["opponent"])
    return {
        "lead": np.abs(log_odds(columns["hope"])),
        "drawish": log_odds(columns["draw"]),
        "uneven": np.abs(columns["balance"]),
        "ply": columns["ply"],
        "level": (own + other) / 2,
        "edge": np.abs(own - other),
    }
