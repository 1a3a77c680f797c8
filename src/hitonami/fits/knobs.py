"""One knob, fitted: the best value for each group by accuracy and by likelihood, and a curve for each pool; where the
players of a pool have no ratings, a curve of one point, which needs none.

Values stand on a grid. Each decision is judged at every value of it, once; groups, resamples of games and curves read
those judgements. Accuracy has plateaus and jumps, so among equally accurate values the likelier is taken. Intervals are
percentiles of the best values over resamples of whole games.
"""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.intervals import Interval, Part, interval_of, resample_parts
from hitonami.evaluate.metrics import group_rows, surprise
from hitonami.fits.curves import LEAST, Link, fit_curve, read_table
from hitonami.fits.sheet import Family, Floats, Sheet, first_mind, judge_all
from hitonami.knobs import Curve
from hitonami.progress import Report, unheard

Aim = Literal["likelihood", "accuracy", "distance"]
"""What the best value is best at; the distance to the last move is for the distance correction alone."""
_TIE: Final = 1e-6


@dataclass(frozen=True)
class Knob:
    """A knob to fit: what it is called, its values, and what it does."""

    method: str
    name: str
    grid: Floats
    family: Family
    link: Link
    around: float
    """How far from the best value its cost is told."""


@dataclass(frozen=True)
class Cost:
    """What a value loses against the best: accuracy, and nats a move."""

    value: float
    accuracy: float
    nats: float


@dataclass(frozen=True)
class GroupFit:
    """One group. Arrays are aligned with the grid."""

    group: str
    pool: str | None
    """None for several together."""
    rating: float | None
    """The mean of the movers'; None where none is known, or for several pools together."""
    n: int
    games: int
    by_likelihood: Interval
    by_accuracy: Interval
    accuracy: tuple[Interval, ...]
    cross_entropy: Floats
    plain_accuracy: float
    plain_cross_entropy: float
    """Of the first mind as it is."""
    gain: tuple[Interval, Interval]
    """Over the first mind on these very decisions at the likeliest value: accuracy, and nats a move."""
    costs: tuple[Cost, ...]
    """By likelihood: of values to either side of the best."""


@dataclass(frozen=True)
class CurveFit:
    """A pool's curve, and what it is worth: the mean of what it aims at, with it and with one value for all."""

    pool: str
    curve: Curve
    n: int
    reached: float
    constant: float
    best_constant: float
    """The one value for all."""


@dataclass(frozen=True)
class Fitted:
    """Everything about one knob."""

    knob: Knob
    aim: Aim
    groups: tuple[GroupFit, ...]
    """The last is "all"."""
    curves: tuple[CurveFit, ...]


@dataclass(frozen=True)
class _Judged:
    """[n, values] for every decision and value, and [n] for the first mind as it is."""

    hit: Floats
    log_prob: Floats
    plain_hit: Floats
    plain_log_prob: Floats

    @property
    def columns(self) -> Floats:
        return np.column_stack([self.hit, self.log_prob, self.plain_hit, self.plain_log_prob])


def fit_knob(sheet: Sheet, knob: Knob, *, aim: Aim = "likelihood", seed: int = 0, report: Report = unheard) -> Fitted:
    """Fit. `report` is told how many values of the grid are behind us."""
    judged = _judge(sheet, knob, report)
    named = group_rows(sheet.facts)
    parts = resample_parts(sheet.facts.game, judged.columns, [rows for _, rows in named], seed)
    groups = [_group_fit(knob, sheet, name, part) for (name, _), part in zip(named, parts, strict=True)]
    return Fitted(knob, aim, tuple(groups), _curves(sheet, knob, judged, aim))


def _judge(sheet: Sheet, knob: Knob, report: Report) -> _Judged:
    hit, log_prob = np.empty((2, sheet.count, len(knob.grid)))
    for at, value in enumerate(knob.grid.tolist()):
        own, hit[:, at] = judge_all(sheet, knob.family, value)
        log_prob[:, at] = -surprise(own)
        report(at + 1, at + 1)
    plain, plain_hit = judge_all(sheet, first_mind, 0.0)
    return _Judged(hit, log_prob, plain_hit, -surprise(plain))


