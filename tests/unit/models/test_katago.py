"""KataGo networks: read as written, computed as KataGo computes them, refused by name and reason."""

import gzip
import json
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hitonami.core import Query, Setup, lineage, open_game
from hitonami.dataset.reading import Tally, open_data
from hitonami.errors import BadModel
from hitonami.games.go import Go, GoPosition
from hitonami.games.go_rules.board import SITUATIONAL, SUICIDE
from hitonami.games.go_rules.points import vertex
from hitonami.models.encoders.katago import Katago
from hitonami.models.importers._katago_file import Block, Dense, KatagoNetwork, Norm, Pooled, read_katago
from hitonami.models.importers.katago import import_katago
from hitonami.models.importers.lc0 import unpack
from hitonami.models.runtime import Runtime
from hitonami.models.sessions import open_session
from hitonami.models.store import load_model

Array = NDArray[np.float64]
GO = Go()
GOLDEN = Path(__file__).parents[2] / "golden" / "katago" / "raw-outputs.json"
REAL = "g170-b6c96-s175395328-d26788732.bin.gz"


# Small random networks, by a writer of our own


class Writer:
    """Writes a network of two blocks; `binary` as KataGo's .bin, otherwise as its .txt. `fields` bend single words."""

    def __init__(self, *, binary: bool = True, version: int = 8, kind: str = "gpool_block", planes: int = 22) -> None:
        self._binary, self._rng = binary, np.random.default_rng(8)
        self.data = b""
        self._words("tiny", version, planes, 19, "trunk", 2, 6, 6, 4, 2, 2)
        self._conv("conv1", 5, planes, 6)
        self._dense("ginputw", 19, 6)
        self._block("ordinary_block", 6)
        self._block(kind, 4)
        self._norm("trunk/norm", 6)
        self._words("trunk/actv", "policyhead")
        self._conv("p1", 1, 6, 3)
        self._pooled(3, 3, size=1)
        self._norm("p1/norm", 3)
        self._words("p1/actv")
        self._conv("p2", 1, 3, 1)
        self._dense("pass", 9, 1)
        self._words("valuehead")
        self._conv("v1", 1, 6, 4)
        self._norm("v1/norm", 4)
        self._words("v1/actv")
        self._biased("v2", 12, 5)
        self._words("v2/actv")
        self._biased("v3", 5, 3)
        self._biased("sv3", 5, 4 if version == 8 else 6)
        self._conv("own", 1, 4, 1)

    def _words(self, *words: object) -> None:
        self.data += "".join(f"{word}\n" for word in words).encode()

    def _floats(self, values: Array) -> None:
        if self._binary:
            self.data += b"@BIN@" + values.astype("<f4").tobytes() + b"\n"
        else:
            self._words(" ".join(repr(float(np.float32(value))) for value in values.ravel()))

    def _conv(self, name: str, size: int, inputs: int, outputs: int) -> None:
        self._words(name, size, size, inputs, outputs, 1, 1)
        self._floats(self._rng.normal(0, 1.5 / np.sqrt(inputs * size * size), (size, size, inputs, outputs)))

    def _dense(self, name: str, inputs: int, outputs: int) -> None:
        self._words(name, inputs, outputs)
        self._floats(self._rng.normal(0, 1 / np.sqrt(inputs), (inputs, outputs)))

    def _biased(self, name: str, inputs: int, outputs: int) -> None:
        self._dense(name, inputs, outputs)
        self._words(f"{name}/b", outputs)
        self._floats(self._rng.normal(0, 0.3, outputs))

    def _norm(self, name: str, channels: int) -> None:
        self._words(name, channels, "0.001", 1, 1)
        for low, high in ((-0.3, 0.3), (0.5, 1.5), (0.5, 1.5), (-0.3, 0.5)):
            self._floats(self._rng.uniform(low, high, channels))

    def _pooled(self, channels: int, outputs: int, size: int = 3) -> None:
        self._conv("g1", size, 6, channels)
        self._norm("g1/norm", channels)
        self._words("g1/actv")
        self._dense("g2", 3 * channels, outputs)

    def _block(self, kind: str, inner: int) -> None:
        self._words(kind, "block")
        self._norm("norm1", 6)
        self._words("actv1")
        self._conv("w1", 3, 6, inner)
        if kind == "gpool_block":
            self._pooled(2, inner)
        self._norm("norm2", inner)
        self._words("actv2")
        self._conv("w2", 3, inner, 6)


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Path]:
    def write(name: str = "tiny.bin.gz", data: bytes = b"", **fields: Any) -> Path:
        path = tmp_path / name
        path.write_bytes(gzip.compress(data or Writer(**fields).data, mtime=0))
        return path

    return write


