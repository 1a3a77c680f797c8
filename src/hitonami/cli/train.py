"""`hitonami train`: a recipe to a model."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from hitonami import disk
from hitonami.cli._files import is_json_printed, tell
from hitonami.cli._options import Reporting
from hitonami.errors import BadInput, WorkFailed, quote

if TYPE_CHECKING:
    from hitonami.train.loop import News


@click.command("train", cls=Reporting)
@click.argument("recipe", type=click.Path(path_type=Path))
@click.option("--resume", is_flag=True, help="Go on with the run in the folder.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="The run's folder; else runs/NAME.")
@click.option("--data", "roots", multiple=True, metavar="NAME=PATH", help="Where the recipe's $NAME is.")
def command(recipe: Path, resume: bool, out: Path | None, roots: tuple[str, ...]) -> None:
    """Train the network of RECIPE, a TOML file, and write it as a model that every other command can use."""
    from hitonami.train.recipe import read_recipe
    from hitonami.train.run import open_run

    asked = read_recipe(recipe)
    run = open_run(asked, dict(map(_read_root, roots)), out or Path("runs") / asked.name, resume=resume)
    if run.model.exists():
        _tell("finished already", run.model)
        return
    try:
        from hitonami.train.export import export_run  # torch: seconds, and not everybody has it
        from hitonami.train.loop import run_training
        from hitonami.train.warm_start import describe_files
    except ModuleNotFoundError as missing:
        raise WorkFailed(f"training needs {missing.name}: pip install 'hitonami[train]'") from None
    describe_files(run.start_from, dict(run.roots))  # the export asks for them too: what is gone is told now
    with disk.holding(run.out):
        with _stoppable() if run.recipe.training.devices == 1 else nullcontext() as stop:  # several end at once
            outcome = run_training(run, resume=resume, report=_Reporter(is_json_printed()), stop=stop)
        if outcome == "interrupted":
            raise WorkFailed(f"interrupted; {run.out} is saved, go on with --resume")
        _tell(outcome, export_run(run))


def _tell(outcome: str, model: Path) -> None:
    tell([f"{outcome}: {model}"], lambda: {"outcome": outcome, "model": str(model)})


def _read_root(text: str) -> tuple[str, Path]:
    name, equals, path = text.partition("=")
    if not (name and equals and path):
        raise BadInput(f"--data is written as NAME=PATH, got {quote(text)}")
    return name, Path(path)


@contextmanager
def _stoppable() -> Iterator[Event]:
    """Ctrl-C and SIGTERM end the run after the step under way, saved."""
    stop = Event()
    kinds = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(kind, lambda *_: stop.set()) for kind in kinds]
    try:
        yield stop
    finally:
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)


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
