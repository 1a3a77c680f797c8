"""`hitonami pace`: how long people think, learned and measured."""

import click

from hitonami.cli._files import tell
from hitonami.cli._manners import manners_options, warn_of_kept
from hitonami.cli._options import Reporting, game_argument, html_option


@click.command("pace", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@manners_options(games=3000)
@click.option(
    "--asked",
    type=click.IntRange(0),
    default=1500,
    show_default=True,
    help="Of these games the mind is asked about so many.",
)
@click.option("--play", type=click.IntRange(0), default=0, help="Games for agents to play on clocks of unseen ones.")
@html_option()
def command(game: str, data: tuple[str, ...], **words: object) -> None:
    """Learn from clocked games of GAME in DATA how long people think, and measure it on people it was not learned from.

    Boards and clocks of all games are looked at; the mind is asked about a run of four plies of some. Where few people
    are in most games, some of them are kept apart for the measure, and nobody's own habits are learned.
    """
    from hitonami.core import open_game
    from hitonami.fits.manners_run import PACE_FILTER, MannersWish, run_pace
    from hitonami.report.manners import pace_json, pace_lines, pace_page
    from hitonami.terminal.progress import Meter

    chosen = words.pop("chosen") or PACE_FILTER
    warn_of_kept(words["turns"], "pace")
    run = run_pace(MannersWish(open_game(game).name, filter_text=chosen, **words), data, Meter)  # type: ignore[arg-type]  # click's own checks
    tell(pace_lines(run), lambda: pace_json(run), lambda typed: pace_page(run, typed))
