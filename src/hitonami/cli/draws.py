"""`hitonami draws`: when people agree on a draw, learned and measured."""

import click

from hitonami.cli._files import tell
from hitonami.cli._manners import manners_options, warn_of_kept
from hitonami.cli._options import Reporting, game_argument, html_option


@click.command("draws", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@manners_options(games=400)
@html_option()
def command(game: str, data: tuple[str, ...], **words: object) -> None:
    """Learn from games of GAME in DATA when people agree on a draw, and measure it on games of the test split.

    So many games that were agreed drawn, and as many others, are drawn of either split; a few turns of each are asked
    about.
    """
    from hitonami.core import open_game
    from hitonami.fits.draws_run import DRAWS_FILTER, run_draws
    from hitonami.fits.manners_run import MannersWish
    from hitonami.report.draws import draws_json, draws_lines, draws_page
    from hitonami.terminal.progress import Meter

    chosen = words.pop("chosen") or DRAWS_FILTER
    warn_of_kept(words["turns"], "draws")
    run = run_draws(MannersWish(open_game(game).name, filter_text=chosen, **words), data, Meter)  # type: ignore[arg-type]  # click's own checks
    tell(draws_lines(run), lambda: draws_json(run), lambda typed: draws_page(run, typed))
