"""How much of what three plies show people of a rating act on: the weights of the mind `foresight`, by likelihood.

The logarithm of the likelihood is concave in the weights, and each weight is a straight line over rating, so there is
one best answer and a gradient finds it. A pool has lines of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Effort, Mind, index_of
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data, open_data
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Answers, Columns, DecisionTable, Facts, batches_of, judge, opinions_of
from hitonami.evaluate.metrics import Measured, measure
from hitonami.evaluate.selection import Selected, Selection, select
from hitonami.fits.curves import LEAST
from hitonami.fits.sheet import take_facts
from hitonami.fits.store import update_knobs
from hitonami.knobs import Curve
from hitonami.levels import read_levels
from hitonami.minds.foresight import METHOD, NEUTRAL, Foresight, Sight, look_ahead, weigh
from hitonami.models.fitted import packaged_origin
from hitonami.progress import Watching
from hitonami.specs import Room

Floats = NDArray[np.float64]
_PENALTY: Final = 2e-4
"""On the square of every coefficient: what the data do not tell stays near nothing."""
_SCALE: Final = 600.0
_NEWTON_STEPS: Final = 50
_PER_POOL: Final = 4 * LEAST


@dataclass(frozen=True)
class Line:
    """The weights of one pool: at `low` and at `high`, straight between."""

    pool: str
    n: int
    low: float
    high: float
    weights: Floats
    """[2, knobs] in the order of NEUTRAL."""

    def curves(self) -> dict[str, Curve]:
        ends = zip(NEUTRAL, self.weights[0].tolist(), self.weights[1].tolist(), strict=True)
        return {name: Curve(((self.low, round(begin, 4)), (self.high, round(end, 4)))) for name, begin, end in ends}


@dataclass(frozen=True)
class ForesightRun:
    """Everything that one run found."""

    drawn: Selected
    mind: str
    lines: Sequence[Line]
    held_out: Measured | None


@dataclass(frozen=True)
class ForesightWish:
    """What is asked for. Without a mind: the packaged human network, as it is without foresight."""

    mind: str | None = None
    held_out: Split | Literal["none"] = "test"
    out: Path | None = None
    default_pool: str = ""
    """Whose weights also serve pools that have none; else those of the pool with most decisions."""


@dataclass(frozen=True)
class _Seen:
    """Decisions [n], the moves that came to mind in each, and what was seen."""

    facts: Facts
    inner: list[NDArray[np.float32]]
    sights: list[Sight]
    played: list[int]


def run_foresight(plan: Selection, wish: ForesightWish, arguments: Sequence[str], watch: Watching) -> ForesightRun:
    """Do all of it. Input that cannot be used is refused before anything is asked."""
    plan.rules  # noqa: B018  a bad filter is told before the data are read
    if plan.game not in Foresight.GAMES:
        raise BadInput(f"foresight counts chess pieces: there is none for {plan.game}")
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    room = Room()
    try:
        mind = room.open(wish.mind or {"kind": "human", "foresight": False, "openings": False})
        origin = wish.mind or packaged_origin(plan.game)
        data = open_data(arguments, plan.game)
        drawn, seen = _ask(data, plan, mind, watch)
        lines = fit_lines(seen)
        if wish.out is not None:
            _keep(wish, lines, plan, origin)
        held_out = None
        if wish.held_out != "none" and plan.split not in ("all", wish.held_out):
            held_out = _check(lines, _ask(data, replace(plan, split=wish.held_out), mind, watch)[1], plan.seed)
    finally:
        room.close()
    return ForesightRun(drawn, origin, lines, held_out)


def _ask(data: Data, plan: Selection, mind: Mind, watch: Watching) -> tuple[Selected, _Seen]:
    with watch(data.bytes_total, "games") as meter:
        drawn = select(data, plan, meter.show)
    columns, inner, sights, played = Columns(), [], [], []
    effort = Effort(np.random.default_rng(plan.seed))
    with watch(drawn.positions, "answers") as meter:
        for batch in batches_of(drawn):
            columns.add(batch)
            queries = [sample.query for sample, _, _ in batch]
            log_probs = [opinion.log_probs for opinion in opinions_of(mind, queries, effort)]
            inner += log_probs
            sights += look_ahead(queries, log_probs)
            played += [index_of(sample.query.position, sample.move) for sample, _, _ in batch]
            meter.show(len(played), len(played))
    if not played:
        raise BadInput("no decision is left: the games drawn were over before it")
    return drawn, _Seen(columns.facts(), inner, sights, played)


def fit_lines(seen: _Seen) -> list[Line]:
    """A line for each pool that has enough rated decisions. Raises BadInput where none has."""
    pools, found = np.array(seen.facts.pool, dtype=object), []
    for pool in dict.fromkeys(seen.facts.pool):
        rows = np.flatnonzero((pools == pool) & ~np.isnan(seen.facts.rating))
        if len(rows) >= _PER_POOL:
            found.append(_fit_pool(seen, str(pool), rows))
    if not found:
        raise BadInput(f"no pool has {_PER_POOL} rated decisions, which the weights of foresight need")
    return found


def _fit_pool(seen: _Seen, pool: str, rows: NDArray[np.int64]) -> Line:
    ratings = seen.facts.rating[rows]
    low, high = (float(round(each)) for each in np.quantile(ratings, [0.01, 0.99]))
    middle = (low + high) / 2
    known = [row for row in rows.tolist() if seen.played[row] in seen.sights[row].moves]  # the others tell nothing
    place = np.array([int(np.flatnonzero(seen.sights[row].moves == seen.played[row])[0]) for row in known])
    widths = np.array([len(seen.sights[row].moves) for row in known])
    begins = np.concatenate([[0], np.cumsum(widths)[:-1]])
    inner = np.concatenate([seen.inner[row][seen.sights[row].moves] for row in known]).astype(np.float64)
    plain = np.concatenate([seen.sights[row].features for row in known])
    features = np.concatenate([plain, inner[:, None]], axis=1)
    tilt = np.repeat((seen.facts.rating[known] - middle) / _SCALE, widths)[:, None]
    columns = np.concatenate([features, features * tilt], axis=1)

    best = _climb(inner, columns, begins, widths, begins + place)
    count = features.shape[1]
    ends = np.stack([best[:count] + best[count:] * (end - middle) / _SCALE for end in (low, high)])
    ends[:, -1] += 1.0  # sharpness multiplies: nothing learned is 1
    return Line(pool, len(rows), low, high, ends)


def _climb(
    inner: Floats, columns: Floats, begins: NDArray[np.int64], widths: NDArray[np.int64], own: NDArray[np.int64]
) -> Floats:
    """Newton's method, with shorter steps where a whole one overshoots: the penalty keeps the curvature invertible."""

    def shares_at(weights: Floats) -> tuple[Floats, float]:
        scores = inner + columns @ weights
        top = np.repeat(np.maximum.reduceat(scores, begins), widths)
        shares = np.exp(scores - top)
        totals = np.add.reduceat(shares, begins)
        surprise = np.log(totals) + top[own] - scores[own]
        return shares / np.repeat(totals, widths), float(surprise.mean() + _PENALTY * (weights @ weights))

    weights = np.zeros(columns.shape[1])
    shares, loss = shares_at(weights)
    for _ in range(_NEWTON_STEPS):
        weighed = columns * shares[:, None]
        means = np.add.reduceat(weighed, begins, axis=0)
        slope = (means - columns[own]).mean(axis=0) + 2 * _PENALTY * weights
        bend = (weighed.T @ columns - means.T @ means) / len(own) + 2 * _PENALTY * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        length = 1.0
        while (tried := shares_at(weights - length * step))[1] > loss and length > 1e-6:
            length /= 2
        gained, (shares, loss) = loss - tried[1], tried
        weights = weights - length * step
        if gained < 1e-10:
            break
    return weights


