"""`hitonami play`: a game in the terminal."""

import sys

import click

from hitonami.cli._options import RATING, base_option, game_argument, on_base


@click.command("play")
@game_argument
@click.option("--rating", type=RATING, default=None, help="Level of the opponent.")
@click.option("--pool", default="", help="The pool that the rating belongs to, such as lichess or ogs.")
@click.option("--mind", default=None, help="The opponent's mind: a name, uci:COMMAND, a TOML file.")
@base_option
@click.option("--side", type=click.Choice(["first", "second"]), default="first", show_default=True, help="Your side.")
@click.option("--size", type=int, default=0, help="Board size, where the game has several.")
@click.option("--komi", type=float, default=None, help="Komi, where the game has one.")
@click.option("--handicap", type=int, default=0, help="Handicap stones, where the game has them.")
@click.option("--start", default="", help="A position to start from: FEN, SFEN or SGF.")
@click.option("--pace", type=click.Choice(["human", "instant"]), default="human", show_default=True)
@click.option("--seed", type=int, default=None, help="Makes the opponent's choices repeatable.")
def command(
    game: str,
    rating: float | None,
    pool: str,
    mind: str | None,
    base: str,
    side: str,
    size: int,
    komi: float | None,
    handicap: int,
    start: str,
    pace: str,
    seed: int | None,
) -> None:
    """Play GAME (chess, shogi, go …) against a mind."""
    from hitonami.core import Setup, open_game

    rules = open_game(game)
    setup = Setup(start=start, size=size, komi=komi, handicap=handicap)
    position = rules.start(setup) if setup != Setup() else rules.start()
    if not sys.stdin.isatty():
        click.echo(
            "hitonami play needs a terminal. Without one:\n"
            f"  hitonami engine {rules.name}    speaks the game's engine protocol on standard input and output",
            err=True,
        )
        sys.exit(2)
    from hitonami.terminal.sitting import Sitting, sit_down

    sit_down(Sitting(position, on_base(mind, base), rating, pool, int(side == "second"), pace == "human", seed))
