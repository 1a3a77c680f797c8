"""Resignation fitted to turns at which people gave up or played on, and measured on games that the fit never saw.

A turn counts as given up where the record ends by resignation with the loser to move; where people resigned on their
opponent's time, their last own turn is played on. FPR is the share of turns played on that a rule gives up at, TPR the
share of given-up turns that it finds. What a rule would have thrown away is counted in people's own games: at the turn
where it gives up first, of the games whose person played on, the share that was not lost in the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.fits.additive import Design, fit_chances, rising
from hitonami.fits.prices import Price, price_bounds
from hitonami.fits.turns import Turns
from hitonami.manners.additive import Features, Floats
from hitonami.manners.resignation import Resignation, resign_features

LEAST_RESIGNED: Final = 60
FPRS: Final = (0.001, 0.01)
_THRESHOLDS: Final = ("threshold on the win rate", "threshold at three turns")
_RISING: Final = {"hope", "balance"}
_LOW_ODDS = (-6.0, -4.5, -3.5, -2.8, -2.2, -1.6, -1.0, 0.0, 2.0)
GIVES_UP: Final[Mapping[str, Sequence[float]]] = {
    "hope": _LOW_ODDS,
    "fall": (-4.0, -2.0, -1.0, -0.3, 0.3, 1.5),
    "lasting": (-5.0, -3.5, -2.5, -1.5, 0.0, 2.0),
    "balance": (-20.0, -12.0, -8.0, -5.0, -3.0, -1.0, 1.0, 6.0),
    "swing": (-9.0, -5.0, -3.0, -1.0, 0.0, 3.0),
    "ply": (14, 30, 50, 80, 120, 180),
    "level": (-2.5, -1.2, 0.0, 1.2, 2.5),
    "level_hope": (-8.0, -3.0, 0.0, 3.0, 8.0),
    "edge": (-1.0, 0.0, 1.0),
    "clock": (0.0, 2.0, 4.0, 6.0),
}
SAVES: Final[Mapping[str, Sequence[float]]] = {
    "hope": (-6.0, -4.5, -3.5, -2.5, -1.5, 0.0, 1.5, 3.0),
    "balance": (-15.0, -8.0, -3.0, 0.0, 5.0),
    "level": (-2.5, 0.0, 2.5),
    "clock": (0.0, 2.0, 4.0, 6.0),
}
"""The opponent is in the hope, which is asked with both ratings. Hope and what a side has more never take from it: few
people play on with nothing left, and those have their reasons."""


@dataclass(frozen=True)
class Rule:
    """One way to give up, on unseen turns: how many given-up turns it finds at FPR, what it throws away."""

    name: str
    fpr: float
    tpr: Interval
    bound: float
    """Its score from which on it gives up."""
    saved: Interval
    """Of the games that it gives up and the person did not, those that were not lost."""
    gives_up: float
    """The share of lost games that it ends before their end."""


@dataclass(frozen=True)
class ResignFigures:
    """What was measured on unseen games."""

    turns: int
    resigned: int
    games: int
    rules: tuple[Rule, ...]
    gains: tuple[tuple[float, Interval], ...]
    """At each FPR, the TPR of the fitted rule over the best threshold on the win rate, paired by games."""
    ece_excess: float
    saved_by_people: Interval
    """What people threw away where they resigned, by the fitted chance of saving a game."""
    lengths: tuple[tuple[str, Interval, float], ...]
    """By level: plies of people's games that were lost or won, and as the fitted chance would have ended them."""
    prices: tuple[Price, ...]
    """What the agent's own draw costs, by the bound on the chance to save (`Patience.most_saved`)."""


def usable(turns: Turns) -> Turns:
    """People's turns with a view of the result and a known one, of games that were not abandoned."""
    kept = (turns["bot"] == 0) & ~np.isnan(turns["hope"]) & ~np.isnan(turns["score"])
    return turns.where(kept & ~np.isin(turns["ending"], ["abandoned", "rules infraction", ""]))


