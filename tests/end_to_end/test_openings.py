"""`hitonami openings` and `hitonami endings` through the real command line, in a process of their own."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.core import Setup
from hitonami.minds import neural

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
Run = Callable[..., subprocess.CompletedProcess[str]]
DRAW = ("--filter", "none", "--band", "4000")


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 80, most=60)


def test_openings_are_compared_and_the_same_again(run: Run, games: Path, tmp_path: Path) -> None:
    asked = ("openings", "chess", games, "--mind", "uniform", "--mind", SAMPLE, "--plies", "3", "--least", "20", *DRAW)
    done = run(*asked, "--games", "50", "--json", "a.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("wrote a.json\n")
    run(*asked, "--games", "50", "--json", "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    uniform, network = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["minds"]
    assert uniform["groups"][0]["games"] <= 50
    first, other = uniform["groups"][0]["depths"][0], network["groups"][0]["depths"][0]
    assert first["plies"] == other["plies"] == 1
    assert first["divergence"] < other["divergence"], "the games are random, and so is the first mind"


def test_won_positions_are_played_on_kept_and_told_again(run: Run, games: Path, tmp_path: Path) -> None:
    draw = (*DRAW, "--positions", "3", "--first-ply", "8", "--won", "0.55", "--pool", "lichess")
    asked = ("endings", "chess", games, "--mind", "uniform", "--judge", SAMPLE, "--out", "games", *draw)
    first = run(*asked, "--json", "a.json")
    assert (first.returncode, first.stderr) == (0, "")
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "games").rglob("*.pgn")}
    again = run(*asked, "--json", "b.json")
    assert (again.returncode, again.stderr) == (0, "")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "games").rglob("*.pgn")} == kept
    [group] = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["groups"]
    assert {who: each["n"] for who, each in group["courses"].items()} == {"people": 3, "uniform": 3}


def test_the_board_of_go_that_was_asked_for(run: Run, write_games: Callable[..., Path]) -> None:
    boards = write_games("go", 60, Setup(size=5), Setup(size=9), most=20)
    asked = ("openings", "go", boards, "--mind", "uniform", "--plies", "2", "--least", "5", "--by", "none")
    assert "no group has 5 games" in run(*asked, "--pool", "lichess").stderr, "there are none of 19"
    done = run(*asked, "--size", "9", "--filter", "human")
    assert (done.returncode, done.stderr) == (0, "")
    done = run("endings", "chess", boards, "--mind", "uniform", "--judge", SAMPLE, "--size", "9")
    assert (done.returncode, "one board size" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("openings chess GAMES --mind uniform --filter nonsense", "nonsense"),
        ("openings chess GAMES --mind uniform --mind uniform", "given twice"),
        ("openings chess GAMES --mind uniform --json nowhere/out.json", "there is no folder"),
        ("openings chess nowhere --mind uniform", "nowhere"),
        ("openings chess GAMES --mind uniform --least 1000", "no group has 1000 games"),
        ("endings chess GAMES --mind uniform --judge uniform", "uniform"),
        ("endings chess GAMES --mind uniform --judge NETWORK --filter nonsense", "nonsense"),
        ("endings chess GAMES --mind uniform --judge NETWORK --won 0.3", "--won"),
        ("endings chess GAMES --mind uniform --judge NETWORK --first-ply 900", "no game that the filter keeps"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, games: Path, words: str, reason: str) -> None:
    places = {"GAMES": games, "NETWORK": SAMPLE}
    done = run(*(places.get(word, word) for word in words.split()))
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr
