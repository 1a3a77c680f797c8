"""Lc0 and Maia networks (`.pb.gz`) as models of ours: their weights become an ONNX graph, unchanged.

The graph takes the `lc0` encoder's planes and gives the 1858 move logits and the chances of win, draw and loss. A
network with a scalar value has no opinion on draws: its chances then have no draw, and the expected score is right.
"""

import hashlib
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadModel
from hitonami.models.card import Card, EncoderRef, Heads, Source, name_from
from hitonami.models.lc0_proto import Conv, Dense, Lc0Network, read_network
from hitonami.models.onnx_graph import Graph

HEAD_SIZE: Final = 1858
_LARGEST_BYTES: Final = 1 << 30
_COMPASS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""(file, rank) of a step north, north-east … north-west: seven planes each, one a distance."""
_JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_KNIGHT_PLANES: Final = 56
_PROMOTION_PLANES: Final = 64
_QUEEN_ROOK_BISHOP: Final = (2, 0, 1)
"""Their places among the three planes of each direction; the head lists them in this order."""


def import_lc0(path: Path) -> tuple[Card, bytes]:
    """The card and the ONNX file of an Lc0 network. Raises BadModel with the reason."""
    packed = path.read_bytes()
    network = read_network(unpack(packed))
    onnx = to_onnx(network)
    name = name_from(path)
    role = {"human": "policy"} if "maia" in name else {"expert": "policy"}
    card = Card(
        name=name,
        game="chess",
        encoder=EncoderRef(name="lc0"),
        inputs=("planes",),
        heads=Heads(**role, wdl="wdl"),
        licence=network.licence or "not stated in the file",
        provenance=(Source(what=f"Lc0 network file {path.name}", sha256=hashlib.sha256(packed).hexdigest()),),
        notes="" if network.has_wdl else "The value is a single number: draws are not told apart.",
        model_sha256=hashlib.sha256(onnx).hexdigest(),
    )
    return card, onnx


def unpack(packed: bytes) -> bytes:
    """Gunzip, in memory and within bounds. A file that is not compressed is taken as it is."""
    if not packed.startswith(b"\x1f\x8b"):
        return packed
    reader = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)
    try:
        data = reader.decompress(packed, _LARGEST_BYTES)
    except zlib.error as wrong:
        raise BadModel(f"the gzip data is damaged: {wrong}") from None
    if reader.unconsumed_tail:
        raise BadModel(f"it unpacks to more than {_LARGEST_BYTES >> 20} MiB")
    if not reader.eof:
        raise BadModel("the gzip data is cut off")
    return data


def to_onnx(network: Lc0Network) -> bytes:
    """The network as an ONNX graph: planes [N, 112, 8, 8] to policy [N, 1858] (logits) and wdl [N, 3] (chances)."""
    graph = Graph("lc0")
    here = _add_trunk(graph, network)
    _add_policy(graph, here, network)
    _add_value(graph, here, network)
    graph.output("policy", ("N", HEAD_SIZE))
    graph.output("wdl", ("N", 3))
    return graph.to_bytes("hitonami")


def trunk_to_onnx(network: Lc0Network, blocks: int) -> bytes:
    """What stands after so many of its blocks: planes [N, 112, 8, 8] to trunk [N, channels, 8, 8]."""
    graph = Graph("lc0")
    here = _add_trunk(graph, replace(network, blocks=network.blocks[:blocks]))
    graph.add("Identity", here, output="trunk")
    graph.output("trunk", ("N", len(network.entry.biases), 8, 8))
    return graph.to_bytes("hitonami")


def _add_trunk(graph: Graph, network: Lc0Network) -> str:
    here = _conv(graph, graph.input("planes", ("N", 112, 8, 8)), network.entry, "Relu")
    for block in network.blocks:
        inner = _conv(graph, here, block.first, "Relu")
        inner = _conv(graph, inner, block.second)
        if block.squeeze is not None and block.excite is not None:
            inner = _squeeze_excite(graph, inner, block.squeeze, block.excite)
        here = graph.add("Relu", graph.add("Add", inner, here))
    return here


def _add_policy(graph: Graph, here: str, network: Lc0Network) -> None:
    raised = _conv(graph, here, network.policy_conv, "Relu")
    if isinstance(network.policy, Dense):
        _dense(graph, graph.add("Flatten", raised), network.policy, output="policy")
        return
    planes = graph.add("Flatten", _conv(graph, raised, network.policy))
    graph.add("Gather", planes, graph.constant(policy_places()), output="policy", axis=1)


def _add_value(graph: Graph, here: str, network: Lc0Network) -> None:
    raised = graph.add("Flatten", _conv(graph, here, network.value_conv, "Relu"))
    hidden = graph.add("Relu", _dense(graph, raised, network.value_hidden))
    value = _dense(graph, hidden, network.value)
    if network.has_wdl:
        graph.add("Softmax", value, output="wdl", axis=1)
        return
    scale = graph.constant(np.array([[0.5, 0.0, -0.5]], dtype=np.float32))
    offset = graph.constant(np.array([0.5, 0.0, 0.5], dtype=np.float32))
    graph.add("Gemm", graph.add("Tanh", value), scale, offset, output="wdl")


def _conv(graph: Graph, here: str, conv: Conv, activation: str = "") -> str:
    size = conv.weights.shape[-1]
    weights, biases = graph.constant(conv.weights), graph.constant(conv.biases)
    done = graph.add("Conv", here, weights, biases, kernel_shape=(size, size), pads=(size // 2,) * 4)
    return graph.add(activation, done) if activation else done


def _dense(graph: Graph, here: str, dense: Dense, output: str = "") -> str:
    weights, biases = graph.constant(dense.weights), graph.constant(dense.biases)
    return graph.add("Gemm", here, weights, biases, output=output, transB=1)


def _squeeze_excite(graph: Graph, here: str, squeeze: Dense, excite: Dense) -> str:
    """here · sigmoid(γ) + β, with γ and β computed from each plane's mean: as 1×1 convolutions on a 1×1 board."""
    mean = graph.add("GlobalAveragePool", here)
    small = _conv(graph, mean, Conv(squeeze.weights[:, :, None, None], squeeze.biases), "Relu")
    width = len(excite.biases) // 2
    parts = []
    for half in (slice(0, width), slice(width, None)):
        parts.append(_conv(graph, small, Conv(excite.weights[half, :, None, None], excite.biases[half])))
    return graph.add("Add", graph.add("Mul", here, graph.add("Sigmoid", parts[0])), parts[1])


def policy_places() -> NDArray[np.int64]:
    """[1858] where each move of the head stands among the planes [80, 64] of a convolutional policy.

    The plane says how the piece moves, the square within it where the piece comes from. Promotions to queen, rook and
    bishop have nine planes of their own.
    """
    found: list[int] = []
    for source in range(64):
        for target in range(64):
            plane = _plane_of(target % 8 - source % 8, target // 8 - source // 8)
            if plane is not None:
                found.append(64 * plane + source)
    for source in range(48, 56):
        for side in (-1, 0, 1):
            if 0 <= source % 8 + side < 8:
                found += [64 * (_PROMOTION_PLANES + 3 * (side + 1) + piece) + source for piece in _QUEEN_ROOK_BISHOP]
    return np.array(found, dtype=np.int64)


def _plane_of(files: int, ranks: int) -> int | None:
    """The plane of a move by so many files and ranks, None where neither queen nor knight moves so."""
    if (files, ranks) in _JUMPS:
        return _KNIGHT_PLANES + _JUMPS.index((files, ranks))
    far = max(abs(files), abs(ranks))
    if far == 0 or files % far or ranks % far:
        return None
    return 7 * _COMPASS.index((files // far, ranks // far)) + far - 1
