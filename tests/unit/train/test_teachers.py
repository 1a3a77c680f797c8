"""Teachers: their own opinions over the legal moves, drawn by rating, the same after a resumption."""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
import torch
from pydantic import ValidationError

from hitonami.dataset.batches import Batch, Batches, BatchPlan
from hitonami.errors import BadSpec
from hitonami.models.store import load_model
from hitonami.train.checkpoints import load_checkpoint
from hitonami.train.export import export_run
from hitonami.train.loop import run_training
from hitonami.train.recipe import Recipe, TeacherSpec
from hitonami.train.run import Run, open_run
from hitonami.train.teachers import Teachers


@pytest.fixture
def batch(games: Path) -> Batch:
    plan = BatchPlan("lc0-rated", (("pools", ("lichess", "fide")),), 128, 8, 40)
    return next(iter(Batches([games], plan)))


@pytest.fixture
def models(make_run: Callable[..., Run]) -> list[Path]:
    """Two trained models that disagree."""
    found = []
    for seed in (1, 2):
        run = make_run(f"teacher-{seed}", seed=seed, training={"steps": 2, "rate": 0.1, "warm_up": 0})
        run_training(run)
        found.append(export_run(run))
    return found


def opinions(spec: dict[str, Any], recipe: Recipe, batch: Batch, seed: int = 0) -> np.ndarray[Any, Any]:
    taught = dict(batch)
    Teachers(TeacherSpec(**spec), recipe.network, {}, 1).teach(taught, np.random.default_rng(seed))
    return taught["teacher"]


def test_each_position_hears_a_teacher_of_its_level(
    models: list[Path], tiny: Callable[..., Recipe], batch: Batch
) -> None:
    low, high = (opinions({"models": [str(path)]}, tiny(), batch) for path in models)
    assert np.allclose(low.sum(1), 1, atol=1e-5)
    assert not low[batch["legal"] < 0].any()
    assert np.abs(low - high).max() > 1e-3
    both = {"models": [str(path) for path in models], "ratings": [1000, 2000], "width": 1.0, "offsets": {"fide": 500}}
    mixed = opinions(both, tiny(), batch)
    levels = batch["rating"] + np.where(batch["pool"] == 2, 500, 0)
    for row in np.flatnonzero(np.abs(levels - 1500) > 20):
        wanted = low if levels[row] < 1500 else high
        assert np.allclose(mixed[row], wanted[row], atol=1e-6), levels[row]


def test_without_a_rating_every_teacher_has_the_same_chance(
    models: list[Path], tiny: Callable[..., Recipe], batch: Batch
) -> None:
    unrated = {**batch, "rating": np.full(len(batch["target"]), np.nan, dtype=np.float32)}
    low, high = (opinions({"models": [str(path)]}, tiny(), unrated) for path in models)
    both = {"models": [str(path) for path in models], "ratings": [1000, 2000]}
    mixed = opinions(both, tiny(), unrated)
    share = np.mean([np.allclose(mixed[row], low[row], atol=1e-6) for row in range(len(low))])
    assert 0.35 < share < 0.65
    assert np.array_equal(mixed, opinions(both, tiny(), unrated))
    assert not np.array_equal(mixed, opinions(both, tiny(), unrated, seed=1))
    assert high.shape == low.shape


def test_a_taught_run_resumes_to_the_bit_and_names_its_teachers(
    models: list[Path], games: Path, tiny: Callable[..., Recipe], tmp_path: Path
) -> None:
    teachers = [
        {"models": ["$ONE", "$TWO"], "ratings": [1000, 2000]},
        {"models": ["$ONE"], "head": "expert"},
    ]
    recipe = tiny(teachers=teachers, loss={"hard": 0.2, "soft": 0.8, "expert": 0.5}, training={"steps": 6})
    roots = {"GAMES": games, "ONE": models[0], "TWO": models[1]}
    whole, broken = (open_run(recipe, roots, tmp_path / name, resume=False) for name in ("whole", "broken"))
    run_training(whole)
    stop = Event()
    run_training(broken, stop=stop, report=lambda news: stop.set() if news.step == 2 else None)
    run_training(broken, resume=True)
    one, other = (load_checkpoint(run.out / "last.pt").model for run in (whole, broken))
    assert all(torch.equal(one[name], other[name]) for name in one)
    header, *rows = (whole.log).read_text(encoding="utf-8").splitlines()
    for name in ("soft", "expert"):
        assert all(row.split(",")[header.split(",").index(name)] for row in rows)
    card = load_model(export_run(whole)).card
    assert [source.what for source in card.provenance] == ["games: $GAMES", *["teacher: tiny"] * 2]  # each once


def test_a_soft_loss_brings_the_network_to_its_teacher(
    models: list[Path], games: Path, tiny: Callable[..., Recipe], tmp_path: Path
) -> None:
    recipe = tiny(
        teachers=[{"models": ["$ONE"]}], loss={"hard": 0.0, "soft": 1.0, "wdl": 0.0}, log_every=10,
        training={"steps": 40, "rate": 0.02}, validation={"positions": 0},
    )  # fmt: skip
    run = open_run(recipe, {"GAMES": games, "ONE": models[0]}, tmp_path / "pupil", resume=False)
    run_training(run)
    header, *rows = run.log.read_text(encoding="utf-8").splitlines()
    soft = [float(row.split(",")[header.split(",").index("soft")]) for row in rows]
    assert soft[-1] < soft[0] - 0.05


def test_teachers_that_cannot_teach_are_refused(models: list[Path], tiny: Callable[..., Recipe]) -> None:
    cases: list[tuple[dict[str, Any], dict[str, Any], str]] = [
        ({}, {"encoder": {"name": "compact-chess", "fields": {"pools": ["lichess", "fide"]}}}, "encoder lc0-rated"),
        ({}, {"encoder": {"name": "lc0-rated", "fields": {"pools": ["lichess"]}}}, "other pools"),
        ({"head": "expert"}, {"expert": False}, "expert = true"),
    ]
    for fields, network, message in cases:
        spec = TeacherSpec(**{"models": [str(models[0])], **fields})
        with pytest.raises(BadSpec, match=message):
            Teachers(spec, tiny(network=network).network, {}, 1)
    with pytest.raises(ValidationError, match="as many ratings"):
        TeacherSpec(models=("a", "b"))
    with pytest.raises(ValidationError, match="must rise"):
        TeacherSpec(models=("a", "b"), ratings=(2, 1))


def test_lc0_files_teach_our_own_networks(
    tiny: Callable[..., Recipe], batch: Batch, request: pytest.FixtureRequest
) -> None:
    sample = Path(request.config.rootpath) / "src/hitonami/minds/_sample_network.pb.gz"
    taught = opinions({"models": [str(sample)]}, tiny(), batch)
    assert np.allclose(taught.sum(1), 1, atol=1e-5)
