"""A dial set by games: levels of one mind play each other, and ρ of their draw is corrected until the differences by
games are those that the ratings tell.

First neighbours at the levels as they are (`before`). Then a grid: each level with a flatter and a sharper draw, which
meet their own level and the nearest of the next one; all games fit the surface of `response`, which gives a curve of ρ.
Rounds play neighbours of that curve and fit again with those games too. Last of all a check: new games of the final
curve that no fit saw, beside which stands what the levels were before. Every game is kept in the folder of work, so a
run that was ended goes on where it was.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from hitonami import disk
from hitonami.agent import level_style
from hitonami.bases import open_base, origin_of_base
from hitonami.core import Setup, open_game
from hitonami.customs import customs_of
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import is_rank
from hitonami.evaluate.intervals import Interval
from hitonami.fits.response import Node, Solved, fit_surface, solve
from hitonami.fits.spacing import Spacing, measure_spacing, neighbours
from hitonami.fits.store import update_curves
from hitonami.knobs import Curve
from hitonami.levels import level_curve, read_levels, shape_of, sized
from hitonami.matches.elo import Tally
from hitonami.matches.entrants import read_entrants
from hitonami.matches.openings import read_openings
from hitonami.matches.pairing import Schedule
from hitonami.matches.tournament import Store, run_tournament, try_out
from hitonami.models.fitted import packaged_origin
from hitonami.progress import Watching
from hitonami.specs import Room, mind_spec

AT_ONCE: Final = 64
"""Games that advance together: fewer batches are nearly empty at a block's end than with 32."""
_FLATTER, _SHARPER = 0.5, 2.0
"""Factors of ρ in the grid."""
SEEDS: Final = 1_000_003
"""Between the seeds of two steps."""


@dataclass(frozen=True)
class GamesWish:
    """What is asked for."""

    game: str
    levels: tuple[float, ...]
    """Rising."""
    pool: str = ""
    mind: str = "human"
    anchor: float | None = None
    """The rating that keeps its ρ; None for the game's usual one."""
    games: int = 32
    """Of each meeting of the grid, and of each pair of neighbours in a round."""
    rounds: int = 1
    before: int = 128
    check: int = 200
    """Games of each pair of neighbours: as they are, and with the new curve, unseen by any fit."""
    work: Path | None = None
    out: Path | None = None
    default_pool: str = ""
    size: int = 0
    """Of the board; 0 for the usual one."""
    seed: int = 0
    jobs: int = 1

    def __post_init__(self) -> None:
        if len(self.levels) < 3 or any(a >= b for a, b in zip(self.levels, self.levels[1:], strict=False)):
            raise BadInput("--levels are three ratings or more, rising, such as 800,1100,1400")
        if any(map(is_rank, self.levels)) and self.points_of(self.levels[0]) is None:
            known = ", ".join(customs_of(self.game).scale.points) or "none"
            raise BadInput(
                f"levels of {self.game} are ranks, which do not say how many points lie between two of them; known for "
                f"--pool {known}"
            )
        if self.size not in {0, *customs_of(self.game).sizes}:
            told = ", ".join(map(str, customs_of(self.game).sizes)) or "of one size"
            raise BadInput(f"--size {self.size}: boards of {self.game} are {told}")
        if not level_style(self.mind):
            raise BadInput(f"levels are those of the packaged human, blend and search, not of {self.mind!r}")
        if self.default_pool and self.default_pool != self.pool:
            raise BadInput(f"--default-pool {self.default_pool}: games are played in one pool, {self.pool or 'none'}")

    @property
    def kept(self) -> float:
        """The anchor."""
        found = customs_of(self.game).scale.default if self.anchor is None else self.anchor
        if not self.levels[0] <= found <= self.levels[-1]:
            raise BadInput(
                f"the anchor {found:g} is none of the ratings from {self.levels[0]:g} to {self.levels[-1]:g}"
            )
        return found

    def points_of(self, level: float) -> float | None:
        """What a level stands for in Elo; None for a rank of which nobody knows."""
        return customs_of(self.game).scale.points_at(level, self.pool) if is_rank(level) else level

    def points(self, level: float) -> float:
        """What a level stands for in Elo."""
        found = self.points_of(level)
        assert found is not None  # refused before anything is played
        return found

    def spacing(self, tallies: Sequence[Tally]) -> Spacing:
        """How far apart games of neighbours say that the levels are."""
        return measure_spacing(self.levels, tallies, [self.points(level) for level in self.levels])

    @property
    def curve_name(self) -> str:
        """The pool that its curve is written for, and the board where it is not the usual one."""
        return sized(self.pool, self.size) if self.size not in {0, customs_of(self.game).usual_size} else self.pool

    @property
    def old(self) -> Curve:
        """ρ as it is; the mind's own chances where nothing was fitted."""
        found = level_curve(level_style(self.mind), self.game, self.pool, self.size)
        return Curve(((self.kept, 1.0),)) if found is None else found


