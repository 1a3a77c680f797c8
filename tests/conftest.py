"""Shared fixtures: what a test needs from the machine, and what happens where it is missing.

A missing program or library skips the test with the reason. In CI (`CI=true`) it fails instead: there
everything was installed on purpose, so a skip would hide a hole.
"""

import contextlib
import errno
import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from hitonami import disk
from hitonami.core import Player, Setup, open_game
from hitonami.dataset.shards import table_of, write_shard
from hitonami.errors import HitonamiError
from hitonami.fits.turns import NUMBERS, Turns
from hitonami.records import Record

settings.register_profile("house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

if importlib.util.find_spec("torch") is None and os.environ.get("CI") != "true":  # an extra: hitonami[train]
    collect_ignore = ["unit/models/test_net.py", "unit/train", "end_to_end/test_train.py"]

_PATH = os.pathsep.join(
    [os.environ.get("PATH", ""), "/usr/games", "/usr/local/games", *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
)


_PARTS = Path(__file__).parent / "parts"


@pytest.fixture
def game_in_one_file(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a game that is no part of the package; its sides do not alternate."""
    monkeypatch.setenv("HITONAMI_PARTS", str(_PARTS))
    return "twofold"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mind `made`, findable by name."""
    monkeypatch.setenv("HITONAMI_PARTS", str(_PARTS))


def _missing(reason: str) -> None:
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (in CI nothing may be missing)", pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def need_program() -> Callable[[str], str]:
    """The path of an installed program, or a skip that says how to get it."""

    def need(name: str) -> str:
        found = shutil.which(name, path=_PATH)
        if found is None:
            _missing(f"{name} is not installed: run `make system-deps`")
        return str(found)

    return need


@pytest.fixture(scope="session")
def need_module() -> Callable[[str], ModuleType]:
    """An importable library, or a skip."""

    def need(name: str) -> ModuleType:
        try:
            return importlib.import_module(name)
        except ImportError:
            _missing(f"the Python library {name} is not installed")
            raise

    return need


@pytest.fixture(scope="session")
def write_games(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A dataset of random games: write_games("go", 40, Setup(size=9)). The players' ratings run from 800 up."""

    def write(game: str, count: int, *setups: Setup, most: int = 40) -> Path:
        folder = tmp_path_factory.mktemp(f"games-{game}")
        records = [
            _random_game(game, seed, (setups or (Setup(),))[seed % (len(setups) or 1)], most) for seed in range(count)
        ]
        write_shard(table_of(records, ["made up"] * count), folder / "shard-00000.parquet")
        return folder

    return write


def _random_game(game: str, seed: int, setup: Setup, most: int) -> Record:
    rng = np.random.default_rng(seed)
    position = open_game(game).start(setup)
    moves: list[int] = []
    while len(position.legal) and len(moves) < most:
        moves.append(int(rng.choice(position.legal)))
        position = position.play(moves[-1])
    pool = "lichess" if seed % 4 else "fide"
    players = Player(800.0 + 10 * seed, pool, f"a{seed}"), Player(1500.0, pool, f"b{seed}")
    return Record(game, setup, tuple(moves), players, [0.0, 0.5, 1.0][seed % 3])


class Killed(BaseException):
    """The process ended here, as far as the disk is concerned."""


class FaultyDisk:
    """The system's calls as `hitonami.disk` makes them, of which the n-th fails; after SQLite's tests.

    "EIO" fails that one alone. "ENOSPC" fails it and all after it that need room; a write is cut in half before. "kill"
    does so too and lets nothing more happen, not even tidying up. Flushing is counted and left out: it takes most of
    the time, and no test can see it.
    """

    _CALLS = frozenset({"open", "write", "fsync", "replace", "mkdir", "link", "ftruncate", "unlink", "rmdir"})
    _NEED_ROOM = frozenset({"open", "write", "fsync", "mkdir", "link"})

    def __init__(self, number: int, how: str) -> None:
        self._number, self._how = number, how
        self.made = 0

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in self._CALLS:
            return real

        def call(*arguments: Any) -> Any:
            self.made += 1
            if not self._fails(name):
                return None if name == "fsync" else real(*arguments)
            if name == "write" and self.made == self._number:
                real(arguments[0], bytes(arguments[1])[: len(arguments[1]) // 2])
            raise Killed if self._how == "kill" else OSError(code := getattr(errno, self._how), os.strerror(code))

        return call

    def _fails(self, name: str) -> bool:
        if self._how == "EIO":
            return self.made == self._number
        return self.made >= self._number and (self._how == "kill" or name in self._NEED_ROOM)


Work = Callable[[Path], object]


@pytest.fixture(params=["EIO", "ENOSPC", "kill"])
def fail_each(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """fail_each(work, again, seen): do `work` in a new folder once for every call of the disk in it, which fails there.

    Then `check` sees what is left, `again` is the next start, undisturbed, and `seen` must be that of a folder where
    nothing ever failed. Returns how many calls there are.
    """

    def sweep(work: Work, again: Work, seen: Work, check: Work = lambda folder: None) -> int:
        def attempt(work: Work, folder: Path, number: int) -> FaultyDisk:
            faulty = FaultyDisk(number, request.param)
            with monkeypatch.context() as patch:
                patch.setattr(disk, "os", faulty)
                work(folder)
            return faulty

        whole = tmp_path / "whole"
        whole.mkdir()
        calls = attempt(work, whole, sys.maxsize).made
        wanted = seen(whole)
        for number in range(1, calls + 1):
            folder = tmp_path / f"{request.param}-{number}"
            folder.mkdir()
            with contextlib.suppress(OSError, HitonamiError, Killed):
                attempt(work, folder, number)
            check(folder)
            attempt(again, folder, sys.maxsize)
            assert seen(folder) == wanted, f"{request.param} at call {number} leaves something else"
            shutil.rmtree(folder)
        return calls

    return sweep


@pytest.fixture(scope="session")
def tree() -> Callable[[Path], dict[str, bytes]]:
    """All files below a folder, by their names in it."""

    def read(folder: Path) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    return read


def make_turns(n: int, seed: int) -> Turns:
    """Games in which people think longer in doubt and give up when hope is gone."""
    rng = np.random.default_rng(seed)
    games, plies = np.repeat(np.arange(n), 20), np.tile(np.arange(20.0, 40.0), n)
    columns: dict[str, np.ndarray] = {name: np.full(20 * n, 0.0) for name in NUMBERS}
    level = np.repeat(rng.choice([1000.0, 2000.0], n), 20)
    hope = np.clip(rng.normal(0.5, 0.1, 20 * n) - 0.04 * (plies - 20) * (plies % 2), 0.01, 0.99)
    entropy = rng.uniform(0.0, 3.0, 20 * n)
    columns |= {
        "game": games.astype(float), "ply": plies, "side": plies % 2, "hope": hope, "rating": level, "opponent": level,
        "turns_left": (39 - plies) / 2, "entropy": entropy, "chance": np.full(20 * n, -1.0),
        "legal": np.full(20 * n, 30.0), "good": np.full(20 * n, 3.0), "remaining": rng.uniform(5, 600, 20 * n),
        "opponent_remaining": np.full(20 * n, 300.0), "usual": np.full(20 * n, 3.0),
        "score": (plies + 1) % 2, "person": rng.integers(0, 9, 20 * n).astype(float) + 1,
    }  # fmt: skip
    columns["seconds"] = np.exp(entropy + rng.normal(0, 0.5, 20 * n))
    columns["resigned"] = ((hope < 0.05) & (rng.random(20 * n) < 0.3)).astype(float)
    columns["opponent_person"] = columns["person"]
    words = {"pool": np.full(20 * n, "lichess"), "ending": np.full(20 * n, "resignation"), "speed": np.full(20 * n, "")}
    return Turns(columns | words)


@pytest.fixture(scope="session")
def made_up() -> Callable[[int, int], Turns]:
    """Turns of so many made-up games, by a seed."""
    return make_turns
