"""Othello: known counts of move sequences, passes, and what a position's text may be."""

import pytest

from hitonami.core import Setup, open_game
from hitonami.errors import BadMove, BadPosition
from hitonami.games.othello import Othello, OthelloPosition

OTHELLO = Othello()
PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)


def perft(position: OthelloPosition, depth: int) -> int:
    if depth == 1:
        return len(position.legal)
    return sum(perft(position.play(int(move)), depth - 1) for move in position.legal)


@pytest.mark.parametrize("depth", range(1, 7))
def test_sequences_of_moves_are_as_many_as_published(depth: int) -> None:
    assert perft(OTHELLO.start(), depth) == PERFT[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("depth", range(7, 10))
def test_long_sequences_of_moves_are_as_many_as_published(depth: int) -> None:
    assert perft(OTHELLO.start(), depth) == PERFT[depth - 1]


def test_a_side_without_a_move_passes_and_nothing_else() -> None:
    position = OTHELLO.start(Setup(start="8/8/8/8/8/8/x7/oo5x o"))
    assert [OTHELLO.format(position, int(move)) for move in position.legal] == ["a6"]
    stuck = OTHELLO.start(Setup(start="xo6/8/8/8/8/8/8/8 o"))
    assert [OTHELLO.format(stuck, int(move)) for move in stuck.legal] == ["pass"]
    after = stuck.play(64)
    assert (after.to_move, [OTHELLO.format(after, int(move)) for move in after.legal]) == (0, ["c1"])
    end = after.play(2)
    assert (end.ending, end.score, len(end.legal)) == ("3–0", 1.0, 0)


def test_the_shortest_game_wipes_white_out() -> None:
    position = OTHELLO.start()
    for text in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        position = position.play(OTHELLO.parse(position, text))
    assert (position.ending, position.score) == ("13–0", 1.0)


def test_discs_stand_where_records_have_them() -> None:
    position = OTHELLO.start()
    assert OTHELLO.write(position) == "8/8/8/3ox3/3xo3/8/8/8 x"
    assert [OTHELLO.format(position, int(move)) for move in position.legal] == ["d3", "c4", "f5", "e6"]


@pytest.mark.parametrize("text", ["8/8 x", "8/8/8/8/8/8/8/8", "9/8/8/8/8/8/8/8 x", "8/8/8/8/8/8/8/7z x"])
def test_another_board_is_refused(text: str) -> None:
    with pytest.raises(BadPosition, match=r"8×8|not a board"):
        OTHELLO.read(text)


def test_a_move_that_turns_nothing_says_so() -> None:
    with pytest.raises(BadMove, match="turns nothing over"):
        OTHELLO.parse(OTHELLO.start(), "a1")
    with pytest.raises(BadMove, match="squares are a1 to h8"):
        OTHELLO.parse(OTHELLO.start(), "j9")


def test_lines_of_the_customs_are_playable() -> None:
    for name in ("othello", "connect-four", "gomoku", "renju", "hex", "breakthrough"):
        game = open_game(name)
        customs = game.customs  # type: ignore[attr-defined]
        sized = customs.lines.items() if isinstance(customs.lines, dict) else [(0, customs.lines)]
        texts = [(size, line) for size, lines in sized for line in lines]
        texts += [(each.size, each.moves) for each in customs.openings]
        assert texts
        for size, line in texts:
            position = game.start(Setup(size=size))
            for word in line.split():
                position = position.play(game.parse(position, word))
            assert position.ending is None
