"""`hitonami resign`: when people give up, learned and measured."""

import click

from hitonami.cli._files import tell
from hitonami.cli._manners import RESIGN_GAMES, manners_options, warn_of_kept
from hitonami.cli._options import Reporting, game_argument, html_option


@click.command("resign", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@manners_options(games=RESIGN_GAMES)
@click.option(
    "--play-out", type=click.IntRange(0), default=0, help="Lost positions of unseen games for agents to play."
)
@click.option(
    "--more",
    type=click.IntRange(0),
    default=0,
    help="Further games, asked about where a person gave up, no other turn.",
)
@click.option(
    "--play",
    type=click.IntRange(0),
    default=0,
    help="Games for agents to play at the levels of unseen ones: how long theirs last.",
)
@html_option()
def command(game: str, data: tuple[str, ...], **words: object) -> None:
    """Learn from games of GAME in DATA when people give up, and measure it on games of the test split.

    So many games of either split are asked about turn by turn. The fitted chance stands beside thresholds on the win
    rate, at one rate of false alarms, always with what would have been saved. With --play-out agents play lost
    positions to their end: what giving up throws away, with and without regard to the opponent.
    """
    from hitonami.core import open_game
    from hitonami.fits.manners_run import MannersWish
    from hitonami.fits.resign_run import RESIGN_FILTER, run_resign
    from hitonami.report.manners import resign_json, resign_lines, resign_page
    from hitonami.terminal.progress import Meter

    chosen = words.pop("chosen") or RESIGN_FILTER
    warn_of_kept(words["turns"], "resign")
    run = run_resign(MannersWish(open_game(game).name, filter_text=chosen, **words), data, Meter)  # type: ignore[arg-type]  # click's own checks
    tell(resign_lines(run), lambda: resign_json(run), lambda typed: resign_page(run, typed))
