"""`hitonami review`: a game move by move, as people of a level would have played it and as a strong judge sees it."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import check_folders, tell, write_file
from hitonami.cli._options import RATING, Reporting, chosen_mind, game_argument
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.review.reading import Chosen
    from hitonami.review.steps import Review
    from hitonami.review.walk import Reviewing


@click.command("review", cls=Reporting)
@game_argument
@click.argument("file")
@click.option("--rating", type=RATING, default=None, help="The level of both players; else the record's ratings.")
@click.option("--pool", default="", help="The pool that the ratings belong to, such as lichess or ogs.")
@click.option("--game", "number", type=click.IntRange(1), default=1, show_default=True, help="Which game of FILE.")
@click.option("--judge", default=None, help="A mind such as uci:stockfish, or none; else an engine that is installed.")
@click.option("--nodes", type=click.IntRange(1), default=None, help="Of the judge, for each position.")
@click.option("--mind", default=None, help="What knows how people play; else human, or what the game has.")
@click.option("--moves", "all_moves", is_flag=True, help="A line for every move, not for the notable ones alone.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), default=None, help="A page to click through.")
@click.option("--cache", type=click.Path(path_type=Path, file_okay=False), default=None, help="Of the judge's words.")
def command(
    game: str,
    file: str,
    rating: float | None,
    pool: str,
    number: int,
    judge: str | None,
    nodes: int | None,
    mind: str | None,
    all_moves: bool,
    html: Path | None,
    cache: Path | None,
) -> None:
    """Review one game of FILE: how likely people of the level play each move, what it cost, and who stood better.

    An interrupted review (Ctrl-C) is told as far as it came; the judge goes on from its cache the next time.
    """
    from hitonami.core import open_game
    from hitonami.review.reading import choose_game

    check_folders((html,))
    chosen = choose_game(file, open_game(game).name, number)
    _warn(chosen, file)
    with ExitStack() as stack:
        reviewing = _open(stack, chosen, rating, pool, judge, nodes, mind, cache)
        review = _carry_out(reviewing)
    _tell(review, all_moves, html)


def _warn(chosen: "Chosen", file: str) -> None:
    from hitonami.review.reading import MOST_COUNTED

    if chosen.games > 1:
        count = f"{chosen.games:,}" + (" or more" if chosen.games >= MOST_COUNTED else "")
        click.echo(f"hitonami: {file} holds {count} games; this is game {chosen.number} (--game N)", err=True)
    if chosen.broken:
        kept = len(chosen.record.moves)
        click.echo(f"hitonami: the record breaks after {kept} moves, reviewed up to there: {chosen.broken}", err=True)


def _open(
    stack: ExitStack,
    chosen: "Chosen",
    rating: float | None,
    pool: str,
    judge: str | None,
    nodes: int | None,
    mind: str | None,
    cache: Path | None,
) -> "Reviewing":
    from hitonami.judging.judge import cache_folder
    from hitonami.models.shipped import shipped_models
    from hitonami.review.judging import open_bench
    from hitonami.review.levels import level_for, no_level, pool_of, without_levels
    from hitonami.review.walk import Minds, Reviewing
    from hitonami.specs import Room
    from hitonami.strength.estimate import calibration_for

    name, record = chosen.record.game, chosen.record
    own = pool_of(record, pool)
    room = Room()
    stack.callback(room.close)
    asked = chosen_mind(mind, name)
    expert = room.open("expert") if asked == "human" and name in shipped_models("expert") else None
    calibration = calibration_for(name, own, expert is not None) if asked == "human" else None
    if judge == "none" and nodes is not None:
        raise BadInput("--nodes is for a judge, and there is none")
    bench = open_bench(stack, name, judge, nodes=nodes, cache=cache or cache_folder())
    if nodes is not None and (bench.judge is None or bench.judge.nodes is None):
        raise BadInput(f"--nodes is for a judge that searches: name one with --judge. {bench.passed_over}".rstrip())
    if bench.passed_over:
        click.echo(f"hitonami: {bench.name or 'nobody'} judges, for the engine cannot: {bench.passed_over}", err=True)
    because = without_levels(record, asked, mind is not None)
    level = no_level(because, rating) if because else level_for(record, own, rating, calibration)
    return Reviewing(chosen, Minds(room.open(asked), expert, bench.judge, calibration, asked), level)


def _carry_out(reviewing: "Reviewing") -> "Review":
    from hitonami.terminal.progress import Meter

    try:
        with Meter(reviewing.moves, "moves") as meter:
            for done, _ in enumerate(reviewing, start=1):
                meter.show(done, done)
    except KeyboardInterrupt:
        if not reviewing.steps:
            raise
        click.echo(f"hitonami: interrupted after {len(reviewing.steps)} of {reviewing.moves} moves", err=True)
    return reviewing.summary()


def _tell(review: "Review", all_moves: bool, html: Path | None) -> None:
    from hitonami.report.review import as_lines

    tell(as_lines(review, all_moves), review.as_json)
    if html is not None:
        from hitonami.report.review_page import as_page

        write_file(html, as_page(review))
