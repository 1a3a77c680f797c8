"""`hitonami evaluate`: how well do minds predict what people played?"""

import click

from hitonami.cli._files import tell, warn_of
from hitonami.cli._options import (
    Reporting,
    SelectionWish,
    base_option,
    check_minds,
    chosen_mind,
    html_option,
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
@html_option()
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    base: str,
    drawing: SelectionWish,
    level_matrix: bool,
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
    plan = drawing.plan(game)
    named = [on_base(mind, base) for mind in minds or (None,)]
    texts = {mind: mind for mind in (chosen_mind(each, plan.game) for each in named)}
    found = run_evaluation(plan, texts, data, Meter, warn_of, level_matrix=level_matrix)

    def page(typed: str) -> str:
        from hitonami.report.evaluation_page import as_page  # matplotlib: a second

        return as_page(found, typed)

    tell(as_lines(found), lambda: as_json(found), page)
    if found.failed:
        raise WorkFailed(str(explain_failures(found.failed)))
