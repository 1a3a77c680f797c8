"""Losses and blunders by the dissertation's own protocol (S0 §4.6.3 and A.2). Computes on what was judged; asks nobody.

Only positions count that the judge does not call decided. A mind draws with a temperature T, P^(1/T), 0 being its
likeliest move: of 0 … 1 by 0.05, the one whose losses have the least squared difference from people's on games that are
not measured. There, how often the mind loses over 0.05 more than the person, and less. Blunders are of likeliest
moves, in centipawns: 500 below the best of the person's move and of all minds' is bad.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.decisions import take_facts, take_spans
from hitonami.evaluate.grouping import ALL
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import means_of
from hitonami.judging.blunders import Blunders, compare_blunders
from hitonami.judging.losses import FAR, LIKELIEST, Judged, draw_weights

Floats = NDArray[np.float64]
UNDECIDED: Final = (0.05, 0.95)
"""The mover's chance after the best move: about 800 centipawns in chess, beyond which the winner is known."""
TEMPERATURES: Final = np.arange(21) / 20
BAD_CENTIPAWNS: Final = 500.0
_EDGE: Final = 1e-4
"""Chances are cut off here before they are turned into centipawns: a mate is about 2,500 of them in chess."""


@dataclass(frozen=True)
class LossesOf:
    """One mind: its temperature, and what it loses with it beside the person."""

    mind: str
    temperature: float
    loss: Interval
    squared: Interval
    more: Interval
    less: Interval


@dataclass(frozen=True)
class PublishedLosses:
    """Everything. `n` of `judged` decisions were undecided; `n_fit` where temperatures were chosen."""

    judged: int
    n: int
    n_fit: int
    people: Interval
    people_centipawns: Interval
    minds: tuple[LossesOf, ...]
    points: Mapping[str, Sequence[tuple[float, float]]]
    """For each mind, the person's loss and the mind's mean one at its temperature."""
    blunders: Blunders


def measure_as_published(fit_on: Judged, judged: Judged, scale: float, *, seed: int = 0) -> PublishedLosses:
    """`scale`: the centipawns of the judge's logistic."""
    open_fit, open_test = take_undecided(fit_on), take_undecided(judged)
    minds = list(judged.log_probs)
    temperatures = {mind: best_temperature(open_fit, mind) for mind in minds}
    tables = {mind: _columns(open_test, mind, temperatures[mind]) for mind in minds}
    in_pawns = in_centipawns(open_test, scale)
    columns = np.hstack([open_test.person[:, None], in_pawns.person[:, None], *tables.values()])
    [(_, _, means)] = means_of(open_test.facts, columns, [(ALL, np.arange(open_test.count))], seed)
    found = [LossesOf(mind, temperatures[mind], *means[2 + 4 * at : 6 + 4 * at]) for at, mind in enumerate(minds)]
    points = {mind: tuple(zip(open_test.person.tolist(), tables[mind][:, 0].tolist(), strict=True)) for mind in minds}
    blunders = compare_blunders(in_pawns, minds, limit=BAD_CENTIPAWNS, seed=seed)
    return PublishedLosses(
        judged.count, open_test.count, open_fit.count, means[0], means[1], tuple(found), points, blunders
    )


def take_undecided(judged: Judged) -> Judged:
    """The decisions that the judge does not call won or lost."""
    low, high = UNDECIDED
    return _take(judged, np.flatnonzero((judged.best > low) & (judged.best < high)))


def _take(judged: Judged, rows: NDArray[np.int64]) -> Judged:
    """Some of the decisions, in the given order."""
    begins, moves = take_spans(judged.begins, rows)
    return replace(
        judged,
        facts=take_facts(judged.facts, rows),
        phase=judged.phase[rows],
        begins=begins,
        loss=judged.loss[moves],
        person=judged.person[rows],
        best=judged.best[rows] if len(judged.best) else judged.best,
        log_probs={name: own[moves] for name, own in judged.log_probs.items()},
    )


def best_temperature(judged: Judged, mind: str) -> float:
    """Of 0 … 1 by 0.05, the one with the least squared difference from people's losses; the lower of equals."""
    errors = [float(_columns(judged, mind, each)[:, 1].mean()) for each in TEMPERATURES.tolist()]
    return float(TEMPERATURES[int(np.argmin(errors))])


def in_centipawns(judged: Judged, scale: float) -> Judged:
    """The same losses in centipawns instead of chances."""
    widths = np.diff(judged.begins)
    best = _centipawns(judged.best, scale)
    loss = np.repeat(best, widths) - _centipawns(np.repeat(judged.best, widths) - judged.loss, scale)
    return replace(judged, loss=loss, person=best - _centipawns(judged.best - judged.person, scale))


def _centipawns(chance: Floats, scale: float) -> Floats:
    cut = np.clip(chance, _EDGE, 1.0 - _EDGE)
    return np.asarray(scale * np.log(cut / (1.0 - cut)))


def _columns(judged: Judged, mind: str, temperature: float) -> Floats:
    """[n, 4] the mean over draws: the loss, its squared difference from the person's, over FAR more, over FAR less."""
    weights = draw_weights(judged, mind, LIKELIEST if temperature == 0 else 1.0 / temperature)
    apart = judged.loss - np.repeat(judged.person, np.diff(judged.begins))
    each = judged.loss, apart**2, apart > FAR, apart < -FAR
    return np.column_stack(
        [np.add.reduceat(weights * np.asarray(column, np.float64), judged.begins[:-1]) for column in each]
    )
