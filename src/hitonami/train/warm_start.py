"""Start from weights that exist: Lc0 and Maia networks into our trunks, earlier runs of ours, or a graph to grow onto.

K networks into K groups are copied number for number: with one trunk's share at 1 the outputs are that network's.
What a file does not have (conditioning, an expert head, a shared result head) keeps its fresh start.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import nn

from hitonami.errors import BadModel, BadSpec
from hitonami.models.card import Source
from hitonami.models.graft import Graft, read_graph
from hitonami.models.importers.lc0 import unpack
from hitonami.models.layers import Block
from hitonami.models.lc0_proto import Conv as Lc0Conv
from hitonami.models.lc0_proto import Dense, Lc0Network, read_network
from hitonami.models.net import Net
from hitonami.models.spec import GraftSpec, NetSpec
from hitonami.models.store import CARD_FILE, load_model
from hitonami.train.checkpoints import BEST, load_weights
from hitonami.train.read_back import go_on_from_model, take_model
from hitonami.train.recipe import resolve
from hitonami.train.run import RUN_FILE


def start_from_files(net: Net, paths: Sequence[Path]) -> None:
    """Fill each trunk from its Lc0 file, or take the only place, the run or the model of the same network, whole.

    Raises BadModel that names the place.
    """
    if len(paths) == 1 and paths[0].is_dir():
        if (paths[0] / CARD_FILE).exists():
            take_model(net, load_model(paths[0]))
        else:
            _take_run(net, paths[0])
        return
    if len(paths) != net.spec.groups:
        raise BadModel(f"{net.spec.groups} trunks cannot start from {len(paths)} networks")
    for trunk, path in enumerate(paths):
        try:
            _Trunk(net, trunk).fill(read_network(unpack(path.read_bytes())))
        except OSError as wrong:
            raise BadModel(f"{path}: {wrong.strerror}") from None
        except BadModel as wrong:
            raise BadModel(f"{path}: {wrong}") from None


def _take_run(net: Net, folder: Path) -> None:
    try:
        about = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
        spec = NetSpec(**about["recipe"]["network"])
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise BadModel(f"{folder}: not the folder of a run to go on from: {wrong}") from None
    if spec != net.spec:
        raise BadModel(f"{folder}: a run of another network")
    try:
        net.load_state_dict(load_weights(folder / BEST))
    except RuntimeError:
        raise BadModel(f"{folder}: its weights are not those of its recipe") from None


def graft_onto(spec: GraftSpec, paths: Sequence[Path]) -> Graft:
    """The network of a graft, on the model in the first place; an earlier run of the same network may follow.

    So may the model that a run on the same base was exported to: it need not have learned as much of the base.
    Raises BadSpec or BadModel.
    """
    if not 1 <= len(paths) <= 2:
        raise BadSpec(
            f"a graft grows onto one network, and may go on from one run or model: warm_start has {len(paths)} places"
        )
    base = read_graph(load_model(paths[0]).onnx)
    net = Graft(spec, base)
    for folder in paths[1:]:
        if not (folder / RUN_FILE).exists():
            go_on_from_model(net, base, load_model(folder))
            continue
        try:
            net.load_state_dict(load_weights(folder / BEST))
        except RuntimeError:
            raise BadModel(f"{folder}: its weights are those of another network") from None
    return net


def describe_files(paths: Sequence[Path], roots: Mapping[str, Path]) -> list[Source]:
    """What a network started from, for its card; of an earlier run also what that one started and learned from."""
    sources = []
    for path in paths:
        if (path / RUN_FILE).exists():
            sources += _describe_run(path, roots)
            continue
        card = load_model(path).card
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else card.model_sha256
        sources.append(Source(what=f"weights to start from: {path.name}", sha256=digest, licence=card.licence))
        sources += card.provenance if card.recipe else ()  # of one that was trained here, what it learned from
    return list(dict.fromkeys(sources))


def _describe_run(folder: Path, roots: Mapping[str, Path]) -> list[Source]:
    about = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
    recipe = about["recipe"]
    digest = hashlib.sha256((folder / BEST).read_bytes()).hexdigest()
    sources = [Source(what=f"weights to start from: an earlier run of {recipe['name']}", sha256=digest)]
    sources += [Source(what=f"games: {Path(text).name}", sha256=told) for text, told in about["data"].items()]
    return sources + describe_files([resolve(text, roots) for text in recipe.get("warm_start", ())], roots)


class _Trunk:
    """One of a network's trunks with its heads: its share of each layer, as grouped convolutions have it."""

    def __init__(self, net: Net, at: int) -> None:
        self._net, self._at = net, at

    @torch.no_grad()
    def fill(self, given: Lc0Network) -> None:
        """Copy a convolutional Lc0 network. Raises BadModel where sizes differ."""
        net, spec, put = self._net, self._net.spec, self._put
        if spec.policy != "lc0" or net.trunk.entry.conv.in_channels != given.entry.weights.shape[1]:
            raise BadModel('Lc0 networks need the policy "lc0" and an encoder with Lc0\'s planes: lc0 or lc0-rated')
        if spec.norm != "none":
            raise BadModel('Lc0 networks come with their normalisation folded in: set norm = "none"')
        if len(given.blocks) != spec.blocks:
            raise BadModel(f"the network has {spec.blocks} blocks, the file {len(given.blocks)}")
        moves = _policy(given)
        put(net.trunk.entry.conv, given.entry, "entry")
        for at, (block, told) in enumerate(zip(net.trunk.blocks, given.blocks, strict=True)):
            assert isinstance(block, Block)
            put(block.first.conv, told.first, f"block {at} first")
            put(block.second.conv, told.second, f"block {at} second")
            if told.squeeze is None or told.excite is None:
                raise BadModel("a network to start from has no squeeze-excite")
            put(block.squeeze, _as_conv(told.squeeze), f"block {at} squeeze")
            width = len(told.excite.biases) // 2
            put(block.scale, _as_conv(told.excite, slice(0, width)), f"block {at} scale")
            put(block.shift, _as_conv(told.excite, slice(width, None)), f"block {at} shift")
        put(net.human.raise_.conv, given.policy_conv, "policy")
        put(net.human.moves, moves, "moves")
        if net.joint is None and not spec.shared_value and spec.value == "flat":
            self._fill_value(given)

    def _fill_value(self, given: Lc0Network) -> None:
        if not given.has_wdl:
            raise BadModel(
                "a network to start from cannot tell draws apart: set shared_value = true to learn results anew"
            )
        value = self._net.value
        self._put(value.raise_.conv, given.value_conv, "value")
        self._put(value.hidden, _as_conv(given.value_hidden), "hidden value")
        self._put(value.result, _as_conv(given.value), "result")

    def _put(self, layer: nn.Conv2d, given: Lc0Conv, name: str) -> None:
        assert layer.bias is not None
        for whole, values in ((layer.weight, given.weights), (layer.bias, given.biases)):
            share = whole.chunk(self._net.spec.groups)[self._at]
            if share.dim() > 1 and share.shape[1] == self._net.spec.groups * values.shape[1]:  # linked: it reads all
                share.zero_()
                share = share.chunk(self._net.spec.groups, dim=1)[self._at]
            if share.shape != values.shape:
                there = list(values.shape)
                raise BadModel(f"{name}: the network has {list(share.shape)}, what it should start from {there}")
            share.copy_(torch.from_numpy(values))


def _policy(network: Lc0Network) -> Lc0Conv:
    """The 80 planes of moves. Older networks leave out the last seven, which no move of the head uses."""
    if isinstance(network.policy, Dense):
        raise BadModel("a network to start from has a fully connected policy head; only convolutional ones fit")
    missing = 80 - len(network.policy.biases)
    weights = np.pad(network.policy.weights, ((0, missing), (0, 0), (0, 0), (0, 0)))
    return Lc0Conv(weights, np.pad(network.policy.biases, (0, missing)))


def _as_conv(dense: Dense, rows: slice = slice(None)) -> Lc0Conv:
    return Lc0Conv(dense.weights[rows, :, None, None], dense.biases[rows])
