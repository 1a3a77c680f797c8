"""Training on games, replayed and encoded ahead, against the same network on one batch that lies in memory.

Both do the same steps with the same optimiser and one thread. What is missing to 1 is the price of the data: drawing
games, replaying, encoding, and bringing batches over from the process that does it. Batches that wait, ready, when a
round begins are thrown away, within the measured time: they were made while nobody looked. "In turn" is reported only:
one process makes a group, then trains on it, and nothing overlaps. Convolutions by tiles stand against torch's own.
"""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np
import torch

from _measure import Row, ratio_of, show
from hitonami.core import Player, Setup, open_game
from hitonami.dataset.batches import Batch, Batches, BatchPlan, Place
from hitonami.dataset.shards import table_of, write_shard
from hitonami.models import tiled_convolution
from hitonami.models.net import Net
from hitonami.models.spec import NetSpec
from hitonami.records import Record
from hitonami.train.feed import AHEAD, Feed
from hitonami.train.loop import build_optimizer, to_batch
from hitonami.train.losses import losses_of
from hitonami.train.recipe import LossSpec, TrainingSpec

GAMES, PLIES, STEPS, BATCH = 300, 80, 15, 32
GROUP_GAMES, POSITIONS = 16, 10
WEIGHTS = LossSpec()
CASES: dict[str, dict[str, Any]] = {
    "chess": {"encoder": {"name": "lc0-rated"}, "policy": "lc0", "condition": {"low": 600, "high": 2700}},
    "shogi": {"encoder": {"name": "miniosl-rated"}, "policy": "planes", "condition": {"low": 600, "high": 2700}},
    "go": {
        "encoder": {"name": "katago-rated"}, "policy": "points", "value": "pooled", "mask_plane": 0,
        "condition": {"low": 0, "high": 38},
    },
}  # fmt: skip


def write_games(game: str, folder: Path) -> None:
    rng, records = np.random.default_rng(1), []
    for _ in range(GAMES):
        position = open_game(game).start()
        moves: list[int] = []
        while len(position.legal) and len(moves) < PLIES:
            moves.append(int(rng.choice(position.legal)))
            position = position.play(moves[-1])
        records.append(Record(game, Setup(), tuple(moves), (Player(1500.0), Player(1600.0)), 1.0))
    write_shard(table_of(records, ["random"] * GAMES), folder / "shard-00000.parquet")


class Steps:
    """The steps of a training, one after the other, on whatever batches it is given."""

    def __init__(self, spec: NetSpec, batches: Iterator[Batch], ready: int = 0) -> None:
        self._net = Net(spec).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self._optimizer = build_optimizer(self._net, TrainingSpec(steps=1, rate=1e-4))
        self._batches, self._ready = batches, ready

    def __call__(self) -> int:
        for _ in range(self._ready):
            next(self._batches)
        for _ in range(STEPS):
            batch = to_batch(next(self._batches), self._net.shape.names)
            loss = losses_of(self._net(batch), batch, WEIGHTS)["loss"]
            loss.backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
            self._optimizer.zero_grad()
        return STEPS * BATCH


class PlainSteps(Steps):
    """The same with torch's own convolutions."""

    def __call__(self) -> int:
        with patch.object(tiled_convolution, "_pays", lambda *_: False):
            return super().__call__()


def same_again(batch: Batch) -> Iterator[Batch]:
    while True:
        yield batch


def run() -> list[Row]:
    torch.set_num_threads(1)
    rows = []
    for game, fields in CASES.items():
        spec = NetSpec(**fields)
        plan = BatchPlan(spec.encoder.name, (), BATCH, POSITIONS, GROUP_GAMES)
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            write_games(game, folder)
            batches = Batches([folder], plan)
            feed = stack.enter_context(Feed(batches, Place()))
            reference = Steps(spec, same_again(next(iter(batches))))
            ahead = Steps(spec, (batch for batch, _ in feed), AHEAD + GROUP_GAMES * POSITIONS // BATCH)
            rows.append(ratio_of(f"training on games of {game}, 6×64", ahead, reference, at_least=0.85))
            in_turn = Steps(spec, iter(batches))
            rows.append(ratio_of(f"training on games of {game}, in turn", in_turn, reference, at_least=None))
            tiled, plain = (kind(spec, same_again(next(iter(batches)))) for kind in (Steps, PlainSteps))
            least = 1.2 if game == "go" else 1.0 if game == "chess" else None  # boards of 9×9 have no tiles
            rows.append(ratio_of(f"a step of {game} by tiles", tiled, plain, at_least=least, clock=process_time))
    return rows


if __name__ == "__main__":
    show(run())
