"""`hitonami similar`: games that are like one person's, and who may have played them."""

from typing import Any

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting, game_argument
from hitonami.errors import BadInput


@click.command("similar", cls=Reporting)
@game_argument
@click.argument("files", nargs=-1, required=True, metavar="FILE DATA...")
@click.option("--also", multiple=True, metavar="FILE", help="More games of the person.")
@click.option("--player", default="", help="Whose games FILE has, as records name them; else who is in nearly all.")
@click.option("--own", type=click.IntRange(1), default=500, show_default=True, help="The person's latest, at most.")
@click.option("--by", type=click.Choice(["features", "embedding"]), default="features", show_default=True)
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="How many to show.")
@click.option("--people", is_flag=True, help="Who played this? People of DATA, the likeliest first.")
@click.option("--least-games", type=click.IntRange(1), default=5, show_default=True, help="Of a person of DATA.")
def command(game: str, files: tuple[str, ...], also: tuple[str, ...], **words: Any) -> None:
    """Find the games of DATA that are most like those of the person in FILE, the nearest first.

    By features, traits in spreads and Euclidean; by embedding, signatures and the cosine. The person's own games are
    left out. FILE and DATA are records or datasets.
    """
    from hitonami.report.similar import as_json, as_lines
    from hitonami.style.similar import SimilarWish, find_similar
    from hitonami.terminal.progress import Meter

    if len(files) < 2:
        raise BadInput("similar: give the person's FILE, then DATA: where to look")
    found = find_similar(SimilarWish(game, **words), [files[0], *also], files[1:], Meter)
    tell(as_lines(found), lambda: as_json(found))
