"""`hitonami experiment` through the real command line, on the sample games of the package."""

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from click import BadParameter
from selenium import webdriver
from selenium.webdriver.common.by import By

from hitonami.cli.experiment import command
from hitonami.errors import BadInput
from hitonami.experiments.recipe import find_recipes

Run = Callable[..., subprocess.CompletedProcess[str]]
_RESULTS = Path(__file__).parents[2] / "docs" / "results"


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "experiment")


def test_a_quick_experiment_runs_is_kept_and_becomes_results(run: Run, tmp_path: Path) -> None:
    first = run("openings", "--quick", "--out", "out")
    assert first.returncode == 0, first.stderr
    made = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir() if path.is_file()}
    assert set(made) == {"openings-quick.json", "openings-quick.html"}
    assert b"agents of this package" in made["openings-quick.html"]
    figures = json.loads(made["openings-quick.json"])["steps"][0]["figures"]
    assert {figure["series"] for figure in figures} == {
        "halves of people",
        "95% of halves below",
        "human",
        "network",
    }
    again = run("openings", "--quick", "--out", "out")
    assert (again.returncode, again.stderr, again.stdout) == (0, "chess: as kept\n", first.stdout)
    assert {name: (tmp_path / "out" / name).read_bytes() for name in made} == made
    told = run("results", "--out", "out")
    assert told.returncode == 0, told.stderr
    assert "## Openings" in (tmp_path / "out.md").read_text(encoding="utf-8")
    nowhere = run("results", "--out", "out", "--results", "missing/out.md")
    assert (nowhere.returncode, nowhere.stderr) == (
        2,
        "hitonami: missing/out.md: cannot be written: No such file or directory\n",
    )


_RECIPE = """
title = "Two games"
about = "For tests."

[[steps]]
do = "evaluate"
name = "chess"
title = "Chess"
game = "chess"
data = ["sample:chess"]
minds = { spec = "$HERE/mind.toml" }
filter = "none"
split = "all"
positions = 5

[[steps]]
do = "evaluate"
name = "shogi"
title = "Shogi"
game = "shogi"
data = ["sample:shogi"]
minds = { uniform = "uniform" }
filter = "none"
split = "all"
positions = 5
"""


def test_a_changed_input_redoes_what_depends_on_it_and_nothing_else(run: Run, tmp_path: Path) -> None:
    recipe, mind, told = tmp_path / "two.toml", tmp_path / "mind.toml", tmp_path / "out" / "two.json"
    recipe.write_text(_RECIPE, encoding="utf-8")
    mind.write_text('kind = "near"\nm = 0.1\nmind = "uniform"\n', encoding="utf-8")
    first = run(recipe, "--out", "out")
    assert (first.returncode, first.stderr.splitlines()) == (0, ["chess: Chess", "shogi: Shogi"]), first.stderr
    before = told.read_bytes()
    mind.write_text('kind = "near"\nm = 0.3\nmind = "uniform"\n', encoding="utf-8")
    changed = run(recipe, "--out", "out")
    assert changed.stderr.splitlines() == ["chess: Chess", "shogi: as kept"]
    chess, shogi = json.loads(told.read_bytes())["steps"]
    assert chess["figures"] != json.loads(before)["steps"][0]["figures"]
    assert shogi == json.loads(before)["steps"][1]
    mind.write_text('kind = "near"\nm = 0.1\nmind = "uniform"\n', encoding="utf-8")
    back = run(recipe, "--out", "out")
    assert back.stderr.splitlines() == ["chess: as kept", "shogi: as kept"]
    assert (back.stdout, told.read_bytes()) == (first.stdout, before)


def test_a_page_opens_in_a_browser_without_a_complaint(run: Run, tmp_path: Path, driver: webdriver.Chrome) -> None:
    done = run("likeness", "--quick", "--out", "out")
    assert done.returncode == 0, done.stderr
    for wide in (1100, 420):
        driver.set_window_size(wide, 900)
        driver.get((tmp_path / "out" / "likeness-quick.html").as_uri())
        assert driver.find_element(By.TAG_NAME, "h1").text == "Likeness beyond the favourite move"
        assert len(driver.find_elements(By.CSS_SELECTOR, "figure svg")) >= 3
        assert len(driver.find_elements(By.CSS_SELECTOR, "table tr")) > 10
        overflow = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert driver.execute_script(overflow) == 0
    assert driver.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_the_readme_s_table_is_written_by_the_command(run: Run, tmp_path: Path) -> None:
    for name in ("prediction.json", "distance.json"):
        shutil.copy(_RESULTS / name, tmp_path)
    text = "# Here\n<!-- results: written by `hitonami experiment results`, not by hand -->\n<!-- end of results -->\n"
    (tmp_path / "README.md").write_text(text, encoding="utf-8")
    done = run("results", "--out", tmp_path, "--results", "all.md", "--readme", "README.md")
    assert done.returncode == 0, done.stderr
    assert "| Chess, Lichess 800–2600 |" in (tmp_path / "README.md").read_text(encoding="utf-8")
    (tmp_path / "README.md").write_text("# Here\n", encoding="utf-8")
    refused = run("results", "--out", tmp_path, "--results", "other.md", "--readme", "README.md")
    assert (refused.returncode, "marked" in refused.stderr) == (2, True), refused.stderr
    assert not (tmp_path / "other.md").exists()


def test_what_cannot_be_used_is_told_with_exit_code_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = run("opnings")
    assert (done.returncode, "did you mean openings" in done.stderr) == (2, True), done.stderr
    for words, message in (
        (["openings"], "--data"),
        (["openings", "--data", tmp_path / "nowhere"], "nowhere"),
        (["small-data", "--data", tmp_path], "figures.json"),
        (["openings", "--quick", "--out", tmp_path / "file"], "file"),
        (["results", "--out", tmp_path / "empty"], "empty"),
        (["openings", "--quick", "--results", "x.md"], "--results"),
    ):
        with pytest.raises((BadInput, BadParameter), match=message):
            command.main(list(map(str, words)), standalone_mode=False)


def test_the_list_names_every_experiment(run: Run) -> None:
    told = run("list").stdout
    assert [line.split()[0] for line in told.splitlines()] == list(find_recipes())


@pytest.mark.slow
@pytest.mark.parametrize("name", find_recipes())
def test_every_quick_size_runs(run: Run, name: str, tmp_path: Path) -> None:
    done = run(name, "--quick", "--out", "out")
    assert done.returncode == 0, done.stderr
    outcome = json.loads((tmp_path / "out" / f"{name}-quick.json").read_bytes())
    assert all(step["figures"] for step in outcome["steps"])
