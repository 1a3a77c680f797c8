"""Agents' own games on clocks: how long they think, whose flag falls and how long games last, beside people's.

Every game takes the levels and the time control of a game of people. Nobody waits: what an agent would have thought is
taken off its clock, and what it took before is what its next times go by.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.agent import Agent, ClaimDraw, DeclareWin, Play, Resign
from hitonami.core import Clock, Effort, Player, Position, Query
from hitonami.dataset.samples import increment_seconds, main_seconds
from hitonami.dataset.shards import start_of
from hitonami.evaluate.intervals import Interval, interval_of, mean_of, resample_counts
from hitonami.fits.pace import spread_seconds
from hitonami.fits.turns import Turns
from hitonami.manners.additive import Floats
from hitonami.manners.pace import LONG_SECONDS, QUICK_SECONDS, usual_of
from hitonami.progress import Report, unheard
from hitonami.records import Record

MOST_PLIES: Final = 400
_FROM_PLY: Final = 2
_RESAMPLES: Final = 1_000


@dataclass
class Clocked:
    """One game of two agents under way."""

    position: Position
    players: tuple[Player, Player]
    left: list[float]
    increment: float
    spent: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    ending: str = ""
    plies: int = 0

    @property
    def query(self) -> Query:
        side = self.position.to_move
        own, other = self.spent[side], self.spent[1 - side]
        clock = Clock(
            self.left[side], self.left[1 - side], self.increment, self.increment,
            spent_seconds=own[-1] if own else None,
            opponent_spent_seconds=other[-1] if other else None,
            usual_seconds=usual_of(own),
        )  # fmt: skip
        return Query(self.position, self.players[side], self.players[1 - side], clock)

    def take(self, seconds: float) -> bool:
        """Take a turn's time off the clock of who is to move; False where the flag falls."""
        side = self.position.to_move
        if seconds > self.left[side]:
            self.ending = "time"
            return False
        self.left[side] += self.increment - seconds
        self.spent[side].append(seconds)
        return True


@dataclass(frozen=True)
class OwnPace:
    """People beside agents who have their levels and clocks, over some games; intervals are of resampled games."""

    games: int
    quick: Interval
    """The share of people's moves under a second; `own_quick` of the agents'."""
    own_quick: Interval
    long: Interval
    own_long: Interval
    flags: Interval
    """The share of games that end by the clock."""
    own_flags: Interval
    plies: Interval
    own_plies: Interval
    resigned: Interval
    own_resigned: Interval


def can_be_played(record: Record) -> bool:
    """Whether both levels and the time control are known, and the game was played out or given up."""
    known = all(player.rating is not None for player in record.players)
    return known and main_seconds(record.time_control) is not None and record.score is not None


def play_clocked(records: Sequence[Record], agent: Agent, effort: Effort, report: Report = unheard) -> list[Clocked]:
    """A game for each record, by the agent at its levels, all advancing together."""
    games = [_begin(record) for record in records]
    while going := [game for game in games if not game.ending]:
        queries = [game.query for game in going]
        for game, query, opinion in zip(going, queries, agent.think(queries, effort), strict=True):
            decision = agent.conclude(query, opinion, effort)
            if not game.take(decision.think_seconds):
                continue
            match decision.action:
                case Play(move):
                    game.position, game.plies = game.position.play(move), game.plies + 1
                    ended = game.position.ending if not len(game.position.legal) else ""
                    game.ending = ended or ("too long" if game.plies >= MOST_PLIES else "")
                case Resign():
                    game.ending = "resignation"
                case ClaimDraw(reason) | DeclareWin(reason):
                    game.ending = reason
        report(len(games) - len(going), len(games) - len(going))
    return games


def _begin(record: Record) -> Clocked:
    main = main_seconds(record.time_control)
    assert main is not None, "can_be_played says so"
    first, second = record.players
    players = Player(first.rating, first.pool), Player(second.rating, second.pool)
    position = start_of(record.game, record.setup)
    return Clocked(position, players, [main, main], increment_seconds(record.time_control))


def measure_clocked(records: Sequence[Record], people: Turns, games: Sequence[Clocked]) -> OwnPace:
    """`people` are the timed turns of the records, whose numbers are in `game`."""
    theirs = _sums(people["game"].astype(int), spread_seconds(people["seconds"]), len(records))
    times = [(at, seconds) for at, game in enumerate(games) for own in game.spent for seconds in own[_FROM_PLY // 2 :]]
    numbers, seconds = np.array([at for at, _ in times], dtype=np.int64), np.array([each for _, each in times])
    ours = _sums(numbers, seconds, len(games))
    said, own = [record.termination for record in records], [game.ending for game in games]
    plies = [float(len(record.moves)) for record in records], [float(game.plies) for game in games]
    return OwnPace(
        len(games),
        _share(theirs, 0), _share(ours, 0), _share(theirs, 1), _share(ours, 1),
        *(mean_of([end == "time" for end in each], _RESAMPLES) for each in (said, own)),
        *(mean_of(each, _RESAMPLES) for each in plies),
        *(mean_of([end == "resignation" for end in each], _RESAMPLES) for each in (said, own)),
    )  # fmt: skip


def _sums(games: NDArray[np.int64], seconds: Floats, count: int) -> Floats:
    """[games, 3] moves at once, long thoughts, all."""
    out = np.zeros((count, 3))
    np.add.at(out, games, np.column_stack([seconds < QUICK_SECONDS, seconds > LONG_SECONDS, np.ones(len(seconds))]))
    return out


def _share(sums: Floats, column: int) -> Interval:
    draws = np.concatenate([counts @ sums for counts in resample_counts(len(sums), 0, 1_000)])
    total = sums.sum(axis=0)
    return interval_of(float(total[column] / max(total[2], 1.0)), draws[:, column] / np.maximum(draws[:, 2], 1.0))
