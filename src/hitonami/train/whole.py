"""A whole training: a recipe's file to a model that every other command can use. Prints nothing."""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hitonami import disk
from hitonami.errors import WorkFailed
from hitonami.progress import stoppable
from hitonami.train.recipe import Recipe
from hitonami.train.run import Run, open_run

if TYPE_CHECKING:
    from hitonami.train.loop import Report


@dataclass(frozen=True)
class Trained:
    """How a run ended, and the folder of its model."""

    outcome: str
    model: Path


def train_recipe(
    recipe: Recipe, roots: Mapping[str, Path], out: Path | None, report: "Report", *, resume: bool = False
) -> Trained:
    """Train, or go on, and export. A finished run is left as it is; an interrupted one is saved, then WorkFailed."""
    run = open_run(recipe, roots, out or Path("runs") / recipe.name, resume=resume)
    return Trained("finished already", run.model) if run.model.exists() else _train(run, report, resume)


def _train(run: Run, report: "Report", resume: bool) -> Trained:
    try:
        from hitonami.train.export import export_run  # torch: seconds, and not everybody has it
        from hitonami.train.loop import run_training
        from hitonami.train.warm_start import describe_files
    except ModuleNotFoundError as missing:
        raise WorkFailed(f"training needs {missing.name}: pip install 'hitonami[train]'") from None
    describe_files(run.start_from, dict(run.roots))  # the export asks for them too: what is gone is told now
    with disk.holding(run.out):
        with stoppable() if run.recipe.training.devices == 1 else nullcontext() as stop:  # several end at once
            outcome = run_training(run, resume=resume, report=report, stop=stop)
        if outcome == "interrupted":
            raise WorkFailed(f"interrupted; {run.out} is saved, go on with --resume")
        return Trained(outcome, export_run(run))
