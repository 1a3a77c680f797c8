"""Game Refinement: how wide and how long games are, and what that says of how they feel.

B is the mean number of legal moves over all turns, D the mean number of plies. GR = √B / D, v = B / 2D, a = B / D²,
N = 1 / v, and j = 3B / D³, the jerk: all three of vt, at²/2 and jt³/6 come to B/2 at t = D, so that a game's progress
is the same whichever is held constant. Those three curves therefore meet at D and nowhere else; what crosses within a
game is their speeds, v, at and jt²/2. Intervals resample games.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.agent import Agent
from hitonami.core import Effort, Mind, Player, Position, Query, Setup, open_game
from hitonami.customs import customs_in, customs_of, games_offered
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Data, Tally
from hitonami.dataset.shards import start_of
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import Group, group_of
from hitonami.evaluate.intervals import Interval, interval_of, resample_counts
from hitonami.evaluate.selection import Selection
from hitonami.progress import Report, Watching, unheard
from hitonami.records import Record
from hitonami.specs import Room

Floats = NDArray[np.float64]
FIGURES: Final = ("B", "D", "GR", "v", "a", "N", "j")
COMFORT: Final = (0.07, 0.08)
"""The GR of games that have been played for long."""
FILTER: Final = "finished,no-handicap,no-time-loss"


def published_games() -> dict[str, tuple[float, float, float]]:
    """B, D and GR of the theory's own table, by game."""
    held = {name: customs_of(name).refinement for name in games_offered()}
    return {name: figures for name, figures in held.items() if figures is not None}


@dataclass(frozen=True)
class Span:
    """One game: legal moves summed over its turns, its plies, how it ended."""

    choices: int
    plies: int
    ending: str


@dataclass(frozen=True)
class Refinement:
    """The figures of one group of games, an interval for each of FIGURES."""

    group: str
    games: int
    figures: Mapping[str, Interval]
    crossings: Mapping[str, float]
    """Plies at which the speeds v, at and jt²/2 are equal, in pairs."""
    endings: Mapping[str, float]
    """The share of games by how they ended."""


def figures_of(b: Floats, d: Floats) -> dict[str, Floats]:
    """Every figure of B and D.

    >>> {name: round(float(value), 4) for name, value in figures_of(np.array(35.0), np.array(80.0)).items()}
    {'B': 35.0, 'D': 80.0, 'GR': 0.074, 'v': 0.2188, 'a': 0.0055, 'N': 4.5714, 'j': 0.0002}
    """
    v = b / (2 * d)
    return {"B": b, "D": d, "GR": np.sqrt(b) / d, "v": v, "a": b / d**2, "N": 1 / v, "j": 3 * b / d**3}


def crossings_of(v: float, a: float, j: float) -> dict[str, float]:
    """When the speeds are equal: at D/2, D/√3 and 2D/3, whatever the game."""
    return {"v = at": v / a, "v = jt²/2": float(np.sqrt(2 * v / j)), "at = jt²/2": 2 * a / j}


def refine(group: str, spans: Sequence[Span], seed: int = 0) -> Refinement:
    """The figures of some games. Raises BadInput where there is none with a move."""
    if not any(each.plies for each in spans):
        raise BadInput(f"no game of {group} has a move")
    sums = np.array([(each.choices, each.plies) for each in spans], dtype=np.float64)

    def of(choices: Floats, plies: Floats, games: int) -> dict[str, Floats]:
        return figures_of(choices / plies, plies / games)

    choices, plies = sums.sum(axis=0)
    found = of(choices, plies, len(spans))
    drawn = np.concatenate([counts @ sums for counts in resample_counts(len(spans), seed)])
    draws = of(drawn[:, 0], drawn[:, 1], len(spans))
    figures = {name: interval_of(float(found[name]), draws[name]) for name in FIGURES}
    endings = Counter(each.ending or "not told" for each in spans)
    shares = {ending: count / len(spans) for ending, count in endings.most_common()}
    held = (figures[name].value for name in ("v", "a", "j"))
    return Refinement(group, len(spans), figures, crossings_of(*held), shares)


def refine_records(data: Data, plan: Selection, report: Report) -> tuple[list[Refinement], Tally]:
    """Figures by level: at most `plan.positions` games of each group, drawn by the seed. A game's level is the mean
    of both players'."""
    rules, tally = plan.rules, Tally()
    held: dict[Group, dict[int, Record]] = {}
    for found in data.games(tally, plan.split, lambda done: report(done, tally.games)):
        record = found.record
        if rules.keeps_game(record) and (not plan.pool or record.players[0].pool in ("", plan.pool)):
            _hold(held.setdefault(_group(record, plan), {}), found.content, record, plan)
    if not held:
        raise BadInput(f"no game is left of {tally.games:,}; the filter was {rules.text or 'none'}")
    pools = len({group.pool for group in held})
    taken = {group: [games[mark] for mark in sorted(games)[: plan.positions]] for group, games in held.items()}
    named = [(group.label(pools), [span_of(each) for each in taken[group]]) for group in sorted(taken)]
    return _all_groups(named, plan.seed), tally


