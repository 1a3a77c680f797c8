"""`hitonami resign`: when people give up, learned and measured."""

import sys
from pathlib import Path

import click

from hitonami.cli._files import check_folders, tell, write_file
from hitonami.cli._options import Reporting, game_argument, manners_options


@click.command("resign", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@manners_options(games=400)
@click.option(
    "--play-out", type=click.IntRange(0), default=0, help="Lost positions of unseen games for agents to play."
)
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(game: str, data: tuple[str, ...], html_file: Path | None, **words: object) -> None:
    """Learn from games of GAME in DATA when people give up, and measure it on games of the test split.

    So many games of either split are asked about turn by turn. The fitted chance stands beside thresholds on the win
    rate, at one rate of false alarms, always with what would have been saved. With --play-out agents play lost
    positions to their end: what giving up throws away, with and without regard to the opponent.
    """
    from hitonami.core import open_game
    from hitonami.fits.manners_run import RESIGN_FILTER, MannersWish, run_resign
    from hitonami.report.manners import resign_json, resign_lines, resign_page
    from hitonami.terminal.progress import Meter

    check_folders((html_file,))
    chosen = words.pop("chosen") or RESIGN_FILTER
    run = run_resign(MannersWish(open_game(game).name, filter_text=chosen, **words), data, Meter)  # type: ignore[arg-type]  # click's own checks
    tell(resign_lines(run), lambda: resign_json(run))
    if html_file is not None:
        write_file(html_file, resign_page(run, " ".join(sys.argv[1:])))
