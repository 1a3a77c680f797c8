"""`hitonami refine`: how wide and how long the games of a game are."""

from pathlib import Path

import click

from hitonami.cli._files import FILE, tell
from hitonami.cli._options import (
    RATING,
    Reporting,
    SelectionWish,
    chosen_mind,
    game_argument,
    html_option,
    selection_options,
)
from hitonami.errors import BadInput


@click.command("refine", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1)
@click.option("--mind", default=None, help="Without DATA: who plays the games. Else as `hitonami play` has it.")
@click.option("--rating", type=RATING, default=None, help="Of who plays them.")
@click.option("--rules", default="", help="Rules of the games that are played.")
@selection_options(
    positions=400, counted="--games", of_each="Games of each group; without DATA, to play.", chosen="", several=False
)
@click.option("--among", type=FILE, multiple=True, help="What --json wrote of another game, for the plot of --html.")
@html_option()
def command(
    game: str,
    data: tuple[str, ...],
    mind: str | None,
    rating: float | None,
    rules: str,
    drawing: SelectionWish,
    among: tuple[Path, ...],
) -> None:
    """Game Refinement of GAME: branching B, length D and GR = √B / D, by level from DATA or from games of a mind.

    v, a, N and the jerk come with them, each with a 95% interval.
    """
    from dataclasses import replace

    from hitonami.core import Player, Setup
    from hitonami.evaluate.refinement import FILTER, SelfPlay, run_play, run_records
    from hitonami.report.refinement import as_json, as_lines, as_page, read_other
    from hitonami.terminal.progress import Meter

    _check_source(bool(data), mind)
    others = [read_other(each) for each in among]
    plan = replace(drawing.plan(game), filter_text=drawing.chosen or FILTER)
    if data:
        report = run_records(plan, data, Meter)
    else:
        setup, player = Setup(size=drawing.size or 0, rules=rules), Player(rating, drawing.pool)
        played = SelfPlay(plan.game, chosen_mind(mind, plan.game), drawing.positions, setup, player, plan.seed)
        report = run_play(played, Meter)
    tell(as_lines(report), lambda: as_json(report), lambda typed: as_page(report, typed, others))


def _check_source(is_given: bool, mind: str | None) -> None:
    """Games are counted or played: played ones are asked for by their number, since the usual one takes hours."""
    source = click.get_current_context().get_parameter_source("positions")
    if is_given and mind is not None:
        raise BadInput("--mind plays games where no DATA is given: one of the two")
    if not is_given and source is click.core.ParameterSource.DEFAULT:
        raise BadInput("give DATA to count, or --games N, and --mind M, to play games: one of the two")
