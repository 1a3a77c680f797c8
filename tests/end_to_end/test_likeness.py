"""`hitonami likeness` through the real command line, on the sample games of the package; its page in a real browser."""

import json
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from hitonami.cli.likeness import command
from hitonami.errors import BadInput

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(run: Run) -> Run:
    return partial(run, "likeness")


def test_everything_at_once_and_its_page(
    run: Run, tmp_path: Path, need_program: Callable[[str], str], driver: webdriver.Chrome
) -> None:
    need_program("stockfish")
    draw = ["--filter", "plies:10", "--positions", "6", "--band", "600"]
    asked = ["--mind", "human", "--mind", "uniform", "--level", "1000", "--level", "1800", "--level-matrix"]
    judged = ["--losses", "--nodes", "200", "--cache", "kept"]
    done = run("chess", "sample:chess", *draw, *asked, *judged, "--json", "l.json", "--html", "l.html")
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "l.json").read_bytes())
    assert [each["mind"] for each in told["minds"]] == ["human", "uniform"]
    assert {each["mind"] for each in told["level_matrices"]} == {"human", "uniform"}
    held = told["judged"]
    assert sum(each["n"] for each in held["blunders"]["regions"]) == held["blunders"]["n"] == told["decisions"]
    assert [len(points) for points in held["points"].values()] == [told["decisions"]] * 2
    everybody = held["losses"]["groups"][-1]
    assert everybody["agents"]["uniform, plain draw"]["loss"]["value"] > everybody["people"]["loss"]["value"]
    assert "whose likeliest move is the person's" in done.stdout
    driver.get((tmp_path / "l.html").as_uri())
    assert driver.find_element(By.TAG_NAME, "h1").text == "Likeness: chess"
    assert len(driver.find_elements(By.CSS_SELECTOR, "figure svg")) >= 8
    assert driver.get_log("browser") == []  # type: ignore[no-untyped-call]


def test_what_cannot_be_used_is_told() -> None:
    for words, message in (
        (["--nodes", "100"], "--losses"),
        (["--level", "1500"], "rising"),
        (["--html", "nowhere/l.html"], "nowhere"),
    ):
        with pytest.raises(BadInput, match=message):
            command.main(["chess", "sample:chess", "--mind", "uniform", *words], standalone_mode=False)
