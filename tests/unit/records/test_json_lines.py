"""Lines of eOthello, LittleGolem and ICCS: what is put in, what is believed, and why a line is rejected."""

import json
import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from hitonami.core import Setup, open_game
from hitonami.records import Document, Record, Rejected, open_format


def read(name: str, *lines: dict[str, Any] | str) -> list[Record | Rejected]:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return list(open_format(name).read(Document("file", 0, text.encode())))


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("eothello", {"result": "black", "moves": "f5f6a1"}, "illegal move"),
        ("eothello", {"result": "black", "moves": "f5z9"}, "not a move"),
        ("eothello", {"moves": ""}, "no moves"),
        ("eothello", {"result": "black"}, "missing or wrong field"),
        ("eothello", "f5d6", "not a JSON object"),
        ("littlegolem", {"size": 11, "moves": "a2 f6 f6 resign"}, "illegal move"),
        ("littlegolem", {"size": 11, "moves": "a2 f6 swap"}, "illegal move"),
        ("littlegolem", {"size": 99, "moves": "a2"}, "missing or wrong field"),
        ("littlegolem", {"size": True, "moves": "a2"}, "missing or wrong field"),
        ("littlegolem", {"size": 11, "moves": "resign"}, "no moves"),
        ("littlegolem", {"size": 2, "moves": "a1 b1 a2 b2"}, "play after the end"),
        ("iccs", {"moves": "h2e2 h2e2"}, "illegal move"),
        ("iccs", {"moves": "h2z9"}, "not a move"),
        ("iccs", {"moves": ""}, "no moves"),
        ("iccs", {"moves": 5}, "missing or wrong field"),
    ],
)
def test_a_line_that_is_no_game_is_rejected_by_its_reason(
    need_module: Callable[[str], ModuleType], name: str, line: dict[str, Any] | str, reason: str
) -> None:
    if name == "iccs":
        need_module("pyffish")
    [found] = read(name, line)
    assert isinstance(found, Rejected)
    assert found.reason == reason


def test_passes_are_put_in_and_the_moves_are_the_games_own() -> None:
    game, rng = open_game("othello"), random.Random(2)
    position, moves, squares = game.start(), list[int](), ""
    while len(position.legal):
        moves.append(int(rng.choice(position.legal)))
        squares += game.format(position, moves[-1]).replace("pass", "")
        position = position.play(moves[-1])
    assert 64 in moves, "another seed: this game has no pass"
    [found] = read("eothello", {"result": "draw", "moves": squares})
    assert isinstance(found, Record)
    assert found.moves == tuple(moves)
    assert (found.score, "result-differs" in found.marks) == (0.5, position.score != 0.5)


def test_who_resigned_has_lost_and_a_stopped_game_has_no_result() -> None:
    resigned, stopped, won = read(
        "littlegolem",
        {"size": 13, "moves": "a10 swap c4 d10 k5 resign"},
        {"size": 13, "moves": "a10 c4 end"},
        {"size": 2, "moves": "a1 b1 a2 end"},
    )
    assert isinstance(resigned, Record)
    assert (resigned.score, resigned.termination, resigned.moves[1]) == (1.0, "resignation", 169)
    assert isinstance(stopped, Record)
    assert (stopped.score, stopped.marks) == (None, frozenset({"prefix"}))
    assert isinstance(won, Record)
    assert (won.score, won.termination, won.setup) == (1.0, "joined edges", Setup(size=2))


def test_iccs_counts_ranks_from_nought(need_module: Callable[[str], ModuleType]) -> None:
    need_module("pyffish")
    [found] = read("iccs", {"red": "Ann", "date": "4/17/1996", "result": "1-0", "moves": "H2-E2 h9g7"})
    assert isinstance(found, Record)
    game = open_game("xiangqi")
    position = game.start()
    texts = []
    for move in found.moves:
        texts.append(game.format(position, move))
        position = position.play(move)
    assert texts == ["h3e3", "h10g8"]
    assert (found.players[0].name, found.date, found.score) == ("Ann", "1996-04-17", 1.0)
