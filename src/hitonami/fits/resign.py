"""Resignation fitted to turns at which people gave up or played on, and measured on games that the fit never saw.

A turn counts as given up where the record ends by resignation with the loser to move; where people resigned on their
opponent's time, their last own turn is played on. FPR is the share of turns played on that a rule gives up at, TPR the
share of given-up turns that it finds. What a rule would have thrown away is counted in people's own games: at the turn
where it gives up first, of the games whose person played on, the share that was not lost in the end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import TooFew
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.fits.additive import Design, fit_chances
from hitonami.fits.prices import Price, price_bounds
from hitonami.fits.resign_sample import Sample, columns_of, join_samples
from hitonami.fits.saves import fit_saves, rows_of, told
from hitonami.fits.turns import Turns
from hitonami.manners.additive import Features, Floats
from hitonami.manners.resignation import Resignation, resign_features

LEAST_RESIGNED: Final = 60
FPRS: Final = (0.001, 0.01)
_NEAR_THE_BOUND: Final = 10
"""So many times the share asked for is looked at in resamples: their bounds lie within."""
_THRESHOLDS: Final = ("threshold on the win rate", "threshold at three turns")
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
    "hope_ply": (-6.0, -3.0, -1.0, 0.0, 1.0, 3.0),
    "edge": (-1.0, 0.0, 1.0),
    "clock": (0.0, 2.0, 4.0, 6.0),
    "points": (-80.0, -50.0, -30.0, -15.0, 0.0, 20.0),
    "peril": (0.0, 1.0, 2.0, 3.0, 4.0),
}


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
class Crossed:
    """Every game measured by curves that were learned from others: TPR at FPR, of the fitted rule and the threshold."""

    fpr: float
    turns: int
    resigned: int
    fitted: Interval
    threshold: Interval
    gain: Interval


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
    crossed: tuple["Crossed", ...]
    """The same comparison over all games that were asked about."""
    prices: tuple[Price, ...]
    """What the agent's own draw costs, by the bound on the chance to save (`Patience.most_saved`)."""


def fit_resignation(sample: Sample, fresh: Turns | None = None) -> Resignation:
    """Both sums from usable turns. Raises TooFew where too few were given up.

    `fresh` are whole games that the mind never learned from: what is saved is learned from them, where they are given.
    """
    turns, decides = sample.turns, sample.decides
    if sample.resigned < LEAST_RESIGNED:
        raise TooFew(f"{sample.resigned} given-up turns are too few to learn from: {LEAST_RESIGNED} at least")
    features, pools = rows_of(resign_features(columns_of(turns)), decides), turns["pool"][decides]
    named = tuple(sorted(set(pools.tolist()))) if len(set(pools.tolist())) > 1 else ()
    gives_up = fit_chances(Design(told(GIVES_UP, features), named), features, turns["resigned"][decides], pools)
    # More turns were given up here than among people: undone in the base, as odds allow.
    drawn = float(np.log(max(sample.whole["resigned"].sum(), 1) / sample.resigned))
    found = fit_saves(sample.whole if fresh is None else fresh)
    return Resignation(replace(gives_up, base=gives_up.base + drawn), found.curves, is_capped=found.is_capped)


def measure_resignation(
    model: Resignation,
    sample: Sample,
    groups: NDArray[np.str_],
    crossed: Sequence[Crossed] = (),
    priced: Turns | None = None,
) -> ResignFigures:
    """The fitted rule beside thresholds on the win rate, on usable turns of unseen games. `groups` [n] of the whole.

    `priced` are whole games that the chance to save was not learned from, where some of the sample were.
    """
    every, decides, whole = sample.turns, sample.decides, len(sample.whole)
    columns = columns_of(every)
    features, turns = rows_of(resign_features(columns), decides), every.where(decides)
    chance, saved = model.chance(features, turns["pool"]), model.saved(features)
    scores = {
        "fitted": chance,
        "fitted, opponent-aware": np.where(saved <= model.most_saved, chance, 0.0),
        **threshold_scores(columns, decides),
    }
    resigned = turns["resigned"] == 1
    place = np.unique(turns["game"], return_inverse=True)[1]
    rules, gains = [], []
    for fpr in FPRS:
        found = {name: rule_at(name, score, fpr, turns, place) for name, score in scores.items()}
        best = max(_THRESHOLDS, key=lambda name: found[name][0].tpr.value)
        gain = found["fitted"][0].tpr.value - found[best][0].tpr.value
        gains.append((fpr, interval_of(gain, found["fitted"][1] - found[best][1])))
        rules += [rule for rule, _ in found.values()]
    return ResignFigures(
        whole, int(resigned.sum()), int(place.max()) + 1,
        tuple(rules),
        tuple(gains),
        ece_excess(chance[:whole], sample.whole["resigned"].astype(np.float64)),
        _mean_by_game(saved[resigned], place[resigned]),
        tuple(_lengths(sample.whole, chance[:whole], groups)),
        tuple(crossed),
        price_of(model, sample.whole if priced is None else priced),
    )  # fmt: skip


