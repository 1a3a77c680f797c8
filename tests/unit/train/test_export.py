"""Export: the ONNX file does what torch does, for every kind of network; the card says what it must."""

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
import torch

from hitonami.errors import WorkFailed
from hitonami.models.net import Net, to_tensors
from hitonami.models.runtime import Runtime
from hitonami.models.sessions import open_session
from hitonami.models.spec import NetSpec
from hitonami.models.store import load_model
from hitonami.train import export
from hitonami.train.export import export_net, export_run, flatten, sample_queries
from hitonami.train.loop import run_training
from hitonami.train.run import Run

SIZES = {"channels": 8, "blocks": 2, "squeeze": 2, "policy_channels": 8, "value_channels": 4, "value_hidden": 8}
POOLS = {"pools": ["a", "b"], "clock": True}
CONDITION = {"low": 800, "high": 2400, "hidden": 8}
GATE = {"ratings": [1000, 1500, 2200], "offsets": {"b": 200}}
KINDS: dict[str, dict[str, Any]] = {
    "lc0": {"encoder": {"name": "lc0"}, "policy": "lc0"},
    "lc0-groups": {
        "encoder": {"name": "lc0-rated", "fields": POOLS}, "policy": "lc0", "groups": 3, "gate": GATE,
        "condition": CONDITION, "expert": True,
    },
    "some-trunks": {
        "encoder": {"name": "compact-chess", "fields": POOLS}, "policy": "lc0", "groups": 3, "gate": GATE, "asked": 2,
        "condition": CONDITION, "value": "pooled",
    },
    "some-trunks-shogi": {
        "encoder": {"name": "miniosl-rated", "fields": POOLS}, "policy": "planes", "groups": 3, "gate": GATE,
        "condition": CONDITION, "asked": 1,
    },
    "shared-value": {
        "encoder": {"name": "lc0-rated", "fields": POOLS}, "policy": "lc0", "groups": 3, "gate": GATE,
        "condition": CONDITION, "value": "pooled", "shared_value": True,
    },
    "linked": {
        "encoder": {"name": "lc0-rated", "fields": POOLS}, "policy": "lc0", "groups": 3, "gate": GATE, "linked": True,
        "condition": CONDITION, "value": "pooled", "shared_value": True, "expert": True,
    },
    "joint": {
        "encoder": {"name": "lc0-rated", "fields": POOLS}, "policy": "lc0", "groups": 3, "gate": GATE,
        "condition": CONDITION, "value": "pooled", "expert": True, "joint": {"channels": 6, "blocks": 1},
    },
    "compact-chess": {"encoder": {"name": "compact-chess", "fields": POOLS}, "policy": "lc0", "condition": CONDITION},
    "shogi": {
        "encoder": {"name": "miniosl-rated", "fields": POOLS}, "policy": "planes", "norm": "batch", "expert": True,
        "condition": CONDITION,
    },
    "flat": {
        "encoder": {"name": "cells", "fields": {"game": "othello", "history": 2, **POOLS}}, "policy": "flat",
        "condition": CONDITION, "groups": 3, "gate": GATE,
    },
    "squares": {"encoder": {"name": "cells", "fields": {"game": "heian"}}, "policy": "squares", "norm": "batch"},
    "other-board": {"encoder": {"name": "cells", "fields": {"game": "heian", "variant": "9x8"}}, "policy": "squares"},
    "go": {
        "encoder": {"name": "katago-rated", "fields": POOLS}, "policy": "points", "value": "pooled", "norm": "batch",
        "mask_plane": 0, "condition": {"low": 0, "high": 38, "hidden": 8}, "expert": True,
    },
    "go-groups": {
        "encoder": {"name": "katago-rated", "fields": POOLS}, "policy": "points", "value": "pooled", "mask_plane": 0,
        "condition": {"low": 0, "high": 38, "hidden": 8}, "groups": 2, "gate": {"ratings": [10, 30], "width": 6},
    },
}  # fmt: skip


def random_net(kind: str) -> Net:
    """Random weights everywhere, and statistics that normalisation has seen."""
    torch.manual_seed(1)
    net = Net(NetSpec(**{**SIZES, **KINDS[kind]}))
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
        net.train()
        arrays = net.spec.open_encoder().encode(sample_queries(net, 60))
        net(to_tensors(arrays, net.shape.names))
    return net.eval()


@pytest.mark.parametrize(("bits", "off"), [(32, 1e-4), (16, 2e-2), (8, 0.3)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_file_does_what_torch_does(kind: str, bits: int, off: float) -> None:
    net = random_net(kind)
    onnx = export_net(net, bits=bits)
    queries = sample_queries(net, 40)[24:]
    arrays = net.spec.open_encoder().encode(queries)
    session = open_session(onnx, 1)
    with torch.no_grad():
        wanted = net(to_tensors(arrays, net.shape.names))
    wanted["wdl"] = torch.softmax(wanted["wdl"], 1)
    made = session.run(list(wanted), {name: arrays[name] for name in net.shape.names})
    for (name, tensor), array in zip(wanted.items(), made, strict=True):
        scale = max(1.0, float(tensor.abs().max()))
        assert np.abs(tensor.numpy() - array).max() <= off * scale, name
    for at in range(3):  # one position alone: of several trunks some have no row
        alone = session.run(list(wanted), {name: arrays[name][at : at + 1] for name in net.shape.names})
        for one, row in zip(alone, made, strict=True):
            np.testing.assert_allclose(one[0], row[at], atol=1e-3 * max(1.0, np.abs(row).max()))


def test_half_the_digits_are_half_the_bytes() -> None:
    net = random_net("lc0-groups")
    assert len(export_net(net, bits=16)) < 0.6 * len(export_net(net, bits=32))


def test_a_byte_a_weight_is_less_still() -> None:
    torch.manual_seed(1)
    net = Net(NetSpec(**{**SIZES, **KINDS["lc0"], "channels": 32}))
    assert len(export_net(net, bits=8)) < 0.75 * len(export_net(net, bits=16))


def test_folding_changes_nothing() -> None:
    net = random_net("go")
    inputs = to_tensors(net.spec.open_encoder().encode(sample_queries(net, 20)), net.shape.names)
    with torch.no_grad():
        before, after = net(inputs), flatten(net, bits=32)(inputs)
    for name, tensor in before.items():
        torch.testing.assert_close(after[name], tensor, rtol=1e-4, atol=1e-4)


def test_a_file_that_differs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    net = random_net("lc0")
    other = export_net(net, bits=32)
    torch.nn.init.normal_(net.human.moves.weight)
    monkeypatch.setattr(export, "to_onnx", lambda *_, **__: other)
    with pytest.raises(WorkFailed, match="output human differs"):
        export_net(net, bits=32)


def test_a_finished_run_becomes_a_model(make_run: Callable[..., Run]) -> None:
    run = make_run(training={"steps": 2}, validation={"every": 2})
    run_training(run)
    model = load_model(export_run(run))
    assert (model.card.name, model.card.game, model.card.rating_range) == ("tiny", "chess", (600.0, 2700.0))
    assert model.card.metrics["validation_accuracy"].n == 16
    assert [source.what for source in model.card.provenance] == ["games: $GAMES"]
    assert model.card.inputs == ("planes", "player", "pool")
    with Runtime(model.card, model.onnx) as runtime:
        outputs = runtime.evaluate(sample_queries(Net(cast("NetSpec", run.recipe.network)), 3))
    assert outputs["human"].shape == (3, 1858)
    assert model.card.heads.expert is None  # nothing taught it
    assert "expert" not in outputs
