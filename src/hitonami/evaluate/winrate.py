"""How good are a mind's chances of winning? Result accuracy, cross-entropy, Brier score, calibration, spread.

One position of each game is asked about (`draw` with `most_of_a_game` 1), so that positions are independent. V is the
expected score of the side to move: win + draw / 2. Accuracy leaves drawn games out; V of exactly 1/2 counts half.
Cross-entropy is told twice: of the expected score (a draw is half a win, half a loss), and of win, draw and loss.

ECE, the expected calibration error, cuts V into ten bins of 0.1 and takes the mean distance between mean V and mean
score, weighted by the bins' counts. A small sample has a large ECE even where the chances are perfect, so its mean over
outcomes drawn from the chances themselves is told beside it; a constant 1/2 has an ECE near 0, so never without
cross-entropy and spread.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.evaluate.decisions import DecisionTable, Facts
from hitonami.evaluate.intervals import RESAMPLES, Interval, interval_of, resample_counts
from hitonami.evaluate.metrics import group_rows

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
BINS: Final = 10
FLOOR: Final = 1e-6
"""Chances under this count as this."""
SIMULATIONS: Final = 1_000
_EVEN: Final = 1e-9
_CELLS_AT_ONCE: Final = 2_000_000
FIGURES: Final = ("accuracy", "cross_entropy", "three_way", "brier", "ece")


@dataclass(frozen=True)
class Outcomes:
    """Positions with their results and one mind's chances. Arrays [n], `wdl` [n, 3], all of the side to move."""

    score: Floats
    wdl: Floats

    @property
    def expected(self) -> Floats:
        return self.wdl[:, 0] + self.wdl[:, 1] / 2

    @property
    def place(self) -> Rows:
        """[n] 0 for a win, 1 for a draw, 2 for a loss."""
        return np.where(self.score == 1.0, 0, np.where(self.score == 0.0, 2, 1))


@dataclass(frozen=True)
class ResultFigures:
    """One mind in one group."""

    group: str
    n: int
    drawn: float
    """The share of drawn games."""
    accuracy: Interval
    cross_entropy: Interval
    three_way: Interval
    brier: Interval
    ece: Interval
    ece_expected: float
    """The mean ECE of a mind whose chances are these and are right, at this n."""
    ece_p: float
    """How often such a mind would have an ECE at least as large."""
    spread: float
    """The standard deviation of V."""
    mean: float
    """Of V; `mean_score` of the results."""
    mean_score: float

    @property
    def ece_excess(self) -> float:
        return self.ece.value - self.ece_expected


@dataclass(frozen=True)
class ResultBin:
    """Positions with V in [low, high)."""

    low: float
    high: float
    n: int
    expected: float
    score: float


@dataclass(frozen=True)
class ResultsOf:
    """One mind. The last of `groups` is "all"; `phases` are thirds of the positions by ply."""

    mind: str
    groups: tuple[ResultFigures, ...]
    phases: tuple[ResultFigures, ...]
    bins: tuple[ResultBin, ...]

    @property
    def all(self) -> ResultFigures:
        return self.groups[-1]


@dataclass(frozen=True)
class ResultPair:
    """a − b on the same positions: for each group, an interval for each of FIGURES."""

    a: str
    b: str
    groups: tuple[tuple[str, Mapping[str, Interval]], ...]


@dataclass(frozen=True)
class WinRates:
    """Everything that was measured."""

    minds: tuple[ResultsOf, ...]
    pairs: tuple[ResultPair, ...]
    has_draws: bool


def measure_results(table: DecisionTable, *, seed: int = 0, resamples: int = RESAMPLES) -> WinRates:
    """All figures of a table with one position of each game. Raises BadInput where nobody has a view of results."""
    silent = [name for name, answers in table.answers.items() if np.isnan(answers.wdl).any()]
    if silent:
        raise BadInput(f"these minds say nothing about results: {', '.join(silent)}")
    if not len(known_rows(table.facts)):
        raise BadInput("not one of these games says who won")
    chances = {name: answers.wdl for name, answers in table.answers.items()}
    return measure_chances(table.facts, chances, seed=seed, resamples=resamples)


def measure_chances(
    facts: Facts,
    chances: Mapping[str, Floats],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    pairs: Sequence[tuple[str, str]] | None = None,
) -> WinRates:
    """Figures of several minds' chances [n, 3] on the rows with a known result. `pairs` are compared, else all."""
    known = known_rows(facts)
    named = [(name, np.intersect1d(rows, known)) for name, rows in group_rows(facts)]
    groups = [_Part(name, rows, seed, resamples) for name, rows in named if len(rows)]
    phases = [_Part(name, rows, seed, resamples) for name, rows in phase_rows(facts, known)]
    minds, drawn = [], {}
    for name, wdl in chances.items():
        told = Outcomes(facts.score, _floored(wdl))
        drawn[name] = [part.measure(told) for part in groups]
        by_phase = tuple(part.measure(told)[0] for part in phases)
        bins = reliability(Outcomes(told.score[known], told.wdl[known]))
        minds.append(ResultsOf(name, tuple(figures for figures, _ in drawn[name]), by_phase, bins))
    wanted = list(combinations(chances, 2)) if pairs is None else pairs
    found = tuple(_pair(a, b, groups, drawn[a], drawn[b]) for a, b in wanted)
    return WinRates(tuple(minds), found, bool((facts.score[known] == 0.5).any()))


