"""Person or program? A classifier over game records with readable weights, tested on programs that it never saw.

Of each side of a game: how the human network of the side's own level sees the moves (how likely they were, how often
the likeliest was played, how often one that hardly anybody plays, beyond what the network's own doubt explains), what
they gave away by its expected results, and the traits of style. All games are cut to the same number of moves, so that
their length and end say nothing. Weights are those of a logistic regression, pulled to nothing, people and programs
counting alike. For each program it is learned from half of the people and from programs of other kinds, and asked about
the other half of the people and that program; then the halves change places. Intervals are of resampled games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Mind, Opinion, Query, index_of
from hitonami.dataset.columns import columns_of
from hitonami.dataset.samples import samples_at
from hitonami.dataset.shards import movers_of, table_of
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import BATCH, opinions_of
from hitonami.evaluate.intervals import RESAMPLES, Interval, interval_of
from hitonami.records import Record
from hitonami.style.descent import minimise
from hitonami.traits import measure_traits, traits_of

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
FIRST_PLY: Final = 8
"""Before it people and programs follow books."""
SEEN: Final = (
    "likelihood",
    "likelihood beyond doubt",
    "likeliest moves",
    "moves below 2%",
    "spread of likelihood",
    "given away a move",
    "most given away",
    "moves that give away 0.1",
)
_LOWEST: Final = -8.0
_PULL: Final = 20.0
_HALVES: Final = 2


@dataclass(frozen=True)
class Shown:
    """Sides of games [n] and what shows of them; both sides of a game are neighbours."""

    names: tuple[str, ...]
    values: Floats
    """[n, features], NaN where a game says nothing."""

    @property
    def game(self) -> Whole:
        return np.arange(len(self.values)) // 2


@dataclass(frozen=True)
class Told:
    """How well a program is told from people."""

    agent: str
    games: int
    people: int
    auc: Interval
    """The chance that a side of the program looks more like a program than a side of a person does."""
    accuracy: Interval
    """People and programs counting alike."""


@dataclass(frozen=True)
class Unmasked:
    """Everything that was found."""

    people: int
    told: tuple[Told, ...]
    weights: tuple[tuple[str, float], ...]
    """Of a classifier that learned from all: above nothing speaks for a program; the largest first."""


def kind_of(agent: str) -> str:
    """Programs that differ in their level alone are of one kind."""
    return agent.rpartition("@")[0] or agent


def show_games(
    records: Sequence[Record], mind: Mind, plies: int, report: Callable[[int], None] = lambda done: None
) -> Shown:
    """What shows of both sides of each game, cut to `plies` moves."""
    cut = [_cut(each, plies) for each in records]
    traits = measure_traits(columns_of(table_of(cut, [""] * len(cut)), cut[0].game))
    names = traits_of(cut[0].game).names
    seen = np.concatenate(_see(cut, mind, report))
    return Shown((*SEEN, *names), np.concatenate([seen, traits.reshape(2 * len(cut), -1)], axis=1).astype(np.float64))


def _cut(record: Record, plies: int) -> Record:
    """The first moves alone: no result, no end, no clocks beyond them."""
    return Record(
        record.game,
        record.setup,
        record.moves[:plies],
        record.players,
        clocks=record.clocks[:plies],
        think_seconds=record.think_seconds[:plies],
        time_control=record.time_control,
        movers=record.movers[:plies],
    )


def _see(records: Sequence[Record], mind: Mind, report: Callable[[int], None]) -> list[Floats]:
    """[2, SEEN] of each game."""
    effort, found, held, done = Effort.seeded(), list[Floats](), list[tuple[Record, list[Query], list[int]]](), 0
    for at, record in enumerate(records):
        samples = list(samples_at(record, range(FIRST_PLY, len(record.moves))))
        held.append((record, [each.query for each in samples], [each.move for each in samples]))
        if sum(len(queries) for _, queries, _ in held) < BATCH and at + 1 < len(records):
            continue
        opinions = iter(opinions_of(mind, [query for _, queries, _ in held for query in queries], effort))
        for own, queries, moves in held:
            rows = [_row(query, move, next(opinions)) for query, move in zip(queries, moves, strict=True)]
            movers = movers_of(own)[FIRST_PLY : FIRST_PLY + len(rows)]
            found.append(_summed(np.array(rows).reshape(-1, 4), movers))
        done += len(held)
        held = []
        report(done)
    return found


def _row(query: Query, move: int, opinion: Opinion) -> tuple[float, float, float, float]:
    """Of one move: log-probability, what was to be expected of it, whether it was the likeliest, the expected score."""
    log_probs: Floats = np.maximum(opinion.log_probs.astype(np.float64), _LOWEST)
    wdl, own = opinion.wdl, log_probs[index_of(query.position, move)]
    chances = np.exp(log_probs)
    score = np.nan if wdl is None else float(wdl[0] + wdl[1] / 2)
    return float(own), float((chances * log_probs).sum() / chances.sum()), float(own == log_probs.max()), score


def _summed(rows: Floats, movers: Whole) -> Floats:
    """[2, SEEN]"""
    if not len(rows):
        return np.full((2, len(SEEN)), np.nan)
    drop = np.full(len(rows), np.nan)
    turned = movers[1:] != movers[:-1]
    drop[:-1] = np.where(turned, rows[:-1, 3] + rows[1:, 3] - 1.0, np.nan)  # before, and what the other side thinks
    sides = []
    for side in (0, 1):
        own, lost = rows[movers == side], drop[movers == side]
        lost = lost[~np.isnan(lost)]
        if not len(own):
            sides.append(np.full(len(SEEN), np.nan))
            continue
        given = [lost.mean(), lost.max(), (lost > 0.1).mean()] if len(lost) else [np.nan] * 3
        likely = [own[:, 0].mean(), (own[:, 0] - own[:, 1]).mean(), own[:, 2].mean(), (own[:, 0] < np.log(0.02)).mean()]
        sides.append(np.array([*likely, own[:, 0].std(), *given]))
    return np.stack(sides)


@dataclass(frozen=True)
class Classifier:
    """A logistic regression over features in spreads."""

    names: tuple[str, ...]
    shift: Floats
    scale: Floats
    weights: Floats
    """[1 + features], the constant first."""

    def score(self, values: Floats) -> Floats:
        """[n] log-odds that it was a program."""
        return self.weights[0] + _spreads(values, self.shift, self.scale) @ self.weights[1:]


def _spreads(values: Floats, shift: Floats, scale: Floats) -> Floats:
    off = np.clip((values - shift) / scale, -5.0, 5.0)
    return np.where(np.isnan(off), 0.0, off)


def learn(names: tuple[str, ...], people: Floats, programs: Floats, shares: Floats | None = None) -> Classifier:
    """From sides of both, which count alike in all; `shares` weighs the programs' sides."""
    both = np.concatenate([people, programs])
    with np.errstate(invalid="ignore"):
        known = ~np.isnan(both)
        count = np.maximum(known.sum(axis=0), 1)
        shift = np.where(known, both, 0.0).sum(axis=0) / count
        spread = np.sqrt(np.where(known, np.square(both - shift), 0.0).sum(axis=0) / count)
    scale = np.where(spread > 1e-9, spread, 1.0)
    columns = np.concatenate([np.ones((len(both), 1)), _spreads(both, shift, scale)], axis=1)
    truth = np.repeat([-1.0, 1.0], [len(people), len(programs)])
    own = np.full(len(programs), 1.0) if shares is None else shares
    weigh = np.concatenate([np.full(len(people), 1.0 / len(people)), own / own.sum()]) * len(both) / 2
    pull = np.concatenate([[1e-6], np.full(columns.shape[1] - 1, _PULL)])

    def loss(weights: Floats) -> tuple[float, Floats]:
        margin = truth * (columns @ weights)
        value = float((weigh * np.logaddexp(0.0, -margin)).sum() + (pull * weights**2).sum() / 2)
        slope = columns.T @ (-weigh * truth / (1.0 + np.exp(np.clip(margin, -500, 500)))) + pull * weights
        return value, slope

    return Classifier(names, shift, scale, minimise(loss, np.zeros(columns.shape[1]), rounds=200))


