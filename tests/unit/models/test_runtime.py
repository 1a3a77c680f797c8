"""Serving: one session for all, callers in turn, a cache that cannot mistake one position for another, refusals."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import pytest

from hitonami.core import Effort, Player, Position, Query, Setup, open_game
from hitonami.errors import BadInput, BadModel
from hitonami.minds.neural import NetworkMind
from hitonami.models.card import EncoderRef, Heads
from hitonami.models.onnx_graph import Graph
from hitonami.models.runtime import LARGEST_BATCH, Runtime, Settings
from hitonami.models.shipped import shipped_models
from hitonami.models.store import Model, load_model
from hitonami.models.views import Arrays
from hitonami.specs import Room, open_mind

Positions = Callable[[int, int], list[Position]]
Rewrite = Callable[..., Path]


@pytest.fixture
def model(model_folder: Path) -> Model:
    return load_model(model_folder)


@pytest.fixture
def queries(chess_positions: Positions) -> list[Query]:
    return [Query(position) for position in chess_positions(40, 11)]


def count_passes(runtime: Runtime) -> list[int]:
    """The rows of every pass from now on."""
    passes: list[int] = []
    real = runtime._pass

    def counting(inputs: Arrays, wanted: Sequence[str]) -> Arrays:
        passes.append(len(next(iter(inputs.values()))))
        return real(inputs, wanted)

    runtime._pass = counting  # type: ignore[method-assign]
    return passes


# The cache


def test_the_cache_answers_what_was_asked_before_and_nothing_else(model: Model, queries: list[Query]) -> None:
    with Runtime(model.card, model.onnx, Settings(threads=1)) as runtime:
        passes = count_passes(runtime)
        first = runtime.evaluate(queries[:20])
        again = runtime.evaluate(queries[10:30])
        once_more = runtime.evaluate(queries[5:25])
    assert passes == [20, 10]
    for name in runtime.outputs:
        assert np.array_equal(first[name][10:], again[name][:10])
        assert np.array_equal(once_more[name], np.concatenate([first[name], again[name][10:]])[5:25])


def test_the_cache_forgets_the_least_recently_used(model: Model, queries: list[Query]) -> None:
    with Runtime(model.card, model.onnx, Settings(threads=1, cache_rows=3)) as runtime:
        passes = count_passes(runtime)
        for at in (0, 1, 2, 0, 3, 0, 1):
            runtime.evaluate([queries[at]])
    assert passes == [1] * 5  # 0, 1, 2, then 3 in the place of 1, and 1 again


def test_the_same_board_with_another_past_is_another_position(model: Model) -> None:
    chess = open_game("chess")
    paths = ("g1f3 g8f6 b1c3", "b1c3 g8f6 g1f3")
    queries = []
    for path in paths:
        position = chess.start()
        for move in path.split():
            position = position.play(chess.parse(position, move))
        queries.append(Query(position))
    assert queries[0].position.key == queries[1].position.key
    with Runtime(model.card, model.onnx, Settings(threads=1)) as runtime:
        rows = [runtime.evaluate([query])["policy"] for query in queries]
    assert np.abs(rows[0] - rows[1]).max() > 1e-4


def test_two_heads_cost_one_pass(model: Model, queries: list[Query]) -> None:
    card = model.card.model_copy(update={"heads": Heads(human="policy", expert="policy", wdl="wdl")})
    with Runtime(card, model.onnx, Settings(threads=1)) as runtime:
        passes = count_passes(runtime)
        human, expert = (NetworkMind(runtime, head)(queries, Effort.seeded()) for head in ("human", "expert"))
    assert passes == [len(queries)]
    assert all(np.array_equal(a.log_probs, b.log_probs) for a, b in zip(human, expert, strict=True))


def test_who_asks_the_expert_first_has_the_human_from_the_same_pass(queries: list[Query]) -> None:
    model = load_model(shipped_models("human")["chess"])
    with Runtime(model.card, model.onnx, Settings(threads=1)) as runtime:
        passes = count_passes(runtime)
        for head in ("expert", "human"):
            NetworkMind(runtime, head)(queries[:2], Effort.seeded())
    assert passes == [2]


def rated_graph() -> bytes:
    """A network whose every output depends on the rating and the pool: logits = scalars @ w + rating + pool."""
    graph = Graph("rated")
    graph.input("player", ("N", 4))
    graph.add("MatMul", "player", graph.constant(np.ones((4, 1858), dtype=np.float32)), output="sum")
    weights = np.linspace(-1, 1, 1858, dtype=np.float32)[None]
    graph.add("Mul", "sum", graph.constant(weights), output="policy")
    graph.output("policy", ("N", 1858))
    return graph.to_bytes("test")


def test_players_of_other_ratings_are_not_mistaken_for_each_other(rewrite_card: Rewrite) -> None:
    folder = rewrite_card(
        rated_graph(), encoder=EncoderRef(name="compact-chess"), inputs=("player",), heads=Heads(human="policy")
    )
    start = open_game("chess").start()
    players = [Player(1000), Player(2000), Player(None)]
    with open_mind(str(folder)) as mind:
        views = [
            mind([Query(start, player, opponent)], Effort.seeded())[0].log_probs
            for player in players
            for opponent in players
        ]
        together = mind([Query(start, player, opponent) for player in players for opponent in players], Effort.seeded())
    distinct = {view.tobytes() for view in views}
    assert len(distinct) == 6  # the sum is symmetric
    assert all(np.allclose(a, b.log_probs, atol=1e-6) for a, b in zip(views, together, strict=True))
    assert together[0].wdl is None


# Callers at once


def test_callers_at_once_get_their_own_answers(model: Model, queries: list[Query]) -> None:
    with Runtime(model.card, model.onnx, Settings(threads=1, cache_rows=0)) as runtime:
        alone = [runtime.evaluate([query]) for query in queries]
        barrier = Barrier(8)

        def call(share: int) -> list[Arrays]:
            barrier.wait()
            return [runtime.evaluate([query]) for query in queries[share::8]]

        with ThreadPoolExecutor(8) as pool:
            shares = list(pool.map(call, range(8)))
    for at, expected in enumerate(alone):
        got = shares[at % 8][at // 8]
        for name in runtime.outputs:
            np.testing.assert_allclose(got[name], expected[name], atol=1e-5)


# Minds


def test_large_batches_are_cut_and_stay_in_order(model: Model, chess_positions: Positions) -> None:
    queries = [Query(position) for position in chess_positions(LARGEST_BATCH + 30, 13)]
    with Runtime(model.card, model.onnx, Settings(threads=1, cache_rows=0)) as runtime:
        passes = count_passes(runtime)
        opinions = NetworkMind(runtime)(queries, Effort.seeded())
        assert passes == [LARGEST_BATCH, 30]
        last = NetworkMind(runtime)(queries[-1:], Effort.seeded())[0]
    np.testing.assert_allclose(opinions[-1].log_probs, last.log_probs, atol=1e-5)
    assert len(opinions) == len(queries)


def test_equal_models_share_one_session(model_folder: Path) -> None:
    room = Room()
    try:
        plain, expert = (
            room.open({"kind": "neural", "model": str(model_folder), "head": head}) for head in (None, "expert")
        )
        assert isinstance(plain, NetworkMind)
        assert isinstance(expert, NetworkMind)
        assert plain is not expert
        assert plain._runtime is expert._runtime
    finally:
        room.close()
    with pytest.raises(BadInput, match="model source is closed"):
        plain([Query(open_game("chess").start())], Effort.seeded())


def test_another_game_is_refused(model_folder: Path) -> None:
    with open_mind(str(model_folder)) as mind, pytest.raises(BadInput, match="positions of chess, got one of go"):
        mind([Query(open_game("go").start(Setup(size=9)))], Effort.seeded())


# Threads


def test_threads_come_from_the_field_then_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HITONAMI_THREADS", "3")
    assert Settings().count_threads() == 3
    assert Settings(threads=2).count_threads() == 2
    monkeypatch.setenv("HITONAMI_THREADS", "many")
    with pytest.raises(BadInput, match="HITONAMI_THREADS must be a number of threads from 1 on, got 'many'"):
        Settings().count_threads()
    monkeypatch.delenv("HITONAMI_THREADS")
    assert Settings().count_threads() == 0


# Networks that do not fit their card


def graph_with(shape: tuple[int | str, ...], output: str = "policy", width: int = 1858, shift: float = 0.0) -> bytes:
    """Flattened planes, the first `width` of them, plus a number."""
    graph = Graph("odd")
    flat = graph.add("Flatten", graph.input("planes", shape))
    taken = graph.add("Gather", flat, graph.constant(np.arange(width)), axis=1)
    graph.add("Add", taken, graph.constant(np.array([shift], dtype=np.float32)), output=output)
    graph.output(output, ("N", width))
    return graph.to_bytes("test")


PLANES: tuple[int | str, ...] = ("N", 112, 8, 8)


@pytest.mark.parametrize(
    ("onnx", "fields", "reason"),
    [
        (graph_with(("N", 111, 8, 8)), {}, r"input planes is tensor\(float\)\[111, 8, 8\], the encoder makes"),
        (graph_with((1, 112, 8, 8)), {}, "input planes has a fixed batch of 1"),
        (graph_with(PLANES), {"encoder": EncoderRef(name="compact-chess")}, r"the encoder makes uint8\[97, 8, 8\]"),
        (graph_with(PLANES), {"inputs": ("planes", "player")}, r"names the inputs \['planes', 'player'\], it has"),
        (graph_with(PLANES, "moves"), {}, r"it has no output \['policy'\]"),
        (graph_with(PLANES, width=1857), {}, r"output policy is float32\[1, 1857\], not \(1, 1858\)"),
        (graph_with(PLANES, shift=float("nan")), {}, "output policy is not finite"),
        (
            graph_with(PLANES, width=3, shift=0.5),
            {"heads": Heads(human="other", wdl="policy")},
            r"it has no output \['other'\]",
        ),
        (b"\x08\x08" + b"\x3a\x02\x12\x00" + b"\x42\x02\x10\x11", {}, "ONNX Runtime refuses it"),
    ],
)
def test_networks_that_do_not_fit_are_refused(
    onnx: bytes, fields: dict[str, Any], reason: str, rewrite_card: Rewrite
) -> None:
    folder = rewrite_card(onnx, **({"heads": Heads(human="policy")} | fields))
    with pytest.raises(BadModel, match=reason), open_mind(str(folder)):
        pass


def test_logits_in_the_place_of_chances_are_refused(model: Model) -> None:
    graph = Graph("logits")
    flat = graph.add("Flatten", graph.input("planes", PLANES))
    graph.add("Gather", flat, graph.constant(np.arange(1858)), output="policy", axis=1)
    graph.add("Gather", flat, graph.constant(np.arange(3)), output="wdl", axis=1)
    graph.output("policy", ("N", 1858))
    graph.output("wdl", ("N", 3))
    with pytest.raises(BadModel, match="output wdl holds no chances that sum to 1"):
        Runtime(model.card, graph.to_bytes("test"))
