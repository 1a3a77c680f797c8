"""Workers: results in order, errors as they were raised, and an end at once that nothing holds up."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from hitonami.cluster import Workers, map_ordered
from hitonami.errors import BadInput, WorkFailed


def square(number: int) -> int:
    return number * number


def refuse(number: int) -> int:
    if number == 3:
        raise BadInput("three is refused")
    return number


def die(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def say_much(number: int) -> "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]":
    return np.zeros(3_000_000, np.uint8)


def linger(folder: Path, number: int) -> int:
    (folder / str(os.getpid())).touch()
    time.sleep(600)
    return number


def test_results_come_in_order() -> None:
    assert list(map_ordered(square, range(40), jobs=2)) == [number * number for number in range(40)]


def test_an_error_is_told_as_it_was_raised() -> None:
    with pytest.raises(BadInput, match="three is refused"):
        list(map_ordered(refuse, range(40), jobs=2))


def test_a_worker_that_dies_is_told_in_a_line() -> None:
    with pytest.raises(WorkFailed, match="has ended by itself"):
        list(map_ordered(die, range(40), jobs=2))


def test_large_results_that_nobody_takes_hold_nothing_up() -> None:
    """Workers are ended in the midst of them."""
    for _ in range(3):
        stream = map_ordered(say_much, range(1_000), jobs=2)
        next(stream)
        stream.close()  # type: ignore[attr-defined]


def test_what_is_under_way_is_not_waited_for(tmp_path: Path, wait_gone: Callable[[int], bool]) -> None:
    class Enough(Exception):
        """The caller has had enough."""

    def items() -> Iterator[int]:
        yield from (1, 2)
        deadline = time.monotonic() + 120
        while len(list(tmp_path.iterdir())) < 2:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        raise Enough

    with pytest.raises(Enough), Workers(2) as workers:
        list(workers.map(partial(linger, tmp_path), items()))
    assert all(wait_gone(int(path.name)) for path in tmp_path.iterdir())


def wait_for_clusters_to_end() -> None:
    """Another process of this run may have started one for a test of its own, which "auto" would join."""
    until = time.monotonic() + 90
    while (
        subprocess.run(["pgrep", "-f", "gcs_server"], capture_output=True, check=False).stdout
        and time.monotonic() < until
    ):
        time.sleep(0.5)


@pytest.mark.parametrize("address", ["nonsense", "auto"])
def test_a_cluster_that_is_not_there_is_told_in_a_line(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray")
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    if address == "auto":
        wait_for_clusters_to_end()
    with pytest.raises(WorkFailed, match=f"cannot join a Ray cluster at '{address}'"), Workers(1, address):
        pass
