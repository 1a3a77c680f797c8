"""`hitonami winrate`: how good are minds' chances of winning?"""

from dataclasses import replace

import click

from hitonami.cli._files import tell, warn_of
from hitonami.cli._options import (
    Reporting,
    SelectionWish,
    check_minds,
    chosen_mind,
    game_argument,
    html_option,
    selection_options,
)
from hitonami.errors import WorkFailed


@click.command("winrate", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to measure, or several; else human, or what the game has.")
@selection_options(of_each="Games of each group.", chosen="results", several=False)
@html_option()
def command(game: str, data: tuple[str, ...], minds: tuple[str, ...], drawing: SelectionWish) -> None:
    """Measure how well each --mind foretells the results of the games of GAME in DATA (records or shards).

    One position is drawn from each game, the same for all minds. Result accuracy, cross-entropy, Brier score,
    calibration error beside what chance alone would give, spread; by group and by phase, with intervals.
    """
    from hitonami.evaluate.decisions import explain_failures
    from hitonami.evaluate.run import run_win_rates
    from hitonami.report.winrate import as_json, as_lines, as_page
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    plan = replace(drawing.plan(game), most_of_a_game=1)
    texts = {mind: mind for mind in minds or (chosen_mind(None, plan.game),)}
    report = run_win_rates(plan, texts, data, Meter, warn_of)
    tell(as_lines(report), lambda: as_json(report), lambda typed: as_page(report, typed))
    if report.failed:
        raise WorkFailed(str(explain_failures(report.failed)))
