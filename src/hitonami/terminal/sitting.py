"""A whole game at the keyboard: the opponent opened, both at the table, the conversation."""

from dataclasses import dataclass

import numpy as np
from rich.console import Console

from hitonami.agent import open_agent
from hitonami.core import Effort, Player, Position, size_of
from hitonami.minds import default_mind
from hitonami.play.doubt import doubt_of
from hitonami.play.table import Table
from hitonami.specs import Room
from hitonami.terminal.talk import Talk


@dataclass(frozen=True)
class Sitting:
    """Where the game begins, and against whom. Without a mind it is the game's own."""

    position: Position
    mind: str | None
    rating: float | None = None
    pool: str = ""
    human_side: int = 0
    human_pace: bool = True
    seed: int | None = None


def sit_down(sitting: Sitting) -> None:
    """Play until somebody leaves."""
    console, name = Console(), sitting.position.game.name
    chosen = sitting.mind or default_mind(name)
    with Room() as room:
        room.open(chosen)  # what cannot be opened is told before anything else
        note = "" if sitting.mind else " (no --mind given)"
        console.print(f"[bold]{name}[/]: you against [bold]{chosen}[/]{note}", highlight=False)
        if doubt := doubt_of(chosen, name, sitting.pool, sitting.rating, size_of(sitting.position)):
            console.print(doubt, highlight=False)
        effort = Effort(rng=np.random.default_rng(sitting.seed))
        person = Player(sitting.rating, sitting.pool, "You", "human")
        bot = Player(sitting.rating, sitting.pool, chosen, "bot")
        agent = open_agent(room, chosen, name)
        table = Table(sitting.position, agent, sitting.human_side, person, bot, effort)
        Talk(table, console, human_pace=sitting.human_pace).run()