# A plain forward pass, one board at a time and without padding, written for being read


def convolve(planes: Array, weights: NDArray[np.float32]) -> Array:
    """[in, H, H] to [out, H, H], zeros beyond the edge."""
    edge = weights.shape[-1] // 2
    padded = np.pad(planes, ((0, 0), (edge, edge), (edge, edge)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, weights.shape[2:], axis=(1, 2))
    return np.einsum("ihwab,oiab->ohw", windows, weights)


def normalise(planes: Array, norm: Norm) -> Array:
    return planes * norm.scale[:, None, None] + norm.shift[:, None, None]


def relu(values: Array) -> Array:
    return np.maximum(values, 0)


def apply(row: Array, dense: Dense) -> Array:
    return dense.weights.astype(np.float64) @ row + dense.biases


def pool(planes: Array) -> Array:
    mean = planes.mean(axis=(1, 2))
    return np.concatenate([mean, mean * (planes.shape[1] - 14) / 10, planes.max(axis=(1, 2))])


def pass_branch(planes: Array, branch: Pooled) -> Array:
    return pool(relu(normalise(convolve(planes, branch.conv.weights), branch.norm)))


def pass_block(planes: Array, block: Block) -> Array:
    raised = relu(normalise(planes, block.before))
    inner = convolve(raised, block.first.weights)
    if block.pooled is not None:
        inner += apply(pass_branch(raised, block.pooled), block.pooled.to_bias)[:, None, None]
    return planes + convolve(relu(normalise(inner, block.middle)), block.second.weights)


def forward(network: KatagoNetwork, planes: Array, scalars: Array) -> dict[str, Array]:
    here = convolve(planes, network.entry.weights) + apply(scalars, network.entry_scalars)[:, None, None]
    for block in network.blocks:
        here = pass_block(here, block)
    trunk = relu(normalise(here, network.end))
    pooled = pass_branch(trunk, network.policy_pooled)
    raised = convolve(trunk, network.policy.weights) + apply(pooled, network.policy_pooled.to_bias)[:, None, None]
    points = convolve(relu(normalise(raised, network.policy_norm)), network.policy_points.weights)
    value = relu(normalise(convolve(trunk, network.value.weights), network.value_norm))
    mean, side = value.mean(axis=(1, 2)), (planes.shape[1] - 14) / 10
    hidden = relu(apply(np.concatenate([mean, mean * side, mean * (side**2 - 0.1)]), network.value_hidden))
    win, loss, none = np.exp(apply(hidden, network.result))
    if scalars[6] and not scalars[9]:
        none = 0.0
    return {
        "policy": np.append(points, apply(pooled, network.policy_pass)),
        "wdl": np.array([win, none, loss]) / (win + none + loss),
        "score": 20 * apply(hidden, network.score)[2:3],
        "ownership": np.tanh(convolve(value, network.ownership.weights))[0],
    }


def positions_of_many_kinds() -> list[GoPosition]:
    rng, found = np.random.default_rng(3), []
    for size, rules in ((5, "chinese"), (9, "japanese"), (7, "record"), (9, "tromp-taylor")):
        position = GO.start(Setup(size=size, rules=rules))
        for _ in range(3 * size):
            position = position.play(int(rng.choice(position.legal[:-1])))
        found.append(position)
    return found


@pytest.mark.parametrize("fields", [{}, {"kind": "ordinary_block"}, {"version": 10}, {"binary": False}], ids=str)
def test_the_graph_computes_what_a_plain_forward_pass_does(fields: dict[str, Any], tiny: Callable[..., Path]) -> None:
    path = tiny(**fields)
    _, onnx = import_katago(path)
    network = read_katago(unpack(path.read_bytes()))
    positions = positions_of_many_kinds()
    names = ["policy", "wdl", "score", "ownership"]
    together = open_session(onnx, 1).run(names, Katago().encode([Query(each) for each in positions]))
    places = Katago().head_indices(positions)
    for at, position in enumerate(positions):
        alone = Katago().encode([Query(position)])
        expected = forward(network, alone["planes"][0].astype(np.float64), alone["scalars"][0].astype(np.float64))
        got = dict(zip(names, (array[at] for array in together), strict=True))
        assert np.std(expected["policy"]) > 0.1
        np.testing.assert_allclose(got["policy"][places[at]], expected["policy"][position.legal], atol=2e-4)
        np.testing.assert_allclose(got["wdl"], expected["wdl"], atol=1e-5)
        np.testing.assert_allclose(got["score"], expected["score"], atol=1e-3)
        size = position.size
        np.testing.assert_allclose(got["ownership"][:size, :size], expected["ownership"], atol=1e-5)
        assert not got["ownership"][size:].any()


def test_text_and_binary_files_hold_the_same_network(tiny: Callable[..., Path]) -> None:
    binary, text = (
        import_katago(tiny(f"{kind}.gz", binary=kind == "tiny.bin"))[1] for kind in ("tiny.bin", "tiny.txt")
    )
    assert binary == text


def test_the_tensors_that_training_attaches_to_have_names(
    tiny: Callable[..., Path], need_module: Callable[[str], ModuleType]
) -> None:
    onnx: Any = need_module("onnx")
    model = onnx.load_from_string(import_katago(tiny())[1])
    onnx.checker.check_model(model, full_check=True)
    named = {name for node in model.graph.node for name in node.output}
    assert {"block_0", "block_1", "trunk"} <= named
    assert "block_2" not in named


def test_the_store_loads_it_as_an_expert(tiny: Callable[..., Path]) -> None:
    model = load_model(tiny("Tiny-b2c6.bin.gz"))
    assert (model.card.name, model.card.game, model.card.heads.expert) == ("tiny-b2c6", "go", "policy")
    with Runtime(model.card, model.onnx) as runtime:
        start = open_game("go").start(Setup(size=9))
        assert runtime.evaluate([Query(start)])["policy"].shape == (1, 82)


# Refusals


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"version": 11}, "of version 11; this hitonami reads 8 to 10"),
        ({"version": 7}, "of version 7 with other inputs"),
        ({"planes": 13}, "13 planes and 19 scalars"),
        ({"kind": "nested_bottleneck_block"}, "a block of kind 'nested_bottleneck_block'"),
    ],
)
def test_other_networks_are_refused_by_reason(fields: dict[str, Any], reason: str, tiny: Callable[..., Path]) -> None:
    with pytest.raises(BadModel, match=reason):
        import_katago(tiny(**fields))


