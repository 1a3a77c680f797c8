"""Repetition fitted to turns at which a position was there again: did people go back once more, and would an agent?

Few games repeat, so all of them are asked about, and each quarter of the games is measured by curves of the rest.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Mind, Query, index_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Found, Tally, open_data
from hitonami.dataset.shards import start_of
from hitonami.errors import TooFew
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.fits.additive import Design, fit_chances
from hitonami.fits.manners_run import MannersWish, keep_manners
from hitonami.manners.additive import Features, Floats
from hitonami.manners.repetition import Repeats, mass_back, repeat_features, ways_back
from hitonami.progress import Report, Watching
from hitonami.records import Record
from hitonami.specs import Room

REPEATS_FILTER: Final = "no-bots"
LEAST_TURNS: Final = 100
_BATCH: Final = 128
_PARTS: Final = 4
_KNOTS: Final = {"hope": (-2.0, -1.0, 0.0, 1.0, 2.0), "times": (2.0, 3.0)}
_HOPES: Final = ((0.0, 0.4, "worse"), (0.4, 0.6, "even"), (0.6, 1.01, "better"))


@dataclass(frozen=True)
class Returns:
    """Turns of positions that were there before. Arrays [n]."""

    game: Floats
    columns: Features
    """`mass`, `hope`, `times` as `repeat_features` wants them."""
    went: Floats
    """1 where the person made a move that led back."""


@dataclass(frozen=True)
class RepeatFigures:
    """People beside what the mind expects and what the fitted agent does, in one group of turns."""

    group: str
    turns: int
    games: int
    people: Interval
    mind: Interval
    fitted: Interval


@dataclass(frozen=True)
class RepeatsRun:
    wish: MannersWish
    games: int
    """That were read; `RepeatFigures.games` of them repeat."""
    model: Repeats
    figures: tuple[RepeatFigures, ...]
    gain: Interval
    """Nats a turn by which the fitted chance is better than the mind's own."""


def returns_of(record: Record) -> Iterator[tuple[Query, int]]:
    """Questions at positions that were there before, with the moves that were made."""
    position, seen = start_of(record.game, record.setup), Counter[object]()
    for move in record.moves:
        seen[position.key] += 1
        if seen[position.key] > 1:
            yield Query(position, record.players[position.to_move], record.players[1 - position.to_move]), move
        position = position.follow(move)


def ask_returns(games: Iterable[tuple[int, Query, int]], mind: Mind, report: Report) -> Returns:
    """Ask a mind about turns, each with the number of its game; those without a way back are left out."""
    held = [(game, query, move, ways) for game, query, move in games if (ways := ways_back(query.position)) is not None]
    effort, rows = Effort.seeded(), list[tuple[float, ...]]()
    for begin in range(0, len(held), _BATCH):
        some = held[begin : begin + _BATCH]
        told = mind([query for _, query, *_ in some], effort)
        for (game, query, move, ways), opinion in zip(some, told, strict=True):
            hope = np.nan if opinion.wdl is None else dist.expected_score(opinion.wdl)
            went = float(ways.moves[index_of(query.position, move)])
            rows.append((game, mass_back(ways, opinion.log_probs), hope, ways.times, went))
        report(len(rows), len(rows))
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    return Returns(table[:, 0], {"mass": table[:, 1], "hope": table[:, 2], "times": table[:, 3]}, table[:, 4])


def fit_repeats(returns: Returns, chosen: np.ndarray | None = None) -> Repeats:
    """The sum on top of the mind's own log-odds. Raises TooFew."""
    rows = np.ones(len(returns.went), dtype=np.bool_) if chosen is None else chosen
    if rows.sum() < LEAST_TURNS:
        raise TooFew(f"{rows.sum()} turns of repetition are too few to learn from: {LEAST_TURNS} at least")
    features = {name: held[rows] for name, held in repeat_features(returns.columns).items()}
    return Repeats(fit_chances(Design(_KNOTS), features, returns.went[rows], known=features["mind"]))


def measure_repeats(returns: Returns) -> tuple[tuple[RepeatFigures, ...], Interval]:
    """People, mind and fitted agent by how they stand, each part of the games by curves of the rest, and the nats."""
    features = repeat_features(returns.columns)
    place = np.unique(returns.game, return_inverse=True)[1]
    mind, fitted = returns.columns["mass"], np.zeros(len(place))
    for part in range(_PARTS):
        rows = place % _PARTS == part
        own = {name: held[rows] for name, held in features.items()}
        fitted[rows] = fit_repeats(returns, ~rows).chance(own)
    groups = [("all", np.ones(len(place), dtype=np.bool_))]
    groups += [(f"{name} off", within) for low, high, name in _HOPES
               if (within := (returns.columns["hope"] >= low) & (returns.columns["hope"] < high)).any()]  # fmt: skip
    groups += [(f"for the {int(times)}. time", returns.columns["times"] == times)
               for times in np.unique(returns.columns["times"])]  # fmt: skip
    found = tuple(
        RepeatFigures(
            name, int(rows.sum()), len(set(place[rows].tolist())),
            *(_mean(values[rows], place[rows]) for values in (returns.went, mind, fitted)),
        )
        for name, rows in groups
    )  # fmt: skip
    return found, _mean(_nats(fitted, returns.went) - _nats(mind, returns.went), place)


def _nats(chance: Floats, happened: Floats) -> Floats:
    held = np.clip(chance, 1e-3, 1 - 1e-3)
    return np.asarray(np.log(np.where(happened == 1, held, 1 - held)), dtype=np.float64)


def _mean(values: Floats, games: Sequence[float] | np.ndarray) -> Interval:
    place = np.unique(games, return_inverse=True)[1]
    sums = np.zeros((place.max() + 1, 2))
    np.add.at(sums, place, np.column_stack([values, np.ones(len(values))]))
    draws = np.concatenate([drawn @ sums for drawn in resample_counts(len(sums), 0, 1_000)])
    return interval_of(float(values.mean()), draws[:, 0] / np.maximum(draws[:, 1], 1))


def run_repeats(wish: MannersWish, arguments: tuple[str, ...], watch: Watching) -> RepeatsRun:
    """Read games, ask about all that repeat (of `wish.games` at most), fit, measure, keep the sum."""
    rules, data, tally = parse_filter(wish.filter_text), open_data(arguments, wish.game, named=True), Tally()
    repeating: dict[int, list[tuple[Query, int]]] = {}
    with watch(data.bytes_total, "games") as meter:
        every: Iterable[Found] = data.games(tally, "all", lambda done: meter.show(done, tally.games))
        for found in every:
            if found.content not in repeating and rules.keeps_game(found.record):
                turns = list(returns_of(found.record))
                if turns and len(repeating) < wish.games:
                    repeating[found.content] = turns
    asked = [(at, *turn) for at, turns in enumerate(repeating.values()) for turn in turns]
    with Room() as room, watch(len(asked), "turns asked about") as meter:
        mind: Mind = room.open(wish.mind)
        returns = ask_returns(asked, mind, meter.show)
    model = fit_repeats(returns)
    figures, gain = measure_repeats(returns)
    about = {"turns": len(returns.went), "games": len(repeating)}
    told = np.stack([returns.game, *returns.columns.values()])
    keep_manners(wish, "repeats", {"goes_back": model.goes_back.as_data()}, about, told)
    return RepeatsRun(wish, tally.games, model, figures, gain)
