"""`hitonami puzzles`: a rating from puzzles of known difficulty."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput

if TYPE_CHECKING:
    from hitonami.strength.puzzles import By

_SOURCE = "Lichess's puzzles (database.lichess.org, CC0) are in the right format"


@click.command("puzzles", cls=Reporting)
@click.argument("game")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--mind", default=None, metavar="M@R", help="The mind to rate, and the rating that it is told.")
@click.option("--answers", type=click.Path(path_type=Path), default=None, help="A person's: lines `puzzle id,right`.")
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
def command(
    game: str,
    file: Path | None,
    mind: str | None,
    answers: Path | None,
    count: int | None,
    by: "By",
    guess: float,
    pool: str,
    seed: int,
) -> None:
    """Rate --mind, or the person whose --answers they are, by the puzzles of GAME in FILE."""
    from hitonami.agent import Agent, level_style
    from hitonami.core import open_game
    from hitonami.matches.entrants import read_entrant
    from hitonami.report.puzzles import PuzzleReport, as_json, as_lines
    from hitonami.specs import open_mind
    from hitonami.strength.item_response import estimate_glicko, estimate_irt
    from hitonami.strength.puzzles import answers_of, draw_puzzles, read_answers, read_puzzles, solve_puzzles

    rules = open_game(game)
    if file is None:
        raise BadInput(f"name a file of puzzles: CSV with PuzzleId,FEN,Moves,Rating,RatingDeviation; {_SOURCE}")
    if (mind is None) == (answers is None):
        raise BadInput("give either --mind M@R or --answers FILE")
    puzzles, left_out = read_puzzles(file), {}
    if answers is not None:
        who, given = answers.name, read_answers(answers, puzzles)[1]
    else:
        entrant = read_entrant(mind or "", pool, game)
        with open_mind(entrant.mind) as opened:
            agent = Agent(opened, entrant.draw, style=level_style(entrant.mind))
            solved, rejected = solve_puzzles(agent, rules, draw_puzzles(puzzles, count, seed), entrant.asked_as, seed)
        who, given, left_out = entrant.name, answers_of(solved, by), dict(rejected)
    report = PuzzleReport(who, given, estimate_irt(given, guess), estimate_glicko(given), guess, left_out)
    tell(as_lines(report), lambda: as_json(report))
