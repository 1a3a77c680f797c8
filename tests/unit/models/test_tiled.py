"""Networks walked by tiles give what ONNX Runtime gives, and leave to it what they do not understand."""

import numpy as np
import pytest

from hitonami.core import Player, Query, Setup, open_game
from hitonami.models import runtime
from hitonami.models._shared_trunk import WHICH_BOARD, share_trunk
from hitonami.models.onnx_graph import Graph
from hitonami.models.runtime import Runtime, Settings, open_session
from hitonami.models.shipped import shipped_models
from hitonami.models.store import Model, load_model
from hitonami.models.tiled import TiledNetwork, open_tiled

CLOSE = 5e-4
"""Of logits that reach 20; a wrong weight or border changes them by 0.1 and more."""


def _queries(game: str, count: int, size: int = 0) -> list[Query]:
    """Of one random game."""
    rng = np.random.default_rng(3)
    position, found = open_game(game).start(Setup(size=size)), list[Query]()
    while len(found) < count:
        position = position.play(int(rng.choice(position.legal)))
        found.append(Query(position, Player(900.0 + 60 * len(found), "lichess"), Player(1500.0, "lichess")))
    return found


def _inputs(model: Model, queries: list[Query]) -> dict[str, np.ndarray]:
    arrays = model.card.open_encoder().encode(queries)
    return {name: arrays[name] for name in model.card.inputs}


@pytest.mark.parametrize(("game", "size"), [("chess", 0), ("go", 19)])
def test_packaged_networks_answer_as_in_onnx_runtime(game: str, size: int) -> None:
    model = load_model(shipped_models("human")[game])
    names = [name for name in model.card.heads.model_dump().values() if name]
    inputs = _inputs(model, _queries(game, 5, size))
    network = TiledNetwork(model.onnx, names, threads=2)
    assert network.suits(inputs)
    for name, ours, theirs in zip(
        names, network.run(inputs), open_session(model.onnx, 1).run(names, inputs), strict=True
    ):
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, atol=CLOSE, err_msg=name)


def test_players_who_share_boards_are_parted_with_their_boards() -> None:
    model = load_model(shipped_models("human")["chess"])
    shared = share_trunk(model.onnx)
    assert shared is not None
    queries = _queries("chess", 3)
    inputs = _inputs(model, [Query(queries[at // 30].position, Player(900.0 + at), Player(900.0)) for at in range(70)])
    boards = {name: array[[0, 30, 60]] for name, array in inputs.items() if name not in ("player", "pool")}
    which = np.repeat(np.arange(3), [30, 30, 10])
    [ours] = TiledNetwork(shared, ["human"], 1).run(inputs | boards | {WHICH_BOARD: which})
    [theirs] = open_session(model.onnx, 1).run(["human"], inputs)
    np.testing.assert_allclose(ours, theirs, atol=CLOSE)


@pytest.mark.parametrize("shape", [(8, 8), (7, 10)])
def test_convolutions_of_all_kinds_and_boards_that_are_no_whole_tiles(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)

    def weights(*sizes: int) -> np.ndarray:
        return rng.normal(0, 0.2, sizes).astype(np.float32)

    graph = Graph("mixed")
    x = graph.input("planes", ("n", 6, *shape))
    x = graph.add("Conv", x, graph.constant(weights(8, 6, 3, 3)), graph.constant(weights(8)), pads=(1, 1, 1, 1))
    x = graph.add("Relu", x)
    x = graph.add("Conv", x, graph.constant(weights(8, 4, 3, 3)), pads=(1, 1, 1, 1), group=2)
    wide = graph.add("Conv", x, graph.constant(weights(8, 8, 5, 5)), graph.constant(weights(8)), pads=(2, 2, 2, 2))
    pooled = graph.add(
        "Sigmoid", graph.add("Conv", graph.add("GlobalAveragePool", x), graph.constant(weights(8, 8, 1, 1)))
    )
    x = graph.add("Add", graph.add("Mul", x, pooled), wide)
    many = [graph.constant(weights(8, 8, 3, 3)) for _ in range(12)]
    for each in many:
        x = graph.add("Relu", graph.add("Conv", x, each, pads=(1, 1, 1, 1)))
    graph.add("Flatten", x, output="moves")
    graph.output("moves", ("n", 8 * shape[0] * shape[1]))
    onnx = graph.to_bytes("test")
    planes = rng.normal(size=(40, 6, *shape)).astype(np.float32)
    [ours] = TiledNetwork(onnx, ["moves"], 1).run({"planes": planes})
    [theirs] = open_session(onnx, 1).run(["moves"], {"planes": planes})
    np.testing.assert_allclose(ours, theirs, atol=1e-4 * abs(theirs).max())


def test_what_gains_nothing_is_left_to_onnx_runtime() -> None:
    shogi, go = (load_model(shipped_models("human")[game]) for game in ("shogi", "go"))
    assert open_tiled(shogi.onnx, ["human"], 1) is None  # most of it is 1×1
    network = open_tiled(go.onnx, ["human"], 1)
    assert network is not None
    assert not network.suits(_inputs(go, _queries("go", 1, 9)))  # 9×9 would be computed as 12×12
    graph = Graph("unknown")
    graph.add("Erf", graph.input("planes", ("n", 4)), output="moves")
    graph.output("moves", ("n", 4))
    assert open_tiled(graph.to_bytes("test"), ["moves"], 1) is None


def test_a_large_pass_goes_by_tiles_and_a_small_one_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(shipped_models("human")["chess"])
    with Runtime(model.card, model.onnx, Settings(threads=1, cache_rows=0)) as served:
        queries = _queries("chess", runtime._LARGE)
        walked: list[int] = []
        run = TiledNetwork.run

        def count(network: TiledNetwork, inputs: dict[str, np.ndarray]) -> list[np.ndarray]:
            walked.append(len(inputs))
            return run(network, inputs)

        monkeypatch.setattr(TiledNetwork, "run", count)
        few = served.evaluate(queries[:-1])
        assert not walked
        many = served.evaluate(queries)
        assert walked
        np.testing.assert_allclose(many["human"][:-1], few["human"], atol=CLOSE)
