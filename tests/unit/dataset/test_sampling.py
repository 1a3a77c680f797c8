"""Thinning: crowded cells give the root of their games, rare ones all; the stream stays repeatable."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup, lineage, open_game
from hitonami.dataset.batches import Batches, BatchPlan
from hitonami.dataset.sampling import Sampling, count_acceptance
from hitonami.dataset.shards import table_of, write_shard
from hitonami.records import Record

CELLS = {("lichess", 1500.0): 1600, ("lichess", 900.0): 100, ("fide", 1500.0): 400, ("", None): 50}


@pytest.fixture(scope="module")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rng, records = np.random.default_rng(1), []
    for (pool, rating), count in CELLS.items():
        player = Player(rating, pool)
        records += [Record("chess", Setup(), _opening(rng), (player, player), 1.0) for _ in range(count)]
    path = tmp_path_factory.mktemp("cells") / "shard-00000.parquet"
    write_shard(table_of(records, ["x"] * len(records)), path)
    return path


def _opening(rng: np.random.Generator) -> tuple[int, ...]:
    """Four random moves: the split of a game goes by its moves, so they must differ."""
    position = open_game("chess").start()
    for _ in range(4):
        position = position.play(int(rng.choice(position.legal)))
    return tuple(lineage(position)[1])


def test_a_cell_gives_its_games_to_the_power(shard: Path) -> None:
    chances = dict(count_acceptance([shard], Sampling(band=200, power=0.5, full_below=200)).chances)
    assert chances[("lichess", 800.0)] == 1.0
    assert chances[("lichess", 1400.0)] == pytest.approx((200 / 3200) ** 0.5)
    assert chances[("fide", 1400.0)] == pytest.approx((200 / 800) ** 0.5)
    assert chances[("", None)] == 1.0


def test_pools_are_weighted_and_chances_stay_chances(shard: Path) -> None:
    sampling = Sampling(power=1.0, pools=(("fide", 4.0), ("", 0.0)))
    chances = dict(count_acceptance([shard], sampling).chances)
    assert chances[("fide", 1400.0)] == 1.0
    assert chances[("lichess", 1400.0)] == 0.25
    assert chances[("", None)] == 0.0


def test_batches_hold_the_shares(shard: Path) -> None:
    accept = count_acceptance([shard], Sampling(full_below=200))
    plan = BatchPlan("lc0-rated", (("pools", ("lichess", "fide")),), 64, 2, 64, seed=1, accept=accept)
    batches = list(islice(Batches([shard.parent], plan), 40))
    pools = np.concatenate([batch["pool"] for batch in batches])
    ratings = np.concatenate([batch["rating"] for batch in batches])
    crowded, rare = np.sum((pools == 1) & (ratings == 1500)), np.sum((pools == 1) & (ratings == 900))
    assert crowded / rare == pytest.approx(1600 * 0.25 / 100, rel=0.2)
    assert np.sum(pools == 2) / rare == pytest.approx(400 * 0.5 / 100, rel=0.2)
    again = list(islice(Batches([shard.parent], plan), 40))
    assert all(np.array_equal(one["target"], other["target"]) for one, other in zip(batches, again, strict=True))
