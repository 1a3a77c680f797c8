"""What the page draws of any game: every position a valid drawing, every legal move within reach of a hand."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Position, Setup, open_game
from hitonami.customs import games_offered
from hitonami.web.board_schemas import Drawing, DrawnMove
from hitonami.web.drawing import draw_position

CASES = [(name, setup) for name in games_offered() for setup in open_game(name).examples]


def _walk(start: Position, seed: int, most: int) -> Position:
    rng = np.random.default_rng(seed)
    position = start
    while len(position.legal) and position.ply < most:
        position = position.play(int(rng.choice(position.legal)))
    return position


def _reach(drawing: Drawing, path: list[int]) -> list[DrawnMove]:
    """What a hand comes to that chooses these squares one after the other, as the board on the page does it."""
    left = drawing.moves
    for at, square in enumerate(path):
        left = [move for move in left if len(move.path) > at and move.path[at] == square]
        done = [move for move in left if len(move.path) == at + 1]
        if done:
            return done
    return [move for move in left if move.path == path]


def check_drawing(position: Position) -> None:
    drawing = draw_position(position)
    assert [move.move for move in drawing.moves] == [position.game.format(position, int(m)) for m in position.legal]
    squares = set(range(len(drawing.columns) * len(drawing.ranks))) - set(drawing.off)
    assert bool(drawing.text) == (drawing.style == "text") == (not squares)
    assert {piece.at for piece in drawing.pieces} | set(drawing.marked) | set(drawing.dots) <= squares
    assert {end for line in (*drawing.lines, *drawing.gaps) for end in line} <= squares
    assert all(piece.side in (None, 0, 1) for piece in drawing.pieces)
    for move in drawing.moves:
        assert set(move.path) <= squares
        assert len(move.path) <= 2
        reached = _reach(drawing, move.path)
        assert move in reached, f"{move.name} cannot be chosen on the board"
        assert max(Counter(each.name for each in reached).values()) == 1, "two moves with one name to choose from"


@pytest.mark.parametrize(("name", "setup"), CASES, ids=lambda each: each if isinstance(each, str) else "")
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 80))
def test_every_legal_move_can_be_chosen_in_the_drawing(name: str, setup: Setup, seed: int, most: int) -> None:
    check_drawing(_walk(open_game(name).start(setup), seed, most))


@pytest.mark.parametrize("most", [0, 1, 12, 49])
def test_games_in_one_file_are_drawn(game_in_one_file: str, most: int) -> None:
    check_drawing(_walk(open_game(game_in_one_file).start(), most, most))
    check_drawing(_walk(open_game("takeaway").start(), most, most))
