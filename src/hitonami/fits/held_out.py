"""What a fit is worth on games that it never saw: paired against the first mind as it is.

Each decision is answered with the knob read from its pool's curve at its mover's rating, or, as the papers do it, with
the best value of its own group; decisions without a rating, of a pool without a curve, or of a group that the fit did
not see, are left out of both sides.
"""

from collections.abc import Mapping

import numpy as np

from hitonami.evaluate.decisions import DecisionTable
from hitonami.evaluate.grouping import ALL
from hitonami.evaluate.metrics import Measured, group_rows, measure
from hitonami.fits.knobs import Fitted
from hitonami.fits.sheet import Floats, Sheet, answers_at, first_mind


def curve_values(fitted: Fitted, sheet: Sheet) -> Floats:
    """[n] the knob for each decision, NaN where the fit has none."""
    values = np.full(sheet.count, np.nan)
    pools = np.array(sheet.facts.pool, dtype=object)
    for each in fitted.curves:
        own = pools == each.pool
        if len(each.curve.points) == 1:
            values[own] = each.curve.points[0][1]
            continue
        rows = np.flatnonzero(own & ~np.isnan(sheet.facts.rating))
        values[rows] = each.curve(sheet.facts.rating[rows])
    return values


def best_values(fitted: Fitted) -> dict[str, float]:
    """Of each group, by what was aimed at."""
    by_accuracy = fitted.aim == "accuracy"
    return {each.group: (each.by_accuracy if by_accuracy else each.by_likelihood).value for each in fitted.groups}


def group_values(sheet: Sheet, best: Mapping[str, float]) -> Floats:
    """[n] the value of each decision's own group, NaN where there is none."""
    values = np.full(sheet.count, np.nan)
    named = group_rows(sheet.facts)
    for name, rows in named:
        if name in best and (name != ALL or len(named) == 1):
            values[rows] = best[name]
    return values


def measure_gain(fitted: Fitted, sheet: Sheet, values: Floats, *, seed: int = 0) -> Measured | None:
    """Both minds' figures, and the paired difference `fitted − first`. None where no decision has a value."""
    rows = np.flatnonzero(~np.isnan(values))
    if not len(rows):
        return None
    kept = sheet.take(rows)
    answers = {
        fitted.knob.method: answers_at(kept, fitted.knob.family, values[rows]),
        "first mind": answers_at(kept, first_mind, values[rows]),
    }
    return measure(DecisionTable(kept.facts, answers), seed=seed)
