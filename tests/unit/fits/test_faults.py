"""What fits write when the disk fails, or the process is killed, at each call."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from hitonami.fits._searches import _read, _write
from hitonami.fits.store import update_knobs
from hitonami.knobs import Curve
from hitonami.levels import read_levels

FailEach = Callable[..., int]
Tree = Callable[[Path], dict[str, bytes]]
FIRST, SECOND = Curve(((1000.0, 0.9), (2000.0, 0.5))), Curve(((1200.0, 0.8), (1900.0, 0.7)))


def test_a_file_of_levels_has_the_old_curves_or_the_new(fail_each: FailEach, tree: Tree) -> None:
    def work(folder: Path) -> None:
        update_knobs(folder / "chess.json", "search", {"tau": {"lichess": FIRST}}, {"lichess": {}})
        update_knobs(folder / "chess.json", "search", {"tau": {"lichess": SECOND}}, {"lichess": {}})

    def check(folder: Path) -> None:
        if (folder / "chess.json").exists():
            assert read_levels(folder / "chess.json")["search"]["tau"]["lichess"] in (FIRST, SECOND)

    assert fail_each(work, work, tree, check) > 8


def test_visits_are_read_whole_or_made_again(fail_each: FailEach, tree: Tree) -> None:
    visits = np.arange(1_000, dtype=np.float64)

    def work(folder: Path) -> None:
        path = folder / "t1-c1.npy"
        known = _read(path, 1_000)
        assert known is None or np.array_equal(known, visits)
        _write(path, visits)

    assert fail_each(work, work, tree) >= 5
