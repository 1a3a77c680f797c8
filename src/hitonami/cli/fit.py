"""`hitonami fit`: the knobs of a level, from what people played."""

import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._options import RATING, Draw, check_folders, check_minds, draw_options, game_argument
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.fits.foresight import ForesightRun
    from hitonami.fits.level_run import LevelRun
    from hitonami.fits.run import FitRun, WeightsRun
    from hitonami.fits.search_run import SearchRun


_METHODS = ["blend", "softmax", "distance", "search", "level", "calibration", "foresight"]


@click.command("fit")
@game_argument
@click.argument(
    "method", type=click.Choice(["blend", "softmax", "distance", "search", "level", "calibration", "foresight"])
)
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to fit for, the first first; else the packaged ones.")
@click.option("--mean", "means", multiple=True, help="blend: geometric, arithmetic or an exponent; several compare.")
@click.option("--aim", type=click.Choice(["likelihood", "accuracy"]), default="likelihood", show_default=True)
@click.option("--out", "out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Levels to update.")
@click.option("--default-pool", default="", help="With --out: the pool whose curve serves pools that have none.")
@draw_options(split="validation")
@click.option(
    "--held-out", type=click.Choice(["train", "validation", "test", "none"]), default="test", show_default=True
)
@click.option("--rating", "ratings", type=RATING, multiple=True, help="search: a level, by a rating of its band.")
@click.option("--simulations", type=click.IntRange(2, 100_000), default=64, show_default=True, help="search: of each.")
@click.option("--steps", type=click.IntRange(1, 1000), default=30, show_default=True, help="search: at most.")
@click.option("--work", type=click.Path(path_type=Path, file_okay=False), default=None, help="search: kept, to go on.")
@click.option("--judge", default=None, help="level: a mind that judges moves; else the engine of this machine.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="level: the judge's limit for a position.")
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False), default=None, help="level: what was judged.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="level: judges at once.")
@click.option("--balance", is_flag=True, help="calibration: the lean alone, where results are against bots.")
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
    drawing: Draw,
    held_out: str,
    ratings: tuple[float, ...],
    simulations: int,
    steps: int,
    work: Path | None,
    judge: str | None,
    nodes: int | None,
    cache: Path | None,
    jobs: int,
    balance: bool,
    json_wanted: bool,
    html_file: Path | None,
) -> None:
    """Fit METHOD for GAME to the human moves in DATA (records or shards).

    blend: the weight of the first --mind against the second, or the weights of several. softmax: the exponent of a
    mind. distance: how much likelier moves near the last one are made. Each by group and as a curve over rating;
    --out writes the curves. search: temperatures and c_puct of a search over --mind (else the packaged expert), for the
    band of each --rating. level: the exponent with which an agent of --mind loses as much a move as people, by a judge.
    foresight: how much of what three plies of counting show people act on (chess).
    calibration: the temperature of each --mind's chances of winning, fitted to results (the first's is written).
    """
    from hitonami.cli.evaluate import warn
    from hitonami.cli.winrate import fit_calibration
    from hitonami.dataset.reading import open_data
    from hitonami.fits.foresight import ForesightWish, run_foresight
    from hitonami.fits.level_run import JudgeWish, LevelWish, run_level
    from hitonami.fits.run import Wish, run_fit
    from hitonami.fits.search_run import SearchWish, run_search
    from hitonami.terminal.progress import Meter

    check_minds(minds)
    check_folders((out, html_file))
    plan = drawing.plan(game)
    if method == "calibration":
        if means or ratings or default_pool:
            raise BadInput("fit calibration takes neither --mean nor --rating nor --default-pool: see docs/winrate.md")
        fit_calibration(plan, minds, held_out, out, data, balance, json_wanted, html_file)
        return
    run: FitRun | WeightsRun | SearchRun | LevelRun | ForesightRun
    if method == "foresight":
        if len(minds) > 1 or means or ratings:
            raise BadInput("fit foresight takes one --mind at most, and neither --mean nor --rating")
        sight = ForesightWish(minds[0] if minds else None, held_out, out, default_pool)  # type: ignore[arg-type]  # click.Choice
        run = run_foresight(plan, sight, data, Meter)
    elif method == "level":
        if len(minds) > 1 or means or ratings:
            raise BadInput("fit level takes one --mind, no --mean and no --rating")
        judged_by = JudgeWish(judge, nodes, cache, jobs)
        level = LevelWish(minds[0] if minds else "human", judged_by, held_out, out, default_pool)  # type: ignore[arg-type]  # click.Choice
        run = run_level(plan, level, open_data(data, plan.game), Meter)
    elif method == "search":
        if len(minds) > 1 or means:
            raise BadInput("fit search takes one --mind, and no --mean")
        mind = minds[0] if minds else "expert"
        theta = SearchWish(mind, ratings, simulations, steps, held_out, work, out, default_pool)  # type: ignore[arg-type]  # click.Choice
        run = run_search(plan, theta, data, Meter)
    else:
        if ratings:
            raise BadInput(f"fit {method} takes all ratings there are: --rating is for search")
        wish = Wish(method, minds, means, aim, held_out, out, default_pool)  # type: ignore[arg-type]  # click.Choice
        run = run_fit(plan, wish, data, Meter)
    warn(run.drawn)
    _tell(run, json_wanted, html_file)
    if out is not None:
        click.echo(f"wrote {out}", err=json_wanted)


def _tell(
    run: "FitRun | WeightsRun | SearchRun | LevelRun | ForesightRun", json_wanted: bool, html_file: Path | None
) -> None:
    from hitonami.fits.foresight import ForesightRun
    from hitonami.fits.level_run import LevelRun
    from hitonami.fits.run import FitRun
    from hitonami.fits.search_run import SearchRun
    from hitonami.report import fit_foresight, fit_search, fit_weights, fits, losses

    command_line = " ".join(sys.argv[1:])
    if isinstance(run, FitRun):
        found, lines, page = fits.as_json(run), fits.as_lines(run), partial(fits.as_page, run, command_line)
    elif isinstance(run, SearchRun):
        found, lines = fit_search.as_json(run), fit_search.as_lines(run)
        page = partial(fit_search.as_page, run, command_line)
    elif isinstance(run, LevelRun):
        found, lines = losses.fit_json(run), losses.fit_lines(run)
        page = partial(losses.fit_page, run, command_line)
    elif isinstance(run, ForesightRun):
        found, lines = fit_foresight.as_json(run), fit_foresight.as_lines(run)
        page = partial(fit_foresight.as_page, run, command_line)
    else:
        found, lines = fit_weights.as_json(run), fit_weights.as_lines(run)
        page = partial(fit_weights.as_page, run, command_line)
    for line in [json.dumps(found, indent=1, ensure_ascii=False, allow_nan=False)] if json_wanted else lines:
        click.echo(line)
    if html_file is None:
        return
    try:
        html_file.write_text(page(), encoding="utf-8")
    except OSError as wrong:
        raise BadInput(f"{html_file}: cannot be written: {wrong.strerror}") from None
    click.echo(f"wrote {html_file}", err=json_wanted)
