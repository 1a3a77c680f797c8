"""Kept steps and outcomes when the disk fails, or the process is killed, at each call."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami import disk
from hitonami.experiments.recipe import read_recipe
from hitonami.experiments.run import Site, run_experiment
from hitonami.outcomes import write_outcome
from hitonami.terminal.progress import Meter

FailEach = Callable[..., int]
Tree = Callable[[Path], dict[str, bytes]]
_RECIPE = """
title = "Few"
about = "For tests."

[[steps]]
do = "subset"
name = "few"
title = "Few games"
game = "chess"
data = ["$DATA"]
games = 6
held_out = 1

[[steps]]
do = "evaluate"
name = "moves"
title = "Moves of few games"
game = "chess"
data = ["step:few"]
minds = { spec = "$HERE/mind.toml" }
filter = "none"
split = "train"
positions = 4
"""


@pytest.fixture
def recipe(tmp_path: Path, write_games: Callable[..., Path]) -> tuple[Path, Path]:
    games = write_games("chess", 14, most=8)
    (tmp_path / "few.toml").write_text(_RECIPE.replace("$DATA", f"$DATA/{games.name}"), encoding="utf-8")
    (tmp_path / "mind.toml").write_text('kind = "temper"\nrho = 2.0\nmind = "uniform"\n', encoding="utf-8")
    return tmp_path / "few.toml", games.parent


def test_an_experiment_ends_with_the_same_steps(recipe: tuple[Path, Path], fail_each: FailEach, tree: Tree) -> None:
    path, root = recipe

    def work(folder: Path) -> None:
        outcome = run_experiment(read_recipe(str(path), "full"), Site(root, folder, Meter, lambda text: None))
        disk.write_bytes(folder / "few.json", write_outcome(outcome))

    assert fail_each(work, work, tree) > 25
