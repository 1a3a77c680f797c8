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
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from _measure import Row, ratio_of, show
from hitonami.core import Effort, Query, lineage, open_game
from hitonami.minds.neural import NetworkMind
from hitonami.models.card import Card, EncoderRef, Heads
from hitonami.models.importers.lc0 import to_onnx
from hitonami.models.lc0_proto import Block, Conv, Dense, Lc0Network
from hitonami.models.runtime import Runtime, Settings
from hitonami.models.sessions import open_session
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


def measure_speed(model: Model, threads: int, size: int, bar: float | None) -> Row:
    """Passes of `size` positions that are new to us, against passes of inputs that are ready."""
    settings = Settings(threads=threads, cache_rows=0)
    runtime, session = Runtime(model.card, model.onnx, settings), open_session(model.onnx, threads)
    mind, effort = NetworkMind(runtime), Effort.seeded()
    count, rounds = (10, 201) if size == 1 else (size, 11)
    fresh = [replay(count, seed) for seed in range(1, rounds + 2)]
    ready = runtime.encoder.encode(replay(count, 0))["planes"]
    chunks = [ready[at : at + size] for at in range(0, count, size)]

    def ours() -> int:
        queries = fresh.pop()
        return sum(len(mind(queries[at : at + size], effort)) for at in range(0, count, size))

    def bare() -> int:
        return sum(len(session.run(["policy", "wdl"], {"planes": chunk})[0]) for chunk in chunks)

    cores = "one thread" if threads == 1 else "all cores"
    what = "one position at a time" if size == 1 else f"batches of {size}"
    return ratio_of(f"serving: {what}, {cores}", ours, bare, at_least=bar, rounds=rounds)


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
        return [
            measure_speed(model, threads=1, size=1, bar=1 / 1.3),
            measure_speed(model, threads=0, size=1, bar=None),
            measure_speed(model, threads=1, size=BATCH, bar=0.85),
            measure_speed(model, threads=0, size=BATCH, bar=0.85),
            measure_cold(Path(name) / "random"),
        ]


if __name__ == "__main__":
    show(run())
