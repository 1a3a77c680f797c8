"""`hitonami fit`: the knobs of a level, from what people played."""

from typing import Any

import click
from click.core import ParameterSource

from hitonami.cli._files import FOLDER, PLACE, check_file, check_folders, say, tell, warn_of
from hitonami.cli._fit_games import METHODS, OPTIONS, fit_games, games_options
from hitonami.cli._fit_profile import fit_profile
from hitonami.cli._fit_resign import fit_resign
from hitonami.cli._options import (
    RATING,
    Reporting,
    SelectionWish,
    base_option,
    check_minds,
    game_argument,
    html_option,
    selection_options,
)
from hitonami.errors import BadInput

_METHODS = (
    *("blend", "softmax", "distance", "restrict", "search", "level"),
    *("calibration", "foresight", "utilities", "features", "resign", "games", "looks", "all"),
)
_STEPS = ("foresight", "blend", "calibration", "openings", "rate", "level")


@click.command("fit", cls=Reporting)
@game_argument
@click.argument("method", type=click.Choice(_METHODS))
@click.argument("data", nargs=-1)
@click.option("--mind", "minds", multiple=True, help="A mind to fit for, the first first; else the packaged ones.")
@click.option("--mean", "means", multiple=True, help="blend: geometric, arithmetic or an exponent; several compare.")
@click.option(
    "--aim", type=click.Choice(["likelihood", "accuracy", "distance"]), default="likelihood", show_default=True
)
@click.option("--out", "out", type=PLACE, default=None, help="Levels to update.")
@click.option("--default-pool", default="", help="With --out: the pool whose curve serves pools that have none.")
@selection_options(split="validation")
@click.option(
    "--held-out", type=click.Choice(["train", "validation", "test", "none"]), default="test", show_default=True
)
@click.option("--rating", "ratings", type=RATING, multiple=True, help="search: a level, by a rating of its band.")
@click.option("--simulations", type=click.IntRange(2, 100_000), default=64, show_default=True, help="search: of each.")
@click.option("--steps", type=click.IntRange(1, 1000), default=30, show_default=True, help="search: at most.")
@click.option("--noise", is_flag=True, help="search: noise at the root as well, beside the curves.")
@click.option("--work", type=FOLDER, default=None, help="search, games, looks: to go on.")
@games_options
@click.option("--judge", default=None, help="level: a mind that judges moves; else the engine of this machine.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="level: the judge's limit for a position.")
@click.option("--cache", type=FOLDER, default=None, help="level: what was judged.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="level, games, looks: at once.")
@base_option
@click.option("--only", multiple=True, type=click.Choice(_STEPS), help="all: this step; may be given several times.")
@click.option("--balance", is_flag=True, help="calibration: the lean alone, where results are against bots.")
@click.option("--actor", default=None, help="utilities, features: a mind that draws the moves in people's place.")
@html_option()
def command(
    game: str,
    data: tuple[str, ...],
    drawing: SelectionWish,
    base: str,
    only: tuple[str, ...],
    **words: Any,
) -> None:
    """Fit METHOD for GAME to the human moves in DATA (records or shards); games and looks take no DATA.

    blend: the weight of the first --mind against the second, or the weights of several. softmax: the exponent of a
    mind. distance: how much likelier moves near the last one are made. restrict: the least probability of a move that
    counts. Each by group and as a curve over rating; --out writes the curves. search: temperatures and c_puct of a
    search over --mind (else the packaged expert), for the band of each --rating. level: the exponent with which an
    agent of --mind loses as much a move as people, by a judge. foresight: how people act on what a board shows of each
    move, over --mind (else the packaged network); --out is the ranker's file. calibration: the temperature of each
    --mind's chances of winning, fitted to results (the first's is written). utilities: what a draw is worth beside win
    and loss, and how much people act on it; the first --mind's moves come to mind, the second's results are believed;
    --out is a mind that plays so. features: the same for what a board shows of a move; --out is a .twin file. resign:
    when people give up (`hitonami resign` has more options); --out is a file of manners. games: the exponents with
    which agents of --levels are as far apart by games among themselves as their ratings say. looks: the same by how
    many positions they look at before a move, above the first of --levels. all:
    everything over --base, step by step, into its profile in your folder of profiles, or in the folder --out.
    """
    from hitonami.fits.methods import MethodWish, run_method
    from hitonami.report.fit_runs import draw_run
    from hitonami.terminal.progress import Meter

    if words["method"] in METHODS:
        return fit_games(drawing, game, data, words)
    _check_data(words["method"], data)
    if words["method"] == "resign":
        return fit_resign(drawing, game, data, words)
    if words["method"] == "all":
        return fit_profile(drawing, game, data, base, only, words)
    if base or only:
        raise BadInput("--base and --only are for `hitonami fit GAME all`; else name a mind over it: human:NAME")
    wish = MethodWish(**{name: value for name, value in words.items() if name not in OPTIONS})
    check_file(wish.out, wish.method)
    check_minds(wish.minds)
    check_folders((wish.out,))
    typed = click.get_current_context().get_parameter_source("chosen") is not ParameterSource.DEFAULT
    run = run_method(drawing.plan(game), wish, data, Meter, own_filter=typed)
    warn_of(run.drawn)
    drawn = draw_run(run)
    tell(drawn.lines, lambda: drawn.figures, drawn.page)
    if wish.out is not None:
        say(f"wrote {wish.out}")
    return None


def _check_data(method: str, data: tuple[str, ...]) -> None:
    """Raises BadInput for a method of people's games without any, or with options of `games`."""
    if not data:
        raise BadInput(f"fit {method} needs DATA: records or shards of people's games")
    context = click.get_current_context()
    for name in OPTIONS:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise BadInput(f"--{name} is for `hitonami fit GAME games` or `looks`")
