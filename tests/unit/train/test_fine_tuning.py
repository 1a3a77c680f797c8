"""Fine-tuning to one person: what is taught is learned, the base stays as it was, a vector begins at a prototype."""

from collections.abc import Callable
from itertools import islice

import numpy as np
import pytest
import torch
from torch import Tensor

from hitonami.core import Setup, open_game
from hitonami.dataset.batches import encode_samples
from hitonami.dataset.samples import Sample, samples_at
from hitonami.models.encoders.lc0 import Lc0
from hitonami.models.net import Net
from hitonami.models.spec import NetSpec
from hitonami.records import Record
from hitonami.train.fine_tuning import (
    Stage,
    ToldHead,
    Tuning,
    VectorTuning,
    fine_tune,
    fit_vector,
    learn_directions,
    log_probs,
    look,
    prototypes,
)

Likes = Callable[[np.ndarray], int]
FAST = Tuning(rate=0.05, batch_size=16)


def first(legal: np.ndarray) -> int:
    return int(legal[0])


def last(legal: np.ndarray) -> int:
    return int(legal[-1])


def positions(likes: Likes, count: int = 48, seed: int = 0) -> dict[str, Tensor]:
    """Positions of random games in which somebody always plays the move that they like."""
    found: list[Sample] = []
    rng = np.random.default_rng(seed)
    while len(found) < count:
        position = open_game("chess").start(Setup())
        moves: list[int] = []
        while len(moves) < 24 and len(position.legal):
            moves.append(likes(position.legal) if len(moves) % 2 == 0 else int(rng.choice(position.legal)))
            position = position.play(moves[-1])
        found += islice(samples_at(Record("chess", Setup(), tuple(moves)), list(range(0, 24, 2))), count - len(found))
    held = encode_samples(Lc0(), found)
    return {name: torch.from_numpy(held[name]) for name in ("planes", "legal", "target")}


@pytest.fixture
def base() -> Net:
    torch.manual_seed(0)
    shape = {"encoder": {"name": "lc0"}, "policy": "lc0", "channels": 8, "blocks": 1, "squeeze": 2}
    return Net(NetSpec(**shape, policy_channels=8, value_channels=2, value_hidden=4)).eval()  # type: ignore[arg-type]


def nats(net: Net, batch: dict[str, Tensor], shift: Tensor | None = None) -> float:
    played = (batch["legal"] == batch["target"][:, None]).int().argmax(1)
    return float(-log_probs(net, batch, shift).gather(1, played[:, None]).mean())


def test_the_last_stage_is_what_is_learned_and_the_base_stays(base: Net) -> None:
    own, other, unseen = positions(first), positions(last, seed=1), positions(first, seed=2)
    before = {name: values.clone() for name, values in base.state_dict().items()}
    found = fine_tune(base, [Stage(other, 2), Stage(own, 10)], FAST)
    assert nats(found, unseen) < nats(base, unseen) - 0.2
    wrong = fine_tune(base, [Stage(own, 2), Stage(other, 10)], FAST)
    assert nats(found, unseen) < nats(wrong, unseen) - 0.2
    assert all(torch.equal(before[name], values) for name, values in base.state_dict().items())


def test_the_shift_of_nobody_is_the_network_itself(base: Net) -> None:
    batch = positions(first)
    whole = (
        base(batch)["human"].gather(1, batch["legal"].long().clamp(min=0)).masked_fill(batch["legal"] < 0, -torch.inf)
    )
    assert torch.allclose(log_probs(base, batch, torch.zeros(8), size=7), whole.log_softmax(1), atol=1e-5)


def test_a_new_player_begins_at_the_nearest_prototype_and_goes_on(base: Net) -> None:
    taught = [positions(likes, seed=seed) for seed, likes in enumerate((first, last, first, last))]
    most = max(each["legal"].shape[1] for each in taught)
    legal = [torch.nn.functional.pad(each["legal"], (0, most - each["legal"].shape[1]), value=-1) for each in taught]
    batch = {name: torch.cat([each[name] for each in taught]) for name in ("planes", "target")} | {
        "legal": torch.cat(legal)
    }
    player = torch.arange(4).repeat_interleave(48)
    told = learn_directions(base, batch, player, 4, VectorTuning(epochs=20, pull=0.0))
    vectors = told.players.detach()
    assert torch.cdist(vectors[[0]], vectors[[2]]) < torch.cdist(vectors[[0]], vectors[[1]])
    starts = prototypes(told, 2)
    assert starts.shape == (3, 4)
    new, unseen = positions(last, count=12, seed=7), positions(last, seed=8)
    still = fit_vector(base, told, new, starts, VectorTuning(epochs=0))
    worth = [told.nats(look(base, new), new, start.expand(12, -1)).mean().item() for start in starts]
    assert torch.equal(still, starts[int(np.argmin(worth))])
    fitted = fit_vector(base, told, new, starts, VectorTuning())
    assert nats(base, unseen, told.directions.detach() @ fitted) < nats(base, unseen) - 0.05


def test_prototypes_are_centres_of_groups(base: Net) -> None:
    told = ToldHead(base, 6, 2)
    with torch.no_grad():
        told.players.copy_(torch.tensor([[0.0, 0], [0, 2], [9, 9], [9, 11], [-9, 0], [-9, 0]]))
    found = {tuple(each) for each in prototypes(told, 3).tolist()}
    assert found == {(0.0, 1.0), (9.0, 10.0), (-9.0, 0.0), (0.0, 0.0)}
