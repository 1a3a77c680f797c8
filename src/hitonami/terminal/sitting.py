"""A whole game at the keyboard: the opponent opened, both at the table, the conversation."""

from dataclasses import dataclass

import numpy as np
from rich.console import Console

from hitonami.agent import Agent, level_style
from hitonami.core import Effort, Player, Position
from hitonami.levels import held_levels
from hitonami.minds import default_mind
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


def doubt_of(mind: str, game: str, pool: str, rating: float | None) -> str:
    """What is to be said of a level that games say is not held; "" where there is nothing."""
    held = held_levels(level_style(mind), game, pool)
    if held is None or rating is None or held[0] <= rating <= held[1]:
        return ""
    end, more = (held[0], "weaker") if rating < held[0] else (held[1], "stronger")
    span = f"from {held[0]:g} to {held[1]:g}"
    return f"Levels of {mind} are right by games {span}: {rating:g} is hardly {more} than {end:g}."


def sit_down(sitting: Sitting) -> None:
    """Play until somebody leaves."""
    console, name = Console(), sitting.position.game.name
    chosen = sitting.mind or default_mind(name)
    with open_mind(chosen) as opponent:
        note = "" if sitting.mind else " (no --mind given)"
        console.print(f"[bold]{name}[/]: you against [bold]{chosen}[/]{note}", highlight=False)
        if doubt := doubt_of(chosen, name, sitting.pool, sitting.rating):
            console.print(doubt, highlight=False)
        effort = Effort(rng=np.random.default_rng(sitting.seed))
        person = Player(sitting.rating, sitting.pool, "You", "human")
        bot = Player(sitting.rating, sitting.pool, chosen, "bot")
        agent = Agent(opponent, style=level_style(chosen))
        table = Table(sitting.position, agent, sitting.human_side, person, bot, effort)
        Talk(table, console, human_pace=sitting.human_pace).run()