@dataclass(frozen=True)
class GamesRun:
    """Everything that one run found."""

    wish: GamesWish
    before: Spacing
    check: Spacing
    solved: tuple[Solved, ...]
    """ρ at the levels and the anchor."""
    slopes: tuple[float, ...]
    """Elo that ρ is worth at each level, from all moves alike to the likeliest alone."""
    curve: Curve
    games: int
    """That the surface was fitted to."""

    @property
    def is_better(self) -> bool:
        """Whether the new curve's steps are nearer to what is told, in games that no fit saw."""
        return self.check.error < self.before.error

    @property
    def held(self) -> tuple[float, float]:
        """The lowest and the highest level that are reached."""
        fine = [each.rating for each in self.solved if each.reached]
        return min(fine), max(fine)


@dataclass(frozen=True)
class Step:
    """Games to play: `before`, `grid`, `round-1` …, `check`. With `told` the exponents are given, else the level's."""

    name: str
    number: int
    nodes: Sequence[Node]
    meetings: tuple[tuple[int, int], ...]
    games: int
    told: bool = True


@dataclass
class _Pot:
    """All games so far, by node."""

    nodes: list[Node] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)

    def add(self, nodes: Sequence[Node], tallies: Sequence[Tally]) -> None:
        places = []
        for node in nodes:
            if node not in self.nodes:
                self.nodes.append(node)
            places.append(self.nodes.index(node))
        self.tallies += [replace(each, first=places[each.first], second=places[each.second]) for each in tallies]


def run_games(wish: GamesWish, watch: Watching) -> GamesRun:
    """Do all of it, or go on with it. Input that cannot be used is refused before anything is played."""
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    anchor = Node(wish.kept, rho_at(wish.old, wish.kept))
    plain = [Node(rating, rho_at(wish.old, rating)) for rating in wish.levels]
    alone = nullcontext() if wish.work is None else disk.holding(made_folder(wish.work))
    with alone:
        pairs = neighbours(len(plain))
        tallies = play_step(wish, Step("before", 0, plain, pairs, wish.before, told=False), watch)
        before, pot = wish.spacing(tallies), _Pot()
        pot.add(plain, tallies)
        grid, meetings = _grid(plain)
        pot.add(grid, play_step(wish, Step("grid", 1, grid, meetings, wish.games), watch))
        for number in range(1, wish.rounds + 1):
            nodes = _on(_curve_of(wish, pot, anchor)[0], wish.levels)
            pot.add(nodes, play_step(wish, Step(f"round-{number}", 2 + number, nodes, pairs, wish.games), watch))
        curve, solved, slopes = _curve_of(wish, pot, anchor)
        last = Step("check", 2, _on(curve, wish.levels), pairs, wish.check)
        check = wish.spacing(play_step(wish, last, watch))
    run = GamesRun(wish, before, check, solved, slopes, curve, int(sum(each.games for each in pot.tallies)))
    if wish.out is not None and run.is_better:
        _keep(run, pot)
    return run


def made_folder(folder: Path) -> Path:
    try:
        disk.make_folder(folder)
    except OSError as wrong:
        raise BadInput(f"--work {folder}: {wrong.strerror}") from None
    return folder


def rho_at(curve: Curve, rating: float) -> float:
    return round(float(curve(np.array([rating]))[0]), 4)


def _on(curve: Curve, ratings: Sequence[float]) -> list[Node]:
    return [Node(rating, rho_at(curve, rating)) for rating in ratings]


def _grid(plain: Sequence[Node]) -> tuple[list[Node], tuple[tuple[int, int], ...]]:
    """Three agents a level. A level's own three meet, and its sharpest the flattest of the next."""
    nodes = [Node(node.rating, round(node.rho * factor, 4)) for node in plain for factor in (_FLATTER, 1.0, _SHARPER)]
    own = [(3 * at + low, 3 * at + low + 1) for at in range(len(plain)) for low in (0, 1)]
    return nodes, (*own, *((3 * at + 2, 3 * at + 3) for at in range(len(plain) - 1)))


def _curve_of(wish: GamesWish, pot: _Pot, anchor: Node) -> tuple[Curve, tuple[Solved, ...], tuple[float, ...]]:
    """ρ over rating by all games so far: at the levels, the anchor and half-way; above them not below what was."""
    surface = fit_surface(pot.nodes, pot.tallies)
    halves = [0.5 * (a + b) for a, b in zip(wish.levels, wish.levels[1:], strict=False)]
    ratings = sorted({*wish.levels, *halves, anchor.rating})
    solved = solve(surface, pot.nodes, anchor, ratings, seed=wish.seed, points=wish.points)
    points = [(each.rating, round(each.rho.value, 4)) for each in solved]
    points += [(rating, max(rho, points[-1][1])) for rating, rho in wish.old.points if rating > wish.levels[-1]]
    told = {*wish.levels, anchor.rating}
    slopes = tuple(surface.slope(wish.levels).tolist())
    return Curve(tuple(points)), tuple(each for each in solved if each.rating in told), slopes


