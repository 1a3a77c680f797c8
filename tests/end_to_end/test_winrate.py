"""`hitonami winrate` and `hitonami fit GAME calibration` through the real command line, in a process of their own."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.levels import read_levels
from hitonami.minds import neural

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 320)


def test_win_rates_of_two_minds_as_table_json_and_page(run: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "timid.toml").write_text(f'kind = "calibrate"\ntemperature = 3.0\nmind = "neural:{SAMPLE}"\n')
    minds = ("--mind", SAMPLE, "--mind", "timid.toml")
    done = run("winrate", "chess", games, *minds, "--positions", "80", "--json", "out.json", "--html", "out.html")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    sharp, timid = found["minds"]
    assert sharp["groups"][-1]["group"] == "all"
    assert timid["groups"][-1]["spread"] < sharp["groups"][-1]["spread"]
    assert timid["groups"][-1]["accuracy"] == sharp["groups"][-1]["accuracy"], "a temperature turns no result round"
    assert sum(each["n"] for each in sharp["bins"]) == sharp["groups"][-1]["n"]
    assert found["filter_rules"] == "finished,no-bots,no-bullet,no-handicap"
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 4
    assert "<script" not in page
    assert "by chance" in done.stdout


def test_a_calibration_is_fitted_shown_and_kept(run: Run, games: Path, tmp_path: Path) -> None:
    draw = ("--mind", SAMPLE, "--split", "train", "--held-out", "validation")
    done = run("fit", "chess", "calibration", games, *draw, "--out", "chess.json", "--html", "out.html")
    assert (done.returncode, done.stderr) == (0, "")
    assert "on games that the fit never saw" in done.stdout
    assert "isotonic" in done.stdout
    levels = read_levels(tmp_path / "chess.json")
    assert set(levels["result"]) == {"temperature", "lean", "draws"}
    text = (tmp_path / "chess.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in text
    assert "sha256" in text
    assert (tmp_path / "out.html").read_text(encoding="utf-8").count("<svg") >= 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("winrate", "chess", "GAMES", "--mind", "uniform"), "say nothing about results: uniform"),
        (("winrate", "chess", "GAMES", "--mind", "x", "--mind", "x"), "given twice"),
        (("winrate", "chess", "GAMES", "--mind", "uniform", "--filter", "finishd"), "did you mean finished"),
        (
            ("fit", "chess", "calibration", "GAMES", "--mind", "uniform", "--split", "train"),
            "say nothing about results",
        ),
        (("fit", "chess", "calibration", "GAMES", "--rating", "1500"), "does not take --rating"),
    ],
)
def test_bad_input_is_refused_with_its_reason(run: Run, games: Path, arguments: tuple[str, ...], told: str) -> None:
    done = run(*(str(games) if word == "GAMES" else word for word in arguments))
    assert done.returncode == 2
    assert told in done.stderr


def test_too_few_games_are_not_written(run: Run, games: Path, tmp_path: Path) -> None:
    draw = ("--mind", SAMPLE, "--split", "validation", "--held-out", "none", "--out", "chess.json")
    done = run("fit", "chess", "calibration", games, *draw)
    assert done.returncode == 2
    assert "too few" in done.stderr
    assert not (tmp_path / "chess.json").exists()
