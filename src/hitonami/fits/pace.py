"""Think time fitted to clocked games, and measured on games of other people.

Whole seconds are spread within their second, by a fixed seed, for the fit and for every figure: a clock that shows
seconds does not know more. r is the correlation of log(seconds + 1/2) with its expectation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.samples import increment_seconds
from hitonami.dataset.shards import movers_of
from hitonami.errors import TooFew
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.fits.additive import Design, add_sums, centred, fit_chances, fit_means
from hitonami.fits.turns import Turns
from hitonami.manners.additive import Additive, Features, Floats
from hitonami.manners.pace import HALF, LONG_SECONDS, QUICK_SECONDS, ThinkTime, pace_features
from hitonami.records import Record

LEAST_TURNS: Final = 400
LEAST_SPREAD: Final = 1_000
Row = tuple[float, ...]
_LOG_SECONDS: Final = (-0.7, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
KNOTS: Final[Mapping[str, Sequence[float]]] = {
    "doubt": (0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.6, 3.2),
    "choices": (1, 2, 3, 4, 6),
    "rare": (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0),
    "only": (0, 1),
    "captures": (0, 1),
    "recaptures": (0, 1),
    "tense": (0.0, 0.1, 0.3, 0.6, 1.0),
    "ply": (2, 8, 14, 20, 30, 45, 60, 90, 140),
    "level": (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0),
    "budget": (-0.7, 0.0, 0.7, 1.4, 2.1, 2.8, 3.5, 4.5),
    "increment": (0.0, 0.8, 1.5, 2.4, 3.5),
    "left": (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),
    "ahead": (-2.0, -0.7, 0.0, 0.7, 2.0),
    "breadth": (0.0, 1.0, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0),
    "taken": (0.0, 1.0, 3.0, 5.0, 9.0),
    "balance": (-15.0, -8.0, -5.0, -3.0, -1.0, 0.0, 1.0, 3.0, 5.0, 8.0, 15.0),
    "spent": _LOG_SECONDS,
    "answered": _LOG_SECONDS,
    "usual": _LOG_SECONDS,
    "doubt_budget": (-4.0, -1.0, 0.0, 1.0, 4.0),
    "level_doubt": (-4.0, -1.0, 0.0, 1.0, 4.0),
}
SAID: Final = ("doubt", "choices", "rare", "tense", "doubt_budget", "level_doubt")
"""Terms that need a mind's opinion."""
_FLAG_KNOTS: Final = {"left": (-0.5, 0.7, 1.5, 2.3, 3.0, 4.0, 5.5), "increment": (0.0, 0.8, 1.8, 3.0)}
_SMOOTH: Final = 30.0
_SMALL: Final = 3.0
"""Stiffer than chances are: with a tenth of it r on other people was 0.52 instead of 0.54 (1,273 turns)."""
_STIFF: Final = 10.0
_CENTRES: Final = 8
_QUANTILES: Final = 21


@dataclass(frozen=True)
class Flags:
    """Turns of clocked games and whether the clock ran out at them; no mind is asked. Arrays [n]."""

    remaining: Floats
    increment: Floats
    flagged: Floats

    @property
    def features(self) -> Features:
        return {"left": np.log(np.maximum(self.remaining, 0.0) + HALF), "increment": np.log1p(self.increment)}


@dataclass(frozen=True)
class GroupPace:
    """People beside the model in one group of turns."""

    group: str
    turns: int
    r: Interval
    quick: Interval
    """The share of people's answers under a second; `model_quick` of the model's."""
    model_quick: float
    long: Interval
    """Over half a minute."""
    model_long: float


@dataclass(frozen=True)
class PaceFigures:
    """What was measured on unseen turns."""

    groups: tuple[GroupPace, ...]
    """The last is "all"."""
    pit: tuple[float, ...]
    """The share of turns in each tenth of the model's distribution: 0.1 each where it is right."""
    forfeits: float
    """Flags that fell, a thousand turns; `model_forfeits` as the model has it."""
    model_forfeits: float

    @property
    def quantile_error(self) -> float:
        """How far from q the share of turns is that took less than the model's quantile q, on average over tenths."""
        reached = np.cumsum(self.pit)[:-1]
        return float(np.abs(reached - np.arange(1, len(self.pit)) / len(self.pit)).mean())

    @property
    def forfeit_ratio(self) -> float:
        return self.model_forfeits / self.forfeits if self.forfeits else float("nan")


def timed(turns: Turns) -> Turns:
    """The turns of people whose time is known."""
    return turns.where(~np.isnan(turns["seconds"]) & (turns["bot"] == 0))


def columns_of(turns: Turns) -> Features:
    """What `pace_features` wants."""
    names = ("entropy", "good", "legal", "captures", "recaptures", "hope", "ply", "rating", "remaining", "increment")
    more = ("opponent_remaining", "spent", "opponent_spent", "usual", "taken", "balance")
    held = {name: turns[name] for name in (*names, *more)}
    return held | {"chance": np.maximum(turns["chance"], -12.0)}