def unmask(people: Shown, programs: Mapping[str, Shown], *, seed: int = 0) -> Unmasked:
    """How well each program is told from people. Raises BadInput where there is no program of another kind."""
    if len({kind_of(name) for name in programs}) < 2:
        raise BadInput("programs of two kinds at least are needed: one to be told, others to learn from")
    told = [_tell(people, name, programs, seed) for name in programs]
    whole = _learn_from(people.values, programs)
    order = np.argsort(-np.abs(whole.weights[1:]), kind="stable")
    weights = tuple((people.names[at], float(whole.weights[1 + at])) for at in order.tolist())
    return Unmasked(len(people.values) // 2, tuple(told), weights)


def _learn_from(people: Floats, programs: Mapping[str, Shown]) -> Classifier:
    """Each kind of program counts alike, however many games and levels it has."""
    kinds = [kind_of(name) for name in programs]
    sides = {kind: sum(len(programs[name].values) for name in programs if kind_of(name) == kind) for kind in kinds}
    shares = np.concatenate([np.full(len(programs[name].values), 1.0 / sides[kind_of(name)]) for name in programs])
    names = next(iter(programs.values())).names
    return learn(names, people, np.concatenate([each.values for each in programs.values()]), shares)


def _tell(people: Shown, name: str, programs: Mapping[str, Shown], seed: int) -> Told:
    others = {other: shown for other, shown in programs.items() if kind_of(other) != kind_of(name)}
    own, half = programs[name], people.game % _HALVES
    person, program = np.zeros(len(half)), np.zeros((_HALVES, len(own.values)))
    for at in range(_HALVES):
        learned = _learn_from(people.values[half != at], others)
        person[half == at] = learned.score(people.values[half == at])
        program[at] = learned.score(own.values)
    return _measure(name, (person, half, people.game), (program, own.game), seed)


def _measure(name: str, people: tuple[Floats, Whole, Whole], program: tuple[Floats, Whole], seed: int) -> Told:
    """Each half of the people stands beside the program as the classifier that did not learn from them sees it."""
    (person, half, game), (scores, of_program) = people, program

    def figures(mine: Whole, theirs: Whole) -> tuple[float, float]:
        aucs = [_auc(scores[at][theirs], person[mine][half[mine] == at]) for at in range(_HALVES)]
        right = (scores[:, theirs] > 0).mean(), (person[mine] <= 0).mean()
        return float(np.nanmean(aucs)), float(np.mean(right))

    rng = np.random.default_rng([seed, 0x0A5])
    value = figures(np.arange(len(person)), np.arange(scores.shape[1]))
    draws = np.array([figures(_resample(game, rng), _resample(of_program, rng)) for _ in range(RESAMPLES // 4)])
    auc, accuracy = (interval_of(value[at], draws[:, at]) for at in (0, 1))
    return Told(name, int(of_program.max()) + 1, int(game.max()) + 1, auc, accuracy)


def _resample(game: Whole, rng: np.random.Generator) -> Whole:
    """Rows of resampled games, two of each."""
    drawn = rng.integers(0, int(game.max()) + 1, int(game.max()) + 1)
    return (2 * drawn[:, None] + np.arange(2)).ravel()


def _auc(programs: Floats, people: Floats) -> float:
    """The share of pairs in order; ties are half."""
    if not len(programs) or not len(people):
        return np.nan
    order = np.sort(people)
    below = np.searchsorted(order, programs, "left") + np.searchsorted(order, programs, "right")
    return float(below.mean() / (2 * len(people)))
