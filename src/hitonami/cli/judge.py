"""`hitonami judge`: do agents give away as much a move as people of their level?"""

from pathlib import Path

import click

from hitonami.cli._files import FOLDER, tell, warn_of
from hitonami.cli._options import Reporting, SelectionWish, check_minds, game_argument, html_option, selection_options


@click.command("judge", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind to draw moves from; may be given again.")
@click.option("--judge", "judge", default=None, help="The mind that judges; else the engine of this machine.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="The judge's limit for a position.")
@click.option("--cache", type=FOLDER, default=None, help="Keeps what was judged.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Judges at once.")
@selection_options(positions=100)
@html_option()
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    judge: str | None,
    nodes: int | None,
    cache: Path | None,
    jobs: int,
    drawing: SelectionWish,
) -> None:
    """Have the human moves of GAME in DATA judged, and those that agents of each --mind draw in the same positions.

    For each mind: its plain draw, the draw fitted for the level where there is one, and its likeliest move. What was
    judged is kept, so a run that was ended goes on where it was.
    """
    from hitonami.judging.run import JudgeWish, run_losses
    from hitonami.report.losses import as_json, as_lines, loss_page
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    wish = JudgeWish(judge, nodes, cache, jobs)
    drawn, found = run_losses(drawing.plan(game), {mind: mind for mind in minds}, wish, data, Meter, warn_of)
    tell(as_lines(found), lambda: drawn.plan.asked | as_json(found), lambda typed: loss_page(drawn, found, typed))
