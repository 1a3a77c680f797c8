"""`hitonami endings`: do minds win won positions, and give up lost ones, as people of the level do?"""

from pathlib import Path

import click

from hitonami.cli._files import FOLDER, tell
from hitonami.cli._options import Reporting, SelectionWish, check_minds, game_argument, selection_options


@click.command("endings", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind that goes on; may be given several times.")
@click.option(
    "--won", type=click.FloatRange(0.5, 1.0), default=0.863, show_default=True, help="What the judge calls won."
)
@click.option("--first-ply", type=click.IntRange(0), default=30, show_default=True, help="No position before it.")
@selection_options(positions=60, of_each="Won positions of each group.", chosen="", band=400.0, several=False)
@click.option("--judge", default=None, metavar="M", help="Who calls positions won; else the engine of this machine.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="Of each of the judge's searches.")
@click.option("--cache", type=FOLDER, default=None, help="Keeps what was judged.")
@click.option("--out", type=FOLDER, default=None, help="A folder for the games; goes on where it is.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    won: float,
    first_ply: int,
    drawing: SelectionWish,
    judge: str | None,
    nodes: int | None,
    cache: Path | None,
    out: Path | None,
) -> None:
    """Let each --mind go on from won positions of people's games of GAME in DATA, and compare with how people did.

    Positions are drawn from games with both players in one group. Each is played twice, the mind against itself.
    """
    from hitonami.judging.conversion import FILTER, ConversionPlan
    from hitonami.judging.run import JudgeWish, run_endings
    from hitonami.report.conversion import as_json, as_lines
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    own = {"filter_text": drawing.chosen or FILTER, "won": won, "first_ply": first_ply}
    plan = ConversionPlan(**vars(drawing.plan(game)) | own)
    endings = run_endings(plan, {mind: mind for mind in minds}, JudgeWish(judge, nodes, cache), data, out, Meter)
    tell(as_lines(endings), lambda: as_json(endings))
