"""Convolutions over tiles, and sessions for much work, say what the network says."""

from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Effort, Player, Query, open_game
from hitonami.minds.neural import NetworkMind, Neural
from hitonami.models import sessions
from hitonami.models._parts import keep_outputs, read_parts
from hitonami.models._tiles import tile
from hitonami.models.onnx_graph import Graph
from hitonami.models.runtime import Runtime, Settings
from hitonami.models.sessions import Sessions, open_session
from hitonami.models.shipped import shipped_models
from hitonami.models.store import Model, load_model


@pytest.fixture(scope="module")
def maia() -> Model:
    return load_model(Path(str(Neural.EXAMPLES[0]["model"])))


def _queries(game: str, count: int) -> list[Query]:
    rng = np.random.default_rng(3)
    position = open_game(game).start()
    found: list[Query] = []
    while len(found) < count:
        found.append(Query(position, Player(1500.0), Player(1500.0)))
        position = position.play(int(rng.choice(position.legal)))
        position = position if len(position.legal) else open_game(game).start()
    return found


def _network(rows: int, columns: int, seed: int = 0) -> bytes:
    """Two convolutions of 3×3, one of 1×1, a pool that scales, a residual, and a flat output."""
    rng, graph = np.random.default_rng(seed), Graph("small")

    def weight(*shape: int) -> str:
        return graph.constant((rng.normal(size=shape) / 6).astype(np.float32))

    x = graph.input("planes", ("N", 5, rows, columns))
    x = graph.add("Relu", graph.add("Conv", x, weight(7, 5, 3, 3), weight(7), pads=(1, 1, 1, 1)))
    y = graph.add("Conv", x, weight(7, 7, 3, 3), pads=(1, 1, 1, 1))
    scale = graph.add("Sigmoid", graph.add("Conv", graph.add("GlobalAveragePool", y), weight(7, 7, 1, 1), weight(7)))
    y = graph.add("Relu", graph.add("Add", x, graph.add("Mul", y, scale)))
    y = graph.add("Add", graph.add("Conv", y, weight(2, 7, 1, 1), weight(2)), weight(1, 2, 1, 1))
    graph.add("Reshape", y, graph.constant(np.array([0, 2 * rows * columns])), output="flat")
    graph.add("GlobalMaxPool", y, output="most")
    graph.output("flat", ("N", 2 * rows * columns))
    graph.output("most", ("N", 2, 1, 1))
    return graph.to_bytes("test")


@pytest.mark.parametrize(("rows", "columns"), [(8, 8), (9, 9), (6, 7)])
def test_a_tiled_network_says_the_same(rows: int, columns: int) -> None:
    plain = _network(rows, columns)
    tiled = tile(plain, rows, columns)
    assert tiled is not None
    for count in (0, 1, 5):
        boards = np.random.default_rng(count).normal(size=(count, 5, rows, columns)).astype(np.float32)
        wanted, made = (open_session(each, 1).run(["flat", "most"], {"planes": boards}) for each in (plain, tiled))
        for right, given in zip(wanted, made, strict=True):
            assert right.shape == given.shape
            np.testing.assert_allclose(given, right, atol=1e-5)


def test_a_graph_with_convolutions_in_groups_is_left_alone() -> None:
    assert tile(load_model(shipped_models("human")["chess"]).onnx, 8, 8) is None


def test_much_work_opens_tiles_and_answers_stay(maia: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "TILED_AFTER", 200)
    monkeypatch.setattr(sessions, "_SHELF", sessions._Shelf())
    queries = _queries("chess", 80)
    with Runtime(maia.card, maia.onnx, Settings(threads=1, cache_rows=0)) as runtime:
        first = runtime.evaluate(queries)
        assert not any(each.session for each in sessions._SHELF._held.values())
        for _ in range(2):
            later = runtime.evaluate(queries)
        assert [bool(each.session) for each in sessions._SHELF._held.values()] == [True]
    for name, right in first.items():
        np.testing.assert_allclose(later[name], right, atol=5e-5 * np.abs(right).max())


def test_tiles_that_are_wrong_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "TILED_AFTER", 64)
    monkeypatch.setattr(sessions, "_SHELF", sessions._Shelf())
    monkeypatch.setattr(sessions, "tile", lambda onnx, rows, columns: tile(_network(8, 8, seed=1), rows, columns))
    plain = Sessions(_network(8, 8), ("flat", "most"), 1)
    boards = np.random.default_rng(0).normal(size=(64, 5, 8, 8)).astype(np.float32)
    right = plain.whole.run(["flat"], {"planes": boards})[0]
    assert np.array_equal(plain.run(["flat"], {"planes": boards})["flat"], right)
    assert next(iter(sessions._SHELF._held.values())).is_unfit


def test_who_asks_the_human_alone_does_not_pay_for_the_expert(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "LEAN_AFTER", 8)
    monkeypatch.setattr(sessions, "_SHELF", sessions._Shelf())
    model = load_model(shipped_models("human")["go"])
    queries = _queries("go", 3)
    with Runtime(model.card, model.onnx, Settings(threads=1, cache_rows=0, symmetries=1)) as runtime:
        mind = NetworkMind(runtime, "human")
        answers = [mind(queries, Effort.seeded()) for _ in range(3)]
        [lean] = [each.session for each in sessions._SHELF._held.values()]
        assert [output.name for output in lean.get_outputs()] == ["human", "wdl"]
        both = runtime.evaluate(queries)
    assert set(both) == {"human", "expert", "wdl"}
    for before, after in zip(answers[0], answers[-1], strict=True):
        np.testing.assert_allclose(after.log_probs, before.log_probs, atol=1e-5)


def test_outputs_that_are_left_out_are_gone() -> None:
    kept = read_parts(keep_outputs(_network(8, 8), ["most"]))
    assert kept is not None
    assert kept.outputs == ("most",)
    assert "Reshape" not in [node.kind for node in kept.nodes]
