"""Θ = (τ, t, c_puct) of a search, fitted to the moves of people of a level (ACE, HAI 2019).

The loss is the cross-entropy of the move played under the root's visits N^(1/τ), with a floor of the prior. It is
minimised by a finite-difference descent, one perturbed run a knob, and, for comparison, by Nelder–Mead over t and
c_puct with τ worked out; then t and c_puct are varied around the best place (a profile). All values are powers of
2^(1/8). What is kept is the best Θ of all that were tried; its interval is that of the best one over resamples of
games, so it is as wide as the runs that were made. Levels are bands of rating; Θ is interpolated between them. Nothing
is fitted to results: that a level is reached in strength has to be shown by games.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Mind, index_of
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Asked, batches_of
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.intervals import Interval, interval_of, resample_parts
from hitonami.evaluate.metrics import Measured, surprise
from hitonami.evaluate.selection import Selected
from hitonami.fits._descent import Place, Stride, descend, nelder_mead
from hitonami.fits._searches import Memory, Searches
from hitonami.fits.search_noise import NoiseFit, fit_noise
from hitonami.fits.theta import BOX, KNOBS, OCTAVE, START, Theta
from hitonami.knobs import Curve

_TAUS: Final = tuple(range(BOX[0][0], BOX[1][0] + 1))
_AROUND: Final = (-8, -4, 4, 8)
_COLUMNS: Final = ("plies", "groups", "ratings", "pools")
LEAST: Final = 50
"""Decisions of a level; with fewer nothing is fitted."""


@dataclass(frozen=True)
class Trail:
    """What one method found: where it ended, its loss there, and the best loss after each search of all decisions."""

    theta: Theta
    loss: float
    best_after: tuple[float, ...]

    @property
    def searches(self) -> int:
        return len(self.best_after)


@dataclass(frozen=True)
class SearchFit:
    """One level."""

    rating: float
    """The mean of the movers'."""
    low: float
    high: float
    pool: str
    n: int
    games: int
    theta: Theta
    intervals: tuple[Interval, Interval, Interval]
    """Of τ, t and c_puct."""
    loss: Interval
    plain_loss: float
    """Of the searched mind's own opinion."""
    alone: tuple[float, float]
    """The best temperature of that opinion without any search, and its loss."""
    gain: Interval
    """Nats a move that the search gains over that."""
    steps: tuple[tuple[Theta, float], ...]
    """The descent: Θ and loss at the start and after each step."""
    descent: Trail
    simplex: Trail
    profiles: tuple[tuple[tuple[float, float], ...], tuple[tuple[float, float], ...]]
    """(value, loss) for t and for c_puct, the other one held, τ at its best."""
    noise: NoiseFit | None = None
    """With noise at the root, where that was asked for."""
    held_out: Measured | None = None

    @property
    def at_edge(self) -> tuple[str, ...]:
        """Knobs whose best value stands at the end of its range."""
        places = [round(OCTAVE * np.log2(getattr(self.theta, name))) for name in KNOBS]
        ends = zip(KNOBS, places, *BOX, strict=True)
        return tuple(name for name, place, low, high in ends if place in (low, high))


def level_group(drawn: Selected, rating: float, band: float) -> Group:
    """The group of decisions that a rating belongs to. Raises BadInput where there is none, or one in several pools."""
    begin = rating // 1 if rating <= 100 else rating // band * band
    found = sorted(group for group in drawn.available if group.order == begin)
    if len(found) == 1:
        return found[0]
    if found:
        pools = ", ".join(group.pool or "unknown" for group in found)
        raise BadInput(f"there are players rated {rating:g} in several pools ({pools}): choose one with --pool")
    there = ", ".join(sorted({f"{group.order:g}" for group in drawn.available if np.isfinite(group.order)}, key=float))
    raise BadInput(f"no decision of a player rated {rating:g}; bands begin at {there or 'nothing'}")


def of_group(drawn: Selected, group: Group) -> Selected:
    """The same draw without the decisions of other groups."""
    picks = []
    for pick in drawn.picks:
        own = [at for at, each in enumerate(pick.groups) if each == group]
        if own:
            columns: dict[str, Any] = {name: tuple(getattr(pick, name)[at] for at in own) for name in _COLUMNS}
            picks.append(replace(pick, **columns))
    return replace(drawn, picks=picks)


@dataclass(frozen=True)
class Task:
    """How a level is fitted. `report` is told how many searches of all its decisions are behind us."""

    mind: Mind
    simulations: int = 64
    steps: int = 30
    band: float = 100.0
    folder: Path | None = None
    seed: int = 0
    noise: bool = False
    """Fit noise at the root as well."""
    report: Callable[[int], None] = lambda searches: None


def decisions_of(drawn: Selected, group: Group) -> list[Asked]:
    """The decisions of one group. Raises BadInput where they are too few."""
    asked = [each for batch in batches_of(of_group(drawn, group)) for each in batch]
    if len(asked) < LEAST:
        raise BadInput(f"there are {len(asked)} decisions of level {group.name}; a fit needs {LEAST}")
    return asked


