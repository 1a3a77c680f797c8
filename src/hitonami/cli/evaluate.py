"""`hitonami evaluate`: how well do minds predict what people played?"""

import sys
from pathlib import Path

import click

from hitonami.cli._files import check_folders, tell, warn_of, write_file
from hitonami.cli._options import (
    Reporting,
    SelectionWish,
    base_option,
    check_minds,
    chosen_mind,
    on_base,
    selection_options,
)
from hitonami.errors import WorkFailed


@click.command("evaluate", cls=Reporting)
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to measure, or several; else human, or what the game has.")
@base_option
@selection_options()
@click.option("--level-matrix", is_flag=True, help="Also tell each mind every level in turn (as many times the work).")
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    base: str,
    drawing: SelectionWish,
    level_matrix: bool,
    html_file: Path | None,
) -> None:
    """Measure how well each --mind predicts the human moves of GAME in DATA (records or shards).

    The same moves are drawn for all minds: as many from each group, at most six of a game. Intervals come from
    resampling games; differences are paired.
    """
    from hitonami.evaluate.decisions import explain_failures
    from hitonami.evaluate.run import run_evaluation
    from hitonami.report.evaluation import as_json, as_lines
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    check_folders((html_file,))
    plan = drawing.plan(game)
    named = [on_base(mind, base) for mind in minds or (None,)]
    texts = {mind: mind for mind in (chosen_mind(each, plan.game) for each in named)}
    found = run_evaluation(plan, texts, data, Meter, warn_of, level_matrix=level_matrix)
    tell(as_lines(found), lambda: as_json(found))
    if html_file is not None:
        from hitonami.report.evaluation_page import as_page

        write_file(html_file, as_page(found, " ".join(sys.argv[1:])))
    if found.failed:
        raise WorkFailed(str(explain_failures(found.failed)))
