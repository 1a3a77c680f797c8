"""`hitonami serve`: the page, in the browser."""

import click


@click.command("serve")
@click.option("--host", default=None, help="Address to serve on. Other than this machine's own, it asks for a token.")
@click.option("--port", type=click.IntRange(0, 65535), default=None, help="Port; 8765 or the next free one by default.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
def command(host: str | None, port: int | None, no_open: bool) -> None:
    """Serve the page: play and predict in the browser. Ends on Ctrl-C; games are kept."""
    from hitonami.web.server import Serving, serve

    serve(Serving(host, port, open_browser=not no_open), click.echo)
