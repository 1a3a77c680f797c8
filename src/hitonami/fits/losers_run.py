"""Whole studies of what losers had at best: an engine's own games by level, or people's games by rating."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Position, Query, open_game
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.shards import start_of
from hitonami.engines.scores import centipawns_of
from hitonami.engines.uci import Limits, UciEngine
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import Group, group_of
from hitonami.evaluate.selection import Selection
from hitonami.fits.losers import LevelOfLosers, measure_level
from hitonami.matches.skilled import ScoredGame, draw_openings, keep_games, open_engine, play_game, read_games
from hitonami.parts import load_part
from hitonami.progress import Watching
from hitonami.records import Record
from hitonami.specs import mind_spec, open_mind

ENGINE: Final = "engine"
OPENING: Final = "opening"
_LEAST_GAMES: Final = 20
_BATCH: Final = 128
_LEAST_CHANCE: Final = 1e-6


@dataclass(frozen=True)
class LosersWish:
    """So many games of each level through one engine's eyes; `folder` keeps them as they come."""

    game: str
    games: int
    engine: str
    nodes: int | None
    seed: int
    folder: Path


@dataclass(frozen=True)
class Beginning:
    """Who plays the first plies of an engine's games, and how many; nobody where there is no mind."""

    mind: str
    plies: int

    def draw(self, wish: LosersWish) -> list[Position]:
        if not self.mind or not self.plies:
            return [open_game(wish.game).start()] * wish.games
        with open_mind(self.mind) as mind:
            return draw_openings(wish.game, mind, wish.games, self.plies, wish.seed)


@dataclass(frozen=True)
class PeopleWish:
    """The same of people: `plan` says which games, `plan.positions` how many of a level."""

    wish: LosersWish
    plan: Selection


def scale_of(mind: str) -> float:
    """Centipawns of the logistic that stands for the mind's scores."""
    spec = mind_spec(mind)
    part = load_part("minds", spec.kind)
    return float(dict(spec.fields).get("result_centipawns", getattr(part, "result_centipawns", 272.0)))


def run_engine(
    wish: LosersWish, skills: Mapping[int, int], beginning: Beginning, watch: Watching
) -> list[LevelOfLosers]:
    """The engine against itself, so many games at each level, every level from the same openings."""
    levels, starts = [], list[Position]()
    for skill, count in skills.items():
        path = wish.folder / f"skill-{skill}.jsonl"
        games = read_games(path)[:count]
        if len(games) < count:
            starts = starts or beginning.draw(wish)
            engine, usual = open_engine(wish.engine, skill)
            limits = usual if wish.nodes is None else Limits(nodes=wish.nodes)
            with watch(count, f"games at skill {skill}") as meter, engine:
                games = keep_games(path, count, partial(_play, engine, limits, starts), meter.show)
        levels.append(measure_level(f"skill {skill}", games, scale_of(wish.engine)))
    return levels


def _play(engine: UciEngine, limits: Limits, starts: Sequence[Position], at: int) -> ScoredGame:
    return play_game(engine, limits, starts[at])


def run_people(people: PeopleWish, arguments: Sequence[str], watch: Watching) -> list[LevelOfLosers]:
    """People's games by the mean of both ratings. Raises BadInput where no level has enough."""
    wish, plan = people.wish, people.plan
    data = open_data(arguments, wish.game, named=plan.rules.reads_names)
    held: dict[Group, list[tuple[int, Record]]] = {}
    with watch(data.bytes_total, "games") as meter:
        tally = Tally()
        for found in data.games(tally, plan.split, lambda done: meter.show(done, tally.games)):
            if plan.rules.keeps_game(found.record):
                mark = int(scatter(np.array([found.content], dtype=np.uint64), plan.seed)[0])
                own = held.setdefault(_group(found.record, plan), [])
                own.append((mark, found.record))
                if len(own) > 4 * wish.games:
                    own[:] = _first(own, wish.games)
    groups = {group: _first(held[group], wish.games) for group in sorted(held)}
    groups = {group: games for group, games in groups.items() if len(games) >= _LEAST_GAMES}
    if not groups:
        raise BadInput(f"no level has {_LEAST_GAMES} games; the filter was {plan.rules.text or 'none'}")
    levels, scale = [], scale_of(wish.engine)
    with open_mind(wish.engine) as mind:
        for group, games in groups.items():
            name = group.label(len({each.pool for each in groups}))
            score = partial(_score, mind, games, wish, scale)
            with watch(len(games), f"games at {name}") as meter:
                path = wish.folder / f"{name.replace(' ', '-').replace('/', '-')}.jsonl"
                scored = keep_games(path, len(games), score, meter.show)
            levels.append(measure_level(name, scored, scale))
    return levels


def _first(games: list[tuple[int, Record]], count: int) -> list[tuple[int, Record]]:
    return sorted(games, key=lambda each: each[0])[:count]


def _group(record: Record, plan: Selection) -> Group:
    """By the mean of both ratings; who has none, or another pool, is unrated."""
    first, second = record.players
    known = first.rating is not None and second.rating is not None and first.pool == second.pool
    mean = ((first.rating or 0.0) + (second.rating or 0.0)) / 2 if known else None
    return group_of(type(first)(mean, first.pool), plan.game, plan.by, plan.band)


def _score(mind: Mind, games: Sequence[tuple[int, Record]], wish: LosersWish, scale: float, at: int) -> ScoredGame:
    """One game of people with a score at every turn at which they moved."""
    record = games[at][1]
    position = start_of(record.game, record.setup)
    queries: list[Query] = []
    for move in record.moves:
        if not len(position.legal):
            break
        first, second = record.players if position.to_move == 0 else record.players[::-1]
        queries.append(Query(position, first, second))
        position = position.follow(move)
    effort = replace(Effort.seeded(wish.seed), simulations=wish.nodes)
    told = [
        opinion for begin in range(0, len(queries), _BATCH) for opinion in mind(queries[begin : begin + _BATCH], effort)
    ]
    return ScoredGame(
        tuple(query.position.to_move for query in queries),
        tuple(_centipawns(opinion, scale) for opinion in told),
        tuple(len(query.position.legal) for query in queries),
        record.score,
        record.termination,
    )


def _centipawns(opinion: Opinion, scale: float) -> float | None:
    """The score of an engine, else the log-odds of a mind's expectation on the same scale."""
    if opinion.lines:
        return centipawns_of(opinion.lines[0])
    if opinion.wdl is None:
        return None
    hope = float(np.clip(dist.expected_score(opinion.wdl), _LEAST_CHANCE, 1 - _LEAST_CHANCE))
    return scale * float(np.log(hope / (1 - hope)))
