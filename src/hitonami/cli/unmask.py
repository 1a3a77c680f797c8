"""`hitonami unmask`: are programs told from people by their games?"""

from typing import Any

import click

from hitonami.cli._files import tell
from hitonami.cli._options import SPLITS, Reporting, game_argument


@click.command("unmask", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--agent", "agents", multiple=True, required=True, metavar="M@R", help="A program; of two kinds or more.")
@click.option("--people", type=click.IntRange(4), default=100, show_default=True, help="Games of people, at most.")
@click.option("--games", type=click.IntRange(2), default=40, show_default=True, help="Games of each program.")
@click.option("--plies", type=click.IntRange(1), default=50, show_default=True, help="Moves of each game.")
@click.option("--mind", default="human", show_default=True, help="Who sees how likely moves are.")
@click.option("--pool", default="", help="The pool of the programs' ratings.")
@click.option("--split", type=click.Choice(SPLITS), default="all", show_default=True, help="People's games of a split.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
def command(game: str, data: tuple[str, ...], **words: Any) -> None:
    """Tell programs from the people of GAME in DATA (records or shards) by single games.

    Each --agent plays itself. For each, a classifier learns from people and from programs of other kinds, and is asked
    about other people and that program: AUC and accuracy with intervals, and what gives programs away.
    """
    from hitonami.judging.unmask_run import UnmaskWish, run_unmask
    from hitonami.report.unmask import as_json, as_lines
    from hitonami.terminal.progress import Meter

    run = run_unmask(UnmaskWish(game, **words), data, Meter)
    tell(as_lines(run), lambda: as_json(run))
