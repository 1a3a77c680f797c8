"""How readily an agent gives up what is lost, so that its games last as long as people's.

An agent gives up only where next to nothing can be saved, and so plays on in many positions that people give up. To
end its games when people do on the whole, it is the readier (`Resignation.haste`) where nothing is left, which costs
nothing. Agents play games of people anew, at their levels, and nobody resigns: giving up changes no move before it,
so the same games tell for any haste how long they would last. Each turn counts by the chance that no side has given
up before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hitonami import dist
from hitonami.agent import Agent, Patience
from hitonami.core import Effort, Opinion, Query
from hitonami.evaluate.intervals import Interval, mean_of
from hitonami.fits.playing_out import RESAMPLES, Start, end_of
from hitonami.manners.additive import Floats, to_chance
from hitonami.manners.resignation import Resignation, features_of, is_worth_asking, look_back
from hitonami.progress import Report, unheard

MOST_PLIES: Final = 400
HASTES: Final = tuple(step / 2 for step in range(9))
"""The most is 55 to one."""
_NEVER: Final = -30.0


@dataclass
class Through:
    """One game that nobody gave up, and how near each turn was to it."""

    start: Start
    hopes: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    """Each side's expected scores, the newest first."""
    scores: list[float] = field(default_factory=list)
    """A turn: the log-odds of giving up; `saved`, the chance to save the game, against this opponent."""
    saved: list[float] = field(default_factory=list)
    finished: bool = False

    def __post_init__(self) -> None:
        self.position = self.start.position
        self.first = self.position.to_move

    @property
    def query(self) -> Query:
        own, other = self.start.players if self.position.to_move == self.first else self.start.players[::-1]
        return Query(self.position, own, other)


@dataclass(frozen=True)
class OwnLength:
    """People's games beside agents' of the same levels; intervals are of resampled games."""

    group: str
    games: int
    plies: Interval
    own_plies: Interval
    free_plies: Interval
    """The agents' were they to give up wherever people do."""
    resigned: Interval
    """The share that was given up."""
    own_resigned: Interval


def play_through(
    starts: Sequence[Start], agent: Agent, model: Resignation, effort: Effort, report: Report = unheard
) -> list[Through]:
    """A game from each start, all advancing together."""
    games = [Through(start) for start in starts]
    while going := [game for game in games if not game.finished]:
        queries = [game.query for game in going]
        for game, query, opinion in zip(going, queries, agent.think(queries, effort), strict=True):
            _step(game, query, opinion, model)
            game.position = game.position.play(agent.draw_move(query, opinion, effort.rng))
            game.finished = end_of(game.position) is not None or len(game.scores) >= MOST_PLIES
        report(len(games) - len(going), len(games) - len(going))
    return games


def _step(game: Through, query: Query, opinion: Opinion, model: Resignation) -> None:
    hopes, score, saved = game.hopes[query.position.to_move], _NEVER, 1.0
    hopes.insert(0, 0.5 if opinion.wdl is None else dist.expected_score(opinion.wdl))
    if query.position.ply >= Patience().min_ply and is_worth_asking(query.position, hopes[0]):
        features = features_of(query, look_back(query.position, hopes))
        score = model.gives_up.score(features, np.array([query.player.pool])).item()
        saved = model.saved(features).item()
    game.scores.append(score)
    game.saved.append(saved)


def lengths_at(games: Sequence[Through], bound: float, haste: float) -> tuple[Floats, Floats]:
    """[games] plies to expect, and the chance that the game is given up: where it is saved at most so often."""
    plies, resigned = np.zeros(len(games)), np.zeros(len(games))
    for at, game in enumerate(games):
        now = np.where(np.array(game.saved) <= bound, to_chance(np.array(game.scores) + haste), 0.0)
        going = np.cumprod(1.0 - now)
        plies[at], resigned[at] = going.sum(), 1.0 - going[-1]
    return plies, resigned


def choose_haste(games: Sequence[Through], bound: float, people: Sequence[int]) -> float:
    """The haste at which these games last as long on the average as people's of so many plies."""
    wanted = float(np.mean(people))
    return min(HASTES, key=lambda haste: abs(float(lengths_at(games, bound, haste)[0].mean()) - wanted))


def measure_lengths(
    group: str, games: Sequence[Through], model: Resignation, people: Sequence[int], given_up: Sequence[bool]
) -> OwnLength:
    """`people` and `given_up`: plies of the games that they were played after, and how those ended."""
    plies, resigned = lengths_at(games, model.most_saved, model.haste)
    theirs = np.array(people, dtype=np.float64), np.array(given_up, dtype=np.float64)
    free, _ = lengths_at(games, 1.0, 0.0)
    means = (mean_of(each, RESAMPLES) for each in (theirs[0], plies, free, theirs[1], resigned))
    return OwnLength(group, len(games), *means)