def phase_rows(facts: Facts, known: Rows) -> list[tuple[str, Rows]]:
    """Thirds of the positions by ply, the earliest first; fewer where many share a ply."""
    plies = facts.ply[known]
    edges = np.unique([plies.min(), *np.quantile(plies, [1 / 3, 2 / 3], method="nearest"), plies.max() + 1])
    found = []
    for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        rows = known[(plies >= low) & (plies < high)]
        if len(rows):
            found.append((f"plies {int(low)}–{int(high) - 1}", rows))
    return found


def _floored(wdl: Floats) -> Floats:
    kept = np.maximum(wdl, FLOOR)
    return kept / kept.sum(axis=1, keepdims=True)


def loss_columns(told: Outcomes) -> Floats:
    """[n, 5] what sums to the figures: hits and decided games, cross-entropy, three-way cross-entropy, Brier."""
    expected, score = told.expected, told.score
    decided = score != 0.5
    hit = np.where(np.abs(expected - 0.5) < _EVEN, 0.5, (expected > 0.5) == (score > 0.5)) * decided
    entropy = -(score * np.log(expected) + (1 - score) * np.log1p(-expected))
    three_way = -np.log(told.wdl[np.arange(len(score)), told.place])
    return np.column_stack([hit, decided, entropy, three_way, (expected - score) ** 2])


def bin_errors(told: Outcomes, score: Floats | None = None) -> Floats:
    """[n, BINS] V − score in the column of V's bin, else 0."""
    error = told.expected - (told.score if score is None else score)
    found = np.zeros((len(error), BINS))
    found[np.arange(len(error)), _bin_of(told.expected)] = error
    return found


def _bin_of(expected: Floats) -> Rows:
    return np.minimum((expected * BINS).astype(np.int64), BINS - 1)


def simulate_ece(told: Outcomes, seed: int, simulations: int = SIMULATIONS) -> Floats:
    """[simulations] the ECE of these chances against results drawn from them."""
    rng = np.random.default_rng([seed, 0xECE])
    n = len(told.score)
    ones = np.zeros((n, BINS))
    ones[np.arange(n), _bin_of(told.expected)] = 1.0
    win, win_or_draw = told.wdl[:, 0], told.wdl[:, 0] + told.wdl[:, 1]
    found = []
    for begin in range(0, simulations, rows := max(1, _CELLS_AT_ONCE // n)):
        drawn = rng.random((min(rows, simulations - begin), n))
        scores = ((drawn < win).astype(np.float64) + (drawn < win_or_draw)) / 2
        found.append(np.abs((told.expected - scores) @ ones).sum(axis=1) / n)
    return np.concatenate(found)


def reliability(told: Outcomes) -> tuple[ResultBin, ...]:
    """Mean V and mean score of each bin that is not empty."""
    place = _bin_of(told.expected)
    found = []
    for at in np.unique(place).tolist():
        rows = place == at
        means = float(told.expected[rows].mean()), float(told.score[rows].mean())
        found.append(ResultBin(at / BINS, (at + 1) / BINS, int(rows.sum()), *means))
    return tuple(found)


@dataclass(frozen=True)
class _Part:
    """Some rows that are measured together; every mind is resampled by the same draws."""

    name: str
    rows: Rows
    seed: int
    resamples: int

    def measure(self, every: Outcomes) -> tuple[ResultFigures, Floats]:
        """The figures, and [resamples, FIGURES] their values in each resample."""
        told = Outcomes(every.score[self.rows], every.wdl[self.rows])
        columns = np.hstack([loss_columns(told), bin_errors(told)])
        values = _figures(columns.sum(axis=0)[None], len(self.rows))[0]
        draws = np.concatenate(
            [
                _figures(counts @ columns, len(self.rows))
                for counts in resample_counts(len(self.rows), self.seed, self.resamples)
            ]
        )
        by_chance = simulate_ece(told, self.seed)
        accuracy, entropy, three_way, brier, ece = (
            interval_of(float(values[at]), draws[:, at]) for at in range(len(FIGURES))
        )
        figures = ResultFigures(
            self.name,
            len(self.rows),
            float((told.score == 0.5).mean()),
            accuracy,
            entropy,
            three_way,
            brier,
            ece,
            float(by_chance.mean()),
            float((by_chance >= ece.value).mean()),
            float(told.expected.std()),
            float(told.expected.mean()),
            float(told.score.mean()),
        )
        return figures, draws


def _figures(sums: Floats, n: int) -> Floats:
    """[draws, FIGURES] from sums [draws, columns]; accuracy is NaN where no game was decided."""
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = sums[:, 0] / sums[:, 1]
    return np.column_stack([accuracy, sums[:, 2:5] / n, np.abs(sums[:, 5:]).sum(axis=1) / n])


def _pair(
    a: str,
    b: str,
    parts: list[_Part],
    ours: list[tuple[ResultFigures, Floats]],
    theirs: list[tuple[ResultFigures, Floats]],
) -> ResultPair:
    groups = []
    for part, (one, draws), (other, drawn) in zip(parts, ours, theirs, strict=True):
        differences = {
            name: interval_of(getattr(one, name).value - getattr(other, name).value, draws[:, at] - drawn[:, at])
            for at, name in enumerate(FIGURES)
        }
        groups.append((part.name, differences))
    return ResultPair(a, b, tuple(groups))


def known_rows(facts: Facts) -> Rows:
    """The rows with a known result."""
    return np.flatnonzero(~np.isnan(facts.score))
