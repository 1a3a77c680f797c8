"""What results are worth to people, from what they play: maximum-entropy inverse reinforcement learning.

A player with the utilities win 1, draw d and loss 0 chooses among the moves that come to mind with

    P(a) ∝ prior(a) · exp(β · (W(a) + d · D(a)))

where W and D are the chances of a win and of a draw after the move. Utilities are known up to scale and shift, so win
and loss are fixed and β stands for the scale. The score is linear in W and D with the weights β and β · d: a choice
model, whose likelihood has one summit, fitted as a twin's leanings are (style/learning.py). Moves that do not come to
mind are left out on both sides, which changes nothing of the odds between the others. Intervals are of resampled games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.intervals import RESAMPLES, Interval, interval_of, resample_counts
from hitonami.evaluate.metrics import group_rows
from hitonami.progress import Report, unheard
from hitonami.style.decisions import Decisions
from hitonami.style.learning import Choices, Prior, plain_prior

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
LEAST: Final = 50
"""Decisions of a group; with fewer nothing is told."""
_LEAST_BETA: Final = 1e-6


@dataclass(frozen=True)
class Considered:
    """Decisions [n]: the moves that came to mind [M] with their priors, what each leads to, and which was played."""

    facts: Facts
    widths: Whole
    log_probs: Floats
    """[M]."""
    columns: Floats
    """[M, columns] what is weighed of each move; for utilities the chances of a win and of a draw after it."""
    played: Whole
    """[n] the place of the move among those of its decision, -1 where it did not come to mind."""
    drawn_to_nothing: bool = False
    """Whether many columns, in spreads, have weights that a twin's prior pulls to nothing, or few are free."""

    @property
    def prior(self) -> Prior:
        """Shift and scale of the columns, and the pull."""
        return plain_prior(self._held(), ()) if self.drawn_to_nothing else _free(self.columns.shape[1])

    def choices(self, prior: Prior | None = None) -> Choices:
        """Laid out for the fit."""
        return Choices(self._held(), prior or self.prior, ())

    def _held(self) -> Decisions:
        begins = np.concatenate([[0], np.cumsum(self.widths)])
        return Decisions(
            game=np.unique(self.facts.game, return_inverse=True)[1],
            ply=self.facts.ply.astype(np.int64),
            played=self.played,
            widths=self.widths,
            legal_widths=self.widths,
            log_probs=self.log_probs.astype(np.float32),
            names=np.zeros((begins[-1], 0), dtype=np.int64),
            scenes=np.zeros((len(self.widths), 0), dtype=np.str_),
            places=np.arange(begins[-1]) - np.repeat(begins[:-1], self.widths),
            columns=self.columns.astype(np.float32),
            kinds=np.zeros((begins[-1], 0), dtype=np.int64),
        )


def _free(wide: int) -> Prior:
    plain = np.zeros(wide, dtype=np.float32), np.ones(wide, dtype=np.float32)
    return Prior(*plain, np.zeros(wide), np.zeros(wide))


@dataclass(frozen=True)
class Weights:
    """What was fitted to the decisions of one group."""

    name: str
    n: int
    games: int
    rating: float | None
    """The median of the rated."""
    value: Floats
    """[columns]."""
    draws: Floats
    """[resamples, columns]."""
    gain: Interval
    """Nats a move that the weights gain over the prior on these decisions."""

    def interval(self, column: int) -> Interval:
        return interval_of(float(self.value[column]), self.draws[:, column])


@dataclass(frozen=True)
class Utilities:
    """What results are worth to a group, with win = 1 and loss = 0."""

    name: str
    n: int
    games: int
    rating: float | None
    beta: Interval
    draw: Interval
    gain: Interval


def fit_weights(
    found: Considered,
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    report: Report = unheard,
) -> list[Weights]:
    """Of each group, of each pool where there are several, and last of all. Groups with few decisions are left out."""
    choices, facts = found.choices(), found.facts
    known = np.flatnonzero(choices.own >= 0)
    named = [(name, np.intersect1d(rows, known)) for name, rows in rows_of(facts)]
    kept = [(name, rows) for name, rows in named if len(rows) >= LEAST]
    made = []
    for name, rows in kept:
        made.append(_fit(choices, facts, name, rows, seed, resamples))
        report(len(made), len(made))
    return made


def rows_of(facts: Facts) -> list[tuple[str, Whole]]:
    """The groups, and before the last, which is all, each pool of several."""
    groups = group_rows(facts)
    pools = np.array(facts.pool, dtype=object)
    names = sorted(set(facts.pool)) if len(groups) > 1 else []
    each = [(f"{pool or 'unknown pool'} all", np.flatnonzero(pools == pool)) for pool in names]
    return [*groups[:-1], *(each if len(each) > 1 else []), groups[-1]]


def _fit(choices: Choices, facts: Facts, name: str, rows: Whole, seed: int, resamples: int) -> Weights:  # noqa: PLR0913, PLR0917
    """Each resample of games is one Newton step from the summit: the likelihood is all but a parabola there."""
    games, place = np.unique(choices.held.game[rows], return_inverse=True)
    value = choices.fit(rows, 1.0)
    slopes, bends = _slopes(choices, rows, value)
    sums = np.zeros((len(games), len(value) + 2))
    columns = [slopes, gained_by(choices, value)[rows, None], np.ones((len(rows), 1))]
    np.add.at(sums, place, np.concatenate(columns, axis=1))
    drawn = np.concatenate([counts @ sums for counts in resample_counts(len(games), seed, resamples)])
    steps = (drawn[:, :-2] - sums[:, :-2].sum(axis=0)) @ np.linalg.pinv(bends)
    rated = facts.rating[rows][~np.isnan(facts.rating[rows])]
    gain = interval_of(float(sums[:, -2].sum() / len(rows)), drawn[:, -2] / drawn[:, -1])
    rating = float(np.median(rated)) if len(rated) else None
    return Weights(name, len(rows), len(games), rating, value, value + steps, gain)


def _slopes(choices: Choices, rows: Whole, weights: Floats) -> tuple[Floats, Floats]:
    """[rows, columns] how each decision would turn the weights, and [columns, columns] how the likelihood bends."""
    begins, widths = choices.begins[:-1], choices.held.widths
    shares = np.exp(choices.inner + choices.seen @ weights)
    shares /= np.repeat(np.add.reduceat(shares, begins), widths)
    weighed = shares[:, None] * choices.seen
    means = np.add.reduceat(weighed, begins)
    moves = np.isin(choices.row, rows)
    bends = weighed[moves].T @ choices.seen[moves] - means[rows].T @ means[rows]
    return choices.seen[choices.own[rows]] - means[rows], bends + np.diag(choices.prior.pull)


def gained_by(choices: Choices, weights: Floats) -> Floats:
    """[n] nats that weights gain over the prior on each decision."""
    return choices.nats(choices.lean(np.zeros(len(weights)))) - choices.nats(choices.lean(weights))


def utilities_of(weights: Sequence[Weights]) -> list[Utilities]:
    """β and the draw's utility, from the weights of a win and of a draw.

    Where β is nothing, so that no result is worth more than another, the draw's utility is unbounded.
    """
    return [
        Utilities(
            each.name,
            each.n,
            each.games,
            each.rating,
            each.interval(0),
            interval_of(float(_ratio(each.value)), _ratio(each.draws)),
            each.gain,
        )
        for each in weights
    ]


def _ratio(weights: Floats) -> Floats:
    win, draw = weights[..., 0], weights[..., 1]
    safe = np.where(np.abs(win) < _LEAST_BETA, _LEAST_BETA, win)
    return np.asarray(draw / safe)
