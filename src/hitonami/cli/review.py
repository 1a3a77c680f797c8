"""`hitonami review`: a game move by move, as people of a level would have played it and as a strong judge sees it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import FOLDER, tell, warn
from hitonami.cli._options import RATING, Reporting, base_option, chosen_mind, game_argument, html_option, on_base

if TYPE_CHECKING:
    from hitonami.review.reading import Chosen


@click.command("review", cls=Reporting)
@game_argument
@click.argument("file")
@click.option("--rating", type=RATING, default=None, help="The level of both players; else the record's ratings.")
@click.option("--pool", default="", help="The pool that the ratings belong to, such as lichess or ogs.")
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, help="Which game of FILE.")
@click.option("--judge", default=None, help="A mind such as uci:stockfish, or none; else an engine that is installed.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="Of the judge, for each position.")
@click.option("--mind", default=None, help="What knows how people play; else human, or what the game has.")
@base_option
@click.option("--moves", "all_moves", is_flag=True, help="A line for every move, not for the notable ones alone.")
@html_option("A page to click through.")
@click.option("--cache", type=FOLDER, default=None, help="Of the judge's words.")
def command(
    game: str,
    file: str,
    rating: float | None,
    pool: str,
    number: int,
    judge: str | None,
    nodes: int | None,
    mind: str | None,
    base: str,
    all_moves: bool,
    cache: Path | None,
) -> None:
    """Review one game of FILE: how likely people of the level play each move, what it cost, and who stood better.

    An interrupted review (Ctrl-C) is told as far as it came; the judge goes on from its cache the next time.
    """
    from hitonami.core import open_game
    from hitonami.report.review import as_lines
    from hitonami.report.review_page import as_page
    from hitonami.review.reading import choose_game
    from hitonami.review.run import ReviewWish, run_review
    from hitonami.terminal.progress import Meter

    chosen = choose_game(file, open_game(game).name, number)
    _warn(chosen, file)
    named = on_base(mind, base)
    asked = chosen_mind(named, chosen.record.game)
    wish = ReviewWish(asked, named is not None, rating, pool, judge, nodes, cache)
    review = run_review(chosen, wish, Meter, warn)
    tell(as_lines(review, all_moves), review.as_json, lambda _: as_page(review))


def _warn(chosen: "Chosen", file: str) -> None:
    from hitonami.review.reading import MOST_COUNTED

    if chosen.games > 1:
        count = f"{chosen.games:,}" + (" or more" if chosen.games >= MOST_COUNTED else "")
        warn(f"{file} holds {count} games; this is game {chosen.number} (--game N)")
    if chosen.broken:
        kept = len(chosen.record.moves)
        warn(f"the record breaks after {kept} moves, reviewed up to there: {chosen.broken}")
