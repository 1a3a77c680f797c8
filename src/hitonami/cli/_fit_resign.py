"""`hitonami fit GAME resign`: the curves of `hitonami resign`, with its usual number of games."""

from typing import Any

import click
from click.core import ParameterSource

from hitonami.cli._files import check_file, check_folders, say, tell
from hitonami.cli._manners import RESIGN_GAMES
from hitonami.cli._options import SelectionWish
from hitonami.errors import BadInput


def fit_resign(drawing: SelectionWish, game: str, data: tuple[str, ...], words: dict[str, Any]) -> None:
    """When people give up, learned from the training split, measured on the test split; `hitonami resign` has more."""
    from hitonami.core import open_game
    from hitonami.fits.manners_run import MannersWish
    from hitonami.fits.resign_run import RESIGN_FILTER, run_resign
    from hitonami.report.manners import resign_json, resign_lines, resign_page
    from hitonami.terminal.progress import Meter

    if len(words["minds"]) > 1:
        raise BadInput("fit resign asks one --mind about the turns")
    if drawing.pool:
        raise BadInput("fit resign has no --pool: it learns each pool that the records name")
    check_file(words["out"], "resign")
    check_folders((words["out"],))
    typed = click.get_current_context().get_parameter_source("chosen") is not ParameterSource.DEFAULT
    wish = MannersWish(
        open_game(game).name,
        RESIGN_GAMES,
        drawing.chosen if typed else RESIGN_FILTER,
        words["minds"][0] if words["minds"] else "human",
        seed=drawing.seed,
        out=words["out"],
    )
    run = run_resign(wish, data, Meter)
    tell(resign_lines(run), lambda: resign_json(run), lambda typed: resign_page(run, typed))
    if wish.out is not None:
        say(f"wrote {wish.out}")
