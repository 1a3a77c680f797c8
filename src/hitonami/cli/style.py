"""`hitonami style`: how one person plays, beside people of their level."""

from typing import Any

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting, game_argument, html_option
from hitonami.errors import BadInput


@click.command("style", cls=Reporting)
@game_argument
@click.argument("files", nargs=-1, required=True)
@click.option("--player", default="", help="Whose games, as the records name them; else who is in nearly all of them.")
@click.option("--games", type=click.IntRange(1), default=500, show_default=True, help="The latest ones, at most.")
@click.option("--among", multiple=True, metavar="DATA", help="Games of others to compare with; else the package's.")
@click.option("--clusters", is_flag=True, help="Kinds of players among the people of FILES, instead of one person.")
@click.option("--least-games", type=click.IntRange(4), default=40, show_default=True, help="clusters: of a person.")
@click.option("--most", type=click.IntRange(1, 50), default=8, show_default=True, help="clusters: groups to try.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="clusters: how games are halved.")
@html_option()
def command(
    game: str, files: tuple[str, ...], clusters: bool, least_games: int, most: int, seed: int, **words: Any
) -> None:
    """Show how the person in FILES (records or datasets) plays otherwise than people of their level do.

    Each trait comes with an interval and its place among those people, the most unusual first. With --clusters: which
    kinds of players the people in FILES fall into, named by what sets them apart, and how well unseen games of the
    same people are told apart by it.
    """
    if clusters:
        if words["player"] or words["among"]:
            raise BadInput("style --clusters looks at everybody: leave --player and --among out")
        _show_clusters((game, least_games, most, seed), files)
        return
    from hitonami.report.style import as_json, as_lines
    from hitonami.report.style_page import as_page
    from hitonami.style.portrait import StyleWish, draw_portrait
    from hitonami.terminal.progress import Meter

    found = draw_portrait(StyleWish(game, **words), files, Meter)
    tell(as_lines(found), lambda: as_json(found), lambda typed: as_page(found, typed))


def _show_clusters(wanted: tuple[str, int, int, int], files: tuple[str, ...]) -> None:
    from hitonami.report.clusters import as_json, as_lines, as_page
    from hitonami.style.clusters import ClusterWish, find_clusters
    from hitonami.terminal.progress import Meter

    found = find_clusters(ClusterWish(*wanted), files, Meter)
    tell(as_lines(found), lambda: as_json(found), lambda typed: as_page(found, typed))
