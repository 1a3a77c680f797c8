"""ONNX files without a card: networks of other projects that are known, made small here, and those that are not."""

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.core import Effort, Player, Query, open_game
from hitonami.errors import BadModel
from hitonami.minds.neural import NetworkMind
from hitonami.models._wire import Message, write_bytes, write_number, write_numbers
from hitonami.models.onnx_graph import Graph
from hitonami.models.runtime import Runtime, Settings
from hitonami.models.sessions import open_session
from hitonami.models.store import add_model, load_model

RNG = np.random.default_rng(0)


def write_miniosl(path: Path, planes: int = 176) -> Path:
    """A network of miniosl's shape: means of planes, mixed at random. Its value is (tanh of the mover's rooks, …)."""
    graph = Graph("net")
    means = graph.add("Flatten", graph.add("GlobalAveragePool", graph.input("input", ("batch_size", planes, 9, 9))))
    mix = graph.constant(RNG.normal(size=(planes, 2187)).astype(np.float32))
    graph.add("MatMul", means, mix, output="move")
    first = np.zeros((planes, 4), np.float32)
    first[29] = 20.0, 1.0, -1.0, 0.5
    graph.add("Tanh", graph.add("MatMul", means, graph.constant(first)), output="value")
    graph.output("move", ("batch_size", 2187))
    graph.output("value", ("batch_size", 4))
    path.write_bytes(graph.to_bytes("test"))
    return path


def write_lc0(path: Path, planes: int = 112) -> Path:
    """A network as `lc0 leela2onnx` names things: means of planes, mixed at random, and how long the game will last."""
    graph = Graph("net")
    here = graph.input("/input/planes", ("batch", planes, 8, 8))
    means = graph.add("Flatten", graph.add("GlobalAveragePool", here))
    mix = graph.constant(RNG.normal(size=(planes, 1858)).astype(np.float32))
    graph.add("MatMul", means, mix, output="/output/policy")
    wdl = graph.add("MatMul", means, graph.constant(RNG.normal(size=(planes, 3)).astype(np.float32)))
    graph.add("Softmax", wdl, output="/output/wdl", axis=1)
    graph.add("MatMul", means, graph.constant(np.ones((planes, 1), np.float32)), output="/output/mlh")
    for name, size in (("/output/policy", 1858), ("/output/wdl", 3), ("/output/mlh", 1)):
        graph.output(name, ("batch", size))
    path.write_bytes(graph.to_bytes("lc0"))
    return path


def test_lc0_s_own_onnx_files_are_read_as_its_networks_are(tmp_path: Path) -> None:
    model = load_model(write_lc0(tmp_path / "strong.onnx"))
    assert (model.card.game, model.card.encoder.name, model.card.heads.expert) == ("chess", "lc0", "policy")
    with Runtime(model.card, model.onnx, Settings(1, 0, 0)) as runtime:
        start = open_game("chess").start()
        [opinion] = NetworkMind(runtime)([Query(start)], Effort.seeded())
    arrays = runtime.encoder.encode([Query(start)])
    policy, wdl = open_session((tmp_path / "strong.onnx").read_bytes(), 1).run(
        ["/output/policy", "/output/wdl"], {"/input/planes": arrays["planes"].astype(np.float32)}
    )
    logits = policy[0][runtime.encoder.head_index(start)]
    assert np.allclose(opinion.log_probs, logits - np.log(np.exp(logits).sum()), atol=1e-4)
    assert opinion.wdl is not None
    assert np.allclose(opinion.wdl, wdl[0], atol=1e-5)
    with pytest.raises(BadModel, match="no network that is known"):
        load_model(write_lc0(tmp_path / "other.onnx", planes=20))


