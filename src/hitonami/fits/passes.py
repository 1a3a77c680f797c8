"""When people pass at the end of a game, and whether an agent of their level would: the last turns of games that two
passes ended, each with the chance that the agent passes.

A pass is a person's own view that nothing is left to gain. An agent draws its passes like its other moves, so the
chances tell how it would end these games: how often it passes where people did, how often before, and at which ply.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.agent import Agent, open_agent
from hitonami.core import Effort, Player, Query
from hitonami.customs import customs_of
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.reading import open_data
from hitonami.dataset.shards import start_of
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import default_by, group_of
from hitonami.evaluate.intervals import Interval, mean_of
from hitonami.fits.manners_run import MannersWish
from hitonami.fits.turns import Wish, draw_games
from hitonami.progress import Report, Watching
from hitonami.records import Record
from hitonami.specs import Room

PASSES_FILTER: Final = "finished,no-bots,no-handicap"
LOOKED_BACK: Final = 12
_BATCH: Final = 32
_LEAST_GAMES: Final = 5


@dataclass(frozen=True)
class Ending:
    """The last turns of one game: for each, whether the person passed and the agent's chance of a pass."""

    group: str
    passed: tuple[bool, ...]
    chance: tuple[float, ...]

    @property
    def first(self) -> int:
        """The turn of the first of these passes."""
        return self.passed.index(True)


@dataclass(frozen=True)
class PassFigures:
    """One level. Chances are the agent's."""

    group: str
    games: int
    before: Interval
    """The mean chance of a pass at a turn before the first one, where people played on."""
    first: Interval
    """At the turn of the first pass."""
    answer: Interval
    """At the turn after it, which people answered with a pass."""
    later: Interval
    """Plies by which the agent's first pass comes after people's, were it to draw at these turns and pass at the end of
    them at the latest; below 0 where it passes sooner."""


def ends_in_passes(record: Record, passing: int) -> bool:
    """Whether two passes in a row are the last moves of a game."""
    return len(record.moves) > LOOKED_BACK and record.moves[-2:] == (passing, passing)


def ask_endings(
    records: Sequence[Record], agent: Agent, passing: Callable[[Record], int], report: Report
) -> list[Ending]:
    """Ask an agent about the last turns of these games."""
    rows: list[tuple[int, bool]] = []
    queries: list[Query] = []
    for at, record in enumerate(records):
        position, begin = start_of(record.game, record.setup), len(record.moves) - LOOKED_BACK
        for ply, move in enumerate(record.moves):
            if ply >= begin:
                players = record.players if position.to_move == 0 else record.players[::-1]
                queries.append(Query(position, *players))
                rows.append((at, move == passing(record)))
            position = position.follow(move)
    effort, told = Effort.seeded(), list[float]()
    for begin in range(0, len(queries), _BATCH):
        some = queries[begin : begin + _BATCH]
        for query, opinion in zip(some, agent.mind(some, effort), strict=True):
            held = np.flatnonzero(query.position.legal == passing(records[rows[len(told)][0]]))
            drawn = agent.draw_chances(query, opinion.log_probs)
            told.append(float(np.exp(drawn[held[0]])) if len(held) else 0.0)
        report(len(told), len(told))
    found = []
    for at, record in enumerate(records):
        own = [place for place, (game, _) in enumerate(rows) if game == at]
        passed, chances = tuple(rows[place][1] for place in own), tuple(told[place] for place in own)
        found.append(Ending(_level(record), passed, chances))
    return found


def _level(record: Record) -> str:
    first, second = record.players
    known = first.rating is not None and second.rating is not None
    mean = ((first.rating or 0.0) + (second.rating or 0.0)) / 2 if known else None
    return group_of(Player(mean, first.pool), record.game, default_by(record.game)).name


def measure_passes(endings: Sequence[Ending]) -> list[PassFigures]:
    """A row a level with enough games, and one of all."""
    names = list(dict.fromkeys(each.group for each in endings))
    found = []
    for name in (*names, "all"):
        own = [each for each in endings if name in (each.group, "all")]
        if len(own) >= _LEAST_GAMES:
            before = [float(np.mean(each.chance[: each.first])) for each in own if each.first]
            first = [each.chance[each.first] for each in own]
            answer = [each.chance[-1] for each in own]
            later = [_later(each) for each in own]
            found.append(PassFigures(name, len(own), *map(mean_of, (before, first, answer, later))))
    return found


def _later(each: Ending) -> float:
    """The expected ply of the agent's first pass, less that of people's."""
    going = np.cumprod(1 - np.array(each.chance[:-1]))
    return float(going.sum()) - each.first


def run_passes(
    wish: MannersWish, arguments: tuple[str, ...], watch: Watching, split: SplitChoice = "test"
) -> list[PassFigures]:
    """Draw games that two passes ended, and ask. Raises BadInput where nobody passes."""
    if not customs_of(wish.game).passes:
        raise BadInput(f"nobody passes of their own will in {wish.game}")
    data = open_data(arguments, wish.game)
    with watch(data.bytes_total, "games") as meter:
        drawn = draw_games(
            data, Wish(8 * wish.games, parse_filter(wish.filter_text), split, seed=wish.seed), meter.show
        )
    records = [each.record for each in drawn if ends_in_passes(each.record, pass_of(each.record))][: wish.games]
    if not records:
        raise BadInput(
            f"none of {len(drawn):,} games of the split {split} ends with two passes; the filter was {wish.filter_text}"
        )
    with Room() as room, watch(LOOKED_BACK * len(records), "turns asked about") as meter:
        agent = open_agent(room, wish.mind, wish.game)
        return measure_passes(ask_endings(records, agent, pass_of, meter.show))


def pass_of(record: Record) -> int:
    """The move that is a pass on this game's board."""
    start = start_of(record.game, record.setup)
    touched = (int(move) for move in start.legal[::-1] if not start.game.touches(start, int(move)))
    found = next(touched, None)
    if found is None:
        raise BadInput(f"there is no pass at the start of {record.game}")
    return found
