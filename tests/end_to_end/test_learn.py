"""A game is learned, explained and played through the real command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from hitonami.cli import cli


def run(*words: str) -> str:
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_a_game_is_learned_explained_and_played(tmp_path: Path) -> None:
    file, page, table = (str(tmp_path / name) for name in ("b.json.gz", "why.html", "table.json"))
    learned = run("learn", "breakthrough", "--size", "5", "--games", "40", "--nodes", "8", "--out", file)
    assert "turns that the game does not tell apart: same, mirror" in learned
    told = json.loads(run("explain", "breakthrough", "startpos", "--mind", f"dual:{file}", "--json", "--html", page))
    assert told["doubtful"]
    assert len(told["moves"]) == 3
    assert all(0 < move["probability"] <= 1 for move in told["moves"])
    assert "<svg" in Path(page).read_text()
    players = ("--player", f"dual:{file}@", "--player", "uniform@")
    run("tournament", "breakthrough", "--size", "5", *players, "--games", "8", "--json", table)
    pair = json.loads(Path(table).read_text())
    assert pair
