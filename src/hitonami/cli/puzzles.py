"""`hitonami puzzles`: a rating from puzzles of known difficulty."""

from pathlib import Path
from typing import Any

import click

from hitonami.cli._files import PLACE, tell
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput

_SOURCE = "Lichess's puzzles (database.lichess.org, CC0) are in the right format"


@click.command("puzzles", cls=Reporting)
@click.argument("game")
@click.argument("file", type=PLACE, required=False)
@click.option("--mind", default=None, metavar="M@R", help="The mind to rate, and the rating that it is told.")
@click.option("--answers", type=PLACE, default=None, help="A person's: lines `puzzle id,right`.")
@click.option("--count", type=click.IntRange(1), default=None, help="Puzzles to use, drawn by the seed; else all.")
@click.option(
    "--by",
    type=click.Choice(["probability", "sample", "best"]),
    default="probability",
    show_default=True,
    help="The chance of solving, one draw, or the likeliest moves.",
)
@click.option("--guess", type=float, default=0.0, show_default=True, help="Chance of a right guess, for IRT.")
@click.option("--pool", default="", help="The pool that the rating belongs to, such as lichess.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
def command(file: Path | None, **words: Any) -> None:
    """Rate --mind, or the person whose --answers they are, by the puzzles of GAME in FILE."""
    from hitonami.report.puzzles import as_json, as_lines
    from hitonami.strength.puzzle_run import PuzzleWish

    if file is None:
        raise BadInput(f"name a file of puzzles: CSV with PuzzleId,FEN,Moves,Rating,RatingDeviation; {_SOURCE}")
    report = PuzzleWish(file=file, **words).rate()
    tell(as_lines(report), lambda: as_json(report))
