"""`hitonami fit`: the knobs of a level, from what people played."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.errors import BadInput, quote

if TYPE_CHECKING:
    from hitonami.fits.run import FitRun, WeightsRun


@click.command("fit")
@click.argument("game")
@click.argument("method", type=click.Choice(["blend", "softmax", "distance"]))
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to fit for, the first first; else the packaged ones.")
@click.option("--mean", "means", multiple=True, help="blend: geometric, arithmetic or an exponent; several compare.")
@click.option("--aim", type=click.Choice(["likelihood", "accuracy"]), default="likelihood", show_default=True)
@click.option("--out", "out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Levels to update.")
@click.option("--default-pool", default="", help="With --out: the pool whose curve serves pools that have none.")
@click.option("--by", type=click.Choice(["rating", "rank", "none"]), default=None, help="Groups; else as the game has.")
@click.option("--band", type=click.FloatRange(1), default=200.0, show_default=True, help="Width of rating groups.")
@click.option("--positions", type=click.IntRange(1), default=1000, show_default=True, help="Moves of each group.")
@click.option("--filter", "chosen", default="maia-like", show_default=True, help="See `hitonami data rules`.")
@click.option("--pool", default="", help="Take this pool; also for records that name none.")
@click.option("--size", type=click.IntRange(1), default=None, help="Go: the board size, instead of the filter's.")
@click.option(
    "--split", type=click.Choice(["train", "validation", "test", "all"]), default="validation", show_default=True
)
@click.option(
    "--held-out", type=click.Choice(["train", "validation", "test", "none"]), default="test", show_default=True
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draw and the intervals.")
@click.option("--json", "json_wanted", is_flag=True, help="Print all figures as JSON instead of tables.")
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(
    game: str,
    method: str,
    data: tuple[str, ...],
    minds: tuple[str, ...],
    means: tuple[str, ...],
    aim: str,
    out: Path | None,
    default_pool: str,
    by: str | None,
    band: float,
    positions: int,
    chosen: str,
    pool: str,
    size: int | None,
    split: str,
    held_out: str,
    seed: int,
    json_wanted: bool,
    html_file: Path | None,
) -> None:
    """Fit METHOD for GAME to the human moves in DATA (records or shards).

    blend: the weight of the first --mind against the second, or the weights of several. softmax: the exponent of a
    mind. distance: how much likelier moves near the last one are made. Each by group and as a curve over rating;
    --out writes the curves.
    """
    from hitonami.cli.evaluate import warn
    from hitonami.core import open_game
    from hitonami.evaluate.drawing import Plan
    from hitonami.evaluate.grouping import default_by
    from hitonami.fits.run import Wish, run_fit
    from hitonami.terminal.progress import Meter

    if len(set(minds)) < len(minds):
        raise BadInput(f"a mind is given twice: {quote(max(minds, key=minds.count))}")
    for file in (out, html_file):
        if file is not None and not file.absolute().parent.is_dir():
            raise BadInput(f"{file}: there is no folder {file.parent}")
    name = open_game(game).name
    plan = Plan(name, by or default_by(name), positions, chosen, pool, size, seed, split, band)  # type: ignore[arg-type]  # click.Choice
    wish = Wish(method, minds, means, aim, held_out, out, default_pool)  # type: ignore[arg-type]  # click.Choice
    run = run_fit(plan, wish, data, Meter)
    warn(run.drawn)
    _tell(run, json_wanted, html_file)
    if out is not None:
        click.echo(f"wrote {out}", err=json_wanted)


def _tell(run: "FitRun | WeightsRun", json_wanted: bool, html_file: Path | None) -> None:
    from hitonami.fits.run import FitRun
    from hitonami.report import fit_weights, fits

    if isinstance(run, FitRun):
        found, lines = fits.as_json(run), fits.as_lines(run)
    else:
        found, lines = fit_weights.as_json(run), fit_weights.as_lines(run)
    for line in [json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)] if json_wanted else lines:
        click.echo(line)
    if html_file is None:
        return
    command_line = " ".join(sys.argv[1:])
    page = fits.as_page(run, command_line) if isinstance(run, FitRun) else fit_weights.as_page(run, command_line)
    try:
        html_file.write_text(page, encoding="utf-8")
    except OSError as wrong:
        raise BadInput(f"{html_file}: cannot be written: {wrong.strerror}") from None
    click.echo(f"wrote {html_file}", err=json_wanted)
