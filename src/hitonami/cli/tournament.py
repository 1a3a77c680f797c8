"""`hitonami tournament`: games among players, and what they say about strength."""

from typing import Any

import click

from hitonami.cli._files import PLACE, tell
from hitonami.cli._options import Reporting, html_option


@click.command("tournament", cls=Reporting)
@click.argument("game")
@click.option("--player", "players", multiple=True, metavar="M@R", help="A mind and its rating; two or more.")
@click.option("--games", type=click.IntRange(1, 1_000_000), required=True, help="Games between each pair.")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to use.")
@click.option("--out", type=PLACE, default=None, help="A folder for the games; can be resumed.")
@click.option("--resume", is_flag=True, help="Go on with the tournament in the folder.")
@click.option("--gauntlet", is_flag=True, help="Only games of the first player.")
@click.option("--openings", default="book", show_default=True, help="book, none, sample:PLIES[:M@R], or a file.")
@click.option("--opening-plies", type=click.IntRange(0), default=8, show_default=True, help="Of a file of records.")
@click.option(
    "--anchor", "anchors", multiple=True, metavar="M@R=ELO[±ERROR]", help="What a player's Elo is known to be."
)
@click.option("--sprt", default=None, metavar="ELO0,ELO1", help="Stop when one of them is rejected.")
@click.option("--judge", default=None, metavar="M", help="A mind that ends clear games.")
@click.option("--judge-threshold", type=float, default=0.98, show_default=True, help="Expected score that is clear.")
@click.option("--judge-plies", type=click.IntRange(1), default=6, show_default=True, help="Clear positions in a row.")
@click.option("--no-resign", is_flag=True, help="Play every game to its end.")
@click.option("--max-plies", type=click.IntRange(0), default=0, help="Where a game is stopped; 0 for the game's own.")
@click.option("--size", type=int, default=0, help="Board size, where the game has several.")
@click.option("--pool", default="", help="The pool that the ratings belong to, such as lichess or ogs.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Decides every game.")
@html_option("Write a page with plots.")
def command(no_resign: bool, **words: Any) -> None:
    """Play GAME among players and rate them: a round robin, every opening twice with colours swapped."""
    from hitonami.matches.wish import TournamentWish
    from hitonami.report.tournament import as_json, as_lines
    from hitonami.terminal.progress import Meter

    standings = TournamentWish(**words, resigns=not no_resign).play(Meter)

    def page(_: str) -> str:
        from hitonami.report.tournament_page import as_page  # matplotlib: a second

        return as_page(standings)

    tell(as_lines(standings), lambda: as_json(standings), page)
