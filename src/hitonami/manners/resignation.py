"""When people give up: the chance that a person of this level resigns at this turn, and the chance that they save it.

Two sums of curves a game (`additive`), fitted to people's turns (docs/manners.md). The first says how likely a person
is to resign now; the second how often the side to move still gets half a point or more against this opponent. A wish
to resign comes true only where the second is small: who plays a weaker opponent plays on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hitonami.core import Query
from hitonami.manners.additive import Additive, Features, Floats, log_odds, scale_levels, to_chance

LOOKED_BACK = 3
"""Own turns that are looked at: this one and the two before."""
MOST_SAVED = 0.08
"""The chance to save a game under which it may be given up. In chess, of what would be given up so in unseen games,
people saved 7.5%; their own resignations threw away 15%."""
WORTH_ASKING = 0.3
"""Expected score from which on hardly anybody gives up: earlier turns are not asked about."""


@dataclass(frozen=True)
class Resignation:
    """The two sums of one game."""

    gives_up: Additive
    saves: Additive

    def chance(self, features: Features, pools: np.ndarray | None = None) -> Floats:
        """[n] that a person resigns at this turn."""
        return to_chance(self.gives_up.score(features, pools))

    def saved(self, features: Features, pools: np.ndarray | None = None) -> Floats:
        """[n] that the side to move does not lose in the end, were it to play on."""
        return to_chance(self.saves.score(features, pools))


@dataclass(frozen=True)
class Course:
    """What a person has seen at their own turns, the newest first: expected scores, and what they had more."""

    hopes: Sequence[float]
    balances: Sequence[float]


def features_of(query: Query, course: Course) -> Features:
    """The features of one turn, as arrays of one."""
    clock = query.clock
    columns = {
        "rating": query.player.rating,
        "opponent": query.opponent.rating,
        "ply": query.position.ply,
        "remaining": None if clock is None else clock.remaining_seconds,
        **{f"hope{at}": _at(course.hopes, at) for at in range(LOOKED_BACK)},
        **{f"balance{at}": _at(course.balances, at) for at in range(2)},
    }
    return resign_features({name: np.array([np.nan if x is None else x], np.float64) for name, x in columns.items()})


def _at(values: Sequence[float], at: int) -> float | None:
    return values[at] if at < len(values) else None


def resign_features(columns: Features) -> Features:
    """From what is known of turns to what counts; arrays of one length.

    `hope`: log-odds of the expected score; `fall`: how they have changed since the last two own turns; `lasting`: the
    best of the three; `balance` and `swing`: what the side has more, and what it has won since its last turn; `edge`:
    by how much the opponent is stronger; `level_hope`: hope weighed by the level.
    """
    hopes = [log_odds(columns[f"hope{at}"]) for at in range(LOOKED_BACK)]
    known = np.stack([np.where(np.isnan(each), hopes[0], each) for each in hopes])
    level, opponent = scale_levels(columns["rating"]), scale_levels(columns["opponent"])
    return {
        "hope": hopes[0],
        "fall": hopes[0] - known[1:].mean(axis=0),
        "lasting": known.max(axis=0),
        "balance": columns["balance0"],
        "swing": columns["balance0"] - columns["balance1"],
        "ply": columns["ply"],
        "level": level,
        "level_hope": level * hopes[0],
        "edge": opponent - level,
        "clock": np.log1p(np.maximum(columns["remaining"], 0.0)),
    }
