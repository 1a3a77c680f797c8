"""`hitonami judge` and `hitonami fit GAME level` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.levels import read_levels
from hitonami.minds import neural

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
DRAW = ("--filter", "human,plies:4", "--positions", "8", "--pool", "lichess")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 140)


def test_losses_are_told_kept_and_told_again(run: Run, games: Path, tmp_path: Path) -> None:
    asked = ("judge", "chess", games, "--mind", "human", "--judge", SAMPLE, "--cache", "kept", *DRAW)
    first = run(*asked, "--json", "a.json", "--html", "page.html")
    assert (first.returncode, first.stderr) == (0, "")
    assert "human, plain draw" in first.stdout
    assert "by phase" in first.stdout
    assert (tmp_path / "page.html").read_text(encoding="utf-8").count("<svg") == 1
    again = run(*asked, "--json", "b.json")
    assert (again.returncode, again.stderr) == (0, "")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    found = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    *_, every = found["groups"]
    assert every["group"] == "all"
    assert every["people"]["loss"]["low"] <= every["people"]["loss"]["value"] <= every["people"]["loss"]["high"]
    assert set(every["agents"]["human, likeliest"]) == {"loss", "blunders", "difference", "squared", "more", "less"}


def test_a_level_is_fitted_and_kept(run: Run, games: Path, tmp_path: Path) -> None:
    splits = ("--split", "train", "--held-out", "validation", "--positions", "18", *DRAW[:2], *DRAW[4:])
    asked = ("fit", "chess", "level", games, "--judge", SAMPLE, "--cache", "kept", *splits)
    done = run(*asked, "--out", "chess.json", "--html", "page.html")
    assert done.returncode == 0, done.stderr
    assert "exponent with which human loses as much a move as people" in done.stdout
    assert "held out" in done.stdout
    curves = read_levels(tmp_path / "chess.json")["level"]["human"]
    assert set(curves) == {"", "lichess"}
    text = (tmp_path / "chess.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert json.loads(text)["level"]["human"]["provenance"]["lichess"]["judge"].startswith("network")
    told = run(*asked, "--json")
    assert json.loads(told.stdout)["curves"][0]["points"] == [list(point) for point in curves["lichess"].points]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("judge", "chess", "{games}", "--mind", str(SAMPLE), "--judge", str(SAMPLE)), "not independent"),
        (("judge", "chess", "{games}", "--mind", "human", "--judge", str(SAMPLE), "--nodes", "5"), "does not search"),
        (("judge", "chess", "{games}", "--mind", "human", "--mind", "human"), "given twice"),
        (("judge", "chess", "{games}", "--mind", "human", "--json", "none/x.json"), "there is no folder"),
        (
            ("fit", "chess", "level", "{games}", "--mind", "uniform", "--out", "x.json"),
            "the packaged human, blend and search",
        ),
        (("fit", "chess", "level", "{games}", "--mind", "human", "--mean", "arithmetic"), "does not take --mean"),
    ],
)
def test_bad_wishes_are_refused(run: Run, games: Path, arguments: tuple[str, ...], words: str) -> None:
    done = run(*(argument.format(games=games) for argument in arguments), "--cache", "kept")
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
