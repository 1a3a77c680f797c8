"""`hitonami twin`: a model of one person from their games, kept on this machine."""

from typing import Any

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting, game_argument


class _Twin(click.Group):
    """What is no subcommand is a game: `hitonami twin chess my.pgn --name me`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, "-h", "--help"}:
            args = ["make", *args]
        return super().parse_args(ctx, args)


@click.group("twin", cls=_Twin)
def command() -> None:
    """Make a twin of a person: hitonami twin GAME FILES... --name NAME [--player HANDLE].

    A twin plays as that person does: their openings, what they like and shun. `--mind twin:NAME` is who plays. Twins
    stay on this machine. Make one of yourself, of somebody who agreed, or from games that were published for such use.
    """


@command.command("make", cls=Reporting)
@game_argument
@click.argument("files", nargs=-1, required=True)
@click.option("--name", required=True, help="What to call the twin.")
@click.option("--player", default="", help="Whose games, as the records name them; else who is in nearly all of them.")
@click.option("--games", type=click.IntRange(1), default=500, show_default=True, help="The latest ones, at most.")
@click.option("--mind", default="", help="The base; else human, or what the game has.")
@click.option("--among", multiple=True, metavar="DATA", help="Games of others: who plays alike is learned from first.")
def make_command(game: str, files: tuple[str, ...], **words: Any) -> None:
    """Learn from the games of one person in FILES (records or datasets), in minutes; a run that ended goes on.

    What the twin is worth is measured on games that were held back from it. Where nothing helps, it is its base.
    """
    from hitonami.report.twin import made_json, made_lines
    from hitonami.style.making import TwinWish, make_twin
    from hitonami.terminal.progress import Meter

    made = make_twin(TwinWish(game, **words), files, Meter)
    tell(made_lines(made), lambda: made_json(made))


@command.command("list", cls=Reporting)
def list_command() -> None:
    """List the twins that are kept here."""
    from hitonami.report.twin import kept_json, kept_lines
    from hitonami.twins.store import list_twins, twins_store

    found = list(list_twins())
    none = [f"no twins in {twins_store()}; `hitonami twin GAME FILES --name NAME` makes one"]
    tell(kept_lines(found) if found else none, lambda: kept_json(found))


@command.command("forget", cls=Reporting)
@click.argument("name")
def forget_command(name: str) -> None:
    """Remove all that is kept of the twin NAME, finished or not."""
    from hitonami.twins.store import forget_twin

    removed = forget_twin(name)
    tell([f"forgot {name}"], lambda: {"forgotten": name, "files": len(removed)})
