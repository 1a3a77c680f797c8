"""Shared fixtures: what a test needs from the machine, and what happens where it is missing.

A missing program or library skips the test with the reason. In CI (`CI=true`) it fails instead: there
everything was installed on purpose, so a skip would hide a hole.
"""

import importlib
import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.shards import table_of, write_shard
from hitonami.records import Record

settings.register_profile("house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

if importlib.util.find_spec("torch") is None and os.environ.get("CI") != "true":  # an extra: hitonami[train]
    collect_ignore = ["unit/models/test_net.py", "unit/train", "end_to_end/test_train.py"]

_PATH = os.pathsep.join(
    [os.environ.get("PATH", ""), "/usr/games", "/usr/local/games", *map(str, Path("/usr/lib/postgresql").glob("*/bin"))]
)


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
