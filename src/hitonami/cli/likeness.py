"""`hitonami likeness`: how human are minds, beyond the moves that they find likeliest?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._options import RATING, Draw, check_folders, check_minds, draw_options, game_argument
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.evaluate.drawing import Plan
    from hitonami.report.likeness import LikenessReport


@click.command("likeness")
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind to measure; may be given several times.")
@click.option("--level", "levels", type=RATING, multiple=True, help="A rating for coherence; two or more, rising.")
@draw_options(positions=500, of_each="Of each group.")
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="All figures.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    levels: tuple[float, ...],
    drawing: Draw,
    json_file: Path | None,
) -> None:
    """Compare each --mind with the people of GAME in DATA (records or shards).

    Calibration of move probabilities, distance to the last move (Go), coherence over the ratings of --level, and
    population match: in positions that many met, the share of people who chose the mind's move.
    """
    from hitonami.report.likeness import as_json, as_lines

    check_minds(minds)
    check_folders((json_file,))
    report = _measure(drawing.plan(game), data, minds, levels)
    for line in as_lines(report):
        click.echo(line)
    if json_file is not None:
        text = json.dumps(as_json(report), indent=1, ensure_ascii=False, allow_nan=False)
        try:
            json_file.write_text(text + "\n", encoding="utf-8")
        except OSError as wrong:
            raise BadInput(f"{json_file}: cannot be written: {wrong.strerror}") from None
        click.echo(f"wrote {json_file}")


def _measure(
    plan: "Plan", data: tuple[str, ...], names: tuple[str, ...], levels: tuple[float, ...]
) -> "LikenessReport":
    from hitonami.cli.evaluate import warn
    from hitonami.dataset.reading import open_data
    from hitonami.evaluate.drawing import draw
    from hitonami.evaluate.likeness import measure_likeness
    from hitonami.evaluate.population import find_crossings, match_population
    from hitonami.report.likeness import LikenessReport
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
            found = measure_likeness(drawn, minds, levels, report=meter.show)
        with Meter(opened.bytes_total, "games") as meter:
            crossings = find_crossings(opened, plan, report=meter.show)
        with Meter(len(crossings) * len(minds), "answers") as meter:
            population = match_population(crossings, minds, seed=plan.seed, report=meter.show)
    finally:
        room.close()
    return LikenessReport(drawn, found, population)