def spread_seconds(seconds: Floats) -> Floats:
    """Whole seconds moved by up to half a second, what is finer left alone."""
    rng = np.random.default_rng(0x7E7)
    whole = np.isclose(seconds, np.round(seconds), atol=1e-3)
    return np.where(whole, np.abs(seconds + rng.uniform(-0.5, 0.5, len(seconds))), seconds)


def flags_of(records: Sequence[Record]) -> Flags:
    """Every turn with a known clock, the turn at which a flag fell among them."""
    remaining, increments, flagged = [], [], []
    for record in records:
        if not record.clocks:
            continue
        clocks, movers = np.array(record.clocks, dtype=np.float64), movers_of(record)
        for side in (0, 1):
            at_turn = movers[-1] != side
            held = clocks[movers == side] if at_turn else clocks[movers == side][:-1]
            remaining.append(held)
            flagged.append(np.zeros(len(held)))
            if at_turn and len(held) and record.termination == "time" and record.score == float(side):
                flagged[-1][-1] = 1.0
            increments.append(np.full(len(held), increment_seconds(record.time_control)))
    if not remaining:
        return Flags(np.zeros(0), np.zeros(0), np.zeros(0))
    kept = [np.concatenate(each) for each in (remaining, increments, flagged)]
    known = ~np.isnan(kept[0])
    return Flags(*(each[known] for each in kept))


def fit_pace(turns: Turns, chosen: NDArray[np.bool_], flags: Flags) -> ThinkTime:
    """The model from the chosen ones of some timed turns. Raises TooFew where they are too few.

    What boards and clocks tell is learned from all of them; what a mind says, from what is left over at those it was
    asked about. How people spread is that of the latter, where there are enough.
    """
    features = {name: values[chosen] for name, values in pace_features(columns_of(turns)).items()}
    logs = np.log(spread_seconds(turns["seconds"])[chosen] + HALF)
    if len(logs) < LEAST_TURNS:
        raise TooFew(f"{len(logs)} timed turns are too few to learn from: {LEAST_TURNS} at least")
    pools = turns["pool"][chosen]
    expected, quick, long = _fit_sums(features, logs, pools)
    asked = ~np.isnan(features["doubt"])
    spread = asked if asked.sum() >= LEAST_SPREAD else np.ones(len(logs), dtype=np.bool_)
    centres = expected.score({name: held[spread] for name, held in features.items()}, pools[spread])
    return ThinkTime(expected, quick, long, *_spread(centres, logs[spread], logs), _fit_flags(flags))


def _fit_sums(features: Features, logs: Floats, pools: NDArray[np.str_]) -> tuple[Additive, Additive, Additive]:
    """The expectation, and the log-odds of an answer at once and of a long thought."""
    told = {name: knots for name, knots in KNOTS.items() if np.nan_to_num(features[name]).std() > 0}
    named = tuple(sorted(set(pools.tolist()))) if len(set(pools.tolist())) > 1 else ()
    plain = Design({name: knots for name, knots in told.items() if name not in SAID}, named, _SMOOTH, _SMALL)
    both = Design(told, (), _SMOOTH, _STIFF)
    asked = ~np.isnan(features["doubt"])
    some, their_pools = {name: held[asked] for name, held in features.items()}, pools[asked]
    ends = logs < np.log(QUICK_SECONDS + HALF), logs > np.log(LONG_SECONDS + HALF)
    found = [centred(fit_means(plain, features, logs, pools), features)]
    found += [centred(fit_chances(plain, features, end.astype(np.float64), pools), features) for end in ends]
    if asked.sum() >= LEAST_TURNS:
        rest = logs[asked] - found[0].score(some, their_pools)
        more = [fit_means(both, some, rest)]
        for at, end in enumerate(ends):
            known = found[at + 1].score(some, their_pools)
            more.append(fit_chances(both, some, end[asked].astype(np.float64), known=known))
        found = [add_sums(one, centred(other, some)) for one, other in zip(found, more, strict=True)]
    return found[0], found[1], found[2]


def _spread(expected: Floats, logs: Floats, every: Floats) -> tuple[Row, tuple[Row, ...], tuple[Row, Row]]:
    """Quantiles of people's times in groups of like expectation, and of all that are quick or long."""
    quick, long = np.log(QUICK_SECONDS + HALF), np.log(LONG_SECONDS + HALF)
    between = (logs >= quick) & (logs <= long)
    order = np.flatnonzero(between)[np.argsort(expected[between], kind="stable")]
    groups = np.array_split(order, _CENTRES)
    shares = np.linspace(0.0, 1.0, _QUANTILES)
    table = [_row(np.quantile(logs[rows], shares)) for rows in groups]
    centres = np.maximum.accumulate([expected[rows].mean() for rows in groups]) + 1e-6 * np.arange(_CENTRES)
    shares[-1] = 0.99  # a longest thought of all is no habit
    ends = [_row(np.quantile(held, shares)) if len(held) else _row(np.full(_QUANTILES, at)) for held, at in (
        (every[every < quick], 0.0), (every[every > long], long))]  # fmt: skip
    return _row(centres), tuple(table), (ends[0], ends[1])


