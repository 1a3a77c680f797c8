"""Start from weights that exist: Lc0 and Maia networks into our trunks, or an earlier network of ours.

K networks into K groups are copied number for number: with one trunk's share at 1 the outputs are that network's.
What a file does not have (conditioning, an expert head, a shared result head) keeps its fresh start.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hitonami.errors import BadModel, BadSpec
from hitonami.models.card import Source
from hitonami.models.graft import Graft, read_graph
from hitonami.models.importers._lc0_proto import Conv as Lc0Conv
from hitonami.models.importers._lc0_proto import Dense, Lc0Network, read_network
from hitonami.models.importers.lc0 import unpack
from hitonami.models.net import Block, Net
from hitonami.models.spec import GraftSpec
from hitonami.models.store import load_model


def start_from_files(net: Net, paths: Sequence[Path]) -> None:
    """Fill the trunks from network files, one each, in their order. Raises BadModel that names the file."""
    fill_trunks(net, [_read(path)[0] for path in paths])


def graft_onto(spec: GraftSpec, paths: Sequence[Path]) -> Graft:
    """The network of a graft, on the model in the only file. Raises BadSpec or BadModel."""
    if len(paths) != 1:
        raise BadSpec(f"a graft grows onto one network: warm_start has {len(paths)} files")
    return Graft(spec, read_graph(load_model(paths[0]).onnx))


def describe_files(paths: Sequence[Path]) -> list[Source]:
    """What a network started from, for its card."""
    sources = []
    for path in paths:
        card = load_model(path).card
        digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else card.model_sha256
        sources.append(Source(what=f"weights to start from: {path.name}", sha256=digest, licence=card.licence))
    return sources


def _read(path: Path) -> tuple[Lc0Network, str]:
    try:
        packed = path.read_bytes()
        return read_network(unpack(packed)), hashlib.sha256(packed).hexdigest()
    except OSError as wrong:
        raise BadModel(f"{path}: {wrong.strerror}") from None
    except BadModel as wrong:
        raise BadModel(f"{path}: {wrong}") from None


def fill_trunks(net: Net, networks: Sequence[Lc0Network]) -> None:
    """Copy K convolutional Lc0 networks into the K groups of a network. Raises BadModel where sizes differ."""
    spec = net.spec
    if len(networks) != spec.groups:
        raise BadModel(f"{spec.groups} trunks cannot start from {len(networks)} networks")
    if spec.policy != "lc0" or net.shape.planes != networks[0].entry.weights.shape[1]:
        raise BadModel('Lc0 networks need the policy "lc0" and an encoder with Lc0\'s planes: lc0 or lc0-rated')
    if spec.norm != "none":
        raise BadModel('Lc0 networks come with their normalisation folded in: set norm = "none"')
    moves = [_policy(each) for each in networks]
    with torch.no_grad():
        _put(net.trunk.entry.conv, [each.entry for each in networks], "entry")
        for at, block in enumerate(net.trunk.blocks):
            assert isinstance(block, Block)
            _fill_block(block, networks, at)
        if any(len(each.blocks) != spec.blocks for each in networks):
            raise BadModel(f"the network has {spec.blocks} blocks, the file {len(networks[0].blocks)}")
        _put(net.human.raise_.conv, [each.policy_conv for each in networks], "policy")
        _put(net.human.moves, moves, "moves")
        if not spec.shared_value:
            _fill_value(net, networks)


def _fill_block(block: Block, networks: Sequence[Lc0Network], at: int) -> None:
    given = [each.blocks[at] for each in networks if at < len(each.blocks)]
    if len(given) != len(networks):
        raise BadModel(f"there is no block {at} in a network to start from")
    _put(block.first.conv, [each.first for each in given], f"block {at} first")
    _put(block.second.conv, [each.second for each in given], f"block {at} second")
    squeezes = [each.squeeze for each in given if each.squeeze is not None]
    excites = [each.excite for each in given if each.excite is not None]
    if len(squeezes) != len(given) or len(excites) != len(given):
        raise BadModel("a network to start from has no squeeze-excite")
    _put(block.squeeze, [_as_conv(each) for each in squeezes], f"block {at} squeeze")
    width = len(excites[0].biases) // 2
    _put(block.scale, [_as_conv(each, slice(0, width)) for each in excites], f"block {at} scale")
    _put(block.shift, [_as_conv(each, slice(width, None)) for each in excites], f"block {at} shift")


def _fill_value(net: Net, networks: Sequence[Lc0Network]) -> None:
    if not all(each.has_wdl for each in networks):
        raise BadModel("a network to start from cannot tell draws apart: set shared_value = true to learn results anew")
    _put(net.value.raise_.conv, [each.value_conv for each in networks], "value")
    _put(net.value.hidden, [_as_conv(each.value_hidden) for each in networks], "hidden value")
    _put(net.value.result, [_as_conv(each.value) for each in networks], "result")


def _policy(network: Lc0Network) -> Lc0Conv:
    """The 80 planes of moves. Older networks leave out the last seven, which no move of the head uses."""
    if isinstance(network.policy, Dense):
        raise BadModel("a network to start from has a fully connected policy head; only convolutional ones fit")
    missing = 80 - len(network.policy.biases)
    weights = np.pad(network.policy.weights, ((0, missing), (0, 0), (0, 0), (0, 0)))
    return Lc0Conv(weights, np.pad(network.policy.biases, (0, missing)))


def _as_conv(dense: Dense, rows: slice = slice(None)) -> Lc0Conv:
    return Lc0Conv(dense.weights[rows, :, None, None], dense.biases[rows])


def _put(layer: nn.Conv2d, parts: Sequence[Lc0Conv], name: str) -> None:
    """Stack the trunks' weights in the output axis, as grouped convolutions have them."""
    assert layer.bias is not None
    _copy(layer.weight, np.concatenate([part.weights for part in parts]), name)
    _copy(layer.bias, np.concatenate([part.biases for part in parts]), name)


def _copy(target: Tensor, values: NDArray[np.float32], name: str) -> None:
    if target.shape != values.shape:
        raise BadModel(f"{name}: the network has {list(target.shape)}, what it should start from {list(values.shape)}")
    target.copy_(torch.from_numpy(values))