def columns_of(turns: Turns) -> Features:
    """What `resign_features` wants; own turns are two plies apart."""
    return {
        "rating": turns["rating"], "opponent": turns["opponent"], "ply": turns["ply"], "remaining": turns["remaining"],
        **{f"hope{at}": turns["hope"] if not at else turns.back_own("hope", at) for at in range(3)},
        "balance0": turns["balance"], "balance1": turns.back_own("balance", 1),
    }  # fmt: skip


def fit_resignation(turns: Turns) -> Resignation:
    """Both sums from usable turns. Raises BadInput where too few were given up."""
    resigned = turns["resigned"]
    if resigned.sum() < LEAST_RESIGNED:
        raise BadInput(f"{int(resigned.sum())} given-up turns are too few to learn from: {LEAST_RESIGNED} at least")
    features, pools = resign_features(columns_of(turns)), turns["pool"]
    named = tuple(sorted(set(pools.tolist()))) if len(set(pools.tolist())) > 1 else ()
    gives_up = fit_chances(Design(_told(GIVES_UP, features), named), features, resigned, pools)
    played = resigned == 0
    on = {name: values[played] for name, values in features.items()}
    saved = (turns["score"][played] > 0).astype(np.float64)
    saves = fit_chances(Design(_told(SAVES, on)), on, saved, weights=_even_games(turns.where(played)))
    for name in _RISING & set(saves.terms):
        saves = rising(saves, name, on)
    return Resignation(gives_up, saves)


def _even_games(turns: Turns) -> Floats:
    """[n] weights under which each side of each game counts alike, by how bad it stood: long agonies do not decide."""
    key = turns["game"] * 20 + turns["side"] * 10 + np.minimum((turns["hope"] * 20).astype(int), 9)
    _, place, counts = np.unique(key, return_inverse=True, return_counts=True)
    weights = 1.0 / counts[place]
    return np.asarray(weights / weights.mean(), dtype=np.float64)


def _told(knots: Mapping[str, Sequence[float]], features: Features) -> dict[str, Sequence[float]]:
    """Knots of the features that the data tell anything of."""
    return {name: own for name, own in knots.items() if np.nan_to_num(features[name]).std() > 0}


def measure_resignation(model: Resignation, turns: Turns, groups: NDArray[np.str_], most_saved: float) -> ResignFigures:
    """The fitted rule beside thresholds on the win rate, on usable turns of unseen games."""
    features, pools = resign_features(columns_of(turns)), turns["pool"]
    chance, saved = model.chance(features, pools), model.saved(features)
    hopes = np.stack(
        [np.where(np.isnan(each), 1.0, each) for each in (columns_of(turns)[f"hope{at}"] for at in range(3))]
    )
    scores = {
        "fitted": chance,
        "fitted, opponent-aware": np.where(saved <= most_saved, chance, 0.0),
        _THRESHOLDS[0]: -hopes[0],
        _THRESHOLDS[1]: -hopes.max(axis=0),
    }
    resigned = turns["resigned"] == 1
    place = np.unique(turns["game"], return_inverse=True)[1]
    rules, gains = [], []
    for fpr in FPRS:
        found = {name: _rule(name, score, fpr, turns, place) for name, score in scores.items()}
        best = max(_THRESHOLDS, key=lambda name: found[name][0].tpr.value)
        gain = found["fitted"][0].tpr.value - found[best][0].tpr.value
        gains.append((fpr, interval_of(gain, found["fitted"][1] - found[best][1])))
        rules += [rule for rule, _ in found.values()]
    return ResignFigures(
        len(turns), int(resigned.sum()), int(place.max()) + 1,
        tuple(rules),
        tuple(gains),
        ece_excess(chance, resigned.astype(np.float64)),
        _mean_by_game(saved[resigned], place[resigned]),
        tuple(_lengths(turns, chance, groups)),
        price_bounds(turns, chance, saved),
    )  # fmt: skip