def _check(lines: Sequence[Line], seen: _Seen, seed: int) -> Measured | None:
    """Paired against the mind as it is, on decisions that the fit never saw and has weights for."""
    curves = {line.pool: line for line in lines}
    rows = [
        at
        for at, (pool, rating) in enumerate(zip(seen.facts.pool, seen.facts.rating, strict=True))
        if pool in curves and not np.isnan(rating)
    ]
    if not rows:
        return None
    plain, seeing = [], []
    for row in rows:
        line = curves[seen.facts.pool[row]]
        share = np.clip((seen.facts.rating[row] - line.low) / (line.high - line.low), 0.0, 1.0)
        knobs = line.weights[0] * (1 - share) + line.weights[1] * share
        plain.append(judge(seen.inner[row], seen.played[row]))
        seeing.append(judge(weigh(seen.inner[row], seen.sights[row], knobs), seen.played[row]))
    facts = take_facts(seen.facts, np.array(rows))
    return measure(DecisionTable(facts, {METHOD: _answers(seeing), "first mind": _answers(plain)}), seed=seed)


def _answers(judged: Sequence[tuple[float, float, float, float]]) -> Answers:
    log_prob, rank, hit, top = np.array(judged, dtype=np.float64).reshape(-1, 4).T
    return Answers(log_prob, rank, hit, top, np.full((len(judged), 3), np.nan))


def _keep(wish: ForesightWish, lines: Sequence[Line], plan: Selection, origin: str) -> None:
    """Every knob of every pool."""
    assert wish.out is not None
    curves = {line.pool: line.curves() for line in lines}
    default = wish.default_pool or max(lines, key=lambda line: line.n).pool
    if default not in curves:
        raise BadInput(f"no weights were fitted for the pool {default!r}; there are: {', '.join(sorted(curves))}")
    told = {"minds": [origin], "filter": plan.rules.text, "split": plan.split, "seed": plan.seed}
    made = {line.pool: {**told, "decisions": line.n} for line in lines}
    knobs = {name: {pool: own[name] for pool, own in curves.items()} for name in NEUTRAL}
    update_knobs(wish.out, METHOD, knobs, made, default)
