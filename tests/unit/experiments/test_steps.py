"""Steps of the papers' own protocols, on games that come with the package."""

from pathlib import Path

import pytest

from hitonami.errors import BadInput
from hitonami.experiments.recipe import read_recipe
from hitonami.experiments.run import Site, run_experiment
from hitonami.outcomes import StepFound
from hitonami.terminal.progress import Meter

_STRENGTH = """
title = "Strength"
about = "For tests."

[[steps]]
do = "strength"
name = "games"
title = "Small boards"
game = "go"
minds = { mind = "uniform", opponent = "uniform" }
rating = "8k"
exponents = [1.0, 2.0]
games = 2
size = 5
max_plies = 12
"""
_LOSSES = """
title = "Losses"
about = "For tests."

[[steps]]
do = "losses"
name = "chess"
title = "Sample games"
game = "chess"
data = ["sample:chess"]
minds = { uniform = "uniform", sharp = "$HERE/sharp.toml", judge = "human" }
filter = "plies:10"
by = "none"
split = "test"
positions = 6
fit_positions = 4
"""


def _run(tmp_path: Path, text: str) -> StepFound:
    (tmp_path / "one.toml").write_text(text, encoding="utf-8")
    (tmp_path / "sharp.toml").write_text('kind = "near"\nm = 0.3\nmind = "uniform"\n', encoding="utf-8")
    recipe = read_recipe(str(tmp_path / "one.toml"), "full")
    [step] = run_experiment(recipe, Site(None, tmp_path / "out", Meter, lambda text: None)).steps
    return step


def test_every_way_to_draw_plays_the_opponent_and_one_curve_tells_even_chances(tmp_path: Path) -> None:
    step = _run(tmp_path, _STRENGTH)
    told = {(each.group, each.name): each for each in step.figures}
    assert [group for group, _ in told] == ["likeliest move", "drawn with 1", "drawn with 2", "all"]
    assert all(told[group, "score"].n == 2 for group, name in told if name == "score")
    even = told["all", "exponent with even chances"]
    assert even.n == 4
    assert even.low is not None
    assert even.high is not None
    assert even.low <= even.value <= even.high
    assert str(tmp_path) not in repr(step)


def test_strength_needs_a_mind_and_an_opponent(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="mind and opponent"):
        _run(tmp_path, _STRENGTH.replace("opponent =", "enemy ="))


def test_losses_are_told_of_people_and_of_each_mind(tmp_path: Path) -> None:
    step = _run(tmp_path, _LOSSES)
    columns = {each.column for each in step.figures}
    for mind in ("uniform", "sharp"):
        assert {f"{mind}: temperature", f"{mind}: loses 0.05 more", f"{mind}: squared difference"} <= columns
    assert "people: loss in centipawns" in columns
    assert "sharp: of them where uniform is bad" in columns
    assert [cloud.title for cloud in step.clouds] == [
        f"{mind}: what its draws give away" for mind in ("uniform", "sharp")
    ]
    temperatures = [each.value for each in step.figures if each.name == "temperature"]
    assert all(0.0 <= value <= 1.0 for value in temperatures)
