"""Networks of games without an encoder of their own learn from records, and become models."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitonami.core import Effort, Query, Setup, open_game
from hitonami.specs import open_mind, read_toml
from hitonami.train.export import export_run
from hitonami.train.loop import run_training
from hitonami.train.recipe import Recipe
from hitonami.train.run import open_run

SIZES = {"channels": 4, "blocks": 1, "squeeze": 2, "policy_channels": 2, "value_channels": 2, "value_hidden": 4}


def train(recipe: dict[str, Any], games: Path, out: Path) -> Path:
    run = open_run(Recipe(**recipe), {"DATA": games.parent}, out, resume=False)
    assert run_training(run) == "finished"
    return export_run(run)


@pytest.mark.parametrize(
    ("game", "policy", "setup"), [("othello", "flat", Setup()), ("breakthrough", "squares", Setup(size=6))]
)
def test_a_model_of_any_game(
    write_games: Callable[..., Path], tmp_path: Path, game: str, policy: str, setup: Setup
) -> None:
    games = write_games(game, 100, setup)
    fields = {"game": game, "size": setup.size, "pools": ["lichess"]}
    recipe = {
        "name": "mine",
        "network": {"encoder": {"name": "cells", "fields": fields}, "policy": policy, **SIZES}
        | {"condition": {"low": 800, "high": 1400, "hidden": 4}},
        "data": {"folders": [str(games)], "positions_per_game": 4, "games_per_group": 20, "turned": True},
        "training": {"steps": 3, "batch_size": 16, "warm_up": 1},
        "validation": {"every": 3, "positions": 4},
    }
    model = train(recipe, games, tmp_path / "run")
    start = open_game(game).start(setup)
    with open_mind(f"neural:{model}") as mind:
        [opinion] = mind([Query(start)], Effort.seeded())
    assert len(opinion.log_probs) == len(start.legal)


@pytest.mark.slow
def test_the_network_of_the_thesis_learns(write_games: Callable[..., Path], tmp_path: Path) -> None:
    games = write_games("heian", 160)
    recipe = read_toml(Path(__file__).parents[3] / "recipes" / "trials" / "heian-thesis.toml")
    recipe["data"] |= {"folders": [str(games)], "positions_per_game": 4, "games_per_group": 40}
    recipe["training"] |= {"steps": 4, "batch_size": 16}
    recipe["validation"] = {"every": 2, "positions": 16}
    model = train(recipe, games, tmp_path / "run")
    lines = (tmp_path / "run" / "log.csv").read_text().splitlines()
    assert len(lines) > 1
    assert (model / "model.onnx").stat().st_size > 10_000_000
