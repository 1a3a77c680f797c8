"""When people give up: the chance that a person of this level resigns at this turn, and the chance that they save it.

Two sums of curves a game (`additive`), fitted to people's turns (docs/manners.md). The first says how likely a person
is to resign now; the second how often the side to move still gets half a point or more against this opponent. A wish
to resign comes true only where the second is small: who plays a weaker opponent plays on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from hitonami.core import Position, Query, walk_back
from hitonami.manners.additive import LEAST_TOLD, Additive, Features, Floats, log_odds, scale_levels, to_chance
from hitonami.manners.counting import balance_of, lead_of, peril_of

LOOKED_BACK = 3
"""Own turns that are looked at: this one and the two before."""
MOST_SAVED = 0.08
"""The chance to save a game under which it may be given up. In chess, of what would be given up so in unseen games,
people saved 7.5%; their own resignations threw away 15%."""
WORTH_ASKING = 0.3
"""Expected score from which on hardly anybody gives up: earlier turns are not asked about."""
STILL_IN_PERIL = 0.8
_FIRST_PLY, _USUAL_PLY = 14, 80
BEATEN = 2.0
"""Peril from which on the end cannot be parried. A quarter of those who gave up in shogi had 30% or more by the
network, which does not see such mates: up to an expected score of `STILL_IN_PERIL` they are looked for."""


@dataclass(frozen=True)
class Resignation:
    """The two sums of one game."""

    gives_up: Additive
    saves: Additive
    most_saved: float = MOST_SAVED
    """The chance to save under which an agent may give up."""
    haste: float = 0.0
    """How much readier than people it is there, in log-odds: it has played on where they gave up."""
    is_capped: bool = True
    """Whether no chance to save is more than twice the expected score: not where minds are too sure of it."""

    def as_data(self) -> dict[str, Any]:
        sums = {"gives_up": self.gives_up.as_data(), "saves": self.saves.as_data()}
        return {**sums, "most_saved": self.most_saved, "haste": self.haste, "is_capped": self.is_capped}

    def chance(self, features: Features, pools: np.ndarray | None = None, readiness: float = 0.0) -> Floats:
        """[n] that a person resigns at this turn, who is so much readier for it than people of the level."""
        return to_chance(self.gives_up.score(features, pools) + readiness)

    def own_chance(self, features: Features, pools: np.ndarray | None = None, readiness: float = 0.0) -> Floats:
        """[n] that an agent would wish to: as people do, and readier for it where hardly anything can be saved."""
        haste = np.where(self.saved(features) <= self.most_saved, self.haste, 0.0)
        return to_chance(self.gives_up.score(features, pools) + readiness + haste)

    def saved(self, features: Features, pools: np.ndarray | None = None) -> Floats:
        """[n] that the side to move does not lose in the end, were it to play on."""
        fitted = to_chance(self.saves.score(features, pools))
        return capped(fitted, features["hope"]) if self.is_capped else fitted


def capped(chances: Floats, hope: Floats) -> Floats:
    """[n] at most twice the expected score, whose log-odds `hope` are: half a point or more is never likelier (Markov).

    Where hardly anybody has played on, a mind's own word says more than curves.
    """
    return np.fmin(chances, 2 * to_chance(hope))


@dataclass(frozen=True)
class Course:
    """What a person has seen at their own turns, the newest first: expected scores, and what they had more.

    `lead` and `peril` are of this turn (`counting`), NaN where a game tells neither.
    """

    hopes: Sequence[float]
    balances: Sequence[float]
    lead: float = float("nan")
    peril: float = float("nan")

    @property
    def behind(self) -> float:
        """What the other side has more: points where they are reckoned, else what is counted on the board."""
        return max(-(self.balances[0] if np.isnan(self.lead) else self.lead), 0.0)


def is_worth_asking(position: Position, hope: float) -> bool:
    """Whether anybody would give up here. Few turns are so bad, and this comes before all that takes time."""
    return hope < WORTH_ASKING or (hope < STILL_IN_PERIL and peril_of(position) >= BEATEN)


def is_certain(hopes: Sequence[float]) -> bool:
    """Whether a mind has been surer of its loss than any that the curves were learned from: `log_odds` ends there."""
    return len(hopes) >= LOOKED_BACK and max(hopes[:LOOKED_BACK]) < LEAST_TOLD


def look_back(position: Position, hopes: Sequence[float]) -> Course:
    """What the side to move has seen; `hopes` of its turns, the newest first."""
    own = (here for here in walk_back(position) if here.to_move == position.to_move)
    balances = [balance_of(here) for here in islice(own, 2)]
    lead = lead_of(position) if hopes[0] < WORTH_ASKING else np.nan
    return Course(hopes[:LOOKED_BACK], balances, lead, peril_of(position))


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
        "points": course.lead,
        "peril": course.peril,
    }
    return resign_features({name: np.array([np.nan if x is None else x], np.float64) for name, x in columns.items()})


def _at(values: Sequence[float], at: int) -> float | None:
    return values[at] if at < len(values) else None


def resign_features(columns: Features) -> Features:
    """From what is known of turns to what counts; arrays of one length.

    `hope`: log-odds of the expected score; `fall`: how they have changed since the last two own turns; `lasting`: the
    best of the three; `balance` and `swing`: what the side has more, and what it has won since its last turn; `edge`:
    by how much the opponent is stronger; `level_hope` and `hope_ply`: hope weighed by the level and by how far the game
    is, since little hope early on ends fewer games than as little late; `points`: by how many the side
    is ahead, as the board looks to be shared out; `peril`: how near it is to a mate that cannot be parried.
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
        "hope_ply": hopes[0] * np.log(np.maximum(columns["ply"], _FIRST_PLY) / _USUAL_PLY),
        "edge": opponent - level,
        "clock": np.log1p(np.maximum(columns["remaining"], 0.0)),
        "points": columns["points"],
        "peril": columns["peril"],
    }
