"""`hitonami label`: a strong mind's judgement of positions, kept for training and for judging moves."""

from typing import Any

import click

from hitonami.cli._files import PLACE, tell, warn
from hitonami.cli._options import Reporting


@click.command("label", cls=Reporting)
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--out", type=PLACE, required=True, help="The folder to make.")
@click.option("--mind", required=True, help="Who judges: uci:COMMAND, usi:COMMAND, katago:COMMAND, a network, TOML.")
@click.option("--nodes", type=click.IntRange(min=1), default=None, help="Nodes an engine may search, a position.")
@click.option("--simulations", type=click.IntRange(min=1), default=None, help="The same, by another name.")
@click.option("--lines", type=click.IntRange(min=1), default=None, help="Variations of an engine (MultiPV).")
@click.option("--policy", is_flag=True, help="Keep all moves' probabilities beside the variations.")
@click.option("--played", is_flag=True, help="Also judge the move that was played, where it is no variation.")
@click.option("--positions", type=click.IntRange(min=1), default=None, help="How many to draw; else all.")
@click.option("--per-game", type=click.IntRange(min=1), default=None, help="At most so many of a game.")
@click.option("--filter", "chosen", default="none", show_default=True, help="See `hitonami data rules`.")
@click.option("--split", type=click.Choice(["train", "validation", "test", "all"]), default="all", show_default=True)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to use.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the draw, and of chance.")
@click.option("--resume", is_flag=True, help="Go on with the labels in the folder.")
def command(data: tuple[str, ...], resume: bool, **words: Any) -> None:
    """Have a strong mind judge positions of GAME drawn from DATA (datasets, record files, folders, archives)."""
    from hitonami.terminal.progress import Meter
    from hitonami.train.label_run import LabelWish, run_labels

    manifest = run_labels(LabelWish(**words), data, Meter, warn, resume=resume)
    failed = manifest["failed"]["positions"]
    line = f"labelled {manifest['labels']} positions of {manifest['games']} games, {failed} failed"
    tell([line], lambda: manifest)  # the line is for scripts, too
