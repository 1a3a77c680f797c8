"""Batches from other processes: the same stream, errors told, nobody left behind."""

import os
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from hitonami.dataset.batches import Batches, BatchPlan, Place
from hitonami.errors import BadInput, WorkFailed
from hitonami.train.feed import Feed

PLAN = BatchPlan("lc0-rated", batch_size=16, positions_per_game=4, games_per_group=20, seed=5)


def children() -> set[int]:
    return {int(pid) for task in Path("/proc/self/task").iterdir() for pid in (task / "children").read_text().split()}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("start", [Place(), Place(3, 2)])
def test_the_stream_does_not_depend_on_processes(games: Path, workers: int, start: Place) -> None:
    batches = Batches([games], PLAN)
    wanted = list(islice(batches.stream(start), 12))
    with Feed(batches, start, workers) as feed:
        found = list(islice(feed, 12))
    assert [place for _, place in found] == [place for _, place in wanted]
    for (one, _), (other, _) in zip(found, wanted, strict=True):
        assert all(np.array_equal(one[name], other[name], equal_nan=True) for name in other)


def test_two_trainings_share_a_stream_without_overlap(games: Path) -> None:
    whole = {place: batch for batch, place in islice(Batches([games], PLAN).stream(), 16)}
    seen: set[tuple[int, int]] = set()
    for part in (0, 1):
        batches = Batches([games], PLAN, part=part, parts=2)
        with Feed(batches, Place(), 2) as feed:
            for batch, place in islice(feed, 6):
                assert place.group % 2 == part
                assert np.array_equal(batch["target"], whole[place]["target"])
                seen.add((place.group, place.batch))
    assert len(seen) == 12


def test_an_error_over_there_is_raised_here(games: Path) -> None:
    lost = Batches([games], replace(PLAN, encoder="lc1"))
    with Feed(lost, Place()) as feed, pytest.raises(BadInput, match="lc1"):
        next(iter(feed))


def test_a_process_that_dies_is_noticed(games: Path) -> None:
    before = children()
    with Feed(Batches([games], PLAN), Place()) as feed:
        stream = iter(feed)
        next(stream)
        for pid in children() - before:
            if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text():
                os.kill(pid, 9)
        with pytest.raises(WorkFailed, match="has ended"):
            list(islice(stream, 100))


def test_no_process_is_left(games: Path, wait_gone: Callable[[int], bool]) -> None:
    before = children()
    with Feed(Batches([games], PLAN), Place(), 2) as feed:
        next(iter(feed))
        started = {pid for pid in children() - before if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()}
        assert len(started) == 2
    assert all(wait_gone(pid) for pid in started)
