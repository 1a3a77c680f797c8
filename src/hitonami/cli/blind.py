"""`hitonami blind`: a blind set of games for an expert, and what the expert's verdicts say."""

from pathlib import Path
from typing import Any

import click

from hitonami.cli._files import FILE, PLACE, check_folders, say, tell, write_file
from hitonami.cli._options import RATING, SPLITS, Reporting, game_argument
from hitonami.errors import BadInput


@click.group("blind")
def command() -> None:
    """A blind set of games for an expert: person or program?"""


@command.command("set", cls=Reporting)
@game_argument
@click.argument("data", nargs=-1, required=True)
@click.option(
    "--level", "levels", type=RATING, multiple=True, required=True, help="A rating; may be given several times."
)
@click.option(
    "--engine", required=True, metavar="M", help="The weakened engine: a mind that plays at the level it is told."
)
@click.option("--ours", default="human", show_default=True, metavar="M", help="The mind that stands against it.")
@click.option("--out", type=PLACE, required=True, help="The expert's folder.")
@click.option("--key", type=FILE, required=True, help="Which is which; kept apart.")
@click.option("--games", type=click.IntRange(1), default=6, show_default=True, help="Of each kind and level.")
@click.option("--plies", type=click.IntRange(2), default=60, show_default=True, help="Moves of each game.")
@click.option("--pool", default="", help="The pool that the levels belong to.")
@click.option("--split", type=click.Choice(SPLITS), default="all", show_default=True, help="People's games of a split.")
@click.option("--seed", type=click.IntRange(0), default=None, help="For tests; without it nobody can work out the key.")
def set_command(game: str, data: tuple[str, ...], **words: Any) -> None:
    """Write a blind set: of each level games of people in DATA, of --engine and of --ours, each between two of a kind.

    OUT has the games by level, a page and a scoring sheet (sheet.csv); the key is written elsewhere.
    """
    from hitonami.judging.blind_run import BlindWish, make_set
    from hitonami.report.blind import set_page
    from hitonami.terminal.progress import Meter

    wish = BlindWish(game, **words)
    check_folders((wish.out, wish.key))
    games = make_set(wish, data, Meter)
    write_file(wish.out / "games.html", set_page(games))
    say(f"wrote {wish.key}")
    line = f"{len(games)} games of {len(wish.levels)} levels in {wish.out}"
    tell([line], lambda: {"games": len(games), "levels": list(wish.levels), "out": str(wish.out), "key": str(wish.key)})


@command.command("score", cls=Reporting)
@click.argument("sheet", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("key", type=click.Path(path_type=Path, exists=True, dir_okay=False))
def score_command(sheet: Path, key: Path) -> None:
    """Say what the filled-in SHEET says, by the KEY: binomial and chi-square tests by kind and level."""
    from hitonami.judging.blind import read_key, score_sheet
    from hitonami.report.blind import as_json, as_lines

    try:
        text = sheet.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as wrong:
        raise BadInput(f"{sheet}: cannot be read: {wrong}") from None
    found = score_sheet(text, read_key(key))
    tell(as_lines(found), lambda: as_json(found))
