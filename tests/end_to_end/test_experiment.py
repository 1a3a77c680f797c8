"""`hitonami experiment` through the real command line, on the sample games of the package."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click import BadParameter

from hitonami.cli.experiment import command
from hitonami.errors import BadInput
from hitonami.experiments.recipe import find_recipes, read_recipe

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONWARNINGS": "error", "HITONAMI_THREADS": "1"}
        command = [sys.executable, "-m", "hitonami", "experiment", *map(str, arguments)]
        return subprocess.run(command, check=False, capture_output=True, text=True, env=environment, cwd=tmp_path)

    return call


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


def test_what_cannot_be_used_is_told_with_exit_code_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    done = run("opnings")
    assert (done.returncode, "did you mean openings" in done.stderr) == (2, True), done.stderr
    for words, message in (
        (["openings"], "--data"),
        (["openings", "--data", tmp_path / "nowhere"], "nowhere"),
        (["small-data", "--quick"], "--data"),
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
    if all(raw.get("quick", {}) is False for raw in read_recipe(name, "full").head.steps):
        pytest.skip(f"{name} has no quick size")
    done = run(name, "--quick", "--out", "out")
    assert done.returncode == 0, done.stderr
    outcome = json.loads((tmp_path / "out" / f"{name}-quick.json").read_bytes())
    assert all(step["figures"] for step in outcome["steps"])
