"""Branches joined say, each with all the share, what they said alone; runs are found by their folders."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
import torch

from hitonami.errors import BadModel
from hitonami.models.net import Net, to_tensors
from hitonami.models.spec import GateSpec, NetSpec
from hitonami.train._join import join_trunks
from hitonami.train.checkpoints import BEST, save_weights
from hitonami.train.export import sample_queries
from hitonami.train.recipe import Recipe
from hitonami.train.run import Run
from hitonami.train.warm_start import start_from_files

Tiny = Callable[..., Recipe]


def shaken(spec: NetSpec, seed: int) -> Net:
    torch.manual_seed(seed)
    net = Net(spec)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return net.eval()


def joined_spec(spec: NetSpec, count: int) -> NetSpec:
    condition = spec.condition
    assert condition is not None
    wide = condition.model_copy(update={"hidden": count * condition.hidden, "pool_size": count * condition.pool_size})
    gate = GateSpec(ratings=tuple(1000.0 + 500 * at for at in range(count)))
    return spec.model_copy(update={"groups": count, "gate": gate, "condition": wide, "expert": False})


@pytest.mark.parametrize("norm", ["none", "batch"])
def test_with_all_the_share_a_branch_is_what_it_was(tiny: Tiny, norm: str) -> None:
    spec = cast("NetSpec", tiny(network={"norm": norm, "expert": False}).network)
    parts = [shaken(spec, seed) for seed in (1, 2)]
    net = Net(joined_spec(spec, 2))
    join_trunks(net, parts)
    net.eval()
    inputs = to_tensors(spec.open_encoder().encode(sample_queries(net, 16)), net.shape.names)
    assert net.condition is not None
    assert net.condition.gate is not None
    for at, part in enumerate(parts):
        torch.nn.init.zeros_(net.condition.gate.correction.weight)
        with torch.no_grad():
            net.condition.gate.correction.bias.copy_(torch.tensor([1e4, 0.0] if at == 0 else [0.0, 1e4]))
            wanted, made = part(inputs), net(inputs)
        for name in ("human", "wdl"):
            torch.testing.assert_close(made[name], wanted[name], rtol=1e-4, atol=1e-4)


def test_runs_are_places_to_start_from(tiny: Tiny, make_run: Callable[..., Run]) -> None:
    run = make_run("branch")
    part = shaken(cast("NetSpec", run.recipe.network), 5)
    save_weights(part.state_dict(), run.out / BEST)
    net = Net(cast("NetSpec", tiny().network))
    start_from_files(net, [run.out])
    torch.testing.assert_close(net.human.moves.weight, part.human.moves.weight)
    torch.testing.assert_close(net.trunk.state_dict(), part.trunk.state_dict())


def test_a_run_of_the_same_network_is_taken_whole(tiny: Tiny, make_run: Callable[..., Run]) -> None:
    run = make_run("whole")
    before = shaken(cast("NetSpec", run.recipe.network), 6)
    save_weights(before.state_dict(), run.out / BEST)
    net = Net(cast("NetSpec", tiny().network))
    start_from_files(net, [run.out])
    torch.testing.assert_close(net.state_dict(), before.state_dict())  # the expert head too


def test_what_does_not_fit_is_refused(tiny: Tiny, make_run: Callable[..., Run], tmp_path: Path) -> None:
    net = Net(cast("NetSpec", tiny().network))
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadModel, match="not the folder of a run"):
        start_from_files(net, [tmp_path / "empty"])
    with pytest.raises(BadModel, match="1 trunks cannot start from 2"):
        start_from_files(net, [tmp_path, tmp_path])
    run = make_run("wide", network={"channels": 12})
    save_weights(Net(cast("NetSpec", run.recipe.network)).state_dict(), run.out / BEST)
    with pytest.raises(BadModel, match="wide: the network has"):
        start_from_files(net, [run.out])
