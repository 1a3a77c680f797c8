"""`hitonami evaluate`: how well do minds predict what people played?"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import check_folders, tell, write_file
from hitonami.cli._options import Reporting, SelectionWish, check_minds, chosen_mind, selection_options
from hitonami.errors import WorkFailed

if TYPE_CHECKING:
    from hitonami.evaluate.decisions import DecisionTable
    from hitonami.evaluate.selection import Selected, Selection
    from hitonami.report.evaluation import Evaluation


@click.command("evaluate", cls=Reporting)
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to measure, or several; else human, or what the game has.")
@selection_options()
@click.option("--level-matrix", is_flag=True, help="Also tell each mind every level in turn (as many times the work).")
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    drawing: SelectionWish,
    level_matrix: bool,
    html_file: Path | None,
) -> None:
    """Measure how well each --mind predicts the human moves of GAME in DATA (records or shards).

    The same moves are drawn for all minds: as many from each group, at most six of a game. Intervals come from
    resampling games; differences are paired.
    """
    from hitonami.evaluate.decisions import explain_failures

    check_minds(minds)
    check_folders((html_file,))
    plan = drawing.plan(game)
    found = _evaluate(plan, data, minds or (chosen_mind(None, plan.game),), level_matrix)
    _tell(found, html_file)
    if found.failed:
        raise WorkFailed(str(explain_failures(found.failed)))


def _evaluate(plan: "Selection", data: tuple[str, ...], names: tuple[str, ...], level_matrix: bool) -> "Evaluation":
    from hitonami.evaluate.level_matrix import level_matrices
    from hitonami.evaluate.metrics import measure
    from hitonami.report.evaluation import Evaluation

    drawn, table = ask_minds(plan, data, names, level_matrix=level_matrix)
    measured = measure(table, seed=plan.seed)
    return Evaluation(drawn, measured, level_matrices(table, seed=plan.seed), table.failed)


def ask_minds(
    plan: "Selection", data: tuple[str, ...], names: Sequence[str], *, level_matrix: bool = False
) -> "tuple[Selected, DecisionTable]":
    """What was drawn from the data, and what the minds answered. Shows progress and warns."""
    from hitonami.dataset.reading import open_data
    from hitonami.evaluate.decisions import ask
    from hitonami.evaluate.selection import select
    from hitonami.specs import Room
    from hitonami.terminal.progress import Meter

    plan.rules  # noqa: B018  a bad filter is told before the data are read
    room = Room()  # one for all: minds that hold the same network share it
    try:
        minds = {name: room.open(name) for name in names}
        opened = open_data(data, plan.game)
        with Meter(opened.bytes_total, "games") as meter:
            drawn = select(opened, plan, meter.show)
        warn(drawn)
        with Meter(drawn.positions, "answers") as meter:
            return drawn, ask(drawn, minds, seed=plan.seed, level_matrix=level_matrix, report=meter.show)
    finally:
        room.close()


def warn(drawn: "Selected") -> None:
    """What a reader of the figures should know, on standard error."""
    for complaint in drawn.tally.complaints():
        click.echo(f"hitonami: {complaint}", err=True)
    if drawn.renamed:
        told = f"all {drawn.renamed:,} games name another pool; their ratings are taken as {drawn.plan.pool}'s"
        click.echo(f"hitonami: {told}", err=True)
    unknown = sum(not pool for pick in drawn.picks for pool in pick.pools)
    if unknown:
        click.echo(
            f"hitonami: the pool of {unknown:,} of {drawn.positions:,} moves is unknown, and ratings of different "
            "pools are different scales: name it with --pool",
            err=True,
        )


def _tell(found: "Evaluation", html_file: Path | None) -> None:
    from hitonami.report.evaluation import as_json, as_lines

    tell(as_lines(found), lambda: as_json(found))
    if html_file is not None:
        from hitonami.report.evaluation_page import as_page

        write_file(html_file, as_page(found, " ".join(sys.argv[1:])))
