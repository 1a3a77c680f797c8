"""Runs: repeatable, resumable to the bit, with frozen parts, rates by name, early stopping, and several processes."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
import torch

from hitonami.core import Setup
from hitonami.dataset.batches import Batches
from hitonami.errors import BadInput, BadModel, BadSpec, WorkFailed
from hitonami.models.net import Net
from hitonami.models.spec import NetSpec
from hitonami.train.checkpoints import load_checkpoint, load_weights
from hitonami.train.loop import News, build_net, build_optimizer, plan_batches, run_training, to_batch
from hitonami.train.losses import losses_of
from hitonami.train.recipe import Recipe
from hitonami.train.run import Run, open_run
from hitonami.train.schedules import rate_factor

MakeRun = Callable[..., Run]


def weights_of(run: Run) -> dict[str, torch.Tensor]:
    return load_checkpoint(run.out / "last.pt").model


def log_of(run: Run) -> list[dict[str, str]]:
    with run.log.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [{name: value for name, value in row.items() if name != "positions_per_second"} for row in rows]


def same(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[name], other[name]) for name in one)


def stop_at(step: int) -> tuple[Event, Callable[[News], None]]:
    """An event that is set when the run reports `step`; the run goes one step further before it looks."""
    stop = Event()
    return stop, lambda news: stop.set() if news.step == step else None


def test_a_run_is_a_function_of_its_recipe_and_resumes_to_the_bit(make_run: MakeRun) -> None:
    whole, broken = make_run("whole"), make_run("broken")
    assert run_training(whole) == "finished"
    stop, report = stop_at(4)
    assert run_training(broken, stop=stop, report=report) == "interrupted"
    assert load_checkpoint(broken.out / "last.pt").step == 5
    assert run_training(make_run("broken"), resume=True) == "finished"
    assert same(weights_of(whole), weights_of(broken))
    assert log_of(whole) == log_of(broken)
    assert [row["step"] for row in log_of(whole)] == ["2", "4", "5", "6", "8", "10"]
    assert [row["validation_n"] for row in log_of(whole)] == ["", "", "16", "", "", "16"]
    assert same(load_weights(whole.out / "best.pt"), load_weights(broken.out / "best.pt"))


def test_averaged_weights_are_what_is_judged_and_go_on_to_the_bit(make_run: MakeRun) -> None:
    averaged = {"average": 0.9}
    whole, broken = make_run("whole", training=averaged), make_run("broken", training=averaged)
    run_training(whole)
    stop, report = stop_at(6)
    assert run_training(broken, stop=stop, report=report) == "interrupted"
    run_training(make_run("broken", training=averaged), resume=True)
    held = load_checkpoint(whole.out / "last.pt")
    assert held.average is not None
    assert same(held.average, load_checkpoint(broken.out / "last.pt").average or {})
    assert not same(held.average, held.model)
    plain = make_run("plain")
    run_training(plain)
    assert same(held.model, weights_of(plain)), "the average follows the training and does not touch it"
    assert log_of(whole)[-1]["validation_cross_entropy"] != log_of(plain)[-1]["validation_cross_entropy"]
    assert not same(load_weights(whole.out / "best.pt"), load_weights(plain.out / "best.pt"))


def test_products_in_16_bits_go_on_to_the_bit_and_are_judged_in_32(make_run: MakeRun) -> None:
    half = {"precision": "bf16"}
    whole, broken, plain = make_run("whole", training=half), make_run("broken", training=half), make_run("plain")
    run_training(whole)
    stop, report = stop_at(4)
    assert run_training(broken, stop=stop, report=report) == "interrupted"
    run_training(make_run("broken", training=half), resume=True)
    assert same(weights_of(whole), weights_of(broken))
    run_training(plain)
    assert all(each.dtype == torch.float32 for each in weights_of(whole).values())
    assert not same(weights_of(whole), weights_of(plain))
    losses = [[float(row["loss"]) for row in log_of(run)] for run in (whole, plain)]
    assert losses[0] == pytest.approx(losses[1], rel=0.02), "the same steps but for rounding"


def test_another_seed_is_another_run(make_run: MakeRun) -> None:
    one, other = make_run("one", training={"steps": 2}), make_run("other", seed=4, training={"steps": 2})
    assert not same(build_net(one).state_dict(), build_net(other).state_dict())


def test_lines_after_the_checkpoint_are_dropped_and_a_cut_one_is_no_harm(make_run: MakeRun) -> None:
    run = make_run()
    stop, report = stop_at(3)
    run_training(run, stop=stop, report=report)
    with run.log.open("a", encoding="utf-8") as file:
        file.write("6,96,0.1,9,9,,,,,,,,,\n8,1")
    run_training(make_run(), resume=True)
    assert [row["step"] for row in log_of(run)] == ["2", "4", "5", "6", "8", "10"]
    assert all(row["loss"] != "9" for row in log_of(run))


def test_training_learns(make_run: MakeRun) -> None:
    """Random players on a fixed set: the loss can only fall by memorising, which forty steps are enough to begin."""
    run = make_run(training={"steps": 40, "rate": 0.01}, data={"games_per_group": 40}, log_every=10)
    run_training(run)
    losses = [float(row["loss"]) for row in log_of(run) if not int(row["step"]) % 10]
    assert losses[-1] < losses[0] - 0.05


def test_frozen_parts_stay_and_rates_go_by_name(make_run: MakeRun) -> None:
    changes = {"frozen": ["trunk.*"], "rates": {"condition.*": 0.01}, "steps": 3}
    run = make_run(training=changes, validation={"positions": 0}, network={"expert": False})
    before = build_net(run).state_dict()
    run_training(run)
    after = weights_of(run)
    for name in before:
        moved = not torch.equal(before[name], after[name])
        assert moved != name.startswith("trunk."), name
    assert same(load_weights(run.out / "best.pt"), after), "without validation the last weights are the best"


def test_parameters_are_grouped(tiny: Callable[..., Recipe]) -> None:
    recipe = tiny(training={"rates": {"condition.film.*": 0.5, "condition.*": 0.25}, "weight_decay": 0.1})
    net = Net(cast("NetSpec", recipe.network))
    rates = {}
    for group in build_optimizer(net, recipe.training).param_groups:
        for parameter in group["params"]:
            rates[parameter] = (group["lr"], group["weight_decay"])
    assert rates[net.condition.film.weight] == (0.5, 0.1)  # type: ignore[union-attr]
    assert rates[net.condition.film.bias] == (0.5, 0.0)  # type: ignore[union-attr]
    assert rates[net.condition.first.weight] == (0.25, 0.1)  # type: ignore[union-attr]
    assert rates[net.trunk.entry.conv.weight] == (0.003, 0.1)
    sgd = build_optimizer(net, tiny(training={"optimizer": "sgd", "momentum": 0.8}).training)
    assert isinstance(sgd, torch.optim.SGD)
    assert sgd.param_groups[0]["momentum"] == 0.8


@pytest.mark.parametrize(
    ("training", "message"),
    [
        ({"frozen": ["trnk.*"]}, "trnk.*names begin with: condition, expert, human, trunk, value"),
        ({"frozen": ["*"]}, "nothing"),
    ],
)
def test_patterns_that_cannot_be_meant_are_refused(
    training: dict[str, Any], message: str, tiny: Callable[..., Recipe]
) -> None:
    recipe = tiny(training=training)
    with pytest.raises(BadSpec, match=message):
        build_optimizer(Net(cast("NetSpec", recipe.network)), recipe.training)


@pytest.mark.timeout(60)
def test_a_validation_split_smaller_than_a_batch_is_refused_before_the_first_step(make_run: MakeRun) -> None:
    run = make_run(training={"batch_size": 512}, validation={"positions": 512})
    with pytest.raises(BadInput, match=r"the validation split .* games, 4 positions .* less than one batch of 512"):
        run_training(run)
    assert not run.log.exists()


def test_validation_ends_a_run_that_gets_no_better(make_run: MakeRun) -> None:
    """At such a rate the network gets worse from one validation to the next."""
    changes = {"steps": 60, "rate": 1.0, "warm_up": 0, "schedule": "constant", "clip": 0}
    run = make_run(training=changes, validation={"every": 2, "patience": 2})
    assert run_training(run) == "stopped early"
    rows = [row for row in log_of(run) if row["validation_n"]]
    values = [float(row["validation_cross_entropy"]) for row in rows]
    assert min(values) == values[-3]
    assert int(rows[-1]["step"]) < 60
    assert (
        run_training(make_run(training=changes, validation={"every": 2, "patience": 2}), resume=True) == "stopped early"
    )


def test_a_loss_that_is_no_number_ends_the_run(make_run: MakeRun) -> None:
    run = make_run(training={"rate": 1e30, "clip": 0, "warm_up": 0}, validation={"positions": 0})
    with pytest.raises(WorkFailed, match="lower learning rate"):
        run_training(run)


def test_two_processes_train_as_one_would_on_both_batches(make_run: MakeRun) -> None:
    changes = {"training": {"devices": 2, "batch_size": 8, "steps": 3}, "validation": {"positions": 0}}
    run = make_run("two", **changes)
    assert run_training(run) == "finished"
    saved = load_checkpoint(run.out / "last.pt")
    assert [place[0] % 2 for place in saved.places] == [0, 1], "each draws its own groups"
    assert log_of(run)[-1]["positions"] == "48"
    for name, weight in train_plainly(run, processes=2).items():
        torch.testing.assert_close(saved.model[name], weight, rtol=1e-3, atol=1e-5, msg=name)
    with pytest.raises(BadInput, match="devices"):
        make_run("two", training={"devices": 1, "batch_size": 8, "steps": 3}, validation={"positions": 0})


def train_plainly(run: Run, processes: int) -> dict[str, torch.Tensor]:
    """The same steps without Fabric, feeds and checkpoints: the mean loss over the processes' batches."""
    recipe, training = run.recipe, run.recipe.training
    net = build_net(run)
    optimizer = build_optimizer(net, training)
    plan = plan_batches(recipe, run)
    streams = [iter(Batches(run.folders, plan, part=part, parts=processes)) for part in range(processes)]
    for step in range(training.steps):
        batches = [to_batch(next(stream), net.shape.names) for stream in streams]
        losses = [losses_of(net(batch), batch, recipe.loss)["loss"] for batch in batches]
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), training.clip)
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * rate_factor("cosine", step, training.steps, warm_up=2, floor=training.floor)
        optimizer.step()
    return net.state_dict()


