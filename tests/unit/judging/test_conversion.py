"""Won positions: which are drawn, how courses are told apart, and that a mind goes on from them by the rules."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import chess
import pytest
from click.testing import CliRunner

from hitonami.cli.endings import command
from hitonami.core import Player, Setup, open_game
from hitonami.dataset.reading import open_data
from hitonami.dataset.shards import table_of, write_shard
from hitonami.errors import BadInput
from hitonami.judging.conversion import (
    ConversionPlan,
    Course,
    Won,
    course_of_people,
    find_won,
    play_on,
    summarise,
    takes_back,
)
from hitonami.judging.judge import open_judge
from hitonami.records import Record
from hitonami.specs import mind_spec

CHESS = open_game("chess")
WON = "6k1/5ppp/8/8/8/8/5PPP/R2Q2K1 w - - 0 1"
PLAYERS = Player(1500.0, "lichess"), Player(1520.0, "lichess")


def record(start: str, moves: str, score: float, players: tuple[Player, Player] = PLAYERS) -> Record:
    setup = Setup(start=start) if start else Setup()
    position, ids = CHESS.start(setup), []
    for text in moves.split():
        ids.append(CHESS.parse(position, text))
        position = position.play(ids[-1])
    return Record("chess", setup, tuple(ids), players, score)


def won(start: str, moves: str, score: float, side: int = 0) -> Won:
    game = record(start, moves, score)
    return Won(CHESS.start(game.setup), side, 0.99, game)


def test_the_course_of_a_game_is_the_winning_sides() -> None:
    mated = course_of_people(won(WON, "a1a8", 1.0))
    assert mated == Course(1.0, 1, "mate", 1, 0)
    given_up = course_of_people(won(WON, "a1b1 h7h6 b1a1 h6h5 d1d8", 1.0))
    assert given_up == Course(1.0, 5, "given up", 3, 1)  # the rook went back, and the king had a way out
    saved = course_of_people(won(WON, "d1d2", 0.5))
    assert (saved.score, saved.ending) == (0.5, "drawn")
    other = course_of_people(won(WON, "a1b1 h7h6", 0.0, side=1))
    assert other == Course(1.0, 2, "given up", 1, 0)


@pytest.mark.parametrize(
    ("move", "last", "back"),
    [("b1a1", "a1b1", True), ("b1a2", "a1b1", False), ("a1b1", "", False), ("7g7f", "7f7g", True),
     ("P*5e", "P*5e", False), ("8h2b+", "2b8h", False), ("e7e8q", "e8e7", False)],
)  # fmt: skip
def test_moves_that_take_back_the_last_one(move: str, last: str, back: bool) -> None:
    assert takes_back(move, last) is back


def test_figures_of_several_courses() -> None:
    good, bad = Course(1.0, 10, "mate", 5, 0), Course(0.5, 30, "drawn", 15, 5)
    found = summarise([[good, good], [good, bad]])
    assert found.n == 2
    assert found.score.value == pytest.approx(0.875)
    assert found.score.low >= 0.75
    assert found.undone.value == pytest.approx(5 / 30)
    assert (found.plies, found.endings["mate"], found.endings["drawn"]) == (10, 0.75, 0.25)


def test_a_mind_goes_on_and_can_be_gone_on_with(tmp_path: Path) -> None:
    wons = [won(WON, "a1a8", 1.0), won(WON, "d1d8", 1.0)]
    shown: list[int] = []
    plan = ConversionPlan("chess")
    courses = play_on(plan, mind_spec("uniform"), wons, tmp_path / "games", shown.append)
    assert [len(each) for each in courses] == [2, 2]
    assert shown[-1] == 4
    assert play_on(plan, mind_spec("uniform"), wons, tmp_path / "games", shown.append) == courses


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Games in which White takes the queen early and shuffles on; half of them between players of different levels."""
    moves = "e2e4 d7d5 e4d5 d8d5 b1c3 a7a6 c3d5 " + "g8f6 g1f3 f6g8 f3g1 " * 2 + "h7h6 h2h3 h6h5 h3h4"
    uneven = Player(900.0, "lichess"), Player(1800.0, "lichess")
    lasts = ("a6a5", "b7b5", "c7c5", "e7e6", "f7f6", "g7g6")
    records = [record("", f"{moves} {last}", 1.0) for last in lasts]
    records += [record("", moves, 1.0, uneven)]
    write_shard(table_of(records, ["made up"] * len(records)), tmp_path / "shard-00000.parquet")
    return tmp_path


def test_won_positions_are_found_by_a_judge(games: Path, need_program: Callable[[str], str]) -> None:
    judge_spec = {"kind": "uci", "command": need_program("stockfish"), "nodes": 500}
    plan = ConversionPlan("chess", positions=4, first_ply=8, filter_text="none", split="all")
    data = open_data([str(games)], "chess")
    with open_judge("chess", judge_spec) as judge:
        found = find_won(data, judge, plan)
        assert [(group.name, len(each)) for group, each in found.items()] == [("1200", 4)]
        for each in next(iter(found.values())):
            assert each.side == 0
            assert each.position.ply >= 8
            assert chess.Board(CHESS.write(each.position)).queens & chess.Board().occupied_co[chess.BLACK] == 0
        with pytest.raises(BadInput, match="no game that the filter keeps"):
            find_won(data, judge, ConversionPlan("chess", positions=4, first_ply=60, filter_text="none", split="all"))


def test_the_command_tells_people_and_minds(
    games: Path, tmp_path: Path, need_program: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    need_program("stockfish")
    monkeypatch.setenv("HITONAMI_CACHE", str(tmp_path / "cache"))
    figures = tmp_path / "e.json"
    words = ["--mind", "uniform", "--filter", "none", "--first-ply", "8", "--positions", "2", "--nodes", "500"]
    done = CliRunner().invoke(command, ["chess", str(games), *words, "--json", str(figures)], catch_exceptions=False)
    assert "people" in done.output
    assert "uniform" in done.output
    data: dict[str, Any] = json.loads(figures.read_text())
    assert data["judge"].startswith("Stockfish")
    assert data["groups"][0]["courses"]["people"]["score"]["value"] == 1.0