def write_maia3(path: Path, *, outside: str = "") -> Path:
    """A network of Maia-3's shape for a batch of one: the tokens' sum and the ratings, mixed at random.

    With `outside` the weights of its moves are in the file of that name.
    """
    graph = Graph("net")
    summed = graph.add("ReduceMean", graph.input("tokens", (1, 64, 96)), axes=(1,), keepdims=0)
    ratings = [graph.to_float(graph.input(name, (1,), np.int64)) for name in ("self_elo", "oppo_elo")]
    scaled = [graph.add("Mul", each, graph.constant(np.array([[1e-3]], np.float32))) for each in ratings]
    known = graph.add("Concat", summed, *scaled, axis=1)
    weights = RNG.normal(size=(98, 4352)).astype(np.float32)
    graph.add("MatMul", known, "weights", output="logits_move")
    results = np.zeros((98, 3), np.float32)
    results[96], results[97] = (0, 0, 2), (2, 0, 0)  # loss, draw, win: the stronger side wins
    graph.add("MatMul", known, graph.constant(results), output="logits_value")
    graph.output("logits_move", (1, 4352))
    graph.output("logits_value", (1, 3))
    tensor = write_numbers(1, weights.shape) + write_number(2, 1) + write_bytes(8, "weights")
    if outside:
        path.with_name(Path(outside).name).write_bytes(b"head" + weights.tobytes())
        entries = {"location": outside, "offset": "4", "length": str(weights.nbytes)}
        tensor += b"".join(write_bytes(13, write_bytes(1, key) + write_bytes(2, held)) for key, held in entries.items())
        tensor += write_number(14, 1)
    else:
        tensor += write_bytes(9, weights.tobytes())
    path.write_bytes(graph.to_bytes("test") + write_bytes(7, write_bytes(5, tensor)))
    return path


def write_open_maia3(path: Path) -> Path:
    """The same kind of network, laid out anew on the way for a batch of one, as exporters write it."""
    graph = Graph("net")
    summed = graph.add("ReduceMean", graph.input("tokens", (1, 64, 96)), axes=(1,), keepdims=0)
    folded = graph.add("Reshape", summed, graph.constant(np.array([1, 8, 12], np.int64)))
    flat = graph.add("Reshape", graph.add("Relu", folded), graph.constant(np.array([1, 96], np.int64)))
    ratings = [
        graph.add("Unsqueeze", graph.to_float(graph.input(name, (1,), np.int64)), graph.constant(np.array([1])))
        for name in ("self_elo", "oppo_elo")
    ]
    known = graph.add("Concat", flat, *ratings, axis=1)
    for name, size in (("logits_move", 4352), ("logits_value", 3)):
        weights = 1e-3 * RNG.normal(size=(98, size)).astype(np.float32)
        graph.add("MatMul", known, graph.constant(weights), output=name)
        graph.output(name, (1, size))
    path.write_bytes(graph.to_bytes("test"))
    return path


def test_a_maia3_network_whose_rows_can_be_left_open_is_one_pass(tmp_path: Path) -> None:
    path = write_open_maia3(tmp_path / "maia3-open.onnx")
    model = load_model(path)
    assert "one position at a time" not in model.card.notes
    assert "one position at a time" in load_model(write_maia3(tmp_path / "maia3-fixed.onnx")).card.notes
    rows: dict[str, NDArray[Any]] = {"tokens": RNG.random((5, 64, 96)).astype(np.float32)}
    rows |= {name: RNG.integers(600, 2600, size=5) for name in ("self_elo", "oppo_elo")}
    made = open_session(model.onnx, 1).run(["logits_move"], rows)[0]
    one_by_one = open_session(path.read_bytes(), 1)
    for at in range(5):
        wanted = one_by_one.run(["logits_move"], {name: values[at : at + 1] for name, values in rows.items()})[0]
        np.testing.assert_allclose(made[at], wanted[0], rtol=1e-4, atol=1e-4)


def test_a_miniosl_network_is_known_by_its_inputs_and_outputs(tmp_path: Path) -> None:
    path = write_miniosl(tmp_path / "eval.onnx")
    model = load_model(path)
    assert (model.card.name, model.card.game, model.card.encoder.name) == ("miniosl-eval", "shogi", "miniosl")
    assert (model.card.heads.human, model.card.heads.expert, model.card.heads.wdl) == (None, "move", "wdl")
    assert "Team GPS" in model.card.licence
    assert model.card.provenance[0].sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert model.onnx.startswith(path.read_bytes()), "the network itself is kept"


def test_a_miniosl_value_becomes_chances(tmp_path: Path) -> None:
    model = load_model(write_miniosl(tmp_path / "eval.onnx"))
    position = open_game("shogi").start()
    with Runtime(model.card, model.onnx, Settings(threads=1)) as runtime:
        [opinion] = NetworkMind(runtime)([Query(position)], Effort.seeded())
    value = np.tanh(20 / 81)
    assert opinion.wdl == pytest.approx([(1 + value) / 2, 0, (1 - value) / 2], abs=1e-6)
    assert np.exp(opinion.log_probs).sum() == pytest.approx(1, abs=1e-5)


