"""`hitonami learn`: an intuition of any game, from nothing."""

from pathlib import Path

import click

from hitonami.cli._files import FILE, check_folders, tell
from hitonami.cli._options import Reporting, game_argument


@click.command("learn", cls=Reporting)
@game_argument
@click.option("--games", type=click.IntRange(1), default=2000, show_default=True, help="Games to play in all.")
@click.option("--minutes", type=click.FloatRange(0, min_open=True), default=None, help="Stop after so long.")
@click.option("--out", type=FILE, required=True, help="The file to write.")
@click.option("--resume", is_flag=True, help="Go on with what the file holds.")
@click.option("--size", type=click.IntRange(0), default=0, help="Board size, where the game has several.")
@click.option("--nodes", type=click.IntRange(2), default=32, show_default=True, help="Positions looked at for a move.")
@click.option("--patterns", type=click.IntRange(0), default=300, show_default=True, help="Patterns of moves, at most.")
@click.option("--conditions", type=click.IntRange(1, 12), default=6, show_default=True, help="Of a pattern, at most.")
@click.option(
    "--along",
    type=click.IntRange(0, 100),
    default=0,
    show_default=True,
    help="Plies of intuition's own line before a position is judged.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides every game.")
def command(
    game: str,
    games: int,
    minutes: float | None,
    out: Path,
    resume: bool,
    size: int,
    nodes: int,
    patterns: int,
    conditions: int,
    along: int,
    seed: int,
) -> None:
    """Learn GAME by playing it, without any knowledge but its rules: then --mind intuition:FILE and dual:FILE.

    Ctrl-C keeps what was learned; --resume goes on. Any game will do: openspiel:NAME, or a game of one file.
    """
    from hitonami.core import Setup, open_game
    from hitonami.intuition.learning import Plan
    from hitonami.intuition.lessons import Lessons, take_lessons
    from hitonami.report.lessons import as_json, as_lines
    from hitonami.terminal.progress import Meter

    check_folders((out,))
    plan = Plan(nodes=nodes, most_patterns=patterns, most_conditions=conditions, along=along)
    lessons = Lessons(open_game(game).name, Setup(size=size), plan, games, minutes, seed)
    learned = take_lessons(lessons, out, Meter, resume=resume)
    tell(as_lines(learned, out), lambda: as_json(learned, out))
