"""A player against itself, many games in lockstep: what a program's games look like, from the usual start.

Nobody resigns and nothing is claimed; a game that ends by the rules before enough moves were made is played again, so
that all games have the same number of moves and their length says nothing of who played.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.agent import Agent
from hitonami.core import Effort, Position, Query, Setup, lineage, open_game, walk_back
from hitonami.errors import WorkFailed
from hitonami.matches.entrants import Entrant
from hitonami.records import Record, told_movers
from hitonami.specs import Room

_TRIES: Final = 20


@dataclass(frozen=True)
class Alone:
    """How many games are played, and how long they are."""

    game: str
    games: int
    plies: int
    size: int = 0
    seed: int = 0


def play_alone(
    room: Room, wanted: Alone, entrant: Entrant, report: Callable[[int], None] = lambda done: None
) -> list[Record]:
    """The games of one player against itself. Raises WorkFailed for one who ends them all sooner.

    `report` is told how many moves were made in all.
    """
    agent = entrant.agent(room.open(entrant.mind), room, wanted.game)
    rng, made, done = np.random.default_rng([wanted.seed, 0xA10E]), list[Record](), 0
    for _ in range(_TRIES):
        running = [open_game(wanted.game).start(Setup(size=wanted.size)) for _ in range(wanted.games - len(made))]
        for _ in range(wanted.plies):
            running = _step(agent, entrant, running, rng)
            done += len(running)
            report(done)
        made += [_record(each, entrant) for each in running]
        if len(made) == wanted.games:
            return made
    raise WorkFailed(f"{entrant.name} hardly ever plays {wanted.plies} moves of {wanted.game}: ask for shorter games")


def _step(agent: Agent, entrant: Entrant, running: list[Position], rng: np.random.Generator) -> list[Position]:
    """One more move in each game; what is over is left out."""
    if not running:
        return []
    queries = [Query(position, entrant.asked_as, entrant.asked_as) for position in running]
    opinions = agent.think(queries, Effort(rng=rng))
    pairs = zip(queries, opinions, strict=True)
    after = [query.position.play(agent.draw_move(query, opinion, rng)) for query, opinion in pairs]
    return [position for position in after if len(position.legal)]


def _record(position: Position, entrant: Entrant) -> Record:
    _, moves = lineage(position)
    movers = [each.to_move for each in walk_back(position)][:0:-1]
    seats = entrant.recorded_as, entrant.recorded_as
    told = told_movers(movers)
    return Record(position.game.name, position.setup, tuple(moves), seats, termination="unfinished", movers=told)
