"""What becomes of won positions: do minds win them, hurry, shuffle and give up as people of the level do?

Positions come from people's games: one random ply a game, kept where a judge calls it won for one side. The people's
own continuation is one sample; the other is the mind against itself from the same position, at the group's level, by
the rules of tournaments (resignation included). Both are measured alike: the score of the side that was winning, how
games ended, how many plies it took, and how often the winning side's move took back its own last one. Nothing is judged
after the start.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hitonami.core import Position, lineage
from hitonami.dataset.groups import SplitChoice
from hitonami.dataset.order import scatter
from hitonami.dataset.reading import Data, Tally
from hitonami.dataset.shards import start_of
from hitonami.errors import BadInput
from hitonami.evaluate.grouping import Group, group_of
from hitonami.evaluate.intervals import Interval, interval_of
from hitonami.evaluate.selection import Selection
from hitonami.judging.judge import Judge
from hitonami.matches.block import Played
from hitonami.matches.entrants import Entrant
from hitonami.matches.openings import Opening
from hitonami.matches.pairing import Schedule as Event
from hitonami.matches.tournament import Store, run_tournament
from hitonami.progress import Report, unheard
from hitonami.records import Record
from hitonami.specs import MindSpec

FILTER: Final = "human,no-bullet,rated-both,gap:200,no-handicap,size:19,finished,no-time-loss"
_MATES: Final = ("checkmate", "mate")
_LOOKED_AT = 12
"""Games that are looked at for each position wanted: about a third of random plies are won for somebody."""


@dataclass(frozen=True)
class ConversionPlan(Selection):
    """Which positions are taken. `won` is the judge's expected score from which on a side is winning: in chess 0.863 is
    five pawns on the judge's scale."""

    positions: int = 60
    filter_text: str = FILTER
    split: SplitChoice = "test"
    band: float = 400.0
    won: float = 0.863
    first_ply: int = 30


@dataclass(frozen=True)
class Won:
    """A position that `side` should win, and how people went on."""

    position: Position
    side: int
    chance: float
    """By the judge."""
    record: Record


@dataclass(frozen=True)
class Course:
    """How one game went on from a won position. `score` is the winning side's, 0..1."""

    score: float
    plies: int
    ending: str
    """"mate", "given up", "drawn", or what the record says."""
    moves: int
    """Of the winning side."""
    undone: int
    """Of them, moves that took back its own last move."""


@dataclass(frozen=True)
class Summary:
    """Several courses together; intervals over positions."""

    n: int
    score: Interval
    undone: Interval
    plies: float
    """Median."""
    endings: dict[str, float]


def find_won(data: Data, judge: Judge, plan: ConversionPlan, report: Report = unheard) -> dict[Group, list[Won]]:
    """Positions by group, weakest group first. Raises BadInput where there is none."""
    drawn = _draw(data, plan, report)
    found: dict[Group, list[Won]] = {}
    for group in sorted(drawn):
        asked = drawn[group]
        for begin in range(0, len(asked), plan.positions):
            part = asked[begin : begin + plan.positions]
            verdicts = judge([(position, None) for position, _ in part])
            for (position, record), verdict in zip(part, verdicts, strict=True):
                side = position.to_move if verdict.best >= plan.won else 1 - position.to_move
                if not 1 - plan.won < verdict.best < plan.won:
                    found.setdefault(group, []).append(Won(position, side, verdict.best, record))
            if len(found.get(group, ())) >= plan.positions:
                break
    if not found:
        raise BadInput("no game that the filter keeps holds a won position with both players of one group")
    return {group: each[: plan.positions] for group, each in found.items()}


def _draw(data: Data, plan: ConversionPlan, report: Report) -> dict[Group, list[tuple[Position, Record]]]:
    """One random ply of each game, the games in the order of their scattered hashes."""
    rules, tally = plan.rules, Tally()
    pots: dict[Group, dict[int, Record]] = {}
    for each in data.games(tally, plan.split, lambda done: report(done, tally.games)):
        record = each.record
        first, second = (group_of(player, plan.game, plan.by, plan.band) for player in record.players)
        fits = first == second and len(record.moves) > plan.first_ply + 1 and plan.pool in ("", record.players[0].pool)
        if fits and record.score is not None and rules.keeps_moves(record)[-2:].all():
            pots.setdefault(first, {})[each.content] = record
    return {group: list(_positions(games, plan)) for group, games in pots.items()}


