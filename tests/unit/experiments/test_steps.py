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
games = 4
games_drawn = 2
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

_ACE = """
title = "ACE"
about = "For tests."

[[steps]]
do = "ace"
name = "levels"
title = "Sample games"
game = "chess"
data = ["sample:chess"]
minds = { mind = "uniform" }
filter = "plies:10"
split = "all"
unseen = "all"
ratings = [2000, 1000]
between = 1500
band = 600
positions = 50
simulations = 3
steps = 1
games = 2
max_plies = 6
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
    assert [told[group, "score"].n for group, name in told if name == "score"] == [4, 4, 2]
    even = told["all", "exponent with even chances"]
    assert even.n == 6
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


def test_levels_of_a_search_are_fitted_interpolated_rated_and_played(tmp_path: Path) -> None:
    step = _run(tmp_path, _ACE)
    told = {(each.part, each.group, each.name): each for each in step.figures}
    knobs = {name: [told["Θ by level", level, name].value for level in ("1000", "1500", "2000")] for name in "τt"}
    assert all(value > 0 for values in knobs.values() for value in values)
    pairs = [group for part, group, _ in told if part == "Games, to their end"]
    assert pairs[0] == "ace-2000.toml@2000,sample – ace-1000.toml@1000,sample"
    neighbours = {group for part, group, name in told if part == "Games of the interpolated level" and name == "score"}
    assert len(neighbours) == 2
    assert all(group.startswith("interpolated-1500.toml@1500") for group in neighbours)
    less = told["Θ interpolated at 1500, on unseen moves", "interpolated less fitted", "nats"]
    assert less.low is not None
    assert less.high is not None
    assert less.low <= less.value <= less.high
    rated = told["Rating from test positions", "1500", "rating of people's choices"]
    assert rated.n == 50
    assert str(tmp_path) not in repr(step)


def test_ace_needs_one_mind_and_a_level_between(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="between: a rating between the others"):
        _run(tmp_path, _ACE.replace("between = 1500", "between = 2100"))
    with pytest.raises(BadInput, match="mind is needed"):
        _run(tmp_path, _ACE.replace("{ mind =", "{ other ="))
