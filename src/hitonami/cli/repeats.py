"""`hitonami repeats`: whether people who have begun to repeat go on, learned and measured."""

import click

from hitonami.cli._files import FILE, tell
from hitonami.cli._options import Reporting, game_argument


@click.command("repeats", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(1), default=2_000, show_default=True, help="Games that repeat, at most.")
@click.option("--mind", default="human", show_default=True, help="Who is asked about the turns.")
@click.option("--filter", "chosen", default="", help="See `hitonami data rules`; else what suits the command.")
@click.option("--out", type=FILE, help="A file of manners to write.")
def command(game: str, data: tuple[str, ...], chosen: str, **words: object) -> None:
    """Learn from games of GAME in DATA whether people go back once more to a position that was there before.

    Every turn at such a position is asked about. People stand beside the mind, which does not know that the moves were
    made before, and beside the fitted chance, by curves of other games.
    """
    from hitonami.core import open_game
    from hitonami.fits.manners_run import MannersWish
    from hitonami.fits.repetition import REPEATS_FILTER, run_repeats
    from hitonami.report.repeats import repeats_json, repeats_lines
    from hitonami.terminal.progress import Meter

    wish = MannersWish(open_game(game).name, filter_text=chosen or REPEATS_FILTER, **words)  # type: ignore[arg-type]  # click's own checks
    run = run_repeats(wish, data, Meter)
    tell(repeats_lines(run), lambda: repeats_json(run))
