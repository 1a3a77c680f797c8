"""Training from labels: the expert head learns them, the run remembers them, the card names who judged."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from hitonami.dataset.picking import Picking, open_pool
from hitonami.errors import BadInput
from hitonami.minds.neural import Neural
from hitonami.models.store import load_model
from hitonami.specs import mind_spec
from hitonami.train.export import export_run
from hitonami.train.label import LabelPlan, label
from hitonami.train.loop import run_training
from hitonami.train.recipe import Recipe
from hitonami.train.run import Run

NETWORK = Neural.EXAMPLES[0]["model"]


@pytest.fixture(scope="module")
def labelled(games: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("labels") / "network"
    plan = LabelPlan(mind_spec({"kind": "neural", "model": NETWORK}), Picking("chess", per_game=3), out)
    label(plan, open_pool([str(games)], "chess"))
    return out


def test_the_expert_head_learns_the_labels(make_run: Callable[..., Run], labelled: Path) -> None:
    labels = [{"folder": str(labelled), "draw": "only"}]
    run = make_run(labels=labels, loss={"expert": 1.0, "hard": 0.0, "wdl": 0.0}, training={"steps": 40, "rate": 0.01})
    assert run_training(run) == "finished"
    with run.log.open(newline="", encoding="utf-8") as file:
        losses = [float(row["expert"]) for row in csv.DictReader(file)]
    assert losses[-1] < losses[0]
    assert str(labelled) in json.loads((run.out / "run.json").read_text(encoding="utf-8"))["data"]
    told = [source.what for source in load_model(export_run(run)).card.provenance]
    assert any(what.startswith("labels: network, by network ") for what in told)


def test_labels_of_the_human_head_are_its_teacher(make_run: Callable[..., Run], labelled: Path) -> None:
    run = make_run(labels=[{"folder": str(labelled), "head": "human"}], loss={"soft": 1.0}, training={"steps": 2})
    run_training(run)
    with run.log.open(newline="", encoding="utf-8") as file:
        assert float(next(csv.DictReader(file))["soft"]) > 0


def test_a_run_does_not_go_on_with_other_labels(make_run: Callable[..., Run], labelled: Path) -> None:
    make_run("one", labels=[{"folder": str(labelled)}])
    with pytest.raises(BadInput, match="labels"):
        make_run("one", labels=[{"folder": str(labelled), "temperature": 0.5}])


def test_a_recipe_without_labels_reads_as_before_there_were_any(tiny: Callable[..., Recipe]) -> None:
    assert "labels" not in tiny().as_dict()


def test_labels_that_no_head_can_learn_are_refused(tiny: Callable[..., Recipe], make_run: Callable[..., Run]) -> None:
    with pytest.raises(ValidationError, match=r"network\.expert = true"):
        tiny(labels=[{"folder": "x"}], network={"expert": False})
    with pytest.raises(ValidationError, match="both teachers and labels for the human head"):
        tiny(labels=[{"folder": "x", "head": "human"}], teachers=[{"models": ["y"]}])
    with pytest.raises(BadInput, match="no labels in"):
        make_run("none", labels=[{"folder": "/nowhere"}])
