"""`hitonami label`: a strong mind's judgement of positions, kept for training and for judging moves."""

from pathlib import Path
from typing import Literal

import click

from hitonami.cli._files import tell
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput, WorkFailed


@click.command("label", cls=Reporting)
@click.argument("game")
@click.argument("data", nargs=-1, required=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to make.")
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
def command(
    game: str,
    data: tuple[str, ...],
    out: Path,
    mind: str,
    nodes: int | None,
    simulations: int | None,
    lines: int | None,
    policy: bool,
    played: bool,
    positions: int | None,
    per_game: int | None,
    chosen: str,
    split: Literal["train", "validation", "test", "all"],
    jobs: int,
    seed: int,
    resume: bool,
) -> None:
    """Have a strong mind judge positions of GAME drawn from DATA (datasets, record files, folders, archives)."""
    from hitonami.core import open_game
    from hitonami.dataset.filters import parse_filter
    from hitonami.dataset.picking import Picking, open_pool
    from hitonami.specs import mind_spec
    from hitonami.terminal.progress import Meter
    from hitonami.train.label import LabelPlan, Progress, label, with_lines
    from hitonami.train.labelling import Asking

    if nodes is not None and simulations is not None:
        raise BadInput("--nodes and --simulations are two names for one budget: give one of them")
    spec = mind_spec(mind)
    draw = Picking(open_game(game).name, parse_filter(chosen).text, split, "90/5/5", positions, per_game, seed)
    asking = Asking(nodes or simulations, policy, played, seed)
    plan = LabelPlan(spec if lines is None else with_lines(spec, lines), draw, out, asking, jobs)
    pool = open_pool(data, draw.game)
    for complaint in pool.tally.complaints():
        click.echo(f"hitonami: {complaint}", err=True)
    meters: list[Meter] = []

    def show(progress: Progress) -> None:
        if not meters:
            meters.append(Meter(progress.total, "positions").__enter__())
        meters[0].show(progress.done, progress.fresh)

    try:
        manifest = label(plan, pool, resume=resume, report=show)
    except KeyboardInterrupt:
        raise WorkFailed(f"interrupted; {out} is saved, go on with --resume") from None
    finally:
        for meter in meters:
            meter.__exit__(None, None, None)
    failed = manifest["failed"]
    if failed["positions"]:
        click.echo(f"hitonami: the first position without a label: {failed['reason']}", err=True)
    line = f"labelled {manifest['labels']} positions of {manifest['games']} games, {failed['positions']} failed"
    tell([line], lambda: manifest)  # the line is for scripts, too
