"""`hitonami serve`: the page, in the browser."""

from pathlib import Path

import click


@click.command("serve")
@click.option("--host", default=None, help="Address to serve on. Other than this machine's own, it asks for a token.")
@click.option("--port", type=click.IntRange(0, 65535), default=None, help="Port; 8765 or the next free one by default.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option(
    "--studies",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=None,
    help="Folder of reports (HTML, JSON) to list and show.",
)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="GAME:NAME=MIND",
    help='An opponent of your own to offer, like "chess:Stockfish=uci:stockfish". May be given several times.',
)
@click.option(
    "--base", "bases", multiple=True, metavar="NAME", help="Offer human (and blend) over this base: a model, or a mind."
)
def command(
    host: str | None,
    port: int | None,
    no_open: bool,
    studies: Path | None,
    opponents: tuple[str, ...],
    bases: tuple[str, ...],
) -> None:
    """Serve the page: play, predict, review and test in the browser. Ends on Ctrl-C; games are kept."""
    from hitonami.web.bases import opponents_on
    from hitonami.web.server import Serving, serve

    offered = (*opponents, *(each for base in bases for each in opponents_on(base)))
    serve(Serving(host, port, open_browser=not no_open, studies=studies, opponents=offered), click.echo)
