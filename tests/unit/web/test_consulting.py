"""Deciding by a mind whose answers come later."""

import asyncio

from hitonami.agent import Agent, Play
from hitonami.core import Effort, Mind, Opinion, Player, Query, open_game
from hitonami.web.consulting import Counsel
from hitonami.web.crew import Crew
from hitonami.web.thinking import Thinkers

MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"  # Rd8 mates


class Counting(Thinkers):
    asked = 0

    async def opinions(self, spec: str, queries: list[Query], asker: str) -> list[Opinion]:  # type: ignore[override]
        self.asked += len(queries)
        return await super().opinions(spec, queries, asker)


def test_who_looks_ahead_hears_each_answer_once() -> None:
    """It makes its positions anew each time that it is run, and comes to an end all the same."""
    chess, thinkers, crew = open_game("chess"), Counting(), Crew()
    query = Query(chess.read(MATE), Player(2300.0, "lichess"))

    def decide(mind: Mind) -> object:
        return Agent(mind, patience=None, rho=50.0, looks=24).decide(query, Effort.seeded(1)).action

    async def consult() -> object:
        return await asyncio.wait_for(Counsel(thinkers, crew, "uniform", "").decide(decide), 120)

    try:
        action = asyncio.run(consult())
    finally:
        crew.close()
        thinkers.close()
    assert isinstance(action, Play)
    assert chess.format(query.position, action.move) == "d1d8"
    assert thinkers.asked <= 1 + 24
