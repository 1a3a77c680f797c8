"""`hitonami train`: a recipe to a model."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hitonami.cli._files import PLACE, is_json_printed, tell
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput, quote

if TYPE_CHECKING:
    from hitonami.train.loop import News


@click.command("train", cls=Reporting)
@click.argument("recipe", type=PLACE)
@click.option("--resume", is_flag=True, help="Go on with the run in the folder.")
@click.option("--out", type=PLACE, default=None, help="The run's folder; else runs/NAME.")
@click.option("--data", "roots", multiple=True, metavar="NAME=PATH", help="Where the recipe's $NAME is.")
@click.option("--seed", type=click.IntRange(0), default=None, help="In place of the recipe's: another trial.")
def command(recipe: Path, resume: bool, out: Path | None, roots: tuple[str, ...], seed: int | None) -> None:
    """Train the network of RECIPE, a TOML file, and write it as a model that every other command can use."""
    from hitonami.train.recipe import read_recipe
    from hitonami.train.whole import train_recipe

    asked, where = read_recipe(recipe), dict(map(_read_root, roots))
    asked = asked if seed is None else asked.model_copy(update={"seed": seed})
    done = train_recipe(asked, where, out, _Reporter(is_json_printed()), resume=resume)
    tell([f"{done.outcome}: {done.model}"], lambda: {"outcome": done.outcome, "model": str(done.model)})


def _read_root(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise BadInput(f"--data is written as NAME=PATH, got {quote(text)}")
    return name, Path(path)


class _Reporter:
    """Progress on standard error and validations on standard output, where that is not for figures alone.

    Made anew in a process that it is sent to.
    """

    def __init__(self, apart: bool) -> None:
        self._begun = 0
        self._apart = apart

    def __call__(self, news: "News") -> None:
        from hitonami.terminal.progress import Meter

        if not self._begun:
            self._begun = news.positions
            self._meter = Meter(news.steps, "positions").__enter__()
        self._meter.show(news.step, news.positions - self._begun)
        if news.validation:
            found = ", ".join(f"{name} {value:,.4g}" for name, value in news.validation.items())
            click.echo(f"step {news.step:,}: loss {news.losses['loss']:.4f}; validation {found}", err=self._apart)
        if news.step == news.steps:
            self._meter.__exit__(None, None, None)
