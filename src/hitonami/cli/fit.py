"""`hitonami fit`: the knobs of a level, from what people played."""

import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hitonami.cli._files import check_folders, say, tell, write_file
from hitonami.cli._options import RATING, Reporting, SelectionWish, check_minds, game_argument, selection_options
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.evaluate.selection import Selection
    from hitonami.fits.foresight import ForesightRun
    from hitonami.fits.level_run import LevelRun
    from hitonami.fits.run import FitRun, WeightsRun
    from hitonami.fits.search_run import SearchRun

    Run = FitRun | WeightsRun | SearchRun | LevelRun | ForesightRun

_METHODS = ("blend", "softmax", "distance", "restrict", "search", "level", "calibration", "foresight")


@dataclass(frozen=True)
class _Asked:
    """What was typed besides the moves to draw."""

    method: Any
    """This, the aim and the split are among click's choices."""
    minds: tuple[str, ...]
    means: tuple[str, ...]
    aim: Any
    held_out: Any
    ratings: tuple[float, ...]
    simulations: int
    steps: int
    work: Path | None
    judge: str | None
    nodes: int | None
    cache: Path | None
    jobs: int
    balance: bool
    out: Path | None
    default_pool: str

    def refuse_else(self, minds: int, *, means: bool = False, ratings: bool = False) -> None:
        """Raises BadInput for more minds than the method takes, or for means or ratings that it takes none of."""
        wrong = [
            *(["more than one --mind"] if len(self.minds) > minds else []),
            *(["--mean"] if self.means and not means else []),
            *(["--rating"] if self.ratings and not ratings else []),
        ]
        if wrong:
            raise BadInput(f"fit {self.method} does not take {' or '.join(wrong)}: see docs/fitting.md")


@click.command("fit", cls=Reporting)
@game_argument
@click.argument("method", type=click.Choice(_METHODS))
@click.argument("data", nargs=-1, required=True)
@click.option("--mind", "minds", multiple=True, help="A mind to fit for, the first first; else the packaged ones.")
@click.option("--mean", "means", multiple=True, help="blend: geometric, arithmetic or an exponent; several compare.")
@click.option("--aim", type=click.Choice(["likelihood", "accuracy"]), default="likelihood", show_default=True)
@click.option("--out", "out", type=click.Path(path_type=Path, dir_okay=False), default=None, help="Levels to update.")
@click.option("--default-pool", default="", help="With --out: the pool whose curve serves pools that have none.")
@selection_options(split="validation")
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
@click.option("--html", "html_file", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page.")
def command(
    game: str,
    data: tuple[str, ...],
    drawing: SelectionWish,
    html_file: Path | None,
    **words: Any,
) -> None:
    """Fit METHOD for GAME to the human moves in DATA (records or shards).

    blend: the weight of the first --mind against the second, or the weights of several. softmax: the exponent of a
    mind. distance: how much likelier moves near the last one are made. restrict: the least probability of a move that
    counts. Each by group and as a curve over rating; --out writes the curves. search: temperatures and c_puct of a
    search over --mind (else the packaged expert), for the band of each --rating. level: the exponent with which an
    agent of --mind loses as much a move as people, by a judge. foresight: how people act on what a board shows of each
    move, over --mind (else the packaged network); --out is the ranker's file. calibration: the temperature of each
    --mind's chances of winning, fitted to results (the first's is written).
    """
    from hitonami.cli.evaluate import warn
    from hitonami.cli.winrate import fit_calibration

    asked = _Asked(**words)
    check_minds(asked.minds)
    check_folders((asked.out, html_file))
    plan = drawing.plan(game)
    if asked.method == "calibration":
        asked.refuse_else(len(asked.minds))
        if asked.default_pool:
            raise BadInput("fit calibration does not take --default-pool: see docs/winrate.md")
        fit_calibration(plan, asked.minds, asked.held_out, asked.out, data, asked.balance, html_file)
        return
    run = _run(plan, asked, data)
    warn(run.drawn)
    _tell(run, html_file)
    if asked.out is not None:
        say(f"wrote {asked.out}")


def _run(plan: "Selection", asked: _Asked, data: tuple[str, ...]) -> "Run":
    from hitonami.dataset.reading import open_data
    from hitonami.fits.foresight import ForesightWish, run_foresight
    from hitonami.fits.level_run import LevelWish, run_level
    from hitonami.fits.run import Wish, run_fit
    from hitonami.fits.search_run import SearchWish, run_search
    from hitonami.judging.run import JudgeWish
    from hitonami.terminal.progress import Meter

    held_out = asked.held_out
    mind, kept = asked.minds[0] if asked.minds else None, (asked.out, asked.default_pool)
    if asked.method == "foresight":
        asked.refuse_else(1)
        return run_foresight(plan, ForesightWish(mind, held_out, *kept), data, Meter)
    if asked.method == "level":
        asked.refuse_else(1)
        judged_by = JudgeWish(asked.judge, asked.nodes, asked.cache, asked.jobs)
        return run_level(
            plan, LevelWish(mind or "human", judged_by, held_out, *kept), open_data(data, plan.game), Meter
        )
    if asked.method == "search":
        asked.refuse_else(1, ratings=True)
        budget = asked.simulations, asked.steps
        theta = SearchWish(mind or "expert", asked.ratings, *budget, held_out, asked.work, *kept)
        return run_search(plan, theta, data, Meter)
    asked.refuse_else(len(asked.minds), means=True)
    return run_fit(plan, Wish(asked.method, asked.minds, asked.means, asked.aim, held_out, *kept), data, Meter)


def _tell(run: "Run", html_file: Path | None) -> None:
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
    tell(lines, lambda: found)
    if html_file is not None:
        write_file(html_file, page())
