"""`hitonami mates`: do agents find wins at once as often as people of their level?"""

from typing import Any

import click

from hitonami.cli._files import tell
from hitonami.cli._options import SPLITS, Reporting, check_minds, game_argument


@click.command("mates", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to ask; may be given several times. Else human.")
@click.option("--split", type=click.Choice(SPLITS), default="test", show_default=True)
@click.option("--filter", "filter_text", default=None, help="Which decisions; else as an evaluation, openings too.")
@click.option("--band", type=click.IntRange(1), default=400, show_default=True, help="Ratings of one group.")
@click.option("--games", type=click.IntRange(0), default=0, help="The first so many games of the split; else all.")
def command(game: str, data: tuple[str, ...], minds: tuple[str, ...], filter_text: str | None, **words: Any) -> None:
    """Find the decisions of GAME in DATA that have a win at once (in chess a mate in one), and who plays it.

    By pool and rating: the share of people, the chance that each --mind gives to such moves, and how often its agent
    draws one, where the draw was fitted to levels.
    """
    from hitonami.core import open_game
    from hitonami.judging.mates import FILTER, MateWish, run_mates
    from hitonami.report.mates import as_json, as_lines
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    wish = MateWish(open_game(game).name, minds or ("human",), filter_text=filter_text or FILTER, **words)
    run = run_mates(wish, data, Meter)
    tell(as_lines(run), lambda: as_json(run))
