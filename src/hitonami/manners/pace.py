"""How long people think: a distribution of the seconds that a person of this level takes for this move.

Three sums of curves (`additive`), from the clock, the level, how hard the choice is, the move that was chosen and what
the moves before it took: the chance of an answer at once, the chance of a long thought, and what to expect of
log(seconds + 1/2). A table of quantiles by the last gives how people spread in between. A fourth sum gives the chance
that a person with so little left loses on time. Flags fall by that chance and by no other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erf, sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Clock, Opinion, Query, index_of
from hitonami.errors import BadSpec
from hitonami.manners.additive import Additive, Features, Floats, read_additive, scale_levels, to_chance
from hitonami.manners.counting import balance_of, captures, gain_of, recaptures

HALF: Final = 0.5
"""Seconds added before the logarithm: clocks tell whole seconds, and an answer at once has a logarithm too."""
UNTIMED: Final = Clock(240.0, 240.0, 2.0, 2.0)
"""Who plays without a clock thinks as in a quick game, some minutes before its end."""
QUICK_SECONDS: Final = 1.0
LONG_SECONDS: Final = 30.0
_SUMS: Final = ("expected", "quick", "long", "flags")
LOOKED_BACK: Final = 8
"""Own moves whose times are a habit."""
_GOOD: Final = float(np.log(0.1))
_FLAG_BELOW_SECONDS: Final = 60.0
_MOVES_AHEAD: Final = 30


@dataclass(frozen=True)
class Outlook:
    """What to expect at some turns. Arrays [n]."""

    expected: Floats
    """Of log(seconds + 1/2)."""
    quick: Floats
    """The chance of less than QUICK_SECONDS; `long` of more than LONG_SECONDS."""
    long: Floats


@dataclass(frozen=True)
class ThinkTime:
    """The model of one game."""

    expected: Additive
    quick: Additive
    long: Additive
    """Log-odds of an answer at once, and of a long thought."""
    centres: tuple[float, ...]
    """Expectations at which quantiles are known, rising."""
    quantiles: tuple[tuple[float, ...], ...]
    """At each centre, evenly spaced quantiles of log(seconds + 1/2) from 0 to 1, of neither quick nor long answers."""
    ends: tuple[tuple[float, ...], tuple[float, ...]]
    """The same of all quick answers, and of all long ones."""
    flags: Additive

    def foresee(self, features: Features, pools: np.ndarray | None = None) -> Outlook:
        """What to expect of turns with these features."""
        quick, long = (to_chance(each.score(features, pools)) for each in (self.quick, self.long))
        return Outlook(self.expected.score(features, pools), quick, np.minimum(long, 0.999 - quick))

    def draw(self, outlook: Outlook, shares: Floats) -> Floats:
        """[n] the seconds that this share of people would stay under."""
        part, place = self._parts(outlook, shares)
        table = np.where((part == 1)[:, None], self._tables(outlook.expected), np.array(self.ends)[part // 2])
        place = np.clip(place, 0.0, 1.0) * (table.shape[1] - 1)
        low = np.minimum(place.astype(np.int64), table.shape[1] - 2)
        rows, over = np.arange(len(table)), place - low
        logs = table[rows, low] * (1 - over) + table[rows, low + 1] * over
        return np.maximum(np.exp(logs) - HALF, 0.0)

    def shares(self, outlook: Outlook, seconds: Floats) -> Floats:
        """[n] the share of people who would have taken less: even where the model is right."""
        part = np.where(seconds < QUICK_SECONDS, 0, np.where(seconds > LONG_SECONDS, 2, 1))
        table = np.where((part == 1)[:, None], self._tables(outlook.expected), np.array(self.ends)[part // 2])
        steps, rising = np.linspace(0.0, 1.0, table.shape[1]), table + 1e-9 * np.arange(table.shape[1])
        logs = np.log(seconds + HALF)
        within = np.array([np.interp(x, row, steps) for x, row in zip(logs, rising, strict=True)])
        begin = np.choose(part, [np.zeros(len(part)), outlook.quick, 1 - outlook.long])
        return begin + within * np.choose(part, [outlook.quick, 1 - outlook.quick - outlook.long, outlook.long])

    def loses_on_time(self, features: Features) -> Floats:
        """[n] the chance that the flag falls at this turn."""
        return np.where(features["left"] < np.log(_FLAG_BELOW_SECONDS), to_chance(self.flags.score(features)), 0.0)

    def _parts(self, outlook: Outlook, shares: Floats) -> tuple[NDArray[np.int64], Floats]:
        """[n] whether a share is of the quick answers (0), the long ones (2) or the others, and its place there."""
        between = 1 - outlook.quick - outlook.long
        part = np.where(shares < outlook.quick, 0, np.where(shares > 1 - outlook.long, 2, 1))
        places = (
            shares / np.maximum(outlook.quick, 1e-9),
            (shares - outlook.quick) / np.maximum(between, 1e-9),
            (shares - 1 + outlook.long) / np.maximum(outlook.long, 1e-9),
        )
        return part, np.choose(part, places)

    def _tables(self, expected: Floats) -> Floats:
        """[n, quantiles] between the two nearest centres."""
        held = np.array(self.quantiles)
        return np.column_stack([np.interp(expected, self.centres, held[:, at]) for at in range(held.shape[1])])

    def as_data(self) -> dict[str, Any]:
        return {
            **{name: getattr(self, name).as_data() for name in _SUMS},
            "centres": _rounded(self.centres),
            "quantiles": [_rounded(row) for row in self.quantiles],
            "ends": [_rounded(row) for row in self.ends],
        }


def _rounded(values: Sequence[float]) -> list[float]:
    return [round(x, 4) for x in values]


def read_think_time(data: Any, where: str) -> ThinkTime:
    """The inverse of `as_data`. Raises BadSpec that names the place."""
    try:
        centres = tuple(float(x) for x in data["centres"])
        quantiles = tuple(tuple(float(x) for x in row) for row in data["quantiles"])
        quick, long = (tuple(float(x) for x in row) for row in data["ends"])
        if len(quantiles) != len(centres) or len({len(row) for row in (*quantiles, quick, long)}) != 1:
            raise ValueError("a row of quantiles for each centre and each end, all of one length")
        sums = {name: read_additive(data[name], f"{where}: {name}") for name in _SUMS}
        return ThinkTime(centres=centres, quantiles=quantiles, ends=(quick, long), **sums)
    except (KeyError, TypeError, ValueError) as wrong:
        raise BadSpec(f"{where}: not a model of think time: {wrong}") from None


def features_of(query: Query, opinion: Opinion, move: int) -> Features:
    """The features of one turn whose move was chosen already, as arrays of one."""
    chances = opinion.log_probs
    clock = query.clock or UNTIMED
    before, last = query.position.before, query.position.last_move
    columns: dict[str, float | None] = {
        "entropy": dist.entropy(chances), "top": float(chances.max()), "good": float((chances >= _GOOD).sum()),
        "chance": max(float(chances[index_of(query.position, move)]), -12.0), "legal": len(chances),
        "captures": captures(query.position, move), "recaptures": recaptures(query.position, move),
        "hope": None if opinion.wdl is None else dist.expected_score(opinion.wdl), "ply": query.position.ply,
        "rating": query.player.rating, "remaining": clock.remaining_seconds,
        "opponent_remaining": clock.opponent_seconds, "increment": clock.increment_seconds + clock.byoyomi_seconds,
        "spent": clock.spent_seconds, "opponent_spent": clock.opponent_spent_seconds, "usual": clock.usual_seconds,
        "taken": 0.0 if before is None or last is None else gain_of(before, last),
        "balance": balance_of(query.position),
    }  # fmt: skip
    return pace_features({name: np.array([np.nan if x is None else x], np.float64) for name, x in columns.items()})


def pace_features(columns: Features) -> Features:
    """From what is known of turns to what counts; arrays of one length.

    `doubt`: entropy of the moves; `choices`: how many are good; `rare`: how unlikely the chosen move is; `only`: there
    is one legal move; `budget`: logarithm of the seconds for a move were thirty to come; `left`: of what is left;
    `ahead`: of how much more that is than the opponent's; `tense`: how open the result is; `breadth`: logarithm of the
    number of legal moves; `taken`: what the opponent has just taken; `spent`, `answered`, `usual`: logarithms of what
    the own last move took, the opponent's, and the own ones so far.
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
        "breadth": np.log(np.maximum(columns["legal"], 1.0)),
        "taken": columns["taken"],
        "balance": columns["balance"],
        "spent": np.log(columns["spent"] + HALF),
        "answered": np.log(columns["opponent_spent"] + HALF),
        "usual": np.log(columns["usual"] + HALF),
        "doubt_budget": columns["entropy"] * (budget - 2.0),
        "level_doubt": columns["entropy"] * level,
    }


def usual_of(spent: Sequence[float]) -> float | None:
    """What moves that took these seconds usually take; None where there are none."""
    return float(np.exp(np.mean(np.log(np.array(spent[-LOOKED_BACK:]) + HALF))) - HALF) if spent else None


def think_seconds(model: ThinkTime, query: Query, opinion: Opinion, move: int, mood: float) -> float:
    """What a person in a mood (standard normal, the slow ones high) takes for this move.

    Beyond what is left where their flag falls, which is that of the slowest; else well within it.
    """
    share = 0.5 * (1.0 + erf(mood / sqrt(2.0)))
    features = features_of(query, opinion, move)
    outlook = model.foresee(features, np.array([query.player.pool]))
    seconds = float(model.draw(outlook, np.array([share])).item())
    clock = query.clock
    if clock is None:
        return seconds
    left = max(clock.remaining_seconds, 0.0)
    if not clock.byoyomi_seconds and 1.0 - share < model.loses_on_time(features).item():
        return left + 1.0
    return min(seconds, max(0.9 * (left + clock.byoyomi_seconds) - 0.2, 0.3 * left))
