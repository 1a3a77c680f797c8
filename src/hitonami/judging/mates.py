"""Wins at once: how often people who have one play it, and how often an agent of their level does.

Every decision of the games in which a move wins at once, by what the game's sights never overlook (in chess a mate in
one), is looked at: did the person play one, what chance does a mind give them together, and with which chance would an
agent of the level draw one? By rating, with intervals over games.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

import numpy as np

from hitonami.agent import Agent, level_style
from hitonami.core import Effort, LogProbs, Mind, Query
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.reading import Found, Tally, open_data
from hitonami.dataset.samples import samples_at
from hitonami.errors import BadData, BadInput
from hitonami.evaluate.intervals import Interval, interval_of, resample_means, sum_by_game
from hitonami.progress import Progress, Watching
from hitonami.sights import Sights, sights_of
from hitonami.specs import Room, mind_spec

FILTER: Final = "human,no-bullet,clock:30,rated-both,gap:200,no-handicap"
PEOPLE: Final = "people"
_TOGETHER: Final = 256


@dataclass(frozen=True, slots=True)
class Chance:
    """A decision with a win at once: was one played, and which places among the legal moves are such."""

    query: Query
    game: int
    played: bool
    winning: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MateWish:
    """What is looked at: the first `games` of the split, 0 for all."""

    game: str
    minds: tuple[str, ...]
    split: SplitChoice = "test"
    filter_text: str = FILTER
    band: int = 400
    games: int = 0

    def __post_init__(self) -> None:
        for name in self.minds:
            mind_spec(name)  # games may take long to read: a wrong name is told before


@dataclass(frozen=True)
class MateGroup:
    """The players of a pool and a band of ratings: shares found, by who."""

    pool: str
    low: int
    n: int
    games: int
    found: dict[str, Interval] = field(default_factory=dict)


@dataclass(frozen=True)
class MateRun:
    """What came out."""

    wish: MateWish
    groups: tuple[MateGroup, ...]


def run_mates(wish: MateWish, data: Sequence[str], watch: Watching) -> MateRun:
    """Raises BadInput for a game whose sights nobody wrote, BadData where there is no win at once."""
    chances = collect(wish, data, watch)
    columns = {PEOPLE: [float(each.played) for each in chances]}
    with Room() as room:
        for name in wish.minds:
            with watch(len(chances), f"wins at once, {name}") as meter:
                columns |= ask(chances, name, room.open(name), meter)
    return MateRun(wish, tuple(_groups(wish, chances, columns)))


def collect(wish: MateWish, data: Sequence[str], watch: Watching) -> list[Chance]:
    """In the order of the games."""
    sights = sights_of(wish.game)
    if sights is None:
        raise BadInput(f"nobody has written what a board of {wish.game} shows: wins at once are not known")
    rules, found, looked = parse_filter(wish.filter_text), list[Chance](), 0
    opened, tally = open_data(data, wish.game), Tally()
    with watch(opened.bytes_total, "games") as meter:
        games = opened.games(tally, wish.split, lambda done: meter.show(done, tally.games))
        for each in islice(games, wish.games or None):
            plies = np.flatnonzero(rules.keeps_moves(each.record)).tolist()
            looked += len(plies)
            found += _chances(each, plies, sights)
    if not found:
        left = f"{looked:,} decisions of the split {wish.split}"
        raise BadData(f"there is no win at once in {left}; the filter was {rules.text or 'none'}")
    return found


def _chances(found: Found, plies: Sequence[int], sights: Sights) -> Iterator[Chance]:
    samples = iter(samples_at(found.record, plies))
    while part := list(islice(samples, _TOGETHER)):
        positions = [sample.query.position for sample in part]
        begins = np.concatenate([[0], np.cumsum([len(each.legal) for each in positions])])
        moves = np.concatenate([each.legal for each in positions]).astype(np.int64)
        struck = sights.strike(positions, moves, begins)
        for at in np.flatnonzero(np.add.reduceat(struck, begins[:-1])).tolist():
            places = np.flatnonzero(struck[begins[at] : begins[at + 1]])
            played = part[at].move in positions[at].legal[places]
            yield Chance(part[at].query, found.content, bool(played), tuple(places.tolist()))


def ask(chances: Sequence[Chance], name: str, mind: Mind, meter: Progress) -> dict[str, list[float]]:
    """By column, the chance of all winning moves of each decision: by the mind, and as its agent draws."""
    style = level_style(name)
    agent = Agent(mind, style=style)
    told: list[float] = []
    drawn: list[float] = []
    for begin in range(0, len(chances), _TOGETHER):
        part = chances[begin : begin + _TOGETHER]
        queries = [each.query for each in part]
        for opinion, chance in zip(mind(queries, Effort.seeded()), part, strict=True):
            told.append(_mass(opinion.log_probs, chance))
        for opinion, chance in zip(agent.think(queries, Effort.seeded()), part, strict=True):
            drawn.append(_mass(agent.draw_chances(chance.query, opinion.log_probs), chance))
        meter.show(len(told), len(told))
    return {name: told, f"{name}, drawn": drawn} if style else {name: told}


def _mass(log_probs: LogProbs, chance: Chance) -> float:
    return float(np.exp(log_probs[list(chance.winning)].astype(np.float64)).sum())


def _group(query: Query, band: int) -> tuple[str, int]:
    return query.player.pool, int((query.player.rating or 0) // band * band)


def _groups(wish: MateWish, chances: Sequence[Chance], columns: dict[str, list[float]]) -> Iterator[MateGroup]:
    values = np.array(list(columns.values())).T
    places: dict[tuple[str, int], list[int]] = {}
    for at, each in enumerate(chances):
        places.setdefault(_group(each.query, wish.band), []).append(at)
    for (pool, low), rows in sorted(places.items()):
        game = np.unique([chances[at].game for at in rows], return_inverse=True)[1]
        sums = sum_by_game(game, values[rows])
        [draws] = resample_means([sums], len(sums.games), 0)
        shares = [interval_of(float(value), draws[:, at]) for at, value in enumerate(sums.means)]
        yield MateGroup(pool, low, len(rows), len(sums.games), dict(zip(columns, shares, strict=True)))
