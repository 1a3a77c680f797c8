"""`hitonami selfplay`: a game learned from its rules alone."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from hitonami.cli._files import PLACE, is_json_printed, tell
from hitonami.cli._options import Reporting

if TYPE_CHECKING:
    from hitonami.selfplay.whole import News


@click.command("selfplay", cls=Reporting)
@click.argument("recipe", type=PLACE)
@click.option("--resume", is_flag=True, help="Go on with the run in the folder.")
@click.option("--out", type=PLACE, default=None, help="The run's folder; else runs/NAME.")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Processes that play the parts of a generation.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    default=None,
    help="A Ray cluster that plays them (auto on one of its machines, its address, local).",
)
@click.option(
    "--generation", type=click.IntRange(0), default=None, help="Only write the network of this generation as a model."
)
def command(
    recipe: Path, resume: bool, out: Path | None, jobs: int, cluster: str | None, generation: int | None
) -> None:
    """Learn the game of RECIPE, a TOML file, by playing it, and write the network as a model."""
    from hitonami.selfplay.whole import export_generation, play_recipe

    if generation is not None:
        model = export_generation(recipe, out, generation)
        tell([f"written: {model}"], lambda: {"model": str(model)})
        return
    reporter = _Reporter(is_json_printed())
    model = play_recipe(recipe, out, reporter, resume=resume, jobs=jobs, cluster=cluster)
    tell([f"finished: {model}"], lambda: {"model": str(model)})


class _Reporter:
    """Games on standard error, a line for each generation on standard output, where that is not for figures alone."""

    def __init__(self, apart: bool) -> None:
        self._apart = apart
        self._meter: Any = None

    def __call__(self, news: "News") -> None:
        from hitonami.terminal.progress import Meter

        if news.row is None:
            if self._meter is None:
                self._meter = Meter(news.wanted, "games").__enter__()
            self._meter.show(news.games, news.games)
            return
        if self._meter is not None:
            self._meter.__exit__(None, None, None)
            self._meter = None
        click.echo(_describe(news), err=self._apart)
        if news.folder is not None:
            from hitonami import disk
            from hitonami.report.selfplay import as_page

            disk.write_text(news.folder / "report.html", as_page(news.folder.name, news.rows))


def _describe(news: "News") -> str:
    row = news.row or {}
    words = [
        f"generation {news.generation + 1} of {news.generations}",
        f"R² {row['r2_network']:.2f}",
        f"{row['length']:.1f} plies",
        f"{row['branching']:.1f} moves",
        f"{row['draws']:.0%} drawn",
        f"first player {row['first_player']:.0%}",
        f"{row['leaves_per_second']:,.0f} positions/s",
    ]
    words += [f"loss {row['policy_loss']:.3f} + {row['result_loss']:.3f}"] if "policy_loss" in row else []
    words += [f"gate {row['gate_score']:.0%} of {row['gate_games']:.0f}"] if "gate_score" in row else []
    return ": ".join([words[0], ", ".join(words[1:])])
