"""`hitonami draws`: when people agree on a draw, learned and measured."""

import sys
from pathlib import Path

import click

from hitonami.cli._files import check_folders, tell, write_file
from hitonami.cli._options import Reporting, game_argument, manners_options


@click.command("draws", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@manners_options(games=400)
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(game: str, data: tuple[str, ...], html_file: Path | None, **words: object) -> None:
    """Learn from games of GAME in DATA when people agree on a draw, and measure it on games of the test split.

    So many games that were agreed drawn, and as many others, are drawn of either split; a few turns of each are asked
    about.
    """
    from hitonami.core import open_game
    from hitonami.fits.draws_run import DRAWS_FILTER, run_draws
    from hitonami.fits.manners_run import MannersWish
    from hitonami.report.draws import draws_json, draws_lines, draws_page
    from hitonami.terminal.progress import Meter

    check_folders((html_file,))
    chosen = words.pop("chosen") or DRAWS_FILTER
    run = run_draws(MannersWish(open_game(game).name, filter_text=chosen, **words), data, Meter)  # type: ignore[arg-type]  # click's own checks
    tell(draws_lines(run), lambda: draws_json(run))
    if html_file is not None:
        write_file(html_file, draws_page(run, " ".join(sys.argv[1:])))