WHOLE = Writer().data


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"hello", "not a KataGo network|the file ends"),
        (b"\x89PNG\r\n\x1a\n" * 40, "no KataGo network|not a KataGo network"),
        (WHOLE[:-10], "'own' is cut off"),
        (WHOLE[:600], "is cut off"),
        (WHOLE + b"more", "there is more in the file"),
        (WHOLE.replace(b"conv1\n5\n5", b"conv1\n4\n4"), "kernel of 4×4"),
        (WHOLE.replace(b"conv1\n5\n5", b"conv1\n5\n-5"), "'-5' is no size"),
        (WHOLE.replace(b"v3\n5\n3", b"v3\n5\n2"), "'v3' is 5→2, 5→3 would fit"),
        (WHOLE.replace(b"w2\n3\n3\n6\n6\n1\n1", b"w2\n3\n3\n6\n6\n2\n2"), "'w2' is dilated"),
        (WHOLE.replace(b"v2/b\n5\n@BIN@", b"v2/b\n5\n@BIN@" + b"\xff" * 4), "not finite"),
    ],
)
def test_damaged_files_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BadModel, match=reason):
        read_katago(data)


@settings(max_examples=150)
@given(data=st.data())
def test_no_damage_raises_anything_else(data: st.DataObject) -> None:
    raw = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.one_of(st.integers(0, 200), st.integers(0, len(raw) - 1)))
        raw[at] = data.draw(st.integers(0, 255))
    try:
        network = read_katago(bytes(raw[: data.draw(st.integers(0, len(raw)))]))
    except BadModel:
        return
    assert network.entry.weights.shape[1] == 22


# Against KataGo itself


def check_against(position: GoPosition, outputs: dict[str, Array], log_probs: dict[str, float]) -> None:
    """Probabilities within 0.001, and the same first choice, or one of two that KataGo holds for equal.

    `log_probs` may leave out what is below 0.001.
    """
    probs = np.exp(outputs["policy"] - outputs["policy"].max())
    probs /= probs.sum()
    names = [vertex(position.size, move) for move in position.legal.tolist()]
    expected = np.exp([log_probs.get(name, -np.inf) for name in names])
    assert np.abs(probs - expected).max() <= 1e-3
    assert expected[probs.argmax()] >= expected.max() - 1e-4


def run_network(session: Any, position: GoPosition) -> dict[str, Array]:
    made = session.run(["policy", "wdl", "score"], Katago().encode([Query(position)]))
    return {"policy": made[0][0][Katago().head_index(position)], "wdl": made[1][0], "score": made[2][0]}