def test_a_folder_belongs_to_one_recipe_and_its_data(
    games: Path, tiny: Callable[..., Recipe], tmp_path: Path, write_games: Callable[..., Path]
) -> None:
    roots, out = {"GAMES": games}, tmp_path / "out"
    with pytest.raises(BadInput, match="no run to go on with"):
        open_run(tiny(), roots, out, resume=True)
    open_run(tiny(), roots, out, resume=False)
    held = json.loads((out / "run.json").read_text())
    assert held["recipe"]["training"]["steps"] == 10
    assert (held["seed"], len(held["data"]["$GAMES"])) == (3, 64)
    with pytest.raises(BadInput, match="--resume"):
        open_run(tiny(), roots, out, resume=False)
    with pytest.raises(BadInput, match=r"recipe\.training\.rate"):
        open_run(tiny(training={"rate": 0.1}), roots, out, resume=True)
    with pytest.raises(BadInput, match=r"data\.\$GAMES"):
        open_run(tiny(), {"GAMES": write_games("chess", 12)}, out, resume=True)
    open_run(tiny(training={"workers": 2}, save_every=9), roots, out, resume=True)
    with pytest.raises(BadInput, match="no shards"):
        open_run(tiny(), {"GAMES": tmp_path}, tmp_path / "other", resume=False)


def test_a_damaged_checkpoint_is_named(make_run: MakeRun) -> None:
    run = make_run()
    (run.out / "last.pt").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(BadModel, match=r"last\.pt"):
        run_training(run, resume=True)


def test_go_on_mixed_boards_trains(
    write_games: Callable[..., Path], tiny: Callable[..., Recipe], tmp_path: Path
) -> None:
    folder = write_games("go", 100, Setup(size=5), Setup(size=7), most=20)
    network = {
        "encoder": {"name": "katago-rated", "fields": {"pools": ["lichess"]}},
        "policy": "points", "value": "pooled", "mask_plane": 0, "norm": "batch",
    }  # fmt: skip
    recipe = tiny(network=network, training={"steps": 4, "schedule": "steps"}, validation={"every": 4})
    run = open_run(recipe, {"GAMES": folder}, tmp_path / "go", resume=False)
    assert run_training(run) == "finished"
    assert float(log_of(run)[-1]["validation_cross_entropy"]) < 5