def _positions(games: dict[int, Record], plan: ConversionPlan) -> Iterator[tuple[Position, Record]]:
    contents = np.array(sorted(games), dtype=np.uint64)
    order = contents[np.argsort(scatter(contents, plan.seed), kind="stable")]
    for content in order[: _LOOKED_AT * plan.positions].tolist():
        record = games[content]
        ply = int(np.random.default_rng([plan.seed, content]).integers(plan.first_ply, len(record.moves) - 1))
        position = start_of(record.game, record.setup)
        for move in record.moves[:ply]:
            position = position.follow(move)
        if len(position.legal):
            yield position, record


def play_on(
    plan: ConversionPlan, mind: MindSpec, wons: Sequence[Won], folder: Path | None, show: Callable[[int], None]
) -> list[list[Course]]:
    """How the mind against itself goes on, twice from each position. A folder keeps the games and is gone on with."""
    event = _event_of(plan, mind, wons)
    store = None if folder is None else Store(folder, event, resume=True)
    games = run_tournament(event, store, show=show).games
    return [[course_of_game(won, game) for game in games[2 * at : 2 * at + 2]] for at, won in enumerate(wons)]


def _event_of(plan: ConversionPlan, mind: MindSpec, wons: Sequence[Won]) -> Event:
    """At the median rating of the players, on both sides."""
    players = [player for won in wons for player in won.record.players]
    ratings = [player.rating for player in players if player.rating is not None]
    rating = float(np.median(ratings)) if ratings else None
    entrants = Entrant("one", mind, rating, players[0].pool), Entrant("other", mind, rating, players[0].pool)
    openings = []
    for won in wons:
        start, moves = lineage(won.position)
        openings.append(Opening(start.setup, tuple(moves)))
    return Event(plan.game, entrants, 2 * len(wons), tuple(openings), seed=plan.seed)


def course_of_people(won: Won) -> Course:
    record = won.record
    assert record.score is not None
    return _course(won, record.moves[won.position.ply :], record.score, _how_people_ended(won))


def course_of_game(won: Won, game: Played) -> Course:
    ending = (
        "mate" if game.termination in _MATES else "given up" if game.termination == "resignation" else game.termination
    )
    return _course(won, game.moves[won.position.ply :], game.score, "drawn" if game.score == 0.5 else ending)


def _how_people_ended(won: Won) -> str:
    """Records rarely say who resigned: a decided game that does not end in mate was given up, time losses aside."""
    if won.record.score == 0.5:
        return "drawn"
    position = won.position
    for move in won.record.moves[position.ply :]:
        position = position.follow(move)
    return "mate" if position.ending in _MATES else "given up"


def _course(won: Won, moves: Sequence[int], score: float, ending: str) -> Course:
    own = score if won.side == 0 else 1.0 - score
    made = undone = 0
    position, last = won.position, dict.fromkeys((0, 1), "")
    for move in moves:
        side, text = position.to_move, position.game.format(position, move)
        if side == won.side:
            made += 1
            undone += takes_back(text, last[side])
        last[side] = text
        position = position.follow(move)
    return Course(own, len(moves), ending, made, undone)


def takes_back(move: str, last: str) -> bool:
    """Whether a piece goes back where the side's last move brought it from, as UCI and USI write moves."""
    return len(move) == len(last) == 4 and "*" not in move + last and move == last[2:] + last[:2]


def summarise(courses: Sequence[Sequence[Course]], seed: int = 0) -> Summary:
    """`courses` are those of each position."""
    flat = [course for each in courses for course in each]
    scores = np.array([np.mean([course.score for course in each]) for each in courses])
    made = np.array([sum(course.moves for course in each) for each in courses], dtype=float)
    undone = np.array([sum(course.undone for course in each) for each in courses], dtype=float)
    drawn = np.random.default_rng([seed, 7]).integers(0, len(courses), (2000, len(courses)))
    shares = undone[drawn].sum(axis=1) / np.maximum(made[drawn].sum(axis=1), 1.0)
    endings = dict.fromkeys(("mate", "given up", "drawn"), 0.0)
    for course in flat:
        endings[course.ending] = endings.get(course.ending, 0.0) + 1 / len(flat)
    return Summary(
        len(courses),
        interval_of(float(scores.mean()), scores[drawn].mean(axis=1)),
        interval_of(float(undone.sum() / max(made.sum(), 1.0)), shares),
        float(np.median([course.plies for course in flat])),
        endings,
    )
