"""Lost positions of people's games played out by agents: what giving up would have thrown away, and against whom.

Nobody resigns in these games. At each turn of the side that stands to lose, two patiences are asked whether they would
have: one that minds who the opponent is and one that does not, by the same chance. So every game tells for both at
which ply it would have ended and what the side got in the end. Who plays has the level of who played; where a record
does not tell it, the game's usual one. Positions that people gave up tell what their own resignations throw away.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.agent import Agent, Patience
from hitonami.core import Effort, Mind, Opinion, Player, Position, Query
from hitonami.customs import customs_of
from hitonami.dataset.reading import Found
from hitonami.dataset.shards import start_of
from hitonami.evaluate.intervals import Interval, mean_of
from hitonami.fits.turns import Turns, is_given_up
from hitonami.play.endings import Outcome, guess_dead, outcome_by_claim, outcome_by_force
from hitonami.progress import Report, unheard
from hitonami.records import Record

MOST_PLIES: Final = 200
"""A game that goes on longer counts by its expected score."""
LOST: Final = 0.15
"""The expected score under which a side stands to lose."""
_FROM_PLY: Final = 24
RESAMPLES: Final = 1_000
BLIND: Final = Patience(most_saved=1.0, min_ply=0)
AWARE: Final = Patience(min_ply=0)


@dataclass(frozen=True)
class Start:
    """A position, and who plays it: the side to move, which stands to lose, and the other, which has to convert."""

    position: Position
    players: tuple[Player, Player]

    def weaker(self, by: float) -> "Start":
        """The same against an opponent of so much less."""
        own, other = self.players
        return replace(self, players=(own, replace(other, rating=(other.rating or 0.0) - by)))


@dataclass
class PlayedOut:
    """One game. Plies are counted from where it was taken up; None where that patience never ends."""

    position: Position
    loser: int
    blind: int | None = None
    aware: int | None = None
    score: float = 0.0
    """What the side got, 0..1."""
    plies: int = 0
    hopes: list[float] = field(default_factory=list)
    """Its expected scores, the newest first."""
    finished: bool = False


@dataclass(frozen=True)
class PlayOutFigures:
    """Over some games: the share that each patience ends, what it throws away a game, how much later the second."""

    games: int
    saved: Interval
    """Of all games: those in which the side got half a point or more."""
    blind_ends: float
    aware_ends: float
    blind_saved: Interval
    """Of what it gives up without regard to the opponent, the share that the side saved; `aware_saved` with it."""
    aware_saved: Interval
    blind_lost: Interval
    """Half-points thrown away a game, by resigning without regard to the opponent; `aware_lost` with it."""
    aware_lost: Interval
    fewer: Interval
    """The difference, paired."""
    later: Interval
    """Plies that the second plays on, where the first would have ended."""


def lost_starts(games: Sequence[Found], turns: Turns, count: int, seed: int) -> list[Start]:
    """Positions at which a side first stood to lose, at most one a side of a game and so many, drawn by a seed."""
    lost = (turns["hope"] < LOST) & (turns["ply"] >= _FROM_PLY)
    _, first = np.unique((turns["game"] * 2 + turns["side"])[lost], return_index=True)
    rows = np.random.default_rng(seed).permutation(np.flatnonzero(lost)[first])[:count]
    return [start_at(games[int(turns["game"][row])].record, int(turns["ply"][row])) for row in rows]


def given_up_starts(games: Sequence[Found], count: int, seed: int) -> list[Start]:
    """The last positions of games that the side to move gave up, so many, drawn by a seed."""
    ended = [found.record for found in games if is_given_up(found.record) and len(found.record.moves) >= _FROM_PLY]
    chosen = np.random.default_rng(seed).permutation(len(ended))[:count]
    return [start_at(ended[at], len(ended[at].moves)) for at in chosen]


def start_at(record: Record, ply: int) -> Start:
    """A position of a game with who played it; whose level is not known has the game's usual one."""
    position = start_of(record.game, record.setup)
    for move in record.moves[:ply]:
        position = position.follow(move)
    usual = customs_of(record.game).scale
    players = [
        Player(usual.default if each.rating is None else each.rating, each.pool or usual.pools[0])
        for each in record.players
    ]
    return Start(position, (players[position.to_move], players[1 - position.to_move]))


def play_out(starts: Sequence[Start], mind: Mind, effort: Effort, report: Report = unheard) -> list[PlayedOut]:
    """Play every start to its end."""
    games = [PlayedOut(start.position, start.position.to_move) for start in starts]
    agent, seed = Agent(mind, patience=None, style="human"), int(effort.rng.integers(1 << 62))
    while going := [at for at, game in enumerate(games) if not game.finished]:
        queries = [_query(games[at], starts[at].players) for at in going]
        for at, query, opinion in zip(going, queries, mind(queries, effort), strict=True):
            _step(games[at], query, opinion, agent, np.random.default_rng([seed, at, games[at].plies]))
        report(len(games) - len(going), len(games) - len(going))
    return games


def _query(game: PlayedOut, players: tuple[Player, Player]) -> Query:
    own, other = players if game.position.to_move == game.loser else players[::-1]
    return Query(game.position, own, other)


def _step(game: PlayedOut, query: Query, opinion: Opinion, agent: Agent, rng: np.random.Generator) -> None:
    hope = 0.5 if opinion.wdl is None else dist.expected_score(opinion.wdl)
    mine = game.position.to_move == game.loser
    if mine:
        game.hopes.insert(0, hope)
        drawn = rng.bit_generator.state
        if game.blind is None and BLIND.gives_up(query, game.hopes, rng) is not None:
            game.blind = game.plies
        rng.bit_generator.state = drawn
        if game.aware is None and AWARE.gives_up(query, game.hopes, rng) is not None:
            game.aware = game.plies
    if game.plies >= MOST_PLIES:
        game.finished, game.score = True, hope if mine else 1.0 - hope
        return
    game.position = game.position.play(agent.draw_move(query, opinion, rng))
    game.plies += 1
    _close(game)


def _close(game: PlayedOut) -> None:
    over = end_of(game.position)
    if over is not None:
        game.finished, game.score = True, abs(game.loser - over.score)


def end_of(position: Position) -> Outcome | None:
    """How the game is over: by the rules, a count, or a claim, which is granted at once; None where it is not."""
    return outcome_by_force(position, guess_dead(position)) if not len(position.legal) else outcome_by_claim(position)


def measure_played_out(games: Sequence[PlayedOut]) -> PlayOutFigures:
    """What both patiences would have made of these games."""
    score = np.array([game.score for game in games])
    kept = np.where(score > 0, score, 0.0) * 2
    blind, aware = (np.array([getattr(game, name) is not None for game in games]) for name in ("blind", "aware"))
    ends = ((game.plies if game.aware is None else game.aware, game.blind) for game in games)
    later = [float(stop - first) for stop, first in ends if first is not None]
    return PlayOutFigures(
        len(games),
        mean_of((score >= 0.5).astype(np.float64), RESAMPLES),
        float(blind.mean()),
        float(aware.mean()),
        mean_of((score[blind] >= 0.5).astype(np.float64), RESAMPLES),
        mean_of((score[aware] >= 0.5).astype(np.float64), RESAMPLES),
        mean_of(kept * blind, RESAMPLES),
        mean_of(kept * aware, RESAMPLES),
        mean_of(kept * blind - kept * aware, RESAMPLES),
        mean_of(np.array(later), RESAMPLES),
    )
