"""`hitonami explain`: which patterns speak for a move."""

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting, game_argument, html_option


@click.command("explain", cls=Reporting)
@game_argument
@click.argument("position")
@click.option("--moves", default="", help="Moves played from POSITION, separated by spaces.")
@click.option("--mind", default="intuition", show_default=True, help="intuition or dual, also as KIND:FILE, or a TOML.")
@click.option("--top", type=click.IntRange(0), default=3, show_default=True, help="Moves to explain; 0 for all.")
@click.option("--patterns", type=click.IntRange(1), default=5, show_default=True, help="Patterns of each move.")
@html_option("Write a page with pictures.")
def command(game: str, position: str, moves: str, mind: str, top: int, patterns: int) -> None:
    """Say which patterns speak for the likeliest moves in POSITION of GAME, and which against them.

    A number is what a pattern adds to the logarithm of a move's chance, compared with the other moves. POSITION is
    text of the game, or "startpos". With dual it also says which moves are in doubt.
    """
    from hitonami.core import open_game
    from hitonami.explain import explain_position
    from hitonami.predict import read_position
    from hitonami.report.explanation import as_json, as_lines, as_page

    here = read_position(open_game(game), position, moves)
    explained, looked = explain_position(here, mind, top, patterns)
    told = mind, explained, looked
    tell(as_lines(here, explained, looked), lambda: as_json(here, *told), lambda _: as_page(here, *told))
