"""OGS lines: what each field becomes, and why a line is rejected."""

import json
from pathlib import Path
from typing import Any

import pytest

from hitonami.core import Setup
from hitonami.games.go import Go
from hitonami.records import Document, Record, Rejected
from hitonami.records.ogs import Ogs

OGS = Ogs()
LINES = (Path(__file__).parents[2] / "golden" / "records" / "games.jsonl").read_text(encoding="utf-8").splitlines()


def game(line: int = 0, **changes: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(LINES[line])
    return found | changes


def read(line: object) -> Record | Rejected:
    (found,) = OGS.read(Document("test", 0, json.dumps(line).encode()))
    return found


def accept(line: object) -> Record:
    found = read(line)
    assert isinstance(found, Record), found
    return found


def test_players_ranks_and_bots() -> None:
    black, white = accept(game()).players
    assert (black.name, black.rating, black.pool, black.kind) == ("kuro", 24.5, "ogs", "human")
    assert (white.name, white.rating, white.pool, white.kind) == ("katrain-6k", 17.7, "ogs", "bot")
    assert accept(game()).marks == {"provisional-1"}
    two = accept(game(white={"username": "shiro", "rank": 30.0}, ranked=False))
    assert [player.kind for player in two.players] == ["unknown", "unknown"]
    assert two.marks == {"casual"}


def test_moves_and_times() -> None:
    record = accept(game(moves=[[2, 0, 1500], [0, 1, 250], [-1, -1, 3000], [-1, -1, 10]]))
    assert record.moves == (2, 9, 81, 81)
    assert record.think_seconds == (1.5, 0.25, 3.0, 0.01)


def test_given_stones_are_the_first_moves() -> None:
    fixed = accept(game(handicap=2, moves=[[2, 6, 1], [6, 2, 1], [4, 4, 700]]))
    assert fixed.setup == Setup(size=9, komi=5.5, handicap=2, rules="chinese")
    free = accept(game(handicap=2, moves=[[0, 0, 1], [1, 0, 1], [4, 4, 700]]))
    start = Go().start(free.setup)
    assert (start.to_move, start.board[:2].tolist(), free.moves, free.think_seconds) == (1, [1, 1], (40,), (0.7,))


@pytest.mark.parametrize(
    ("outcome", "winner", "score", "termination"),
    [
        ("Resignation", 11, 1.0, "resignation"),
        ("Timeout", 22, 0.0, "time"),
        ("3.5 points", 22, 0.0, "3.5 points"),
        ("Disconnection", 11, 1.0, "abandoned"),
        ("Cancellation", 11, None, "cancelled"),
        ("0 points", 11, 0.5, "jigo"),
        (None, None, None, ""),
        ("Resignation", 33, None, "resignation"),
    ],
)
def test_results(outcome: str | None, winner: int | None, score: float | None, termination: str) -> None:
    record = accept(game(outcome=outcome, winner=winner))
    assert (record.score, record.termination) == (score, termination)


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ({"system": "fischer", "initial_time": 120, "time_increment": 30}, "120+30"),
        ({"system": "byoyomi", "main_time": 600, "period_time": 30, "periods": 5}, "600+30/5"),
        ({"system": "canadian", "main_time": 60, "period_time": 420, "stones_per_period": 10}, "60+10/420 Canadian"),
        ({"system": "simple", "per_move": 120}, "0+120/1"),
        ({"system": "none"}, "-"),
        ({"system": "byoyomi"}, ""),
        (None, ""),
    ],
)
def test_time_controls(control: object, text: str) -> None:
    assert accept(game(tc=control)).time_control == text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ([], "not a JSON object"),
        ({}, "missing or wrong field"),
        (game(width=9, height=13), "not a square board"),
        (game(width=40, height=40), "not a square board"),
        (game(moves=None), "missing or wrong field"),
        (game(moves=[[9, 0, 1]]), "not a move"),
        (game(moves=[["a", 0, 1]]), "not a move"),
        (game(komi="six"), "missing or wrong field"),
        (game(komi=float("nan")), "missing or wrong field"),
        (game(initial_player="white"), "start position missing"),
        (game(handicap=3, moves=[[0, 0, 1], [0, 0, 1], [1, 1, 1]]), "start position missing"),
        (game(moves=[[0, 0, 1], [0, 0, 1]]), "illegal move, the point is taken"),
        (game(moves=[[-1, -1, 1], [-1, -1, 1], [0, 0, 1]]), "play after two passes"),
    ],
)
def test_reasons(line: object, reason: str) -> None:
    found = read(line)
    assert isinstance(found, Rejected)
    assert found.reason == reason


def test_deep_nesting_is_rejected() -> None:
    (found,) = OGS.read(Document("test", 0, b"[" * 100_000))
    assert isinstance(found, Rejected)
    assert found.reason == "not a JSON object"
