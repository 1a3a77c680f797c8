"""The slope m of the distance correction (minds/near.py): moves near the last one are made likelier.

Beside accuracy and likelihood there is the distance itself: how far from the last move people play, how far the mind
expects them to, and how far with the correction (the tables of the GPW 2024 paper). Decisions after a pass have no
distance and are left out of that comparison; passes among the moves are left out of the mind's mean.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import group_means
from hitonami.fits.knobs import Knob
from hitonami.fits.sheet import Family, Floats, Sheet, first_mind
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
