"""Renju's forbidden points: drawn positions of each kind, and a second implementation by the wording of the rules.

In a drawing x is Black, o is White, and * is the empty point that is asked about.
"""

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Setup
from hitonami.errors import BadMove
from hitonami.games._boards import write_board
from hitonami.games._five import FivePosition
from hitonami.games._five_rules import is_forbidden
from hitonami.games.renju import Renju, forbidden_kind

RENJU = Renju()
SIZE = 15
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))

GOLDEN: dict[str, tuple[bool, str]] = {
    "six in a row": (True, "xxx*xx"),
    "seven in a row": (True, "xxx*xxx"),
    "five exactly": (False, "xx*xx"),
    "five and six at once: the five wins": (
        False,
        """
        ..x...
        ..x...
        ..x...
        ..x...
        xx*xxx
        """,
    ),
    "five and two fours at once: the five wins": (
        False,
        """
        ....x
        .x..x
        ..x.x
        ...xx
        .xxx*
        """,
    ),
    "two fours that cross": (
        True,
        """
        ...x
        ...x
        ...x
        xxx*
        """,
    ),
    "two fours in one line": (True, "x.x*x.x"),
    "two fours in one line, wide": (True, "xx.*x.xx"),
    "two fours in one line, threes apart": (True, "xxx.*.xxx"),
    "a straight four is one four": (False, ".xx*x."),
    "a four closed on both sides is none": (
        False,
        """
        ....o
        ....x
        ....x
        ....x
        oxxx*
        ....o
        """,
    ),
    "two open threes that cross": (
        True,
        """
        ......
        ...x..
        ...x..
        .xx*..
        ......
        ......
        """,
    ),
    "two threes with gaps": (
        True,
        """
        .......
        .x.....
        ..x....
        .......
        .x.x*..
        .......
        """,
    ),
    "a three and a closed three": (
        False,
        """
        ...o..
        ...x..
        ...x..
        .xx*..
        ......
        """,
    ),
    "a three and a four": (
        False,
        """
        ......
        ...x..
        ...x..
        xxx*o.
        ......
        ......
        """,
    ),
    "three open threes": (
        True,
        """
        .......
        .x.x...
        ..xx...
        .xx*...
        .......
        .......
        """,
    ),
    "a three that would become six is none": (
        False,
        """
        ........
        ....x...
        ....x...
        x.xx*..x
        ........
        ........
        """,
    ),
}


def place(drawing: str, row: int = 5, column: int = 4) -> tuple[FivePosition, int]:
    """The drawing in the middle of an empty board, Black to move, and the point that is asked about."""
    cells = [[0] * SIZE for _ in range(SIZE)]
    asked = -1
    for down, line in enumerate(drawing.split()):
        for right, letter in enumerate(line):
            cells[row + down][column + right] = {"x": 1, "o": 2}.get(letter, 0)
            asked = (row + down) * SIZE + column + right if letter == "*" else asked
    return RENJU.start(Setup(start=write_board(cells, 0, "xo"))), asked


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_positions(name: str) -> None:
    forbidden, drawing = GOLDEN[name]
    position, point = place(drawing)
    assert (point not in position.legal) == forbidden
    assert bool(forbidden_kind(position, point)) == forbidden
    assert naive_forbidden(stones(position), point) == forbidden
    if forbidden:
        with pytest.raises(BadMove, match="forbidden to Black"):
            RENJU.parse(position, f"{chr(97 + point % SIZE)}{SIZE - point // SIZE}")
    white = RENJU.start(Setup(start=RENJU.write(position)[:-1] + "o"))
    assert point in white.legal, "White has no forbidden points"


def test_a_three_whose_only_straight_four_is_forbidden_does_not_count() -> None:
    """The row needs one of two points to become a straight four; both are overlines or double fours by a column."""
    position, point = place(
        """
        .........
        .x.....x.
        .x.....x.
        .x..x..x.
        ....x....
        ..xx*....
        .........
        """
    )
    assert naive_forbidden(stones(position), point) == (point not in position.legal)


def test_nested_false_threes_are_seen_through_to_the_bottom() -> None:
    """Positions where the answer changes with the depth that is looked at: both implementations and no shallow one."""
    rng, shallow_errors = random.Random(5), 0
    for _ in range(12):
        cells = np.zeros(SIZE * SIZE, np.uint8)
        for at in rng.sample([r * SIZE + c for r in range(3, 12) for c in range(3, 12)], 30):
            cells[at] = rng.choice((1, 1, 1, 2))
        board = {at: int(cell) for at, cell in enumerate(cells) if cell}
        for point in [at for at in range(SIZE * SIZE) if at not in board and near(board, at)][::4]:
            deep = naive_forbidden(board, point)
            assert is_forbidden(cells, SIZE, point) == deep
            shallow_errors += naive_forbidden(board, point, depth=1) != deep
    assert shallow_errors > 0, "the random positions never needed the recursion"


