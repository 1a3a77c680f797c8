"""`hitonami winrate`: how good are minds' chances of winning? And the calibration of `hitonami fit`."""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hitonami.errors import BadInput, WorkFailed, quote

if TYPE_CHECKING:
    from hitonami.evaluate.drawing import Plan
    from hitonami.fits.calibration_run import CalibrationWish


@click.command("winrate")
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind to measure; may be given several times.")
@click.option("--by", type=click.Choice(["rating", "rank", "none"]), default=None, help="Groups; else as the game has.")
@click.option("--band", type=click.FloatRange(1), default=200.0, show_default=True, help="Width of rating groups.")
@click.option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="Games of each group.")
@click.option("--filter", "chosen", default=None, help="See `hitonami data rules`; else people's even finished games.")
@click.option("--pool", default="", help="Take this pool; also for records that name none.")
@click.option("--size", type=click.IntRange(1), default=None, help="Go: the board size; else any.")
@click.option("--split", type=click.Choice(["train", "validation", "test", "all"]), default="all", show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draw and the intervals.")
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="All figures.")
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    by: str | None,
    band: float,
    positions: int,
    chosen: str | None,
    pool: str,
    size: int | None,
    split: str,
    seed: int,
    json_file: Path | None,
    html_file: Path | None,
) -> None:
    """Measure how well each --mind foretells the results of the games of GAME in DATA (records or shards).

    One position is drawn from each game, the same for all minds. Result accuracy, cross-entropy, Brier score,
    calibration error beside what chance alone would give, spread; by group and by phase, with intervals.
    """
    from hitonami.core import open_game
    from hitonami.evaluate.drawing import Plan
    from hitonami.evaluate.grouping import default_by
    from hitonami.fits.calibration_run import RESULT_FILTER
    from hitonami.report.winrate import as_json, as_lines, as_page

    if len(set(minds)) < len(minds):
        raise BadInput(f"a mind is given twice: {quote(max(minds, key=minds.count))}")
    for file in (json_file, html_file):
        if file is not None and not file.absolute().parent.is_dir():
            raise BadInput(f"{file}: there is no folder {file.parent}")
    name = open_game(game).name
    rules = RESULT_FILTER if chosen is None else chosen
    plan = Plan(name, by or default_by(name), positions, rules, pool, size, seed, split, band, 1)  # type: ignore[arg-type]  # click.Choice
    report, failed = _measure(plan, data, minds)
    for line in as_lines(report):
        click.echo(line)
    if json_file is not None:
        _write(json_file, json.dumps(as_json(report), indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    if html_file is not None:
        _write(html_file, as_page(report, " ".join(sys.argv[1:])))
    if failed:
        raise WorkFailed(failed)


def _measure(plan: "Plan", data: tuple[str, ...], names: Iterable[str]) -> tuple[Any, str]:
    """The report, and what is to be said of minds that failed."""
    from hitonami.cli.evaluate import warn
    from hitonami.dataset.reading import open_data
    from hitonami.evaluate.decisions import ask, explain_failures
    from hitonami.evaluate.drawing import draw
    from hitonami.evaluate.winrate import measure_results
    from hitonami.report.winrate import WinRateReport
    from hitonami.specs import Room
    from hitonami.terminal.progress import Meter

    plan.rules  # noqa: B018  a bad filter is told before the data are read
    room = Room()
    try:
        minds = {name: room.open(name) for name in names}
        opened = open_data(data, plan.game)
        with Meter(opened.bytes_total, "games") as meter:
            drawn = draw(opened, plan, meter.show)
        warn(drawn)
        with Meter(drawn.positions, "answers") as meter:
            table = ask(drawn, minds, seed=plan.seed, report=meter.show)
    finally:
        room.close()
    report = WinRateReport(drawn, measure_results(table, seed=plan.seed))
    return report, str(explain_failures(table.failed)) if table.failed else ""


def fit_calibration(
    plan: "Plan", wish: "CalibrationWish", data: tuple[str, ...], *, json_wanted: bool, html_file: Path | None
) -> None:
    """The method `calibration` of `hitonami fit`."""
    from hitonami.cli.evaluate import warn
    from hitonami.fits.calibration_run import run_calibration
    from hitonami.report.calibration import as_json, as_lines, as_page
    from hitonami.terminal.progress import Meter

    run = run_calibration(plan, wish, data, Meter)
    warn(run.drawn)
    for line in [json.dumps(as_json(run), indent=1, ensure_ascii=False)] if json_wanted else as_lines(run):
        click.echo(line)
    if html_file is not None:
        _write(html_file, as_page(run, " ".join(sys.argv[1:])), err=json_wanted)
    if wish.out is not None:
        click.echo(f"wrote {wish.out}", err=json_wanted)


def _write(path: Path, text: str, *, err: bool = False) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as wrong:
        raise BadInput(f"{path}: cannot be written: {wrong.strerror}") from None
    click.echo(f"wrote {path}", err=err)