def _hold(games: dict[int, Record], content: int, record: Record, plan: Selection) -> None:
    """Keep the games with the smallest marks."""
    games[int(scatter(np.array([content], dtype=np.uint64), plan.seed)[0])] = record
    if len(games) > 2 * plan.positions:
        for mark in sorted(games)[plan.positions :]:
            del games[mark]


def _all_groups(named: Iterable[tuple[str, list[Span]]], seed: int) -> list[Refinement]:
    found = [(name, spans) for name, spans in named if spans]
    every = [span for _, spans in found for span in spans]
    groups = [refine(name, spans, seed) for name, spans in found]
    return groups if len(groups) == 1 else [*groups, refine("all", every, seed)]


def _group(record: Record, plan: Selection) -> Group:
    first, second = record.players
    if first.rating is None or second.rating is None or first.pool != second.pool:
        return group_of(replace(first, rating=None), plan.game, plan.by, plan.band)
    mean = Player((first.rating + second.rating) / 2, first.pool)
    return group_of(mean, plan.game, plan.by, plan.band)


def span_of(record: Record) -> Span:
    """Count one game. Moves past an end by force are not counted."""
    position, choices, plies = start_of(record.game, record.setup), 0, 0
    for move in record.moves:
        if not len(position.legal):
            break
        choices, plies = choices + len(position.legal), plies + 1
        position = position.follow(move)
    return Span(choices, plies, record.termination)


@dataclass(frozen=True)
class Ended:
    """A game that was played to its end, and what it was like."""

    position: Position
    span: Span


def play_alone(begin: Query, mind: Mind, games: int, *, seed: int = 0, report: Report = unheard) -> list[Ended]:
    """Games that a mind plays against itself to their end, all at once. Nobody gives up."""
    agent, effort = Agent(mind, patience=None), Effort.seeded(seed)
    start, player = begin.position, begin.player
    limit = customs_in(start.game).ply_limit(start.setup.size)
    going: list[Position] = [start] * games
    choices = np.zeros(games, dtype=np.int64)
    while alive := [at for at, each in enumerate(going) if len(each.legal) and each.ply < limit]:
        queries = [Query(going[at], player, player) for at in alive]
        for at, query, opinion in zip(alive, queries, mind(queries, effort), strict=True):
            choices[at] += len(query.position.legal)
            going[at] = query.position.play(agent.draw_move(query, opinion, effort.rng))
        done = games - len(alive)
        report(done, done)
    return [
        Ended(each, Span(int(count), each.ply, each.ending or ("too long" if each.ply >= limit else "")))
        for count, each in zip(choices, going, strict=True)
    ]


def refine_play(begin: Query, mind: Mind, games: int, *, seed: int = 0, report: Report = unheard) -> Refinement:
    """Figures of games that a mind plays against itself."""
    return refine("self-play", [each.span for each in play_alone(begin, mind, games, seed=seed, report=report)], seed)


@dataclass(frozen=True)
class RefinementRun:
    """What was counted, of which games."""

    game: str
    source: str
    groups: Sequence[Refinement]
    published: Mapping[str, tuple[float, float, float]]
    """B, D and GR of the theory's own table, by game."""
    complaints: Sequence[str] = ()


def run_records(plan: Selection, arguments: Sequence[str], watch: Watching) -> RefinementRun:
    """Count the games in records or shards."""
    data = plan.open(arguments)
    with watch(data.bytes_total, "games") as meter:
        groups, tally = refine_records(data, plan, meter.show)
    return RefinementRun(plan.game, f"filter {plan.rules.text}", groups, published_games(), list(tally.complaints()))


@dataclass(frozen=True)
class SelfPlay:
    """Games that a mind plays against itself; a player without a pool is of the game's first."""

    game: str
    mind: str
    games: int
    setup: Setup
    player: Player
    seed: int = 0


def run_play(asked: SelfPlay, watch: Watching) -> RefinementRun:
    """Have them played and counted."""
    opened = open_game(asked.game)
    start = opened.start(asked.setup)
    player = replace(asked.player, pool=asked.player.pool or customs_in(opened).scale.pools[0])
    with Room() as room, watch(asked.games, "games") as meter:
        begin = Query(start, player, player)
        found = refine_play(begin, room.open(asked.mind), asked.games, seed=asked.seed, report=meter.show)
    source = f"{asked.games} games of {asked.mind} against itself"
    return RefinementRun(opened.name, source, [found], published_games())