def test_six_wins_for_white_and_not_for_black() -> None:
    rows = "/".join(["15"] * 6)
    white = RENJU.start(Setup(start=f"{rows}/3ooo1oo6/{'/'.join(['15'] * 8)} o"))
    won = white.play(6 * SIZE + 6)
    assert (won.ending, won.score) == ("five in a row", 0.0)
    black = RENJU.start(Setup(start=f"{rows}/3xxx1xx6/{'/'.join(['15'] * 8)} x"))
    with pytest.raises(BadMove):
        black.play(6 * SIZE + 6)
    followed = black.follow(6 * SIZE + 6)
    assert followed.ending is None, "records may hold an overline; it does not win"


def near(board: dict[int, int], point: int) -> bool:
    """Whether enough black stones are about for the question to be one."""
    return sum(board.get(at) == 1 for at in {at for _, cells in windows(point) for at in cells}) >= 4


def stones(position: FivePosition) -> dict[int, int]:
    return {at: int(cell) for at, cell in enumerate(position.cells) if cell}


def windows(point: int) -> list[tuple[int, list[int]]]:
    """Every row of five points through a point, with its direction."""
    row, column = divmod(point, SIZE)
    found = []
    for way, back in product(range(4), range(5)):
        down, right = WAYS[way]
        cells = [(row + (at - back) * down, column + (at - back) * right) for at in range(5)]
        if all(0 <= r < SIZE and 0 <= c < SIZE for r, c in cells):
            found.append((way, [r * SIZE + c for r, c in cells]))
    return found


def beyond(window: list[int], way: int) -> list[int]:
    """The points before and after a row of five, where the board has them."""
    down, right = WAYS[way]
    ends = [(*divmod(window[0], SIZE), -1), (*divmod(window[4], SIZE), 1)]
    moved = [(r + sign * down, c + sign * right) for r, c, sign in ends]
    return [r * SIZE + c for r, c in moved if 0 <= r < SIZE and 0 <= c < SIZE]


def exact_fives(board: dict[int, int], point: int) -> list[frozenset[int]]:
    return [
        frozenset(cells)
        for way, cells in windows(point)
        if all(board.get(at) == 1 for at in cells) and all(board.get(at) != 1 for at in beyond(cells, way))
    ]


def overlines(board: dict[int, int], point: int) -> bool:
    return any(
        all(board.get(at) == 1 for at in cells) and any(board.get(at) == 1 for at in beyond(cells, way))
        for way, cells in windows(point)
    )


def fours(board: dict[int, int], point: int) -> dict[frozenset[int], set[int]]:
    """Four stones that become five, by the points where they do."""
    found: dict[frozenset[int], set[int]] = {}
    for _, cells in windows(point):
        gaps = [at for at in cells if at not in board]
        held = frozenset(at for at in cells if board.get(at) == 1)
        if len(held) == 4 and gaps and frozenset(cells) in exact_fives(board | {gaps[0]: 1}, gaps[0]):
            found.setdefault(held, set()).add(gaps[0])
    return found


def naive_forbidden(board: dict[int, int], point: int, depth: int = 99) -> bool:
    """By the wording: no five, and an overline, two fours, or two threes that may become straight fours."""
    board = board | {point: 1}
    if exact_fives(board, point):
        return False
    if overlines(board, point) or len(fours(board, point)) > 1:
        return True
    ways_with_three = 0
    for way in range(4):
        line = {at for turn, cells in windows(point) if turn == way for at in cells if at not in board}
        ways_with_three += any(straightens(board, point, at, depth) for at in line)
    return ways_with_three > 1


def straightens(board: dict[int, int], point: int, added: int, depth: int) -> bool:
    """Whether a stone on `added` makes a straight four with `point` and is allowed."""
    after = board | {added: 1}
    straight = any(point in held and len(ends) == 2 for held, ends in fours(after, added).items())
    if not straight or exact_fives(after, added):
        return False
    return depth <= 0 or not naive_forbidden(board, added, depth - 1)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), count=st.integers(4, 45), share=st.sampled_from([0.55, 0.7, 0.9]))
def test_the_naive_rules_agree(seed: int, count: int, share: float) -> None:
    rng = random.Random(seed)
    cells = np.zeros(SIZE * SIZE, np.uint8)
    middle = [r * SIZE + c for r in range(2, 13) for c in range(2, 13)]
    for at in rng.sample(middle, count):
        cells[at] = 1 if rng.random() < share else 2
    board = {at: int(cell) for at, cell in enumerate(cells) if cell}
    for point in [at for at in middle if at not in board and near(board, at)][::5]:
        before = cells.copy()
        assert is_forbidden(cells, SIZE, point) == naive_forbidden(board, point)
        assert (cells == before).all()