def _where(sheet: Sheet, rows: NDArray[np.int64]) -> tuple[str | None, float | None]:
    """The pool of these decisions and the mean of their movers' ratings, where there is one."""
    pools = {sheet.facts.pool[row] for row in rows.tolist()}
    known = sheet.facts.rating[rows][~np.isnan(sheet.facts.rating[rows])]
    if len(pools) > 1:
        return None, None
    return pools.pop(), float(known.mean()) if len(known) else None


def _group_fit(knob: Knob, sheet: Sheet, name: str, part: Part) -> GroupFit:
    values, means, draws = len(knob.grid), part.sums.means, part.draws
    hit, log_prob, (plain_hit, plain_log_prob) = means[:values], means[values:-2], means[-2:]
    likely, matching = int(log_prob.argmax()), int(accurate(hit, log_prob).argmax())
    drawn_hit, drawn_log_prob = draws[:, :values], draws[:, values:-2]
    known = ~np.isnan(drawn_hit[:, 0])
    return GroupFit(
        name,
        *_where(sheet, part.rows),
        len(part.rows),
        part.games,
        _best(knob, likely, drawn_log_prob[known]),
        _best(knob, matching, accurate(drawn_hit, drawn_log_prob)[known]),
        tuple(interval_of(float(hit[at]), drawn_hit[:, at]) for at in range(values)),
        -log_prob,
        float(plain_hit),
        -float(plain_log_prob),
        (
            interval_of(float(hit[likely] - plain_hit), drawn_hit[:, likely] - draws[:, -2]),
            interval_of(float(log_prob[likely] - plain_log_prob), drawn_log_prob[:, likely] - draws[:, -1]),
        ),
        _costs(knob, likely, hit, log_prob),
    )


def accurate(hit: Floats, log_prob: Floats) -> Floats:
    """Accuracy, with a touch of likelihood to tell equals apart."""
    return hit + _TIE * log_prob


def _best(knob: Knob, at: int, draws: Floats) -> Interval:
    found = knob.grid[draws.argmax(axis=1)] if len(draws) else np.empty(0)
    return interval_of(float(knob.grid[at]), found)


def _costs(knob: Knob, best: int, hit: Floats, log_prob: Floats) -> tuple[Cost, ...]:
    found = []
    for value in (knob.grid[best] - knob.around, knob.grid[best] + knob.around):
        if knob.grid[0] - 1e-9 <= value <= knob.grid[-1] + 1e-9:
            lost = [float(row[best] - np.interp(value, knob.grid, row)) for row in (hit, log_prob)]
            found.append(Cost(float(value), *lost))
    return tuple(found)


def rows_of_pool(facts: Facts, pool: str) -> NDArray[np.int64]:
    """The decisions that a pool's curve is fitted to: the rated ones; all, for one value, where too few are."""
    own = np.flatnonzero(np.array(facts.pool, dtype=object) == pool)
    rated = own[~np.isnan(facts.rating[own])]
    return rated if len(rated) >= LEAST else own


def _curves(sheet: Sheet, knob: Knob, judged: _Judged, aim: Aim) -> tuple[CurveFit, ...]:
    table = accurate(judged.hit, judged.log_prob) if aim == "accuracy" else judged.log_prob
    rating = sheet.facts.rating
    found = []
    for pool in sorted(set(sheet.facts.pool)):
        rows = rows_of_pool(sheet.facts, pool)
        if len(rows) < LEAST:
            continue
        own = table[rows]
        best = int(own.mean(axis=0).argmax())
        is_rated = not np.isnan(rating[rows]).any()
        curve = (
            fit_curve(knob.grid, own, rating[rows], knob.link) if is_rated else Curve(((0.0, float(knob.grid[best])),))
        )
        reached = read_table(knob.grid, own, curve(rating[rows])) if is_rated else float(own[:, best].mean())
        found.append(CurveFit(pool, curve, len(rows), reached, float(own[:, best].mean()), float(knob.grid[best])))
    return tuple(found)
