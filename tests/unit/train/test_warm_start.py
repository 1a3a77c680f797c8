"""A run of the same network is a place to start from; other folders are refused."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
import torch

from hitonami.errors import BadModel
from hitonami.models.net import Net, to_tensors
from hitonami.models.spec import NetSpec
from hitonami.train.checkpoints import BEST, save_weights
from hitonami.train.export import export_run, sample_queries
from hitonami.train.recipe import Recipe
from hitonami.train.run import Log, Run
from hitonami.train.warm_start import start_from_files

Tiny = Callable[..., Recipe]


def shaken(spec: NetSpec, seed: int) -> Net:
    torch.manual_seed(seed)
    net = Net(spec)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return net.eval()


def test_a_run_of_the_same_network_is_taken_whole(tiny: Tiny, make_run: Callable[..., Run]) -> None:
    run = make_run("whole")
    before = shaken(cast("NetSpec", run.recipe.network), 6)
    save_weights(before.state_dict(), run.out / BEST)
    net = Net(cast("NetSpec", tiny().network))
    start_from_files(net, [run.out])
    torch.testing.assert_close(net.state_dict(), before.state_dict())  # the expert head too


def test_a_model_of_the_same_network_is_gone_on_from(tiny: Tiny, make_run: Callable[..., Run]) -> None:
    """Normalisation is folded into its file, so what goes on has none; an expert head may be left behind."""
    gate, joint = {"ratings": [1100, 1900]}, {"channels": 8, "blocks": 1}
    normed = {"groups": 2, "gate": gate, "joint": joint, "shared_value": True, "expert": False}
    run = make_run("normed", network=normed, export={"bits": 32})
    before = shaken(cast("NetSpec", run.recipe.network), 7)
    save_weights(before.state_dict(), run.out / BEST)
    with Log(run.log, 0):
        model = export_run(run)
    bare = normed | {"joint": joint | {"norm": "none"}}
    net = Net(cast("NetSpec", tiny(network=bare).network)).eval()
    start_from_files(net, [model])
    arrays = to_tensors(net.spec.open_encoder().encode(sample_queries(net)), net.shape.names)
    with torch.no_grad():
        torch.testing.assert_close(net(arrays), before(arrays), atol=1e-4, rtol=1e-4)
    with pytest.raises(BadModel, match="another network, or one with normalisation"):
        start_from_files(Net(cast("NetSpec", run.recipe.network)), [model])
    with pytest.raises(BadModel, match="no expert head"):
        start_from_files(Net(cast("NetSpec", tiny(network=bare | {"expert": True}).network)), [model])


def test_what_does_not_fit_is_refused(tiny: Tiny, make_run: Callable[..., Run], tmp_path: Path) -> None:
    net = Net(cast("NetSpec", tiny().network))
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadModel, match="not the folder of a run"):
        start_from_files(net, [tmp_path / "empty"])
    with pytest.raises(BadModel, match="1 trunks cannot start from 2"):
        start_from_files(net, [tmp_path, tmp_path])
    run = make_run("wide", network={"channels": 12})
    save_weights(Net(cast("NetSpec", run.recipe.network)).state_dict(), run.out / BEST)
    with pytest.raises(BadModel, match="wide: a run of another network"):
        start_from_files(net, [run.out])