def test_the_real_network_says_what_katago_said(need_network: Callable[[str], Path]) -> None:
    session = open_session(import_katago(need_network(REAL))[1], 1)
    for row in json.loads(GOLDEN.read_text(encoding="utf-8")):
        position = GO.read(row["position"])
        outputs = run_network(session, position)
        check_against(position, outputs, row["log_probs"])
        win, none, loss = outputs["wdl"]
        black = win if position.to_move == 0 else loss
        assert abs(black + none / 2 - row["winrate"]) <= 1e-3
        lead = outputs["score"][0] * (1 if position.to_move == 0 else -1)
        assert abs(lead - row["lead"]) <= 0.05


SETTINGS = """
logDir = {folder}
reportAnalysisWinratesAs = BLACK
maxVisits = 1
numSearchThreads = 1
nnMaxBatchSize = 4
nnCacheSizePowerOfTwo = 10
nnMutexPoolSizePowerOfTwo = 8
nnRandomize = false
conservativePass = false
openclUseFP16 = false
"""


def ask_katago(program: str, network: Path, folder: Path, positions: list[GoPosition]) -> Iterator[dict[str, float]]:
    """Raw probabilities of KataGo's analysis engine at one visit, by vertex."""
    config = folder / "analysis.cfg"
    config.write_text(SETTINGS.format(folder=folder), encoding="utf-8")
    lines = [json.dumps(question(str(at), position)) for at, position in enumerate(positions)]
    command = [program, "analysis", "-analysis-threads", "1", "-model", str(network), "-config", str(config)]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = {int(answer["id"]): answer["policy"] for answer in map(json.loads, done.stdout.splitlines())}
    for at, position in enumerate(positions):
        yield {vertex(position.size, move): float(np.log(prob)) for move, prob in enumerate(answers[at]) if prob > 0}


def question(name: str, position: GoPosition) -> dict[str, Any]:
    first, moves = lineage(position)
    size, rules = position.size, position.rules
    superko = "SITUATIONAL" if rules.flags & SITUATIONAL else "POSITIONAL"
    territory = rules.scoring == "territory"
    stones = [("BW"[stone - 1], vertex(size, at)) for at, stone in enumerate(first.board.tolist()) if stone]
    return {
        "id": name,
        "initialStones": stones,
        "moves": [("BW"[(first.to_move + at) % 2], vertex(size, move)) for at, move in enumerate(moves)],
        "analyzeTurns": [len(moves)],
        "komi": position.komi,
        "boardXSize": size,
        "boardYSize": size,
        "includePolicy": True,
        "rules": {
            "ko": superko if rules.superko else "SIMPLE",
            "scoring": "TERRITORY" if territory else "AREA",
            "tax": "SEKI" if territory else "NONE",
            "suicide": bool(rules.flags & SUICIDE) and rules.name != "record",
            "hasButton": False,
            "whiteHandicapBonus": "0",
        },
    }


def human_positions(folder: Path) -> list[GoPosition]:
    """Of games by people on boards of 19, 13 and 9 lines: one at random, the last, and one with an open ko."""
    rng, found = np.random.default_rng(7), list[GoPosition]()
    for file, size, count in (
        ("ogs_human_vs_katrain.jsonl.xz", 19, 100),
        ("ogs_human_vs_katrain.jsonl.xz", 13, 40),
        ("goquest_9x9.zip", 9, 60),
    ):
        wanted = len(found) + count
        for game in open_data([str(folder / file)], "go").games(Tally()):
            record = game.record
            if record.setup.size != size or len(record.moves) < 30:
                continue
            line = list(replayed(GO.start(record.setup), record.moves))
            kos = [position for position in line if position.ko_point >= 0]
            found += [line[int(rng.integers(len(line)))], line[-1], *kos[-1:]]
            if len(found) >= wanted:
                del found[wanted:]
                break
    return found


def replayed(position: GoPosition, moves: Sequence[int]) -> Iterator[GoPosition]:
    """Every position with moves left."""
    for move in moves:
        position = position.play(move)
        if len(position.legal):
            yield position


@pytest.mark.slow
def test_katago_says_the_same_on_200_positions(need_network: Callable[[str], Path], tmp_path: Path) -> None:
    """KATAGO is the program. Its first run tunes OpenCL for minutes; the result is kept in the home folder."""
    program = os.environ.get("KATAGO")
    if program is None:
        pytest.skip("set KATAGO to the program to compare with")
    network = need_network(REAL)
    session = open_session(import_katago(network)[1], 1)
    positions = human_positions(network.parents[1] / "go")
    assert len(positions) == 200
    assert sum(position.ko_point >= 0 for position in positions) >= 10
    assert sum(position.passes > 0 for position in positions) >= 10
    for position, log_probs in zip(positions, ask_katago(program, network, tmp_path, positions), strict=True):
        check_against(position, run_network(session, position), log_probs)
