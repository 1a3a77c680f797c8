"""How long people think: a distribution of the seconds that a person of this level takes for this move.

A sum of curves (`additive`) gives what to expect of log(seconds + 1/2) from the clock, the level, how hard the choice
is and the move that was chosen; a table of quantiles gives how people spread around it. A second sum gives the chance
that a person with so little left loses on time. Flags fall by that chance and by no other.
"""

from dataclasses import dataclass
from math import erf, sqrt
from typing import Any, Final

import numpy as np

from hitonami import dist
from hitonami.core import Clock, Opinion, Query, index_of
from hitonami.errors import BadSpec
from hitonami.manners.additive import Additive, Features, Floats, read_additive, scale_levels, to_chance
from hitonami.manners.counting import captures, recaptures

HALF: Final = 0.5
"""Seconds added before the logarithm: clocks tell whole seconds, and an answer at once has a logarithm too."""
UNTIMED: Final = Clock(240.0, 240.0, 2.0, 2.0)
"""Who plays without a clock thinks as in a quick game, some minutes before its end."""
_GOOD: Final = float(np.log(0.1))
_FLAG_BELOW_SECONDS: Final = 60.0
_MOVES_AHEAD: Final = 30


@dataclass(frozen=True)
class ThinkTime:
    """The model of one game."""

    expected: Additive
    centres: tuple[float, ...]
    """Expectations at which quantiles are known, rising."""
    quantiles: tuple[tuple[float, ...], ...]
    """At each centre, evenly spaced quantiles of log(seconds + 1/2), from 0 to 1."""
    flags: Additive

    def expect(self, features: Features, pools: np.ndarray | None = None) -> Floats:
        """[n] the expectation of log(seconds + 1/2)."""
        return self.expected.score(features, pools)

    def draw(self, expected: Floats, shares: Floats) -> Floats:
        """[n] the seconds that this share of people would stay under."""
        table = self._tables(expected)
        place = np.clip(shares, 0.0, 1.0) * (table.shape[1] - 1)
        low = np.minimum(place.astype(np.int64), table.shape[1] - 2)
        rows, part = np.arange(len(table)), place - low
        logs = table[rows, low] * (1 - part) + table[rows, low + 1] * part
        return np.maximum(np.exp(logs) - HALF, 0.0)

    def shares(self, expected: Floats, seconds: Floats) -> Floats:
        """[n] the share of people who would have taken less: even where the model is right."""
        logs, table = np.log(seconds + HALF), self._tables(expected)
        steps = np.linspace(0.0, 1.0, table.shape[1])
        rising = table + 1e-9 * np.arange(table.shape[1])
        return np.array([np.interp(x, row, steps) for x, row in zip(logs, rising, strict=True)])

    def loses_on_time(self, features: Features) -> Floats:
        """[n] the chance that the flag falls at this turn."""
        return np.where(features["left"] < np.log(_FLAG_BELOW_SECONDS), to_chance(self.flags.score(features)), 0.0)

    def _tables(self, expected: Floats) -> Floats:
        """[n, quantiles] between the two nearest centres."""
        held = np.array(self.quantiles)
        return np.column_stack([np.interp(expected, self.centres, held[:, at]) for at in range(held.shape[1])])

    def as_data(self) -> dict[str, Any]:
        return {
            "expected": self.expected.as_data(),
            "centres": [round(x, 4) for x in self.centres],
            "quantiles": [[round(x, 4) for x in row] for row in self.quantiles],
            "flags": self.flags.as_data(),
        }


def read_think_time(data: Any, where: str) -> ThinkTime:
    """The inverse of `as_data`. Raises BadSpec that names the place."""
    try:
        centres = tuple(float(x) for x in data["centres"])
        quantiles = tuple(tuple(float(x) for x in row) for row in data["quantiles"])
        if len(quantiles) != len(centres) or len({len(row) for row in quantiles}) != 1:
            raise ValueError("a row of quantiles for each centre")
        expected = read_additive(data["expected"], f"{where}: expected")
        return ThinkTime(expected, centres, quantiles, read_additive(data["flags"], f"{where}: flags"))
    except (KeyError, TypeError, ValueError) as wrong:
        raise BadSpec(f"{where}: not a model of think time: {wrong}") from None


def features_of(query: Query, opinion: Opinion, move: int) -> Features:
    """The features of one turn whose move was chosen already, as arrays of one."""
    chances = opinion.log_probs
    clock = query.clock or UNTIMED
    columns: dict[str, float | None] = {
        "entropy": dist.entropy(chances), "top": float(chances.max()), "good": float((chances >= _GOOD).sum()),
        "chance": max(float(chances[index_of(query.position, move)]), -12.0), "legal": len(chances),
        "captures": captures(query.position, move), "recaptures": recaptures(query.position, move),
        "hope": None if opinion.wdl is None else dist.expected_score(opinion.wdl), "ply": query.position.ply,
        "rating": query.player.rating, "remaining": clock.remaining_seconds,
        "opponent_remaining": clock.opponent_seconds, "increment": clock.increment_seconds + clock.byoyomi_seconds,
    }  # fmt: skip
    return pace_features({name: np.array([np.nan if x is None else x], np.float64) for name, x in columns.items()})


def pace_features(columns: Features) -> Features:
    """From what is known of turns to what counts; arrays of one length.

    `doubt`: entropy of the moves; `choices`: how many are good; `rare`: how unlikely the chosen move is; `only`: there
    is one legal move; `budget`: logarithm of the seconds for a move were thirty to come; `left`: of what is left;
    `ahead`: of how much more that is than the opponent's; `tense`: how open the result is.
    """
    left, increment = np.maximum(columns["remaining"], 0.0), columns["increment"]
    budget = np.log(left / _MOVES_AHEAD + increment + HALF)
    level = scale_levels(columns["rating"])
    return {
        "doubt": columns["entropy"],
        "choices": np.minimum(columns["good"], 6.0),
        "rare": -columns["chance"],
        "only": (columns["legal"] == 1).astype(np.float64),
        "captures": columns["captures"].astype(np.float64),
        "recaptures": columns["recaptures"].astype(np.float64),
        "tense": 1.0 - 2.0 * np.abs(columns["hope"] - HALF),
        "ply": columns["ply"].astype(np.float64),
        "level": level,
        "budget": budget,
        "increment": np.log1p(increment),
        "left": np.log(left + HALF),
        "ahead": np.clip(np.log((left + 5) / (np.maximum(columns["opponent_remaining"], 0.0) + 5)), -2, 2),
        "doubt_budget": columns["entropy"] * (budget - 2.0),
        "level_doubt": columns["entropy"] * level,
    }


def think_seconds(model: ThinkTime, query: Query, opinion: Opinion, move: int, mood: float) -> float:
    """What a person in a mood (standard normal, the slow ones high) takes for this move.

    Beyond what is left where their flag falls, which is that of the slowest; else well within it.
    """
    share = 0.5 * (1.0 + erf(mood / sqrt(2.0)))
    features = features_of(query, opinion, move)
    expected = model.expect(features, np.array([query.player.pool]))
    seconds = float(model.draw(expected, np.array([share])).item())
    clock = query.clock
    if clock is None:
        return seconds
    left = max(clock.remaining_seconds, 0.0)
    if not clock.byoyomi_seconds and 1.0 - share < model.loses_on_time(features).item():
        return left + 1.0
    return min(seconds, max(0.9 * (left + clock.byoyomi_seconds) - 0.2, 0.3 * left))
