"""Training, its export and labelling when the disk fails, or the process is killed, at each call."""

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch

from hitonami.dataset.batches import Batch, Batches, Place
from hitonami.dataset.picking import Picking, open_pool
from hitonami.specs import mind_spec
from hitonami.train import label as labelling
from hitonami.train.checkpoints import load_checkpoint, load_weights
from hitonami.train.export import export_run
from hitonami.train.label import LabelPlan, label
from hitonami.train.loop import run_training
from hitonami.train.recipe import Recipe
from hitonami.train.run import RUN_FILE, open_run

FailEach = Callable[..., int]
Tree = Callable[[Path], dict[str, bytes]]


@contextmanager
def feed_here(batches: Batches, start: Place, workers: int) -> Iterator[Iterator[tuple[Batch, Place]]]:
    """The same stream without processes, which write nothing and take seconds to start."""
    yield batches.stream(start)


@pytest.mark.parametrize("validated", [pytest.param(True, marks=pytest.mark.slow), False])
def test_training_ends_with_the_same_model(
    games: Path, tiny: Callable[..., Recipe], fail_each: FailEach, monkeypatch: pytest.MonkeyPatch, *, validated: bool
) -> None:
    recipe = tiny(
        save_every=1, log_every=1, network={"expert": False},
        training={"steps": 2, "batch_size": 4}, validation={"every": 1, "positions": 4 if validated else 0},
    )  # fmt: skip
    monkeypatch.setattr("hitonami.train.loop.Feed", feed_here)
    for module in ("run", "export"):
        monkeypatch.setattr(f"hitonami.train.{module}.read_commit", lambda: "")  # half of the time

    def work(folder: Path) -> None:
        out = folder / "run"
        resume = (out / RUN_FILE).exists()
        run = open_run(recipe, {"GAMES": games}, out, resume=resume)
        if not run.model.exists():
            run_training(run, resume=resume)
            export_run(run)

    def check(folder: Path) -> None:
        for path in (folder / "run").glob("*.pt"):
            (load_checkpoint if path.name == "last.pt" else load_weights)(path)

    def seen(folder: Path) -> tuple[Any, ...]:
        out = folder / "run"
        last = load_checkpoint(out / "last.pt")
        with (out / "log.csv").open(newline="", encoding="utf-8") as file:
            rows = [row | {"positions_per_second": ""} for row in csv.DictReader(file)]
        weights = [
            {name: each.tolist() for name, each in held.items()} for held in (last.model, load_weights(out / "best.pt"))
        ]
        model = {path.name: path.read_bytes() for path in (out / "model").iterdir()}
        return rows, weights, last.step, model, sorted(path.name for path in out.iterdir())

    assert fail_each(work, work, seen, check) > 40


def test_labels_end_as_the_same_bytes(
    write_games: Callable[..., Path], fail_each: FailEach, tree: Tree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labelling, "BLOCK_POSITIONS", 4)
    pool = open_pool([str(write_games("chess", 6, most=6))], "chess")

    def work(folder: Path) -> None:
        out = folder / "labels"
        plan = LabelPlan(mind_spec("uniform"), Picking("chess", positions=8), out)
        label(plan, pool, resume=(out / "unfinished" / "about.json").exists())

    assert fail_each(work, work, tree) > 20


def test_a_checkpoint_that_finds_no_room_names_its_file(tmp_path: Path) -> None:
    """What torch makes of it says nothing of the disk."""
    from hitonami.train.checkpoints import save_weights

    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no device that is always full")
    with pytest.raises(OSError, match="No space left on device"):
        save_weights({"x": torch.zeros(1 << 20)}, full)
