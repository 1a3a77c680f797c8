"""Analysis over GTP: what programs read from it, a search that goes on, and ends of all kinds."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from hitonami.specs import mind_spec

Talking = Callable[..., Any]
SEARCH = {"kind": "puct", "mind": "judge", "nodes": 4000}


def read_moves(line: str) -> list[dict[str, str]]:
    """As programs do: cut at `info`, take the variation off the end, read the rest as keys and values."""
    moves = []
    for part in re.split(r"\s*info\s+", line)[1:]:
        words, _, variation = part.partition(" pv ")
        pairs = words.split()
        assert len(pairs) % 2 == 0
        moves.append(dict(zip(pairs[::2], pairs[1::2], strict=True)) | {"pv": variation})
    return moves


@pytest.mark.parametrize(("command", "one"), [("lz-analyze", 10_000), ("kata-analyze", 1)])
def test_programs_can_read_the_line(talk: Talking, command: str, one: int) -> None:
    there = talk("gtp", mind="judge")
    there.send("boardsize 9", f"{command} b 50 maxmoves 4")
    moves = read_moves(there.hear_until("info")[-1])
    assert [move["order"] for move in moves] == ["0", "1", "2", "3"]
    assert [round(float(move["prior"]) / one, 3) for move in moves] == [0.5, 0.25, 0.125, 0.062]
    assert {("." in move["winrate"], "." in move["prior"]) for move in moves} == {
        (one == 1, one == 1)
    }  # how they are told apart
    assert all(move["pv"].split()[0] == move["move"] for move in moves)
    there.send("protocol_version")
    assert there.rest() == ["", "= 2", ""]


def test_a_search_is_followed_until_the_next_line(talk: Talking) -> None:
    there = talk("gtp", mind=mind_spec(SEARCH))
    there.send("boardsize 5", "kata-analyze 0 maxmoves 3")
    early = read_moves(there.hear_until("info")[-1])
    later = read_moves(there.hear_until("info")[-1])
    assert sum(int(move["visits"]) for move in later) > sum(int(move["visits"]) for move in early)
    assert len(later[0]["pv"].split()) >= 1
    there.send("7 name")
    assert there.hear_until("=7")[-1] == "=7 Hitonami"


def test_words_between_two_intervals_are_not_told(talk: Talking) -> None:
    there = talk("gtp", mind=mind_spec(SEARCH))
    there.send("boardsize 5", "kata-analyze 100000")
    there.hear_until("info")
    there.send("name")
    assert [line[:5] for line in there.rest()] == ["info ", "", "= Hit", ""]  # the first word, the last, and no other


def test_a_mind_that_breaks_is_told_once(talk: Talking) -> None:
    there = talk("gtp", mind="broken")
    there.send("boardsize 9", "5 lz-analyze b", "6 kata-genmove_analyze b", "printsgf")
    said = [line for line in there.rest() if line]
    assert said[1].startswith("?5 KeyError")
    assert said[2].startswith("?6 KeyError")
    assert ";B[" not in said[3]


def test_commands_in_one_go_are_all_answered(talk: Talking) -> None:
    there = talk("gtp", mind="judge")
    there.send("boardsize 5", "1 lz-analyze b", "2 kata-analyze w", "3 lz-genmove_analyze b", "4 name")
    numbers = [line[:2] for line in there.rest() if line.startswith("=")]
    assert numbers == ["=", "=1", "=2", "=3", "=4"]


def test_quit_ends_an_analysis(talk: Talking) -> None:
    there = talk("gtp", mind=mind_spec({"kind": "brooding"}))
    there.send("boardsize 5", "lz-analyze b")
    there.hear_until("info")
    there.send("quit")
    assert there.session.close()
    assert there.rest()[-3:] == ["", "=", ""]


def test_a_move_that_is_told_is_played(talk: Talking) -> None:
    there = talk("gtp", mind="judge")
    there.send("boardsize 5", "kata-genmove_analyze b 10 maxmoves 1", "printsgf")
    said = [line for line in there.rest() if line]
    assert said[-2].startswith("play ")
    column, row = "ABCDEFGHJ".index(said[-2][5]), int(said[-2][6])
    assert said[-1].endswith(f";B[{'abcde'[column]}{'abcde'[5 - row]}])")