def test_a_miniosl_network_can_be_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HITONAMI_MODELS", str(tmp_path / "store"))
    added = add_model(write_miniosl(tmp_path / "eval.onnx"))
    assert added.name == "miniosl-eval"
    assert load_model("miniosl-eval").card.encoder.name == "miniosl"


@pytest.mark.parametrize("outside", ["", "weights.data"])
def test_a_maia3_network_is_run_in_batches(tmp_path: Path, outside: str) -> None:
    model = load_model(write_maia3(tmp_path / "maia3-tiny.onnx", outside=outside))
    assert (model.card.game, model.card.encoder.name, model.card.heads.human) == ("chess", "maia3", "logits_move")
    game = open_game("chess")
    start = game.start()
    after = start.play(game.parse(start, "e2e4"))
    queries = [Query(start, Player(2000.0), Player(1000.0)), Query(after, Player(1000.0), Player(2000.0))]
    with Runtime(model.card, model.onnx, Settings(threads=1, cache_rows=0)) as runtime:
        mind = NetworkMind(runtime)
        both = mind(queries, Effort.seeded())
        singles = [mind([query], Effort.seeded())[0] for query in queries]
    for one, other in zip(both, singles, strict=True):
        assert np.allclose(one.log_probs, other.log_probs, atol=1e-5)
    strong = np.exp(4.0) / (np.exp(4.0) + 1 + np.exp(2.0))
    assert both[0].wdl is not None
    assert both[1].wdl is not None
    assert both[0].wdl[0] == pytest.approx(strong, abs=1e-5), "the better player's win comes first"
    assert both[1].wdl[2] == pytest.approx(strong, abs=1e-5)


@pytest.mark.parametrize(
    ("outside", "reason"),
    [("../weights.data", "not a file beside it"), ("/etc/passwd", "not a file beside it"), ("..", "not a file beside")],
)
def test_weights_from_elsewhere_are_refused(tmp_path: Path, outside: str, reason: str) -> None:
    (tmp_path / "folder").mkdir()
    path = write_maia3(tmp_path / "folder" / "net.onnx", outside="weights.data")
    changed = path.read_bytes().replace(write_bytes(2, "weights.data"), write_bytes(2, outside.ljust(12, "/")[:12]))
    path.write_bytes(changed)
    with pytest.raises(BadModel, match=reason):
        load_model(path)


def test_weights_that_are_missing_or_cut_off_are_named(tmp_path: Path) -> None:
    path = write_maia3(tmp_path / "net.onnx", outside="weights.data")
    data = (tmp_path / "weights.data").read_bytes()
    (tmp_path / "weights.data").write_bytes(data[:-1])
    with pytest.raises(BadModel, match=r"net\.onnx: weights\.data ends before the weights 'weights'"):
        load_model(path)
    (tmp_path / "weights.data").unlink()
    with pytest.raises(BadModel, match=r"weights\.data beside it: No such file"):
        load_model(path)


def test_a_stranger_is_refused_with_its_inputs(tmp_path: Path) -> None:
    path = write_miniosl(tmp_path / "eval.onnx", planes=60)
    with pytest.raises(BadModel, match=r"no card\.json beside it.*input\[N, 60, 9, 9\] to move\[N, 2187\]"):
        load_model(path)


@pytest.mark.parametrize("keep", [0, 1, 100, 5000])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, keep: int) -> None:
    path = write_miniosl(tmp_path / "eval.onnx")
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(BadModel, match=r"eval\.onnx: "):
        load_model(path)


def test_other_networks_may_not_keep_weights_elsewhere(tmp_path: Path) -> None:
    path = write_miniosl(tmp_path / "eval.onnx")
    graph = Message(path.read_bytes()).message(7)
    tensor = bytes(graph.all_data(5)[0]) + write_number(14, 1)
    path.write_bytes(path.read_bytes() + write_bytes(7, write_bytes(5, tensor)))
    with pytest.raises(BadModel, match="a model must be one file"):
        load_model(path)
