"""Options that the commands about manners share."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import click

from hitonami.cli._files import FILE, FOLDER, warn
from hitonami.cli._options import Command

RESIGN_GAMES: Final = 400
"""Of either split, where nobody says how many are asked about resignation."""


def manners_options(games: int) -> Callable[[Command], Command]:
    """Add what fits of manners share: --games, --mind, --filter, --turns, --out, --seed."""
    options = [
        click.option("--games", type=click.IntRange(1), default=games, show_default=True, help="Games to draw."),
        click.option("--mind", default="human", show_default=True, help="Who is asked about the turns."),
        click.option("--filter", "chosen", default="", help="See `hitonami data rules`; else what suits the command."),
        click.option(
            "--turns",
            type=FOLDER,
            help="A folder: asked once, kept for the next run.",
        ),
        click.option("--out", type=FILE, help="A file of manners to write."),
        click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draw."),
    ]

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def warn_of_kept(turns: object, name: str) -> None:
    """Say where figures are of turns that an earlier run kept, whatever it was asked for."""
    if isinstance(turns, Path) and any(turns.glob(f"{name}*.npz")):
        warn(f"the turns are those kept in {turns}, with the games, --mind and --filter of the run that asked")
