"""`hitonami likeness`: how human are minds, beyond the moves that they find likeliest?"""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.errors import BadInput, quote

if TYPE_CHECKING:
    from hitonami.evaluate.drawing import Plan
    from hitonami.report.likeness import LikenessReport


@click.command("likeness")
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, required=True, help="A mind to measure; may be given several times.")
@click.option("--level", "levels", type=float, multiple=True, help="A rating for coherence; two or more, rising.")
@click.option("--by", type=click.Choice(["rating", "rank", "none"]), default=None, help="Groups; else as the game has.")
@click.option("--band", type=click.FloatRange(1), default=200.0, show_default=True, help="Width of rating groups.")
@click.option("--positions", type=click.IntRange(1), default=500, show_default=True, help="Of each group.")
@click.option("--filter", "chosen", default="maia-like", show_default=True, help="See `hitonami data rules`.")
@click.option("--pool", default="", help="Take this pool; also for records that name none.")
@click.option("--size", type=click.IntRange(1), default=None, help="Go: the board size, instead of the filter's.")
@click.option("--split", type=click.Choice(["train", "validation", "test", "all"]), default="all", show_default=True)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draw and the intervals.")
@click.option("--json", "json_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="All figures.")
def command(
    game: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    levels: tuple[float, ...],
    by: str | None,
    band: float,
    positions: int,
    chosen: str,
    pool: str,
    size: int | None,
    split: str,
    seed: int,
    json_file: Path | None,
) -> None:
    """Compare each --mind with the people of GAME in DATA (records or shards).

    Calibration of move probabilities, distance to the last move (Go), coherence over the ratings of --level, and
    population match: in positions that many met, the share of people who chose the mind's move.
    """
    from hitonami.core import open_game
    from hitonami.evaluate.drawing import Plan
    from hitonami.evaluate.grouping import default_by
    from hitonami.report.likeness import as_json, as_lines

    if len(set(minds)) < len(minds):
        raise BadInput(f"a mind is given twice: {quote(max(minds, key=minds.count))}")
    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise BadInput(f"{json_file}: there is no folder {json_file.parent}")
    name = open_game(game).name
    plan = Plan(name, by or default_by(name), positions, chosen, pool, size, seed, split, band)  # type: ignore[arg-type]  # click.Choice
    report = _measure(plan, data, minds, levels)
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
