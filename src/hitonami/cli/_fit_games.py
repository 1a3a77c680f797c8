"""`hitonami fit GAME games` and `hitonami fit GAME looks`: their options, and their runs."""

from typing import Any

import click

from hitonami.cli._files import check_file, check_folders, say, tell
from hitonami.cli._options import RATING, Command, SelectionWish
from hitonami.errors import BadInput, quote

OPTIONS = ("levels", "anchor", "games", "rounds", "before", "check", "looks")
METHODS = ("games", "looks")


def games_options(command: Command) -> Command:
    """Add its own options."""
    options = [
        click.option("--levels", default="", metavar="R,R,…", help="games: the ratings that are to be so far apart."),
        click.option(
            "--anchor", type=RATING, default=None, help="games: the rating that keeps its draw; else the usual one."
        ),
        click.option("--games", type=click.IntRange(2), default=32, show_default=True, help="games: of each meeting."),
        click.option("--rounds", type=click.IntRange(0), default=1, show_default=True, help="games: corrections."),
        click.option(
            "--before", type=click.IntRange(2), default=128, show_default=True, help="games: of neighbours as they are."
        ),
        click.option("--looks", default="8,24", show_default=True, metavar="N,N,…", help="looks: numbers to try."),
        click.option(
            "--check", type=click.IntRange(2), default=200, show_default=True, help="games: of neighbours, unseen."
        ),
    ]
    for option in reversed(options):
        option(command)
    return command


def fit_games(drawing: SelectionWish, game: str, data: tuple[str, ...], words: dict[str, Any]) -> None:
    """Levels play each other; the curve is written where games that no fit saw say that it is better."""
    from hitonami.core import open_game
    from hitonami.fits.games_run import GamesRun, GamesWish, run_games
    from hitonami.fits.looks_run import LooksRun, run_looks
    from hitonami.ranks import read_rating
    from hitonami.report import fit_games as games
    from hitonami.report import fit_looks as looks
    from hitonami.terminal.progress import Meter

    method = words["method"]
    if data or len(words["minds"]) > 1:
        raise BadInput(f"fit {method} takes one --mind and no DATA: its levels play each other")
    check_file(words["out"], method)
    check_folders((words["out"],))
    own = {name: words[name] for name in (*OPTIONS[1:-1], "work", "out", "default_pool", "jobs")}
    levels = tuple(read_rating(text, game) for text in words["levels"].split(",") if text.strip())
    mind = words["minds"][0] if words["minds"] else "human"
    own |= {"size": drawing.size or 0, "seed": drawing.seed}
    wish = GamesWish(open_game(game).name, levels, drawing.pool, mind, **own)
    run: GamesRun | LooksRun
    if method == "looks":
        run = found = run_looks(wish, _read_looks(words["looks"]), Meter)
        tell(looks.as_lines(found), lambda: looks.as_json(found))
    else:
        run = dial = run_games(wish, Meter)
        tell(games.as_lines(dial), lambda: games.as_json(dial))
    if wish.out is not None:
        say(f"wrote {wish.out}" if run.is_better else f"{wish.out} is left as it was: the new curve is no better")


def _read_looks(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(each) for each in text.split(","))
    except ValueError:
        raise BadInput(f"--looks {quote(text)}: whole numbers with commas between, such as 8,24") from None
