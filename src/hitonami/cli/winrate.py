"""`hitonami winrate`: how good are minds' chances of winning?"""

import sys
from dataclasses import replace
from pathlib import Path

import click

from hitonami.cli._files import check_folders, tell, warn_of, write_file
from hitonami.cli._options import Reporting, SelectionWish, check_minds, chosen_mind, game_argument, selection_options
from hitonami.errors import WorkFailed


@click.command("winrate", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to measure, or several; else human, or what the game has.")
@selection_options(of_each="Games of each group.", chosen="results", several=False)
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    drawing: SelectionWish,
    html_file: Path | None,
) -> None:
    """Measure how well each --mind foretells the results of the games of GAME in DATA (records or shards).

    One position is drawn from each game, the same for all minds. Result accuracy, cross-entropy, Brier score,
    calibration error beside what chance alone would give, spread; by group and by phase, with intervals.
    """
    from hitonami.evaluate.decisions import explain_failures
    from hitonami.evaluate.run import run_win_rates
    from hitonami.report.winrate import as_json, as_lines, as_page
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    check_folders((html_file,))
    plan = replace(drawing.plan(game), most_of_a_game=1)
    texts = {mind: mind for mind in minds or (chosen_mind(None, plan.game),)}
    report = run_win_rates(plan, texts, data, Meter, warn_of)
    tell(as_lines(report), lambda: as_json(report))
    if html_file is not None:
        write_file(html_file, as_page(report, " ".join(sys.argv[1:])))
    if report.failed:
        raise WorkFailed(str(explain_failures(report.failed)))
