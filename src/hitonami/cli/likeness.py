"""`hitonami likeness`: how human are minds, beyond the moves that they find likeliest?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import FOLDER, tell, warn_of
from hitonami.cli._options import (
    RATING,
    Reporting,
    SelectionWish,
    check_minds,
    game_argument,
    html_option,
    selection_options,
)
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.judging.run import JudgeWish


@click.command("likeness", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind to measure; may be given several times.")
@click.option("--level", "levels", type=RATING, multiple=True, help="A rating for coherence; two or more, rising.")
@click.option("--level-matrix", is_flag=True, help="Also tell each mind every level in turn (as many times the work).")
@click.option("--losses", is_flag=True, help="Have the moves judged: losses beside people's, blunders.")
@click.option("--judge", "judge", default=None, help="With --losses: who judges; else the engine of this machine.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="With --losses: the judge's limit for a position.")
@click.option("--cache", type=FOLDER, default=None, help="Keeps what was judged.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Judges at once.")
@selection_options(positions=500, of_each="Of each group.")
@html_option()
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    levels: tuple[float, ...],
    level_matrix: bool,
    losses: bool,
    judge: str | None,
    nodes: int | None,
    cache: Path | None,
    jobs: int,
    drawing: SelectionWish,
) -> None:
    """Compare each --mind with the people of GAME in DATA (records or shards).

    Calibration of move probabilities, distance to the last move (Go), coherence over the ratings of --level, which
    level predicts whom (--level-matrix), and population match: in positions that many met, the share of people who
    chose the mind's move. With --losses, what people and minds give away in the same positions, and who finds the
    person's move where the first mind blunders.
    """
    from hitonami.experiments.likeness import LikenessWish, run_likeness
    from hitonami.report.evaluation import short_names
    from hitonami.report.likeness import as_json, as_lines
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    named = {short: full for full, short in short_names(minds).items()}
    wish = LikenessWish(named, levels, level_matrix, _judge(losses, judge, nodes, cache, jobs))
    report = run_likeness(drawing.plan(game), wish, data, Meter, warn_of)

    def page(typed: str) -> str:
        from hitonami.report.likeness_page import as_page  # matplotlib: a second

        return as_page(report, typed)

    tell(as_lines(report), lambda: as_json(report), page)


def _judge(losses: bool, judge: str | None, nodes: int | None, cache: Path | None, jobs: int) -> "JudgeWish | None":
    from hitonami.judging.run import JudgeWish

    if losses:
        return JudgeWish(judge, nodes, cache, jobs)
    for option, given in (("--judge", judge), ("--nodes", nodes), ("--cache", cache)):
        if given is not None:
            raise BadInput(f"{option} is for judged moves: add --losses")
    return None
