"""The slope m of the distance correction (minds/near.py): moves near the last one are made likelier.

Beside accuracy and likelihood there is the distance itself: how far from the last move people play, how far the mind
expects them to, and how far with the correction (the tables of the GPW 2024 paper). Decisions after a pass have no
distance and are left out of that comparison; passes among the moves are left out of the mind's mean.

The paper itself chooses m by that distance: of each rank, the m whose mean distance is nearest to people's. That is the
aim "distance": one m a group, and a curve through the groups' mean ratings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from hitonami.errors import BadInput
from hitonami.evaluate.grouping import ALL
from hitonami.evaluate.intervals import Interval, interval_of, resample_parts
from hitonami.evaluate.metrics import group_means, group_rows
from hitonami.fits.knobs import Fitted, Knob
from hitonami.fits.sheet import Family, Floats, Sheet, first_mind
from hitonami.knobs import Curve
from hitonami.minds.near import distance_weights

GRID: Final = np.arange(101) / 200
_AROUND: Final = 0.05


@dataclass(frozen=True)
class Distances:
    """Mean distances of one group's decisions."""

    group: str
    n: int
    human: Interval
    plain: Interval
    corrected: Interval


@dataclass(frozen=True)
class Aimed:
    """The m of one group whose mean distance is nearest to people's."""

    group: str
    n: int
    m: Interval


def distance_knob() -> Knob:
    """The slope of the weight over distance."""
    return Knob("distance", "m", GRID, _weighed, "none", _AROUND)


def _weighed(sheet: Sheet, moves: slice, value: float | Floats) -> Floats:
    if sheet.distance is None:
        raise BadInput("distances were not kept for this fit")
    weights = distance_weights(sheet.distance[moves], value, sheet.near, sheet.far)
    return sheet.log_probs[0, moves].astype(np.float64) + np.log(weights)


def measure_distances(sheet: Sheet, values: Floats, *, seed: int = 0) -> list[Distances]:
    """By group, and last of all: people, the mind, the mind corrected by `values` [n]; NaN leaves a decision out."""
    if sheet.distance is None:
        raise BadInput("distances were not kept for this fit")
    human = sheet.distance[sheet.played].astype(np.float64)
    columns = np.column_stack(
        [human, expected_distance(sheet, first_mind, values), expected_distance(sheet, _weighed, values)]
    )
    return [Distances(name, n, *means) for name, n, means in group_means(sheet.facts, columns, seed)]


def expected_distance(sheet: Sheet, family: Family, values: Floats) -> Floats:
    """[n] the mean distance of the moves on the board under the mind, NaN where there is none."""
    found = np.full(sheet.count, np.nan)
    if sheet.distance is None:
        return found
    for rows, moves in sheet.parts():
        begins = sheet.begins[rows] - moves.start
        widths = np.diff(np.append(begins, moves.stop - moves.start))
        apart = sheet.distance[moves].astype(np.float64)
        with np.errstate(invalid="ignore"):
            scores = np.where(np.isnan(apart), -np.inf, family(sheet, moves, np.repeat(values[rows], widths)))
            scores = np.where(np.isnan(scores), -np.inf, scores)
            top = np.maximum.reduceat(scores, begins)
            mass = np.exp(scores - np.repeat(np.where(np.isneginf(top), 0.0, top), widths))
            total = np.add.reduceat(mass, begins)
            found[rows] = np.add.reduceat(mass * np.nan_to_num(apart), begins) / total
    return found


def aim_at_distance(sheet: Sheet, *, seed: int = 0) -> list[Aimed]:
    """By group, and last of all; groups of which no decision has a distance have no place."""
    if sheet.distance is None:
        raise BadInput("distances were not kept for this fit")
    human = sheet.distance[sheet.played].astype(np.float64)
    told = [expected_distance(sheet, _weighed, np.full(sheet.count, m)) for m in GRID.tolist()]
    beyond = np.column_stack([each - human for each in told])
    known = np.flatnonzero(~np.isnan(beyond).any(axis=1))
    named = [(name, np.intersect1d(rows, known)) for name, rows in group_rows(sheet.facts)]
    kept = [(name, rows) for name, rows in named if len(rows)]
    found = []
    parts = resample_parts(sheet.facts.game, beyond, [rows for _, rows in kept], seed)
    for (name, rows), part in zip(kept, parts, strict=True):
        drawn = part.draws[~np.isnan(part.draws[:, 0])]
        best = GRID[np.abs(drawn).argmin(axis=1)] if len(drawn) else np.empty(0)
        found.append(Aimed(name, len(rows), interval_of(float(GRID[np.abs(part.sums.means).argmin()]), best)))
    return found


def with_aim(fitted: Fitted, aimed: Sequence[Aimed]) -> Fitted:
    """The same fit with curves through the groups' own m, at the mean rating of each."""
    values = {each.group: each.m.value for each in aimed}
    curves = []
    for each in fitted.curves:
        own = [group for group in fitted.groups if group.pool == each.pool and group.group in values]
        own = [group for group in own if group.group != ALL or len(own) == 1]
        points = sorted((round(group.rating, 1), values[group.group]) for group in own if group.rating is not None)
        if points:
            curves.append(replace(each, curve=Curve(tuple(points))))
    return replace(fitted, aim="distance", curves=tuple(curves))
