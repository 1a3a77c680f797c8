"""Weights of three or more minds, for each group: a search over hundredths that sum to 1.

Weight is moved between two minds at a time, by smaller and smaller amounts, while that helps. The log-likelihood of a
geometric or an arithmetic mean is concave in the weights, so there it cannot end far from the best; by accuracy, or
with another exponent, it may. There is no curve over rating: a group's weights are its own.
"""

from dataclasses import dataclass
from itertools import permutations
from typing import Final

import numpy as np

from hitonami.evaluate.decisions import Answers, DecisionTable
from hitonami.evaluate.grouping import ALL, Group
from hitonami.evaluate.metrics import Measured, group_rows, measure, surprise
from hitonami.fits.blend import mix_scores
from hitonami.fits.knobs import Aim, accurate
from hitonami.fits.sheet import Family, Floats, Sheet, answers_at, first_mind, judge_all
from hitonami.progress import Report, unheard

_PARTS: Final = 100
_STEPS: Final = (32, 16, 8, 4, 2, 1)


@dataclass(frozen=True)
class WeightsFit:
    """The weights of a group's minds, in their order; `group` is None for all together."""

    name: str
    group: Group | None
    n: int
    weights: tuple[float, ...]
    accuracy: float
    cross_entropy: float
    plain_accuracy: float
    plain_cross_entropy: float
    """Of the first mind as it is."""


def fit_weights(sheet: Sheet, exponent: float, aim: Aim, report: Report = unheard) -> list[WeightsFit]:
    """By group, and last of all. `report` is told how many are behind us."""
    groups = {group.label(sheet.facts.pools): group for group in sheet.facts.groups}
    found: list[WeightsFit] = []
    for name, rows in group_rows(sheet.facts):
        part = sheet.take(rows)
        weights = _search(part, exponent, aim)
        log_prob, hit = judge_all(part, weighted(weights, exponent), 0.0)
        plain, plain_hit = judge_all(part, first_mind, 0.0)
        means = [float(each.mean()) for each in (hit, surprise(log_prob), plain_hit, surprise(plain))]
        found.append(WeightsFit(name, None if name == ALL else groups[name], len(rows), weights, *means))
        report(len(found), len(found))
    return found


def weighted(weights: tuple[float, ...], exponent: float) -> Family:
    """The minds mixed with these weights; the value is of no meaning."""
    scale = np.array(weights)

    def mixed(sheet: Sheet, moves: slice, value: float | Floats) -> Floats:
        return mix_scores(sheet.log_probs[:, moves], scale, exponent)

    return mixed


def _search(sheet: Sheet, exponent: float, aim: Aim) -> tuple[float, ...]:
    minds = len(sheet.log_probs)
    best = [_PARTS // minds + (at < _PARTS % minds) for at in range(minds)]

    def gain(parts: list[int]) -> float:
        log_prob, hit = judge_all(sheet, weighted(tuple(part / _PARTS for part in parts), exponent), 0.0)
        score = -surprise(log_prob)
        return float((score if aim == "likelihood" else accurate(hit, score)).mean())

    top = gain(best)
    for step in _STEPS:
        moved = True
        while moved:
            moved = False
            for giver, taker in permutations(range(minds), 2):
                given = min(step, best[giver])
                tried = [part + given * ((at == taker) - (at == giver)) for at, part in enumerate(best)]
                if given and (found := gain(tried)) > top:
                    best, top, moved = tried, found, True
    return tuple(part / _PARTS for part in best)


def measure_weights(fits: list[WeightsFit], exponent: float, sheet: Sheet, *, seed: int = 0) -> Measured:
    """On games that the fit never saw: `blend − first mind`, each group by its own weights, else by those of all."""
    own = {fit.group: fit.weights for fit in fits}
    blended = _empty(sheet.count)
    for at, group in enumerate(sheet.facts.groups):
        rows = np.flatnonzero(sheet.facts.group == at)
        family = weighted(own.get(group, fits[-1].weights), exponent)
        answers = answers_at(sheet.take(rows), family, np.zeros(len(rows)))
        for name in ("log_prob", "rank", "hit", "top"):
            getattr(blended, name)[rows] = getattr(answers, name)
    plain = answers_at(sheet, first_mind, np.zeros(sheet.count))
    return measure(DecisionTable(sheet.facts, {"blend": blended, "first mind": plain}), seed=seed)


def _empty(count: int) -> Answers:
    log_prob, rank, hit, top = np.full((4, count), np.nan)
    return Answers(log_prob, rank, hit, top, np.full((count, 3), np.nan))
