"""`hitonami tournament` and `hitonami puzzles` through the real command line, real engines and a real kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitonami.minds import neural

SAMPLE = Path(neural.__file__).with_name("_sample_network.pb.gz")
ENVIRONMENT = os.environ | {"PYTHONWARNINGS": "error", "HITONAMI_THREADS": "1", "OMP_NUM_THREADS": "1"}
PUZZLES = """PuzzleId,FEN,Moves,Rating,RatingDeviation
p1,7k/5ppp/8/8/8/8/8/RR4K1 b - - 0 1,h8g8 a1a8,800,70
p2,7k/8/8/8/8/8/R7/1R4K1 b - - 0 1,h8g8 a2a7 g8f8 b1b8,1200,80
"""


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "hitonami", *map(str, arguments)]


def run(*arguments: str | Path, code: int = 0) -> "subprocess.CompletedProcess[str]":
    done = subprocess.run(command(*arguments), check=False, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == code, done.stderr
    return done


def tournament(out: Path, json_file: Path) -> list[str | Path]:
    return [
        "tournament", "chess", "--player", "uniform@1500", "--player", "uniform@1400", "--player", f"{SAMPLE}@1600",
        "--games", "64", "--max-plies", "20", "--seed", "7", "--out", out, "--json", json_file,
    ]  # fmt: skip


def test_a_killed_tournament_ends_with_the_same_table(tmp_path: Path) -> None:
    whole = run(*tournament(tmp_path / "whole", tmp_path / "whole.json"))
    killed = tournament(tmp_path / "killed", tmp_path / "killed.json")
    process = subprocess.Popen(command(*killed), env=ENVIRONMENT, stdout=subprocess.DEVNULL, start_new_session=True)
    games = tmp_path / "killed" / "games"
    while process.poll() is None and len(list(games.glob("*.json"))) < 2:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(list(games.glob("*.json"))) < 6
    assert not (tmp_path / "killed.json").exists()
    assert "holds a tournament already" in run(*killed, code=2).stderr
    resumed = run(*killed, "--resume", "--jobs", "2")
    assert resumed.stdout.replace(str(tmp_path / "killed"), "") == whole.stdout.replace(str(tmp_path / "whole"), "")
    assert (tmp_path / "killed.json").read_text() == (tmp_path / "whole.json").read_text()
    for file in (tmp_path / "whole" / "games").iterdir():
        assert (games / file.name).read_bytes() == file.read_bytes()


def test_engines_meet_and_a_page_is_written(tmp_path: Path, need_program: Callable[[str], str]) -> None:
    need_program("stockfish")
    weak, strong = tmp_path / "weak.toml", tmp_path / "strong.toml"
    strong.write_text('kind = "uci"\ncommand = "stockfish"\nnodes = 1000\n')
    weak.write_text('kind = "uci"\ncommand = "stockfish"\nnodes = 200\nlimit_strength = true\n')
    page, figures = tmp_path / "t.html", tmp_path / "t.json"
    done = run(
        "tournament", "chess", "--player", f"{strong}@", "--player", f"{weak}@1350", "--player", "uniform@",
        "--games", "2", "--gauntlet", "--max-plies", "100", "--anchor", f"{weak}@1350=1350", "--html", page,
        "--json", figures,
    )  # fmt: skip
    assert "chess, gauntlet, 4 games" in done.stdout
    data: dict[str, Any] = json.loads(figures.read_text())
    assert data["players"][0]["player"] == f"{strong}@"
    assert data["forfeits"] == []
    assert next(each for each in data["players"] if "weak" in each["player"])["elo"]["value"] == 1350
    assert "<svg" in page.read_text()


@pytest.mark.parametrize(("game", "program", "mind"), [("go", "gnugo", "gtp:gnugo --mode gtp --level 1@")])
def test_other_games_have_engines_too(
    tmp_path: Path, need_program: Callable[[str], str], game: str, program: str, mind: str
) -> None:
    need_program(program)
    done = run(
        "tournament", game, "--size", "9", "--player", mind, "--player", "uniform@", "--games", "2",
        "--out", tmp_path / "event",
    )  # fmt: skip
    assert "2 / 0 / 0" in done.stdout
    assert len(list((tmp_path / "event" / "games").glob("*.sgf"))) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--player", "uniform"], "at least two players"),
        (["--player", "uniform@", "--player", "uniform@high"], "no rating"),
        (["--player", "uniform@", "--player", "human2@"], "human2"),
        (["--player", "uniform@", "--player", "uci:no-such-program@"], "no program 'no-such-program'"),
        (["--player", "uniform@1", "--player", "uniform@2", "--anchor", "uniform@3=5"], "--anchor is written as"),
        (["--player", "uniform@1", "--player", "uniform@2", "--sprt", "5"], "--sprt is written as"),
        (["--player", "uniform@1", "--player", "uniform@2", "--sprt", "5,1"], "the lower first"),
        (["--player", "uniform@1", "--player", "uniform@2", "--openings", "nowhere.txt"], "no file 'nowhere.txt'"),
        (["--player", "uniform@1", "--player", "uniform@2", "--resume"], "--resume needs --out"),
    ],
)
def test_bad_usage_says_what_is_wrong(arguments: list[str], message: str) -> None:
    from click.testing import CliRunner

    from hitonami.cli.tournament import command as tournament_command
    from hitonami.errors import BadInput

    done = CliRunner().invoke(tournament_command, ["chess", "--games", "2", *arguments])
    assert isinstance(done.exception, BadInput)
    assert message in str(done.exception)


def test_a_mind_and_a_person_are_rated_by_puzzles(tmp_path: Path) -> None:
    file, mine, figures = tmp_path / "p.csv", tmp_path / "me.csv", tmp_path / "p.json"
    file.write_text(PUZZLES)
    mine.write_text("p1,right\np2,wrong\n")
    done = run("puzzles", "chess", file, "--mind", f"{SAMPLE}@1500", "--json", figures)
    assert "2 puzzles" in done.stdout
    assert json.loads(figures.read_text())["glicko"]["value"] < 1500
    person = run("puzzles", "chess", file, "--answers", mine).stdout
    assert "me.csv: 2 puzzles, 50.0% solved" in person
    assert "name a file of puzzles" in run("puzzles", "chess", code=2).stderr
    assert "either --mind" in run("puzzles", "chess", file, code=2).stderr
