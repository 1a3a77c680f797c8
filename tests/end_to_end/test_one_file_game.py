"""A game that is one file, dropped into a folder of its own: every command takes it, with no other edit anywhere."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pexpect
import pytest

from hitonami.dataset.shards import movers_of, read_records

ONE_FILE = Path(__file__).parents[1] / "parts" / "games" / "twofold.py"
SHORT = "game: twofold\nfirst: ann\nsecond: ben\nresult: 1-0\nending: resignation\n\nd4 c4 e4 d5 d3 c3\n"
STANDS_IN = "no human network for twofold comes with this version: asking playout (--mind)"
TWICE = [0, 1, 1, 0, 0, 1]
"""Who puts the first stones."""
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the game is, and a record of it."""
    (tmp_path / "games").mkdir()
    shutil.copy(ONE_FILE, tmp_path / "games")
    monkeypatch.setenv("HITONAMI_PARTS", str(tmp_path))
    (tmp_path / "short.plain").write_text(SHORT, encoding="utf-8")
    return tmp_path


def test_engine_and_search_play_it(run: Run, folder: Path) -> None:
    (folder / "search.toml").write_text('kind = "puct"\nmind = "uniform"\nsimulations = 8\n', encoding="utf-8")
    command = [sys.executable, "-m", "hitonami", "engine", "twofold", "--mind", str(folder / "search.toml")]
    asked = "name\nplay d4\ngenmove\ngenmove\nrecord\nquit\n"
    done = subprocess.run(command, input=asked, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "game: twofold" in done.stdout
    predicted = run("predict", "twofold", "startpos", "--mind", folder / "search.toml", "--json")
    assert sum(
        each["probability"] for each in json.loads(predicted.stdout)["predictions"][0]["moves"]
    ) == pytest.approx(1)


def test_predict_asks_playout_where_there_is_no_network_and_says_so(run: Run) -> None:
    done = run("predict", "twofold", "startpos", "--moves", "d4 c4", "--json")
    assert done.returncode == 0, done.stderr
    assert STANDS_IN in done.stderr
    told = json.loads(done.stdout)
    assert (told["mind"], told["to_move"]) == ("playout", "White")
    assert 0 <= told["predictions"][0]["expected_score"] <= 1


def test_a_review_of_it_names_who_was_asked_and_who_judged(run: Run, folder: Path) -> None:
    done = run("review", "twofold", "short.plain", "--json", "review.json", "--html", "review.html", "--moves")
    assert done.returncode == 0, done.stderr
    assert STANDS_IN in done.stderr
    assert "asked: playout (no human network for twofold comes with this version" in done.stdout
    assert "judge: playout;" in done.stdout
    told: dict[str, Any] = json.loads((folder / "review.json").read_text(encoding="utf-8"))
    assert (told["mind"], told["judge"], told["told"], told["ratings"]) == ("playout", "playout", None, [])
    assert [step["side"] for step in told["steps"]] == TWICE
    assert [step["squares"] for step in told["steps"][:2]] == [[[3, 3]], [[3, 2]]]
    assert all(step["loss"] >= 0 and step["by_rating"] == [] for step in told["steps"])
    assert {step["phase"] for step in told["steps"]} == {"middle"}
    assert "Asked: playout" in (folder / "review.html").read_text(encoding="utf-8")


def test_games_of_a_tournament_are_ingested_and_evaluated(run: Run, folder: Path) -> None:
    players = "--player", "uniform", "--player", "playout:4"
    played = run("tournament", "twofold", *players, "--games", "2", "--out", "event", "--json", "table.json")
    assert played.returncode == 0, played.stderr
    records = sorted((folder / "event").rglob("*.plain"))
    assert len(records) == 2
    kept = run("ingest", "twofold", "event", "short.plain", "--out", "kept")
    assert kept.returncode == 0, kept.stderr
    [shard] = (folder / "kept").rglob("*.parquet")
    games = list(read_records(shard))
    assert len(games) == 3
    for game in games:
        assert movers_of(game)[:5].tolist() == TWICE[:5]
        assert np.diff(movers_of(game)).tolist() != [1, -1] * (len(game.moves) // 2)
    measured = run("evaluate", "twofold", "kept", "--mind", "uniform", "--filter", "none", "--positions", "6", "--json")
    assert measured.returncode == 0, measured.stderr
    assert json.loads(measured.stdout)["minds"][0]["mind"] == "uniform"
    assert "--pool" not in measured.stderr, "it has no pools to name"
    results = "twofold", "kept", "--mind", "playout:4", "--filter", "finished", "--json"
    foretold = run("winrate", *results)
    assert foretold.returncode == 0, foretold.stderr
    fitted = run(
        "fit",
        "twofold",
        "softmax",
        "kept",
        "--mind",
        "playout:4",
        "--filter",
        "none",
        "--split",
        "all",
        "--held-out",
        "none",
        "--positions",
        "6",
    )
    assert fitted.returncode == 0, fitted.stderr


def test_a_game_at_the_keyboard_is_saved_and_measured(run: Run, folder: Path) -> None:
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "NO_COLOR": "1"}
    words = ["-m", "hitonami", "play", "twofold", "--mind", "uniform", "--seed", "1", "--pace", "instant"]
    table = pexpect.spawn(sys.executable, words, env=environment, encoding="utf-8", timeout=120)
    table.expect("to move >")
    table.sendline("d4")
    for move in ("a1", "b1 ", "c1", "g1"):  # two a turn, whatever squares are left
        table.expect("to move >")
        table.sendline(move)
    table.expect("to move >")
    table.sendline(f"save {folder / 'mine.plain'}")
    table.expect("Saved")
    table.sendline("quit")
    table.close()
    assert "first-kind: human" in (folder / "mine.plain").read_text(encoding="utf-8")
    measured = run("evaluate", "twofold", "mine.plain", "--filter", "human", "--positions", "2", "--json")
    assert measured.returncode == 0, measured.stderr
    assert STANDS_IN in measured.stderr
    assert [mind["mind"] for mind in json.loads(measured.stdout)["minds"]] == ["playout"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("rate twofold short.plain", "twofold has no levels to rate anybody by"),
        ("review twofold short.plain --rating 1500", "there is no level 1500 here"),
        ("review twofold short.plain --nodes 5", "--nodes is for a judge that searches"),
        ("review twofold short.plain --mind human --judge none", "no human network for twofold"),
        ("fit twofold foresight short.plain", "nothing is seen of moves in twofold"),
        ("fit twofold level short.plain", "no judge for twofold was found"),
        ("fit twofold softmax short.plain --filter none --split all", "no human network for twofold"),
        ("evaluate twofold short.plain --mind uniform --size 9", "one board size"),
    ],
)
def test_what_it_has_not_is_refused_in_one_line(run: Run, words: str, told: str) -> None:
    done = run(*words.split())
    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
