"""Evaluation of a network against its bare runtime on the same positions, in the same run.

Ours reads shards, draws, replays the games, asks the mind and judges every move; the reference is the runtime alone
(encoding and forward passes, nothing of moves) on queries that are ready and were encoded before. The cache is off, the
network has Maia's size with random weights, one thread. About three positions of a game are drawn: where fewer are,
replaying weighs more. Intervals are left out: they cost the same whatever the network. Rounds are short and many, as
in bench_serving, since a busy neighbour easily hits one side only.
"""

import tempfile
from pathlib import Path

from _measure import Row, ratio_of, show
from bench_serving import make_model, replay
from hitonami.core import Player, Query, Setup, lineage
from hitonami.dataset.reading import open_data
from hitonami.dataset.shards import table_of, write_shard
from hitonami.evaluate.decisions import BATCH, ask
from hitonami.evaluate.selection import Selection, select
from hitonami.minds.neural import NetworkMind
from hitonami.models.runtime import Runtime, Settings
from hitonami.models.store import Model
from hitonami.records import Record

POSITIONS, GAMES, ROUNDS = 256, 80, 15


def write_dataset(folder: Path) -> None:
    """Random games of 79 plies by players of two levels."""
    queries = replay(GAMES * 79, seed=1)
    games = [lineage(query.position)[1] for query in queries if query.position.ply == 79]
    players = Player(1450.0, "lichess"), Player(1550.0, "lichess")
    records = [Record("chess", Setup(), tuple(moves), players, 0.5) for moves in games]
    write_shard(table_of(records, ["made up"] * len(records)), folder / "shard-00000.parquet")


def measure_evaluation(model: Model, folder: Path) -> Row:
    runtime = Runtime(model.card, model.onnx, Settings(threads=1, cache_rows=0))
    mind, plan = NetworkMind(runtime), Selection("chess", "none", POSITIONS, "plies:10")
    data = open_data([str(folder / "shard-00000.parquet")], "chess")
    ready: list[Query] = [sample.query for pick in select(data, plan).picks for sample, _ in pick.samples()]

    def ours() -> int:
        return len(ask(select(data, plan), {"network": mind}).facts.ply)

    def bare() -> int:
        for begin in range(0, len(ready), BATCH):
            runtime.evaluate(ready[begin : begin + BATCH])
        return len(ready)

    return ratio_of("evaluation against the bare runtime", ours, bare, at_least=0.7, rounds=ROUNDS)


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_dataset(folder)
        return [measure_evaluation(make_model(folder), folder)]


if __name__ == "__main__":
    show(run())
