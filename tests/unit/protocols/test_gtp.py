"""GTP beyond the transcripts: files, resignation, clocks, and the two sides of a broken mind."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hitonami.specs import mind_spec

_GAME = "(;GM[1]FF[4]SZ[9]KM[5.5]RU[Chinese];B[ee];W[gc];B[cg];W[])"


def _ask(there: Any, *lines: str) -> str:
    """The answer to the last line."""
    there.send(*lines)
    answers: list[str] = [line for line in there.rest() if line.startswith(("=", "?"))]
    return answers[-1]


def test_loadsgf_goes_to_the_end_or_before_a_move(tmp_path: Path, talk: Callable[..., Any]) -> None:
    there, path = talk("gtp"), tmp_path / "a game.sgf"
    path.write_text(_GAME)
    assert _ask(there, f"loadsgf {path}") == "="
    assert _ask(there, "printsgf").endswith("KM[5.5]SZ[9]PL[B];B[ee];W[gc];B[cg];W[])")
    assert _ask(there, "undo", "undo", "printsgf").endswith("PL[B];B[ee];W[gc])")
    assert _ask(there, f"loadsgf {path} 3") == "="
    assert _ask(there, "printsgf").endswith("PL[B];B[ee];W[gc])")
    assert _ask(there, f"loadsgf {path} 1", "printsgf").endswith("SZ[9]PL[B])")
    assert _ask(there, "clear_board", "printsgf").endswith("KM[5.5]SZ[9]PL[B])")


@pytest.mark.parametrize("text", ["", "no sgf", "(;GM[1]SZ[9];B[ee];W[ee])", "(;GM[2])"])
def test_a_file_that_cannot_be_read_changes_nothing(text: str, tmp_path: Path, talk: Callable[..., Any]) -> None:
    there, path = talk("gtp"), tmp_path / "bad.sgf"
    path.write_text(text)
    before = _ask(there, "boardsize 9", "play b D4", "printsgf")
    assert _ask(there, f"loadsgf {path}").startswith("? cannot load file")
    assert _ask(there, "printsgf") == before


def test_it_resigns_a_lost_game_unless_told_not_to(talk: Callable[..., Any]) -> None:
    there = talk("gtp", mind=mind_spec({"kind": "judge", "win": 0.0, "draw": 0.0}))
    moves = [
        f"play {'bw'[at % 2]} {column}{row}"
        for at, (row, column) in enumerate((row, column) for row in (1, 3, 5) for column in "ABCDEFGH")
    ]
    before = _ask(there, "boardsize 9", *moves, "printsgf")
    assert _ask(there, "genmove b") == "= resign"
    assert _ask(there, "printsgf") == before
    assert _ask(there, "hitonami-set Resign false", "genmove b") not in ("= resign", "=")


def test_a_mind_that_breaks_is_told_and_nothing_is_played(talk: Callable[..., Any]) -> None:
    there = talk("gtp", mind="broken")
    before = _ask(there, "boardsize 9", "printsgf")
    assert _ask(there, "genmove b").startswith("? KeyError")
    assert _ask(there, "printsgf") == before


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], "seconds=None"),
        (["time_settings 600 30 5"], "left=600/600 increment=0/0 byoyomi=0 moves=None"),
        (["time_settings 0 30 5"], "left=30/30 increment=0/0 byoyomi=0 moves=5"),
        (["time_settings 600 30 5", "time_left w 20 3", "time_left b 500 0"], "left=20/500 increment=0/0 byoyomi=0"),
        (["time_settings 0 30 0"], "seconds=None"),
        (["kgs-time_settings byoyomi 600 30 5"], "left=600/600 increment=0/0 byoyomi=30 moves=None"),
        (["kgs-time_settings canadian 0 300 25"], "left=300/300 increment=0/0 byoyomi=0 moves=25"),
        (["kgs-time_settings absolute 62", "kgs-time_settings none"], "seconds=None"),
        (["kgs-time_settings absolute 62"], "byoyomi=0 moves=None simulations=None seconds=2.00"),
    ],
)
def test_clocks_reach_the_mind(lines: list[str], told: str, talk: Callable[..., Any]) -> None:
    said = _ask(talk("gtp", mind="witness"), *lines, "genmove w")
    assert said.startswith("? rating=20 pool= opponent=20 ")
    assert told in said
    assert ("left=" in said) == ("byoyomi=" in told)


def test_quit_ends_a_thought_and_everything_before_it_is_answered(talk: Callable[..., Any]) -> None:
    there = talk("gtp", mind="brooding")
    there.send("1 boardsize 9", "2 genmove b", "3 name", "4 quit")
    assert there.session.close()
    answers = [line for line in there.rest() if line]
    assert answers[0] == "=1"
    assert answers[1].startswith("=2 ")
    assert answers[2:] == ["=3 Hitonami", "=4"]


def test_komi_and_rules_change_under_a_game_in_progress(talk: Callable[..., Any]) -> None:
    there = talk("gtp")
    assert _ask(there, "boardsize 5", "play b C3", "play b C2", "komi 3.5", "final_score") == "= B+21.5"
    assert _ask(there, "kgs-rules japanese", "final_score") == "= B+19.5"
    assert _ask(there, "undo", "undo", "undo") == "? cannot undo"