def fit_level(asked: Sequence[Asked], task: Task) -> SearchFit:
    """Fit Θ to the decisions of one group."""
    group = asked[0][1]
    queries = [sample.query for sample, _, _ in asked]
    played = np.array([index_of(sample.query.position, sample.move) for sample, _, _ in asked])
    memory = Memory(task.mind, [query.position for query in queries])
    searches = Searches(queries, played, memory, task.simulations, task.folder, task.report)
    trail, descent = _descend(searches, task.steps)
    simplex = _reflect(searches, task.steps)
    best = min((descent[0], simplex[0]), key=lambda place: _loss(searches, place))
    profiles = _profile(searches, best)
    game = np.unique(np.array([content for _, _, content in asked], dtype=np.uint64), return_inverse=True)[1]
    judged = _judge(searches, game, task.seed)
    return SearchFit(
        float(np.mean([query.player.rating for query in queries])),
        group.order,
        group.order + (1 if group.order <= 100 else task.band),
        group.pool,
        len(asked),
        int(game.max()) + 1,
        *judged,
        trail,
        descent[1],
        simplex[1],
        profiles,
        fit_noise(searches, judged[0], game, task.steps, task.seed) if task.noise else None,
    )


def _loss(searches: Searches, place: Place) -> float:
    return float(surprise(searches.log_prob(*Theta.at(place).values)).mean())


class _Ledger:
    """The best loss after each search that a method needs, as if no other method had made some of them before."""

    def __init__(self, searches: Searches) -> None:
        self._searches = searches
        self._places: set[Place] = set()
        self.best_after: list[float] = []

    def loss(self, place: Place) -> float:
        """Of a whole Θ. Another τ is no search."""
        found = _loss(self._searches, place)
        best = min([found, *self.best_after[-1:]])
        if place[1:] in self._places:
            self.best_after[-1] = best
        else:
            self._places.add(place[1:])
            self.best_after.append(best)
        return found

    def trail(self, place: Place) -> Trail:
        return Trail(Theta.at(place), _loss(self._searches, place), tuple(self.best_after))


def _descend(searches: Searches, steps: int) -> tuple[tuple[tuple[Theta, float], ...], tuple[Place, Trail]]:
    ledger = _Ledger(searches)
    trail = [(Theta.at(START), ledger.loss(START))]

    def note(step: Stride) -> None:
        trail.append((Theta.at(step.place), step.loss))

    place = descend(ledger.loss, START, BOX, steps, note)
    return tuple(trail), (place, ledger.trail(place))


def _best_tau(searches: Searches, place: Place) -> Place:
    """The same t and c_puct with the best τ: no search is needed for that."""
    return min(((tau, *place[1:]) for tau in _TAUS), key=lambda each: _loss(searches, each))


def _reflect(searches: Searches, evaluations: int) -> tuple[Place, Trail]:
    """Nelder–Mead over t and c_puct, τ worked out at each place."""
    ledger = _Ledger(searches)

    def loss(place: Place) -> float:
        return ledger.loss(_best_tau(searches, (0, *place)))

    found = nelder_mead(loss, START[1:], (BOX[0][1:], BOX[1][1:]), evaluations)
    place = _best_tau(searches, (0, *found))
    return place, ledger.trail(place)


def _profile(
    searches: Searches, best: Place
) -> tuple[tuple[tuple[float, float], ...], tuple[tuple[float, float], ...]]:
    """t and c_puct varied around the best place by a half and a whole octave, and both together by a half."""
    for one, other in product((-4, 4), repeat=2):
        _best_tau(searches, _inside((best[0], best[1] + one, best[2] + other)))
    rows = []
    for knob in (1, 2):
        places = [_inside((*best[:knob], best[knob] + step, *best[knob + 1 :])) for step in (*_AROUND, 0)]
        found = {place[knob]: _loss(searches, _best_tau(searches, place)) for place in places}
        rows.append(tuple((2.0 ** (place / OCTAVE), loss) for place, loss in sorted(found.items())))
    return rows[0], rows[1]


def _inside(place: Place) -> Place:
    return tuple(min(max(value, low), high) for value, low, high in zip(place, *BOX, strict=True))


def _judge(
    searches: Searches, game: NDArray[np.int64], seed: int
) -> tuple[Theta, tuple[Interval, Interval, Interval], Interval, float, tuple[float, float], Interval]:
    """The best Θ of all that were tried, its interval and its loss; beside it the mind without a search."""
    tried = [Theta(2.0 ** (tau / OCTAVE), *run) for run in searches.runs for tau in _TAUS]
    temperatures = [2.0 ** (place / OCTAVE) for place in range(BOX[0][1], BOX[1][1] + 1)]
    columns = [searches.log_prob(*each.values) for each in tried]
    alone = [searches.log_prob_alone(value) for value in temperatures]
    losses = np.stack([surprise(column) for column in (*columns, *alone)], axis=1)
    [part] = resample_parts(game, losses, [np.arange(len(losses))], seed)
    means, draws, count = part.sums.means, part.draws, len(tried)
    best, plain = int(means[:count].argmin()), count + int(means[count:].argmin())
    bests = draws[:, :count].argmin(axis=1).tolist()
    low, middle, high = (
        interval_of(getattr(tried[best], name), np.array([getattr(tried[at], name) for at in bests])) for name in KNOBS
    )
    return (
        tried[best],
        (low, middle, high),
        interval_of(float(means[best]), draws[:, best]),
        float(surprise(searches.log_prob_alone(1.0)).mean()),
        (temperatures[plain - count], float(means[plain])),
        interval_of(float(means[plain] - means[best]), draws[:, plain] - draws[:, best]),
    )


def curves_of(levels: Sequence[SearchFit]) -> dict[str, Curve]:
    """Each knob over rating, straight between the levels. One pool."""
    ordered = sorted(levels, key=lambda level: level.rating)
    return {name: Curve(tuple(_points(ordered, name))) for name in KNOBS}


def _points(levels: Sequence[SearchFit], name: str) -> Iterator[tuple[float, float]]:
    for level in levels:
        yield round(level.rating, 1), round(getattr(level.theta, name), 4)
