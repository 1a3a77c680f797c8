"""A whole game at the keyboard: the opponent opened, both at the table, the conversation."""

from dataclasses import dataclass

import numpy as np
from rich.console import Console

from hitonami.agent import Agent, level_style
from hitonami.core import Effort, Player, Position, size_of
from hitonami.minds import default_mind
from hitonami.play.doubt import doubt_of
from hitonami.play.table import Table
from hitonami.specs import open_mind
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
    with open_mind(chosen) as opponent:
        note = "" if sitting.mind else " (no --mind given)"
        console.print(f"[bold]{name}[/]: you against [bold]{chosen}[/]{note}", highlight=False)
        if doubt := doubt_of(chosen, name, sitting.pool, sitting.rating, size_of(sitting.position)):
            console.print(doubt, highlight=False)
        effort = Effort(rng=np.random.default_rng(sitting.seed))
        person = Player(sitting.rating, sitting.pool, "You", "human")
        bot = Player(sitting.rating, sitting.pool, chosen, "bot")
        agent = Agent(opponent, style=level_style(chosen))
        table = Table(sitting.position, agent, sitting.human_side, person, bot, effort)
        Talk(table, console, human_pace=sitting.human_pace).run()
