"""Runs so small that a step takes milliseconds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitonami.train.recipe import Recipe
from hitonami.train.run import Run, open_run

TINY: dict[str, Any] = {
    "name": "tiny",
    "seed": 3,
    "save_every": 4,
    "log_every": 2,
    "network": {
        "encoder": {"name": "lc0-rated", "fields": {"pools": ["lichess", "fide"]}},
        "channels": 8,
        "blocks": 2,
        "squeeze": 2,
        "policy": "lc0",
        "policy_channels": 8,
        "value_channels": 2,
        "value_hidden": 8,
        "expert": True,
        "condition": {"low": 600, "high": 2700, "hidden": 8},
    },
    "data": {"folders": ["$GAMES"], "positions_per_game": 4, "games_per_group": 20},
    "training": {"steps": 10, "batch_size": 16, "warm_up": 2, "rate": 0.003},
    "validation": {"every": 5, "positions": 16},
}


def merge(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for name, value in changes.items():
        merged[name] = (
            merge(base[name], value) if isinstance(value, dict) and isinstance(base.get(name), dict) else value
        )
    return merged


@pytest.fixture(scope="session")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 160)


@pytest.fixture(scope="session")
def tiny() -> Callable[..., Recipe]:
    """A recipe: tiny(training={"steps": 5}) changes what it names and keeps the rest."""
    return lambda **changes: Recipe(**merge(TINY, changes))


MakeRun = Callable[..., Run]


@pytest.fixture
def make_run(games: Path, tiny: Callable[..., Recipe], tmp_path: Path) -> MakeRun:
    """A run in a folder of its own: make_run("name", training={…}); the same name again goes on with it."""

    def make(name: str = "run", **changes: Any) -> Run:
        out = tmp_path / name
        return open_run(tiny(**changes), {"GAMES": games}, out, resume=out.exists())

    return make
