"""`hitonami predict`: what would people of these levels play here, and how often do they win?"""

import click

from hitonami.cli._files import tell, warn
from hitonami.cli._options import RATING, Reporting, base_option, chosen_mind, game_argument, on_base


@click.command("predict", cls=Reporting)
@game_argument
@click.argument("position")
@click.option("--moves", default="", help="Moves played from POSITION, separated by spaces.")
@click.option("--rating", "ratings", type=RATING, multiple=True, help="Level to predict; may be given several times.")
@click.option("--pool", default="", help="The pool that the ratings belong to, such as lichess or ogs.")
@click.option(
    "--mind", default=None, help="A name, a network's file, uci:COMMAND, a TOML file; else human, or what the game has."
)
@base_option
@click.option("--top", type=click.IntRange(min=0), default=10, show_default=True, help="Moves in the table; 0 for all.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For minds that use chance.")
def command(
    game: str,
    position: str,
    moves: str,
    ratings: tuple[float, ...],
    pool: str,
    mind: str | None,
    base: str,
    top: int,
    seed: int,
) -> None:
    """Say what people of each --rating would play in POSITION of GAME, and their chances.

    POSITION is FEN, SFEN or SGF, or "startpos". The opponent is taken to be of the same rating.
    """
    from hitonami.core import Effort, open_game
    from hitonami.predict import last_open, predict, read_position
    from hitonami.report.prediction import as_json, as_lines
    from hitonami.scales import doubts_of
    from hitonami.specs import open_mind

    rules = open_game(game)
    end = read_position(rules, position, moves)
    here = last_open(end) or end
    if here is not end:
        warn(f"the game is over: {end.ending}; this is the position after move {here.ply}")
    asked = chosen_mind(on_base(mind, base), rules.name)
    for doubt in doubts_of(rules.name, ratings, pool) if asked in ("human", "blend") else ():
        warn(doubt)
    with open_mind(asked) as opened:
        prediction = predict(opened, here, ratings, pool, Effort.seeded(seed))
    tell(as_lines(prediction, top), lambda: as_json(prediction, asked, pool))
