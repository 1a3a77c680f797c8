"""`hitonami refine`: how wide and how long the games of a game are."""

from pathlib import Path

import click

from hitonami.cli._files import FILE, tell
from hitonami.cli._options import RATING, Reporting, SelectionWish, game_argument, html_option, selection_options
from hitonami.errors import BadInput


@click.command("refine", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1)
@click.option("--self-play", type=click.IntRange(1), default=None, metavar="N", help="Play N games instead of DATA.")
@click.option("--mind", default="human", show_default=True, help="Who plays them.")
@click.option("--rating", type=RATING, default=None, help="Of who plays them.")
@click.option("--rules", default="", help="Rules of the games that are played.")
@selection_options(positions=400, counted="--games", of_each="Games of each group.", chosen="", several=False)
@click.option("--among", type=FILE, multiple=True, help="What --json wrote of another game, for the plot of --html.")
@html_option()
def command(
    game: str,
    data: tuple[str, ...],
    self_play: int | None,
    mind: str,
    rating: float | None,
    rules: str,
    drawing: SelectionWish,
    among: tuple[Path, ...],
) -> None:
    """Game Refinement of GAME: branching B, length D and GR = √B / D, by level from DATA or from --self-play.

    v, a, N and the jerk come with them, each with a 95% interval.
    """
    from dataclasses import replace

    from hitonami.core import Player, Setup
    from hitonami.evaluate.refinement import FILTER, SelfPlay, run_play, run_records
    from hitonami.report.refinement import as_json, as_lines, as_page, read_other
    from hitonami.terminal.progress import Meter

    if (self_play is None) == (not data):
        raise BadInput("give DATA to count, or --self-play N to play games: one of the two")
    others = [read_other(each) for each in among]
    plan = replace(drawing.plan(game), filter_text=drawing.chosen or FILTER)
    if self_play is None:
        report = run_records(plan, data, Meter)
    else:
        setup, player = Setup(size=drawing.size or 0, rules=rules), Player(rating, drawing.pool)
        report = run_play(SelfPlay(plan.game, mind, self_play, setup, player, plan.seed), Meter)
    tell(as_lines(report), lambda: as_json(report), lambda typed: as_page(report, typed, others))
