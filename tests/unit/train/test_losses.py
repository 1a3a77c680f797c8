"""Losses against a plain loop; padding, illegal moves and unknown targets count for nothing."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hitonami.train.losses import legal_log_probs, losses_of, score_batch
from hitonami.train.recipe import LossSpec

HEAD = 12


def make_batch(seed: int, count: int = 5, most: int = 6) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
    rng = np.random.default_rng(seed)
    legal = np.full((count, most), -1, dtype=np.int32)
    teacher = np.zeros((count, most), dtype=np.float32)
    target = np.zeros(count, dtype=np.int64)
    for row in range(count):
        known = int(rng.integers(1, most + 1))
        legal[row, :known] = rng.choice(HEAD, known, replace=False)
        target[row] = rng.choice(legal[row, :known])
        if row % 2:
            teacher[row, :known] = rng.dirichlet(np.ones(known))
    wdl = np.eye(3, dtype=np.float32)[rng.integers(0, 3, count)]
    wdl[0] = 0
    arrays = {"legal": legal, "target": target, "teacher": teacher, "expert": teacher[:, :], "wdl": wdl}
    outputs = {
        name: torch.from_numpy(rng.normal(size=(count, size)).astype(np.float32) * 3).requires_grad_()
        for name, size in (("human", HEAD), ("expert", HEAD), ("wdl", 3))
    }
    return outputs, {name: torch.from_numpy(array) for name, array in arrays.items()}


def plain_loss(outputs: dict[str, torch.Tensor], batch: dict[str, torch.Tensor]) -> dict[str, float]:
    sums: dict[str, list[float]] = {"hard": [], "soft": [], "expert": [], "wdl": []}
    for row in range(len(batch["target"])):
        legal = [each for each in batch["legal"][row].tolist() if each >= 0]
        for head, name in (("human", "soft"), ("expert", "expert")):
            logits = outputs[head][row].detach().double().numpy()[legal]
            log_probs = logits - np.log(np.exp(logits).sum())
            if head == "human":
                sums["hard"].append(-log_probs[legal.index(int(batch["target"][row]))])
            if row % 2:
                sums[name].append(-float(batch["teacher"][row].numpy()[: len(legal)] @ log_probs))
        result = outputs["wdl"][row].detach().double().numpy()
        if batch["wdl"][row].any():
            sums["wdl"].append(np.log(np.exp(result).sum()) - result[int(batch["wdl"][row].argmax())])
    return {name: float(np.mean(values)) for name, values in sums.items()}


@given(st.integers(0, 2**32 - 1))
def test_every_part_is_the_mean_over_the_rows_that_know_it(seed: int) -> None:
    outputs, batch = make_batch(seed)
    found = losses_of(outputs, batch, LossSpec(hard=0.3, soft=0.7, expert=0.5, wdl=0.2))
    wanted = plain_loss(outputs, batch)
    for name, value in wanted.items():
        assert found[name].item() == pytest.approx(value, rel=1e-4), name
    total = 0.3 * wanted["hard"] + 0.7 * wanted["soft"] + 0.5 * wanted["expert"] + 0.2 * wanted["wdl"]
    assert found["loss"].item() == pytest.approx(total, rel=1e-4)


@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_padding_changes_nothing_and_illegal_moves_learn_nothing(seed: int, more: int) -> None:
    outputs, batch = make_batch(seed)
    loss = losses_of(outputs, batch, LossSpec(soft=1.0, expert=1.0))["loss"]
    loss.backward()  # type: ignore[no-untyped-call]
    wider = dict(batch)
    wider["legal"] = torch.nn.functional.pad(batch["legal"], (0, more), value=-1)
    for name in ("teacher", "expert"):
        wider[name] = torch.nn.functional.pad(batch[name], (0, more))
    assert losses_of(outputs, wider, LossSpec(soft=1.0, expert=1.0))["loss"].item() == pytest.approx(loss.item())
    gradient = outputs["human"].grad
    assert gradient is not None
    assert torch.isfinite(gradient).all()
    for row in range(len(batch["target"])):
        illegal = sorted(set(range(HEAD)) - set(batch["legal"][row].tolist()))
        assert not gradient[row, illegal].any()


def test_an_expert_head_without_labels_has_a_gradient_of_zero() -> None:
    outputs, batch = make_batch(1)
    losses = losses_of(outputs, {name: batch[name] for name in ("legal", "target", "wdl")}, LossSpec())
    losses["loss"].backward()  # type: ignore[no-untyped-call]
    gradient: Any = outputs["expert"].grad
    assert gradient is not None
    assert not gradient.any()
    assert set(losses) == {"loss", "hard", "wdl"}


def test_scores_are_sums_of_hits_and_log_losses() -> None:
    outputs, batch = make_batch(2, count=40)
    human = legal_log_probs(outputs["human"], batch["legal"])
    hits = sum(int(batch["legal"][row, int(human[row].argmax())] == batch["target"][row]) for row in range(40))
    found = score_batch(outputs, batch)
    assert found["accuracy"] == hits
    assert found["cross_entropy"] / 40 == pytest.approx(plain_loss(outputs, batch)["hard"], rel=1e-4)
    assert (found["n"], found["n_wdl"]) == (40, 39)
