"""Steps are kept by their inputs: nothing is done twice, and a changed input redoes exactly what depends on it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.errors import BadData, BadInput
from hitonami.experiments import marks
from hitonami.experiments.asking import Evaluate, Foresight
from hitonami.experiments.recipe import FOLDER, find_recipes, place_mind, read_recipe
from hitonami.experiments.run import Site, run_experiment
from hitonami.levels import FOLDER as FITTED
from hitonami.models.store import find_model
from hitonami.outcomes import Outcome, write_outcome
from hitonami.terminal.progress import Meter

_RECIPE = """
title = "Two datasets"
about = "For tests."

[[steps]]
do = "subset"
name = "few"
title = "Few games"
game = "chess"
data = ["$DATA/a"]
games = 10
held_out = 5

[[steps]]
do = "evaluate"
name = "few-moves"
title = "Moves of few games"
game = "chess"
data = ["step:few"]
minds = { spec = "$HERE/mind.toml" }
filter = "none"
split = "train"
positions = 5

[[steps]]
do = "evaluate"
name = "others"
title = "Moves of the other dataset"
game = "chess"
data = ["$DATA/b"]
minds = { uniform = "uniform" }
filter = "none"
split = "all"
positions = 4

[[published]]
source = "S0 nowhere"
mind = "any move"
people = "nobody"
quantity = "accuracy"
value = 0.05
unit = "share"
same = true
[published.ours]
step = "others"
group = "all"
figure = "uniform: accuracy"
mind = "any move"
people = "the other dataset"
quantity = "accuracy"
"""
_MIND = 'kind = "temper"\nrho = 2.0\nmind = "uniform"\n'


@pytest.fixture
def place(tmp_path: Path, write_games: Callable[..., Path]) -> Path:
    """A folder with a recipe, a mind and two datasets."""
    shutil.copytree(write_games("chess", 30, most=14), tmp_path / "data" / "a")
    shutil.copytree(write_games("chess", 8, most=12), tmp_path / "data" / "b")
    (tmp_path / "two.toml").write_text(_RECIPE, encoding="utf-8")
    (tmp_path / "mind.toml").write_text(_MIND, encoding="utf-8")
    return tmp_path


def _run(place: Path, root: str = "data") -> tuple[Outcome, list[str]]:
    """The outcome, and the steps that were done."""
    told: list[str] = []
    recipe = read_recipe(str(place / "two.toml"), "full")
    outcome = run_experiment(recipe, Site(place / root, place / "out", Meter, told.append))
    return outcome, [line.partition(":")[0] for line in told if not line.endswith("as kept")]


def _edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_second_run_does_nothing_and_changes_no_figure(place: Path) -> None:
    first, done = _run(place)
    assert done == ["few", "few-moves", "others"]
    kept = {path: path.stat().st_mtime_ns for path in (place / "out").rglob("*") if path.is_file()}
    second, again = _run(place)
    assert again == []
    assert write_outcome(second) == write_outcome(first)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_ours_stands_beside_the_published_figure(place: Path) -> None:
    outcome, _ = _run(place)
    ours = outcome.beside[0].ours
    assert ours is not None
    assert ours.n == sum(each.n for each in outcome.steps[2].figures if each.name == "accuracy" and each.group != "all")
    assert 0.0 <= ours.value <= 1.0


def test_another_option_redoes_its_step_alone(place: Path) -> None:
    _run(place)
    _edit(place / "two.toml", "positions = 4", "positions = 3")
    assert _run(place)[1] == ["others"]


def test_other_data_redo_what_reads_them(place: Path) -> None:
    _run(place)
    shutil.copy(place / "data" / "a" / "shard-00000.parquet", place / "data" / "b" / "shard-00001.parquet")
    assert _run(place)[1] == ["others"]


def test_a_changed_subset_redoes_what_reads_it(place: Path) -> None:
    _run(place)
    _edit(place / "two.toml", "games = 10", "games = 12")
    assert _run(place)[1] == ["few", "few-moves"]


def test_a_subset_with_the_same_games_redoes_nothing_else(place: Path) -> None:
    _run(place)
    _edit(place / "two.toml", "games = 10\n", 'games = 10\nfilter = "plies:0"\n')
    assert _run(place)[1] == ["few"]


def test_another_mind_redoes_what_asks_it(place: Path) -> None:
    _run(place)
    _edit(place / "mind.toml", "2.0", "3.0")
    assert _run(place)[1] == ["few-moves"]


def test_places_and_titles_are_no_inputs(place: Path) -> None:
    before, _ = _run(place)
    (place / "data").rename(place / "elsewhere")
    _edit(place / "two.toml", "Few games", "A few games")
    after, done = _run(place, "elsewhere")
    assert done == []
    assert [step.key for step in after.steps] == [step.key for step in before.steps]


def test_a_new_version_of_a_kind_redoes_that_kind(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _run(place)
    monkeypatch.setattr(Evaluate, "VERSION", Evaluate.VERSION + 1)
    assert _run(place)[1] == ["few-moves", "others"]


def test_a_kept_step_that_was_edited_is_refused(place: Path) -> None:
    _run(place)
    path = next((place / "out" / "steps").glob("evaluate-*.json"))
    held = json.loads(path.read_bytes())
    held["inputs"]["options"]["positions"] = 99
    path.write_text(json.dumps(held), encoding="utf-8")
    with pytest.raises(BadData, match="damaged"):
        _run(place)


def test_no_path_of_the_machine_is_in_an_outcome(place: Path) -> None:
    outcome, _ = _run(place)
    assert str(place) not in write_outcome(outcome).decode()


def test_curves_count_where_they_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FITTED, tmp_path / "levels")
    monkeypatch.setattr("hitonami.experiments.marks.FOLDER", tmp_path / "levels")
    path = tmp_path / "levels" / "chess.json"
    asked, played = marks.mark_mind("human", "chess"), marks.mark_mind("human", "chess", plays=True)
    other_game = marks.mark_mind("human", "go")
    held = json.loads(path.read_bytes())
    held["level"]["human"]["pool"]["lichess"] = [[1000, 9.0], [2000, 9.0]]
    held["level"]["human"]["note"] = "changed"
    path.write_text(json.dumps(held), encoding="utf-8")
    assert marks.mark_mind("human", "chess") == asked
    assert marks.mark_mind("human", "chess", plays=True) != played
    ranker = tmp_path / "levels" / "foresight-chess.json"
    held = json.loads(ranker.read_bytes())
    held["third"][0] += 1.0
    ranker.write_text(json.dumps(held), encoding="utf-8")
    assert marks.mark_mind("human", "chess") != asked
    assert marks.mark_mind("human", "go") == other_game


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("games = 10", "gaems = 10", "gaems"),
        ('do = "subset"', 'do = "guess"', "guess"),
        ('name = "few-moves"', 'name = "few"', "two steps"),
        ('step = "others"', 'step = "nobody"', "nobody"),
        ("same = true", "", "same"),
        ('mind = "any move"\npeople = "the', 'people = "the', "published.0.ours.mind"),
        ('title = "Two datasets"', "title = ", "not TOML"),
        ('"step:few"', '"step:many"', "many"),
        ('"$DATA/b"', '"b"', r"\$DATA"),
        ('"$DATA/b"', '"$DATA/c"', "no such file"),
        ('"$DATA/b"', '"sample:checkers"', "checkers"),
        ('"uniform"', '"unform"', "unform"),
    ],
)
def test_a_bad_recipe_says_what_is_wrong(place: Path, old: str, new: str, message: str) -> None:
    _edit(place / "two.toml", old, new)
    with pytest.raises(BadInput, match=message):
        _run(place)


def test_an_unknown_experiment_names_the_known() -> None:
    with pytest.raises(BadInput, match="did you mean blend"):
        read_recipe("blendd", "full")


def test_only_the_recipe_that_is_asked_for_is_read(place: Path) -> None:
    (place / "broken.toml").write_text("no recipe", encoding="utf-8")
    assert read_recipe("two", "full", place) == read_recipe(str(place / "two.toml"), "full", place)
    with pytest.raises(BadInput, match="broken"):
        read_recipe("three", "full", place)


@pytest.mark.parametrize("name", find_recipes(FOLDER))
def test_every_recipe_reads_at_its_sizes(name: str) -> None:
    full = read_recipe(name, "full")
    steps = {step.name for step in full.steps}
    for each in full.head.published:
        if each.ours is None:
            assert len(each.not_run) > 10, f"{each.source}: says why it was not run"
        else:
            assert each.ours.step in steps
            assert each.same or len(each.differs) > 10
            assert all(text.strip() for text in (each.ours.mind, each.ours.people, each.ours.quantity))
        assert all(text.strip() for text in (each.mind, each.people, each.quantity))
    quick = read_recipe(name, "quick")
    assert all(text.startswith(("sample:", "step:")) for step in quick.steps for text in step.data)
    assert not any("$DATA" in text for step in quick.steps for text in step.minds.values())


def test_a_spec_s_file_may_name_files_of_the_root(place: Path) -> None:
    model = find_model("chess-human")
    shutil.copytree(model, place / "data" / "net")
    (place / "mind.toml").write_text('kind = "neural"\nmodel = "$DATA/net"\n', encoding="utf-8")
    before, done = _run(place)
    assert done == ["few", "few-moves", "others"]
    (place / "data").rename(place / "elsewhere")
    after, again = _run(place, "elsewhere")
    assert again == [], "where the root lies is no input"
    assert write_outcome(after) == write_outcome(before)
    recipe = read_recipe(str(place / "two.toml"), "full")
    with pytest.raises(BadInput, match="--data"):
        place_mind("$HERE/mind.toml", recipe, None, place / "out")


def test_a_ladder_without_the_expert_says_which_there_are(tmp_path: Path) -> None:
    (tmp_path / "ladder").mkdir()
    (tmp_path / "ladder" / "figures.json").write_text('[{"expert": "meangirl-8"}]', encoding="utf-8")
    recipe = read_recipe("small-data", "full")
    with pytest.raises(BadInput, match="measured with meangirl-8, not with stockfish-1k"):
        run_experiment(recipe, Site(tmp_path, tmp_path / "out", Meter, lambda text: None))


def test_a_ranker_tells_its_gains() -> None:
    step = Foresight(do="foresight", name="fit", title="A ranker", game="chess", data=("$DATA/all",))
    gain = {"value": 1.0, "low": 0.5, "high": 1.5, "p": 0.01}
    row = {"group": "lichess 1200", "n": 50, "accuracy_difference": gain, "cross_entropy_difference": gain}
    told = list(step.figures({"pools": [{"pool": "lichess", "n": 900}], "held_out": [row]}))
    assert [each.name for each in told] == ["gain held out", "cross-entropy held out"]
