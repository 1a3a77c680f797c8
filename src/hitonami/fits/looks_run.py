"""How far agents of a level look ahead, set by games: where a sharper draw makes nobody stronger, looks do.

From the lowest level upwards: agents of a level with a few numbers of looks meet the level below as it is by then;
where that one does not look, the games of both without looks count, too. They fit Elo = a + b · log2(looks), and the
number at which the level is as far above the one below as its rating says is taken, between no looks and twice the most
that was tried. Last of all a check: new games of neighbours that no fit saw, beside which stands what the levels were
before. Games are kept in the folder of work.
"""

import math
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final

import numpy as np

from hitonami import disk
from hitonami.agent import level_style
from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval, interval_of
from hitonami.fits.games_run import (
    GamesWish,
    Step,
    brief_spacing,
    made_folder,
    name_network,
    play_step,
    rho_at,
)
from hitonami.fits.response import Node, fit_linear
from hitonami.fits.spacing import Spacing, neighbours
from hitonami.fits.store import update_curves
from hitonami.knobs import Curve
from hitonami.levels import read_levels
from hitonami.looking import LAMBDA
from hitonami.matches.elo import Tally
from hitonami.progress import Watching

_TYPICAL: Final = np.array([0.0, 60.0])
_SPREAD: Final = np.array([300.0, 60.0])
"""Priors of a and b: where they are centred, and how wide they are. b is Elo for twice the looks."""
_LEAST: Final = 15.0
"""Elo for twice the looks at the least: below it looks would be no knob at all."""
_DRAWS: Final = 1_000
_NEAR_ENOUGH: Final = 80.0
"""Elo by which a step of the check may be off for its level to be called held."""


@dataclass(frozen=True)
class Found:
    """The looks of one level. `reached` is false where more would be needed than may be taken."""

    rating: float
    looks: Interval
    reached: bool


@dataclass(frozen=True)
class LooksRun:
    """Everything that one run found."""

    wish: GamesWish
    tried: tuple[int, ...]
    found: tuple[Found, ...]
    before: Spacing
    check: Spacing
    games: int
    """That the fits were made from."""

    @property
    def curve(self) -> Curve:
        """Looks over rating: none at the lowest level."""
        return Curve(((self.wish.levels[0], 1.0), *((each.rating, round(each.looks.value)) for each in self.found)))

    @property
    def is_better(self) -> bool:
        """Whether steps are nearer to what is told than before, in games that no fit saw."""
        return self.check.error < self.before.error

    @property
    def held(self) -> tuple[float, float]:
        """From the lowest level to the highest up to which every step of the check is near enough."""
        high = self.wish.levels[0]
        for step in self.check.steps:
            if abs(step.elo.value - step.told) > _NEAR_ENOUGH:
                break
            high = step.high
        return self.wish.levels[0], high


def run_looks(wish: GamesWish, tried: tuple[int, ...], watch: Watching) -> LooksRun:
    """Do all of it, or go on with it. Input that cannot be used is refused before anything is played."""
    if len(tried) < 2 or any(a >= b for a, b in pairwise(tried)) or tried[0] < 2:
        raise BadInput("--looks are two numbers of positions or more, rising, from 2 on, such as 8,24")
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    plain = [Node(rating, rho_at(wish.old, rating), 1) for rating in wish.levels]
    alone = nullcontext() if wish.work is None else disk.holding(made_folder(wish.work))
    pairs, games = neighbours(len(plain)), 0
    with alone:
        unlooked = play_step(wish, Step("before", 0, plain, pairs, wish.before), watch)
        before = wish.spacing(unlooked)
        nodes, found = plain[:1], list[Found]()
        for number, node in enumerate(plain[1:], start=1):
            players = [nodes[-1], *(Node(node.rating, node.rho, looks) for looks in tried)]
            meetings = tuple((0, at) for at in range(1, len(players)))
            step = Step(f"level-{node.rating:g}", 10 + number, players, meetings, wish.games)
            tallies = play_step(wish, step, watch)
            games += wish.games * len(meetings)
            if nodes[-1].looks == 1:  # then the games without looks are of this level and the one below it, too
                seats = {number - 1: 0, number: len(players)}
                own = [each for each in unlooked if {each.first, each.second} == seats.keys()]
                tallies += [replace(each, first=seats[each.first], second=seats[each.second]) for each in own]
                games += wish.before
                players.append(node)
            above = wish.points(node.rating) - wish.points(nodes[-1].rating)
            found.append(solve_looks(players, tallies, above, wish.seed))
            nodes.append(Node(node.rating, node.rho, round(found[-1].looks.value)))
        check = wish.spacing(play_step(wish, Step("check", 2, nodes, pairs, wish.check), watch))
    run = LooksRun(wish, tried, tuple(found), before, check, games)
    if wish.out is not None and run.is_better:
        _keep(run)
    return run


def solve_looks(players: Sequence[Node], tallies: Sequence[Tally], above: float, seed: int = 0) -> Found:
    """The looks with which a level is as far above the first player as is told, with their 95% interval."""
    level = players[1:]
    logs = np.array([math.log2(node.looks or 1) for node in level])
    design = np.vstack([np.zeros(2), np.stack([np.ones_like(logs), logs], axis=1)])
    fit = fit_linear(design, design @ _TYPICAL, tallies, _SPREAD)
    rng = np.random.default_rng([seed, 0x100C])
    drawn = rng.multivariate_normal(fit.coefficients, fit.covariance, size=_DRAWS)
    a, b = (_TYPICAL + np.vstack([fit.coefficients, drawn])).T
    wanted = (above - a) / np.maximum(b, _LEAST)
    most = logs.max() + 1.0
    looks = np.exp2(np.clip(wanted, 0.0, most))
    return Found(level[0].rating, interval_of(float(looks[0]), looks[1:]), bool(wanted[0] <= most))


def _keep(run: LooksRun) -> None:
    """Write the curve, with where it came from and what it was worth."""
    wish = run.wish
    assert wish.out is not None
    made: dict[str, Any] = {
        "minds": [name_network(wish)],
        "aim": "differences by games",
        "levels": list(wish.levels),
        "held": list(run.held),
        "kl_lambda": LAMBDA,
        "tried": list(run.tried),
        "seed": wish.seed,
        "games": run.games,
        "before": brief_spacing(run.before),
        "check": brief_spacing(run.check),
    }
    kind = level_style(wish.mind).partition(":")[0]
    name = wish.curve_name
    update_curves(wish.out, ("looks", kind), {name: run.curve}, {name: made}, wish.default_pool)
