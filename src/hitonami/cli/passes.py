"""`hitonami passes`: whether a mind ends games with passes as people do."""

from typing import TYPE_CHECKING

import click

from hitonami.cli._files import tell
from hitonami.cli._options import SPLITS, Reporting, game_argument

if TYPE_CHECKING:
    from hitonami.dataset.groups import SplitChoice


@click.command("passes", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(1), default=60, show_default=True, help="Games to draw.")
@click.option("--mind", default="human", show_default=True, help="Who is asked about the turns.")
@click.option("--filter", "chosen", default="", help="See `hitonami data rules`; else what suits the command.")
@click.option("--split", type=click.Choice(SPLITS), default="test", show_default=True, help="Games to draw from.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draw.")
def command(
    game: str, data: tuple[str, ...], games: int, mind: str, chosen: str, split: "SplitChoice", seed: int
) -> None:
    """Ask a mind about the last turns of games of GAME in DATA that two passes ended: does it pass where people did?

    Games between people, by level.
    """
    from hitonami.core import open_game
    from hitonami.fits.manners_run import MannersWish
    from hitonami.fits.passes import PASSES_FILTER, run_passes
    from hitonami.report.passes import passes_json, passes_lines
    from hitonami.terminal.progress import Meter

    name = open_game(game).name
    found = run_passes(MannersWish(name, games, chosen or PASSES_FILTER, mind, seed=seed), data, Meter, split)
    tell(passes_lines(name, found), lambda: passes_json(name, found))
