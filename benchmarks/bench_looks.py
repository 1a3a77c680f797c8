"""Agents that look ahead before they move: with the quick network below the first position, and with `human` at all.

Moves of an agent of 2300 at chess that looks at 32 positions, sixteen games at once as tournaments ask, and one alone
as a visitor does; processor time. Positions are those of random games, so none is known to anybody.
"""

from itertools import count
from time import process_time

import numpy as np

from _measure import Row, ratio_of, show
from hitonami.agent import Agent, open_agent
from hitonami.core import Effort, Player, Query, open_game
from hitonami.specs import Room

LOOKS, ROUNDS, AT_ONCE = 32, 3, 16
PLAYER = Player(2300.0, "lichess")


def draw_position(seed: int) -> Query:
    """After thirty moves at random, where the game goes on."""
    rng = np.random.default_rng(seed)
    while True:
        here = open_game("chess").start()
        for _ in range(30):
            if len(here.legal):
                here = here.play(int(rng.choice(here.legal)))
        if len(here.legal):
            return Query(here, PLAYER, PLAYER)


def measure(room: Room, at_once: int, at_least: float) -> Row:
    quick = open_agent(room, "human", "chess", None)
    quick, whole = (Agent(quick.mind, style=quick.style, looks=LOOKS, leaves=leaves) for leaves in (quick.leaves, None))
    seeds = count()

    def think(agent: Agent) -> int:
        queries = [draw_position(next(seeds)) for _ in range(at_once)]
        return len(agent.think(queries, Effort.seeded()))

    name = f"looks: {at_once} at once, glances against human" if at_once > 1 else "looks: one, glances against human"
    return ratio_of(
        name, lambda: think(quick), lambda: think(whole), at_least=at_least, rounds=ROUNDS, clock=process_time
    )


def run() -> list[Row]:
    with Room() as room:
        return [measure(room, AT_ONCE, 2.0), measure(room, 1, 1.5)]


if __name__ == "__main__":
    show(run())