def _row(values: Floats) -> Row:
    return tuple(map(float, values))


def _fit_flags(flags: Flags) -> Additive:
    if not flags.flagged.sum():
        return Design({}).read(np.array([-20.0]))
    return fit_chances(Design(_FLAG_KNOTS, smooth=1.0), flags.features, flags.flagged)


Judged = tuple[ThinkTime, NDArray[np.bool_]]
"""A model, and the turns [n] that it is measured on."""


def measure_pace(
    judged: Sequence[Judged], turns: Turns, flags: Sequence[Flags], groups: NDArray[np.str_]
) -> PaceFigures:
    """People beside models, each on turns of its own, told together. `groups` [n] names each turn's group.

    Where a mind was asked about enough of them, on those: an agent always asks one. Intervals resample people.
    """
    asked = ~np.isnan(turns["entropy"])
    if sum((chosen & asked).sum() for _, chosen in judged) >= LEAST_TURNS:
        judged = [(model, chosen & asked) for model, chosen in judged]
    features, spread = pace_features(columns_of(turns)), spread_seconds(turns["seconds"])
    rng, told_of = np.random.default_rng(0x9ACE), []
    for model, chosen in judged:
        outlook = model.foresee({name: values[chosen] for name, values in features.items()}, turns["pool"][chosen])
        drawn = np.array([model.draw(outlook, rng.random(int(chosen.sum()))) for _ in range(20)])
        told_of.append((outlook.expected, drawn, model.shares(outlook, spread[chosen])))
    expected, shares = (np.concatenate([each[at] for each in told_of]) for at in (0, 2))
    drawn = np.concatenate([each[1] for each in told_of], axis=1)
    rows = np.concatenate([np.flatnonzero(chosen) for _, chosen in judged])
    seconds, named = spread[rows], groups[rows]
    people = np.where(np.isnan(turns["person"]), -turns["game"], turns["person"])[rows]
    parts = [(name, named == name) for name in sorted(set(named.tolist()), key=_by_number)]
    parts = [(name, own) for name, own in parts if own.sum() >= LEAST_TURNS / 4]
    parts.append(("all", np.ones(len(named), dtype=np.bool_)))
    told = [_group(name, seconds[own], expected[own], drawn[:, own], people[own]) for name, own in parts]
    pit = np.histogram(shares, bins=10, range=(0, 1))[0] / len(seconds)
    return PaceFigures(tuple(told), tuple(map(float, pit)), *_flag_rates([model for model, _ in judged], flags))


def _flag_rates(models: Sequence[ThinkTime], flags: Sequence[Flags]) -> tuple[float, float]:
    """Flags that fell, a thousand turns, and as the models have it, each on flags of its own."""
    turns = sum(len(each.flagged) for each in flags)
    if not turns:
        return float("nan"), float("nan")
    fallen = sum(float(each.flagged.sum()) for each in flags)
    ours = sum(float(model.loses_on_time(each.features).sum()) for model, each in zip(models, flags, strict=True))
    return 1000 * fallen / turns, 1000 * ours / turns


def _by_number(name: str) -> tuple[float, str]:
    digits = "".join(each for each in name if each.isdigit())
    return float(digits or 0), name


def _group(name: str, seconds: Floats, expected: Floats, drawn: Floats, people: Floats) -> GroupPace:
    logs = np.log(seconds + HALF)
    quick, long = seconds < QUICK_SECONDS, seconds > LONG_SECONDS
    columns = np.column_stack([np.ones(len(logs)), logs, expected, logs**2, expected**2, logs * expected, quick, long])
    _, place = np.unique(people, return_inverse=True)
    sums = np.zeros((place.max() + 1, columns.shape[1]))
    np.add.at(sums, place, columns)
    draws = np.concatenate([counts @ sums for counts in resample_counts(len(sums), 0, 1_000)])
    every = sums.sum(axis=0)[None]
    return GroupPace(
        name, len(logs),
        interval_of(float(_correlation(every)[0]), _correlation(draws)),
        interval_of(float(quick.mean()), draws[:, 6] / draws[:, 0]), float((drawn < QUICK_SECONDS).mean()),
        interval_of(float(long.mean()), draws[:, 7] / draws[:, 0]), float((drawn > LONG_SECONDS).mean()),
    )  # fmt: skip


def _correlation(sums: Floats) -> Floats:
    n, x, y, xx, yy, xy = (sums[:, at] for at in range(6))
    return np.asarray((xy / n - x * y / n**2) / np.sqrt((xx / n - (x / n) ** 2) * (yy / n - (y / n) ** 2)))