def play_step(wish: GamesWish, step: Step, watch: Watching) -> list[Tally]:
    """Games of one step, kept in its folder."""
    names = tuple(f"{wish.mind}@{node.rating:g}" + (_knobs(node) if step.told else "") for node in step.nodes)
    plan = Schedule(
        wish.game,
        read_entrants(names, wish.pool, wish.game),
        step.games,
        read_openings("none", open_game(wish.game), Setup(size=wish.size) if wish.size else Setup()),
        seed=wish.seed + SEEDS * step.number,
        block_games=AT_ONCE,
        meetings=step.meetings,
    )
    try_out(plan)
    store = None if wish.work is None else Store(wish.work / step.name, plan, resume=True)
    with watch(step.games * len(step.meetings), f"games ({step.name})") as meter:
        event = run_tournament(plan, store, jobs=wish.jobs, show=lambda done: meter.show(done, done))
    counts: dict[tuple[int, int], list[int]] = {}
    for game in event.games:
        counts.setdefault((game.first, game.second), [0, 0, 0])[round(2.0 - 2.0 * game.score)] += 1
    return [Tally(*seats, *each) for seats, each in sorted(counts.items())]


def _knobs(node: Node) -> str:
    return f",rho={node.rho:g}" + ("" if node.looks is None else f",looks={node.looks}")


def _keep(run: GamesRun, pot: _Pot) -> None:
    """Write the curve, with where it came from and what it was worth."""
    wish = run.wish
    assert wish.out is not None
    kind, _, profile = level_style(wish.mind).partition(":")
    rows = [
        [*(_pair(pot.nodes[at]) for at in (each.first, each.second)), each.wins, each.draws, each.losses]
        for each in pot.tallies
    ]
    made = {
        "minds": [name_network(wish)],
        "shape_sha256": shape_of(wish.game, kind, wish.pool, profile),
        "aim": "differences by games",
        "levels": list(wish.levels),
        "held": list(run.held),
        "anchor": wish.kept,
        "least_drawn": customs_of(wish.game).least_drawn,
        "seed": wish.seed,
        "games": run.games,
        "games_sha256": sha256(json.dumps(rows).encode()).hexdigest(),
        "before": brief_spacing(run.before),
        "check": brief_spacing(run.check),
    }
    name = wish.curve_name
    update_curves(wish.out, ("level", kind), {name: run.curve}, {name: made}, wish.default_pool)


def name_network(wish: GamesWish) -> str:
    """What the levels stand on, as provenance names it."""
    base = str(dict(mind_spec(wish.mind).fields).get("base", ""))
    if not base:
        return packaged_origin(wish.game)
    with Room() as room:
        return origin_of_base(open_base(room, base), base)


def _pair(node: Node) -> list[float]:
    return [node.rating, node.rho]


def brief_spacing(spacing: Spacing) -> dict[str, Any]:
    """A line a step: a file of levels is read by people."""
    return {
        "steps": [
            f"{each.low:g}–{each.high:g}: {_told(each.elo, '.0f')}, {each.games} games"
            + (f", {each.told:.0f} told" if is_rank(each.low) else "")
            for each in spacing.steps
        ],
        "mean_error": round(spacing.error, 1),
        "worst": round(spacing.worst, 1),
        "slope": _told(spacing.slope, ".2f"),
    }


def _told(interval: Interval, how: str) -> str:
    return f"{interval.value:{how}} ({interval.low:{how}}–{interval.high:{how}})"


def plain_spacing(spacing: Spacing) -> dict[str, Any]:
    """As JSON."""
    return {
        "steps": [
            {"low": each.low, "high": each.high, "games": each.games, "score": round(each.score, 4)}
            | {"elo": plain_interval(each.elo), "told": round(each.told, 1), "surely": round(each.surely, 4)}
            for each in spacing.steps
        ],
        "mean_error": round(spacing.error, 1),
        "mean_error_by_chance": round(spacing.by_chance, 1),
        "worst": round(spacing.worst, 1),
        "slope": plain_interval(spacing.slope, 3),
        "span": plain_interval(spacing.span),
    }


def plain_interval(interval: Interval, digits: int = 1) -> Mapping[str, float]:
    """As JSON."""
    return {name: round(getattr(interval, name), digits) for name in ("value", "low", "high")}