def _rule(name: str, score: Floats, fpr: float, turns: Turns, place: NDArray[np.int64]) -> tuple[Rule, Floats]:
    """The rule at the bound where it gives up that share of the turns played on, and its TPR in resamples of games."""
    resigned = turns["resigned"] == 1
    bound = float(np.quantile(score[~resigned], 1 - fpr, method="higher"))
    fires = score > bound
    counts = np.zeros((place.max() + 1, 2))
    np.add.at(counts, place[resigned], np.column_stack([fires[resigned], np.ones(resigned.sum())]))
    draws = np.concatenate([drawn @ counts for drawn in resample_counts(len(counts), 0, 1_000)])
    tpr = draws[:, 0] / np.maximum(draws[:, 1], 1)
    value = float(fires[resigned].mean())
    lost = turns["score"] == 0
    ended = len(set(place[fires & lost & ~resigned].tolist())) / max(len(set(place[lost].tolist())), 1)
    return Rule(name, fpr, interval_of(value, tpr), bound, _thrown_away(fires, turns), ended), tpr


def _thrown_away(fires: NDArray[np.bool_], turns: Turns) -> Interval:
    """At the first turn of a side that the rule gives up and the person does not: the share not lost."""
    sides = turns["game"] * 2 + turns["side"]
    _, first = np.unique(sides[fires], return_index=True)
    rows = np.flatnonzero(fires)[first]
    rows = rows[turns["resigned"][rows] == 0]
    if not len(rows):
        return Interval(0.0, 0.0, 0.0)
    return _mean_by_game((turns["score"][rows] > 0).astype(np.float64), turns["game"][rows])


def _mean_by_game(values: Floats, games: Floats) -> Interval:
    _, place = np.unique(games, return_inverse=True)
    sums = np.zeros((place.max() + 1, 2))
    np.add.at(sums, place, np.column_stack([values, np.ones(len(values))]))
    draws = np.concatenate([drawn @ sums for drawn in resample_counts(len(sums), 0, 1_000)])
    return interval_of(float(values.mean()), draws[:, 0] / np.maximum(draws[:, 1], 1))


def ece_excess(chance: Floats, happened: Floats, bins: int = 10) -> float:
    """The calibration error over groups of like chance, less what chances that are right would have."""
    order = np.argsort(chance, kind="stable")
    rng = np.random.default_rng(0xECE)
    groups = np.array_split(order, bins)

    def error(outcome: Floats) -> float:
        return sum(abs(float((chance[rows] - outcome[rows]).sum())) for rows in groups) / len(chance)

    by_chance = np.mean([error((rng.random(len(chance)) < chance).astype(np.float64)) for _ in range(200)])
    return error(happened) - float(by_chance)


def _lengths(turns: Turns, chance: Floats, groups: NDArray[np.str_]) -> "list[tuple[str, Interval, float]]":
    """Plies of decided games by group, people's beside the expectation under the fitted chance.

    Where the person resigned, the game is taken to go on no further: what would have followed is not known.
    """
    found = []
    decided = np.isin(turns["score"], [0.0, 1.0])
    for name in sorted(set(groups.tolist())):
        plies, ours = [], []
        for game in np.unique(turns["game"][(groups == name) & decided]):
            rows = np.flatnonzero(turns["game"] == game)
            going = np.cumprod(1 - chance[rows])
            end = turns["ply"][rows][-1] + (2 * turns["turns_left"][rows][-1])
            plies.append(float(end))
            ours.append(float(turns["ply"][rows][0] + going.sum() + going[-1] * (end - turns["ply"][rows][-1])))
        if len(plies) >= 20:
            found.append(
                (name, _mean_by_game(np.array(plies), np.arange(len(plies), dtype=np.float64)), float(np.mean(ours)))
            )
    return found
