"""`hitonami fit`: the knobs of a level, from what people played."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from hitonami.cli._files import FOLDER, PLACE, check_folders, say, tell, warn_of
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
from hitonami.errors import BadInput, WorkFailed

_METHODS = (
    *("blend", "softmax", "distance", "restrict", "search", "level"),
    *("calibration", "foresight", "utilities", "features", "games", "all"),
)
_OF_GAMES = ("levels", "anchor", "games", "rounds", "before", "check")
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
@click.option("--work", type=FOLDER, default=None, help="search, games: to go on.")
@click.option("--levels", default="", metavar="R,R,…", help="games: the ratings that are to be so far apart.")
@click.option("--anchor", type=RATING, default=None, help="games: the rating that keeps its draw; else the usual one.")
@click.option("--games", type=click.IntRange(2), default=32, show_default=True, help="games: of each meeting.")
@click.option("--rounds", type=click.IntRange(0), default=1, show_default=True, help="games: corrections.")
@click.option(
    "--before", type=click.IntRange(2), default=128, show_default=True, help="games: of neighbours as they are."
)
@click.option("--check", type=click.IntRange(2), default=200, show_default=True, help="games: of neighbours, unseen.")
@click.option("--judge", default=None, help="level: a mind that judges moves; else the engine of this machine.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="level: the judge's limit for a position.")
@click.option("--cache", type=FOLDER, default=None, help="level: what was judged.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="level, games: at once.")
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
    """Fit METHOD for GAME to the human moves in DATA (records or shards); games takes no DATA.

    blend: the weight of the first --mind against the second, or the weights of several. softmax: the exponent of a
    mind. distance: how much likelier moves near the last one are made. restrict: the least probability of a move that
    counts. Each by group and as a curve over rating; --out writes the curves. search: temperatures and c_puct of a
    search over --mind (else the packaged expert), for the band of each --rating. level: the exponent with which an
    agent of --mind loses as much a move as people, by a judge. foresight: how people act on what a board shows of each
    move, over --mind (else the packaged network); --out is the ranker's file. calibration: the temperature of each
    --mind's chances of winning, fitted to results (the first's is written). utilities: what a draw is worth beside win
    and loss, and how much people act on it; the first --mind's moves come to mind, the second's results are believed;
    --out is a mind that plays so. features: the same for what a board shows of a move; --out is a .twin file. games:
    the exponents with which agents of --levels are as far apart by games among themselves as their ratings say. all:
    everything over --base, step by step, into its profile in your folder of profiles, or in the folder --out.
    """
    from hitonami.fits.methods import MethodWish, run_method
    from hitonami.report.fit_runs import draw_run
    from hitonami.terminal.progress import Meter

    if words["method"] == "games":
        return _fit_games(drawing, game, data, words)
    _check_data(words["method"], data)
    if words["method"] == "all":
        return _fit_profile(drawing, game, data, base, only, words)
    if base or only:
        raise BadInput("--base and --only are for `hitonami fit GAME all`; else name a mind over it: human:NAME")
    wish = MethodWish(**{name: value for name, value in words.items() if name not in _OF_GAMES})
    _check_file(wish.out, wish.method)
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


def _check_file(out: Path | None, method: str) -> None:
    if out is not None and out.is_dir():
        raise BadInput(f"--out {out}: is a folder; fit {method} writes a file")


def _check_data(method: str, data: tuple[str, ...]) -> None:
    """Raises BadInput for a method of people's games without any, or with options of `games`."""
    if not data:
        raise BadInput(f"fit {method} needs DATA: records or shards of people's games")
    context = click.get_current_context()
    for name in _OF_GAMES:
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise BadInput(f"--{name} is for `hitonami fit GAME games`")


def _fit_games(drawing: SelectionWish, game: str, data: tuple[str, ...], words: dict[str, Any]) -> None:
    """Levels play each other; the curve is written where games that no fit saw say that it is better."""
    from hitonami.core import open_game
    from hitonami.fits.games_run import GamesWish, run_games
    from hitonami.ranks import read_rating
    from hitonami.report.fit_games import as_json, as_lines
    from hitonami.terminal.progress import Meter

    if data or len(words["minds"]) > 1:
        raise BadInput("fit games takes one --mind and no DATA: its levels play each other")
    _check_file(words["out"], "games")
    check_folders((words["out"],))
    own = {name: words[name] for name in (*_OF_GAMES[1:], "work", "out", "default_pool", "jobs")}
    levels = tuple(read_rating(text, game) for text in words["levels"].split(",") if text.strip())
    mind = words["minds"][0] if words["minds"] else "human"
    wish = GamesWish(open_game(game).name, levels, drawing.pool, mind, seed=drawing.seed, **own)
    run = run_games(wish, Meter)
    tell(as_lines(run), lambda: as_json(run))
    if wish.out is not None:
        say(f"wrote {wish.out}" if run.is_better else f"{wish.out} is left as it was: the new curve is no better")


def _fit_profile(
    drawing: SelectionWish, game: str, data: tuple[str, ...], base: str, only: tuple[str, ...], words: dict[str, Any]
) -> None:
    """Each step is told when it is done."""
    from hitonami.fits.profile import STEPS, ProfileWish, run_profile
    from hitonami.judging.run import JudgeWish
    from hitonami.levels.profiles import profile_of, user_profiles
    from hitonami.terminal.progress import Meter

    if not base:
        raise BadInput("fit all needs a --base: the name of a model, its file, or a mind")
    for given in ("mean", "mind", "rating"):
        if words[f"{given}s"]:
            raise BadInput(f"fit all does not take --{given}: it fits over --base")
    folder = words["out"] or user_profiles()
    judge = JudgeWish(*(words[name] for name in ("judge", "nodes", "cache", "jobs")))
    steps = tuple(step for step in STEPS if not only or step in only)
    wish = ProfileWish(base, folder, judge, words["default_pool"], steps)
    done = []
    for each in run_profile(drawing.plan(game), wish, data, Meter):
        say(f"{each.step}: {'left out: ' if each.failed else ''}{each.told}")
        done.append(each)
    if all(each.failed for each in done):
        raise WorkFailed("nothing could be fitted")
    where = folder / profile_of(base)
    tell([f"wrote {where}"], lambda: {"profile": str(where), "steps": [asdict(each) for each in done]})
