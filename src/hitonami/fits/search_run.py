"""A whole fit of a search: draw once, fit level by level, check on unseen games, keep the curves. Prints nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import numpy as np

from hitonami.core import Mind
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Asked, ask
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.metrics import Measured, measure
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.fits.search import SearchFit, Task, curves_of, decisions_of, fit_level, level_group, of_group
from hitonami.fits.store import mind_origin, update_knobs
from hitonami.knobs import Curve
from hitonami.levels import read_levels
from hitonami.minds.search import ace_search, floor_of
from hitonami.progress import Watching
from hitonami.specs import Room

_SEARCHES_A_STEP = 4
"""Two perturbed runs and the move of the descent, and one of the simplex: at most."""
_SEARCHES_AROUND = 12
_NOISY_A_STEP = 6


@dataclass(frozen=True)
class SearchWish:
    """What is asked for."""

    mind: str
    ratings: tuple[float, ...]
    simulations: int = 64
    steps: int = 30
    held_out: Split | Literal["none"] = "test"
    work: Path | None = None
    """A folder for visits: a fit that was interrupted goes on from there."""
    out: Path | None = None
    default_pool: str = ""
    noise: bool = False
    """Noise at the root too: beside Θ, not in the curves."""

    def __post_init__(self) -> None:
        if not self.ratings:
            raise BadInput("fit search needs levels: --rating R, once for each")
        if self.simulations < 2:
            raise BadInput(f"a search has at least two simulations, got {self.simulations}: one is the mind itself")


@dataclass(frozen=True)
class SearchRun:
    """Everything that one run found."""

    drawn: Selected
    wish: SearchWish
    origin: str
    """What the searched mind is."""
    levels: tuple[SearchFit, ...]


def run_search(plan: Selection, wish: SearchWish, arguments: Sequence[str], watch: Watching) -> SearchRun:
    """Do all of it. Input that cannot be used is refused before anything is searched."""
    plan = replace(plan, by="rating")
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    with Room() as room:
        mind = room.open(wish.mind)
        data = plan.open(arguments)
        drawn = select_with(watch, data, plan)
        groups = [level_group(drawn, rating, plan.band) for rating in wish.ratings]
        _check(groups, wish)
        decisions = [decisions_of(drawn, group) for group in groups]
        levels = tuple(_fit(asked, mind, plan, wish, watch) for asked in decisions)
        run = SearchRun(drawn, wish, mind_origin(wish.mind, plan.game, mind), levels)
        if wish.out is not None:
            _keep(wish.out, groups[0].pool, run)
        return _check_unseen(run, data, mind, groups, watch)


def _check(groups: Sequence[Group], wish: SearchWish) -> None:
    if len(set(groups)) < len(groups):
        raise BadInput("two of the ratings belong to one band: choose a smaller --band, or other ratings")
    if len({group.pool for group in groups}) > 1:
        raise BadInput("the levels belong to different pools, whose ratings are different scales: choose with --pool")
    if wish.default_pool and wish.default_pool != groups[0].pool:
        raise BadInput(f"the levels belong to the pool {groups[0].pool!r}, not to {wish.default_pool!r}")


def _fit(asked: Sequence[Asked], mind: Mind, plan: Selection, wish: SearchWish, watch: Watching) -> SearchFit:
    noisy = _NOISY_A_STEP * wish.steps if wish.noise else 0
    with watch(_SEARCHES_A_STEP * wish.steps + _SEARCHES_AROUND + noisy, "searches of all positions") as meter:
        task = Task(
            mind,
            wish.simulations,
            wish.steps,
            plan.band,
            wish.work,
            plan.seed,
            wish.noise,
            lambda searches: meter.show(searches, searches),
        )
        return fit_level(asked, task)


def _check_unseen(run: SearchRun, data: Data, mind: Mind, groups: Sequence[Group], watch: Watching) -> SearchRun:
    """Each level's search on decisions of the other split, where one is asked for and differs."""
    other = run.drawn.plan.unseen(run.wish.held_out)
    if other is None:
        return run
    unseen = select_with(watch, data, other)
    levels = [
        replace(level, held_out=_measure(of_group(unseen, group), level, mind, run.wish, watch))
        for group, level in zip(groups, run.levels, strict=True)
    ]
    return replace(run, levels=tuple(levels))


def _measure(own: Selected, level: SearchFit, mind: Mind, wish: SearchWish, watch: Watching) -> Measured | None:
    """The search and the searched mind as it is, paired, on decisions of one group."""
    if not own.picks:
        return None
    search = ace_search(mind, wish.simulations, level.theta.values)
    with watch(own.positions, "unseen decisions") as meter:
        minds = {"search": search, "first mind": mind}
        table = ask(own, minds, seed=own.plan.seed, report=lambda done, _: meter.show(done, done))
    return measure(table, seed=own.plan.seed)


def _keep(path: Path, pool: str, run: SearchRun) -> None:
    """Θ over rating, and the simulations that it belongs to."""
    simulations = Curve(((round(run.levels[-1].rating, 1), run.wish.simulations),))
    curves = curves_of(run.levels) | {"simulations": simulations}
    own = {name: {pool: curve} for name, curve in curves.items()}
    update_knobs(path, "search", own, {pool: _provenance(run)}, run.wish.default_pool)


def _provenance(run: SearchRun) -> dict[str, Any]:
    plan = run.drawn.plan
    return {
        "minds": [run.origin],
        "prior_share": floor_of(run.wish.simulations),
        **plan.drawn_from,
        "band": plan.band,
        "decisions": [level.n for level in run.levels],
        "decisions_sha256": _digest(run),
    }


def _digest(run: SearchRun) -> str:
    """Over the hashes and plies of all games drawn: the same decisions give the same digest."""
    pairs = sorted((pick.content, ply) for pick in run.drawn.picks for ply in pick.plies)
    return sha256(np.array(pairs, dtype="<u8").tobytes()).hexdigest()