def price_of(model: Resignation, turns: Turns) -> tuple[Price, ...]:
    """What the agent's own draw costs in whole games, by the bound."""
    features = resign_features(columns_of(turns))
    return price_bounds(turns, model.chance(features, turns["pool"]), model.saved(features), model.haste)


def threshold_scores(columns: Features, chosen: NDArray[np.bool_]) -> dict[str, Floats]:
    """The scores of both rules on the win rate; an own turn that is not known has all hope."""
    hopes = np.stack([np.where(np.isnan(columns[f"hope{at}"]), 1.0, columns[f"hope{at}"])[chosen] for at in range(3)])
    return dict(zip(_THRESHOLDS, (-hopes[0], -hopes.max(axis=0)), strict=True))


def cross_samples(one: Sample, other: Sample, parts: int = 4) -> list[Crossed]:
    """The fitted rule over the better threshold in both samples, each part of their games by curves of the rest.

    False alarms are few at one in a thousand turns, and the bound that they set is what is known least.
    """
    sample = join_samples(one, other)
    whole, decides = sample.whole, sample.decides
    turns = sample.turns.where(decides)
    columns = columns_of(sample.turns)
    features = rows_of(resign_features(columns), decides)
    part, chance, first = turns["game"] % parts, np.zeros(len(turns)), whole["game"].max() + 1
    for at in range(parts):
        rest = None if sample.ends is None else sample.ends.where((sample.ends["game"] + first) % parts != at)
        model = fit_resignation(Sample(whole.where(whole["game"] % parts != at), rest))
        chance[part == at] = model.chance(rows_of(features, part == at), turns["pool"][part == at])
    thresholds = threshold_scores(columns, decides)
    place = np.unique(turns["game"], return_inverse=True)[1]
    found = []
    for fpr in FPRS:
        fitted, drawn = rule_at("fitted", chance, fpr, turns, place)
        rules = [rule_at(name, score, fpr, turns, place) for name, score in thresholds.items()]
        best, of_best = max(rules, key=lambda rule: rule[0].tpr.value)
        gain = interval_of(fitted.tpr.value - best.tpr.value, drawn - of_best)
        found.append(Crossed(fpr, len(whole), sample.resigned, fitted.tpr, best.tpr, gain))
    return found


def rule_at(name: str, score: Floats, fpr: float, turns: Turns, place: NDArray[np.int64]) -> tuple[Rule, Floats]:
    """The rule at the bound where it gives up that share of the turns played on, and its TPR in resamples of games.

    Each resample has the bound that its own turns ask for: how few false alarms tell of it is part of the interval.
    """
    resigned = turns["resigned"] == 1
    order = np.flatnonzero(~resigned)[np.argsort(-score[~resigned], kind="stable")]
    top = order[: int(_NEAR_THE_BOUND * fpr * len(order)) + 50]
    of_game = np.bincount(place[~resigned], minlength=place.max() + 1)
    own = np.flatnonzero(resigned)
    draws = []
    for drawn in resample_counts(place.max() + 1, 0, 1_000):
        passed = np.cumsum(drawn[:, place[top]], axis=1) > fpr * (drawn @ of_game)[:, None]
        bounds = np.where(passed.any(axis=1), score[top[passed.argmax(axis=1)]], score[top[-1]])
        often = drawn[:, place[own]]
        draws.append((often * (score[own] > bounds[:, None])).sum(axis=1) / np.maximum(often.sum(axis=1), 1))
    bound = float(np.quantile(score[~resigned], 1 - fpr, method="higher"))
    fires, tpr = score > bound, np.concatenate(draws)
    lost = turns["score"] == 0
    ended = len(set(place[fires & lost & ~resigned].tolist())) / max(len(set(place[lost].tolist())), 1)
    value = float(fires[resigned].mean())
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
