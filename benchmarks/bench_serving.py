"""Networks as minds against bare ONNX Runtime on the same network, in the same run.

Ours includes legal moves of fresh positions, encoding, and normalised opinions; the reference is `session.run` on
inputs that are ready, with the same session options. The cache is off. The network has Maia's size with random
weights, made here: no file is needed. From cold, `hitonami predict` is held to one second more than importing ONNX
Runtime and loading the session alone: the ratio is (bare + 1 s) / ours. Rounds are short and many: single passes are so
brief that a neighbour on the machine easily hits one side only.
"""

import hashlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from _measure import Row, ratio_of, show
from hitonami.core import Effort, Query, lineage, open_game
from hitonami.minds.neural import NetworkMind
from hitonami.models.card import Card, EncoderRef, Heads
from hitonami.models.importers._lc0_proto import Block, Conv, Dense, Lc0Network
from hitonami.models.importers.lc0 import to_onnx
from hitonami.models.runtime import Runtime, Settings, open_session
from hitonami.models.store import Model, write_model

ALLOWANCE_SECONDS = 1.0
BATCH, CALLERS, COLD_ROUNDS = 256, 4, 9
BARE = """
import sys, onnxruntime
onnxruntime.InferenceSession(sys.argv[1])
"""


def random_network(width: int = 64, blocks: int = 6) -> Lc0Network:
    """A network of Maia's shape."""
    rng = np.random.default_rng(1)

    def conv(outputs: int, inputs: int, size: int = 3) -> Conv:
        weights = rng.normal(0, 1 / np.sqrt(inputs * size * size), (outputs, inputs, size, size))
        return Conv(weights.astype(np.float32), np.zeros(outputs, dtype=np.float32))

    def dense(outputs: int, inputs: int) -> Dense:
        weights = rng.normal(0, 1 / np.sqrt(inputs), (outputs, inputs))
        return Dense(weights.astype(np.float32), np.zeros(outputs, dtype=np.float32))

    def block() -> Block:
        return Block(conv(width, width), conv(width, width), dense(8, width), dense(2 * width, 8))

    return Lc0Network(
        entry=conv(width, 112),
        blocks=tuple(block() for _ in range(blocks)),
        policy_conv=conv(width, width),
        policy=conv(80, width),
        value_conv=conv(32, width, 1),
        value_hidden=dense(128, 32 * 64),
        value=dense(3, 128),
    )


def replay(count: int, seed: int) -> list[Query]:
    """Positions of random games that nobody has encoded, or asked for their moves, before."""
    chess, rng = open_game("chess"), np.random.default_rng(seed)
    games: list[list[int]] = []
    while sum(map(len, games)) < count:
        position = chess.start()
        while len(position.legal) and position.ply < 80:
            position = position.play(int(rng.choice(position.legal)))
        games.append(lineage(position)[1][:-1])
    queries = []
    for moves in games:
        position = chess.start()
        for move in moves:
            position = position.follow(move)
            queries.append(Query(position))
    return queries[:count]


def make_model(folder: Path) -> Model:
    onnx = to_onnx(random_network())
    card = Card(
        name="random",
        game="chess",
        encoder=EncoderRef(name="lc0"),
        inputs=("planes",),
        heads=Heads(human="policy", wdl="wdl"),
        licence="CC0",
        model_sha256=hashlib.sha256(onnx).hexdigest(),
    )
    model = Model(card, onnx, folder)
    write_model(model, folder / "random")
    return model


def measure_speed(model: Model) -> list[Row]:
    runtime = Runtime(model.card, model.onnx, Settings(cache_rows=0))
    mind, effort = NetworkMind(runtime), Effort.seeded()
    session: Any = open_session(model.onnx, 0)
    seeds = iter(range(1_000))
    rows = []
    for name, size, count, bar in (
        ("serving: one position at a time", 1, 10, 1 / 1.3),
        ("serving: batches of 256", BATCH, BATCH, 0.85),
    ):
        rounds = 201 if size == 1 else 11
        fresh = [replay(count, next(seeds)) for _ in range(rounds + 1)]
        ready = runtime.encoder.encode(replay(count, 0))["planes"]
        chunks = [ready[at : at + size] for at in range(0, count, size)]

        def ours(fresh: list[list[Query]] = fresh, size: int = size) -> int:
            queries = fresh.pop()
            return sum(len(mind(queries[at : at + size], effort)) for at in range(0, len(queries), size))

        def bare(chunks: list[Any] = chunks) -> int:
            return sum(len(session.run(["policy", "wdl"], {"planes": chunk})[0]) for chunk in chunks)

        rows.append(ratio_of(name, ours, bare, at_least=bar, rounds=rounds))
    rows.append(measure_callers(mind, effort))
    return rows


def measure_callers(mind: NetworkMind, effort: Effort) -> Row:
    """Several threads with one position each time, against one thread with all of them."""
    warm = replay(80, 0)

    def together() -> int:
        with ThreadPoolExecutor(CALLERS) as pool:
            return sum(pool.map(lambda query: len(mind([query], effort)), warm))

    def alone() -> int:
        return sum(len(mind([query], effort)) for query in warm)

    return ratio_of(f"serving: {CALLERS} callers at once against one", together, alone, at_least=None, rounds=11)


def measure_cold(folder: Path) -> Row:
    bare_command = [sys.executable, "-c", BARE, str(folder / "model.onnx")]
    ours_command = [sys.executable, "-m", "hitonami", "predict", "chess", "startpos", "--mind", str(folder)]
    ratios, extra = [], []
    for _ in range(COLD_ROUNDS):
        bare, ours = _seconds(bare_command), _seconds(ours_command)
        ratios.append((bare + ALLOWANCE_SECONDS) / ours)
        extra.append(ours - bare)
    note = f"{1000 * median(extra):.0f} ms more than loading the session here"
    return Row("serving: hitonami predict from cold", median(ratios), min(ratios), max(ratios), 1.0, note)


def _seconds(command: list[str]) -> float:
    begin = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - begin


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        model = make_model(Path(name))
        return [*measure_speed(model), measure_cold(Path(name) / "random")]


if __name__ == "__main__":
    show(run())
