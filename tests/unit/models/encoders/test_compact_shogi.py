"""Our own shogi input and head, square by square."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Query, walk_back
from hitonami.games.shogi import Shogi, ShogiPosition
from hitonami.models.encoders.compact_shogi import CompactShogi

SHOGI = Shogi()
LETTERS = ("P", "L", "N", "S", "B", "R", "G", "K", "+P", "+L", "+N", "+S", "+B", "+R")
"""The order of the planes."""


def play(start: str, moves: str) -> ShogiPosition:
    position = SHOGI.read(start)
    for move in moves.split():
        position = position.play(SHOGI.parse(position, move))
    return position


def pieces_in(sfen: str) -> dict[tuple[int, int], str]:
    """(file, rank), both from 0, to the letter of the piece, read from the text."""
    found = {}
    for rank, row in enumerate(sfen.split(maxsplit=1)[0].split("/")):
        file, promoted = 8, ""
        for cell in row:
            if cell == "+":
                promoted = "+"
            elif cell.isdigit():
                file -= int(cell)
            else:
                found[file, rank] = promoted + cell
                file, promoted = file - 1, ""
    return found


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 120))
def test_planes_hold_the_pieces_of_eight_positions(seed: int, plies: int) -> None:
    rng = np.random.default_rng(seed)
    position = SHOGI.start()
    while len(position.legal) and position.ply < plies:
        position = position.play(int(rng.choice(position.legal)))
    planes = CompactShogi().encode([Query(position)])["planes"][0]
    pasts = list(walk_back(position))[:8]
    for age, past in enumerate(pasts):
        expected = np.zeros((28, 9, 9), dtype=np.uint8)
        for (file, rank), letter in pieces_in(SHOGI.write(past)).items():
            theirs = letter.isupper() == (position.to_move == 1)
            at = (8 - file, 8 - rank) if position.to_move == 1 else (file, rank)
            expected[LETTERS.index(letter.upper()) + 14 * theirs, *at] = 1
        assert np.array_equal(planes[28 * age : 28 * age + 28], expected)
    assert not planes[28 * len(pasts) :].any(), "nothing stood before the start"


HANDS = {"P": (0, 8), "L": (8, 4), "N": (12, 4), "S": (16, 4), "G": (20, 4), "B": (24, 2), "R": (26, 2)}
"""Where each piece's thermometer starts, and its length."""


def test_hands_are_thermometers_of_the_mover_then_the_opponent() -> None:
    text = "4k4/9/9/9/9/9/9/9/4K4 {} 2B3G10Pr2s 1"
    for side, own in (("b", 0), ("w", 28)):
        scalars = CompactShogi().encode([Query(SHOGI.read(text.format(side)))])["scalars"][0]
        expected = np.zeros(56)
        for letter, count, start in (("B", 2, 0), ("G", 3, 0), ("P", 8, 0), ("R", 1, 28), ("S", 2, 28)):
            first = HANDS[letter][0] + (start + own) % 56
            expected[first : first + count] = 1
        assert scalars[:56].tolist() == expected.tolist(), "pawns beyond the eighth are not shown"


def test_repetition_and_check_are_scalars() -> None:
    back = play("startpos", "2h3h 8b7b 3h2h 7b8b")
    assert CompactShogi().encode([Query(back)])["scalars"][0, 56:].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0]
    check = SHOGI.read("4k4/9/4R4/9/9/9/9/9/4K4 w - 1")
    assert CompactShogi().encode([Query(check)])["scalars"][0, 56:].tolist() == [0, 0, 0, 0, 0, 0, 0, 0, 1]


UP, UP_LEFT, UP_RIGHT, LEFT, RIGHT, DOWN, DOWN_LEFT, DOWN_RIGHT, JUMP_LEFT, JUMP_RIGHT = range(10)


def square(name: str) -> int:
    return (int(name[0]) - 1) * 9 + "abcdefghi".index(name[1])


@pytest.mark.parametrize(
    ("sfen", "move", "kind", "target"),
    [
        ("startpos", "7g7f", UP, "7f"),
        ("startpos", "2h7h", LEFT, "7h"),
        ("startpos", "2h1h", RIGHT, "1h"),
        ("startpos", "3i4h", UP_LEFT, "4h"),
        ("startpos", "7i6h", UP_RIGHT, "6h"),
        ("k8/9/9/9/4R4/9/9/9/8K b - 1", "5e5h", DOWN, "5h"),
        ("4k4/9/9/9/4B4/9/9/9/4K4 b - 1", "5e8h", DOWN_LEFT, "8h"),
        ("4k4/9/9/9/4B4/9/9/9/4K4 b - 1", "5e2h", DOWN_RIGHT, "2h"),
        ("4k4/9/9/9/4N4/9/9/9/4K4 b - 1", "5e6c", JUMP_LEFT, "6c"),
        ("4k4/9/9/9/4N4/9/9/9/4K4 b - 1", "5e4c+", 10 + JUMP_RIGHT, "4c"),
        ("k8/9/9/9/4R4/9/9/9/8K b - 1", "5e5b+", 10 + UP, "5b"),
        ("4k4/9/9/9/9/9/9/9/4K4 b PLNSBRG 1", "P*5e", 20, "5e"),
        ("4k4/9/9/9/9/9/9/9/4K4 b PLNSBRG 1", "S*5e", 23, "5e"),
        ("4k4/9/9/9/9/9/9/9/4K4 b PLNSBRG 1", "G*5e", 26, "5e"),
    ],
)
def test_a_move_is_its_kind_and_its_target(sfen: str, move: str, kind: int, target: str) -> None:
    position = SHOGI.read(sfen)
    index = CompactShogi().head_index(position)
    assert index[np.searchsorted(position.legal, SHOGI.parse(position, move))] == kind * 81 + square(target)


def test_white_sees_the_board_turned() -> None:
    after = play("startpos", "7g7f")
    index = CompactShogi().head_index(after)
    assert index[np.searchsorted(after.legal, SHOGI.parse(after, "3c3d"))] == UP * 81 + square("7f")
    assert index[np.searchsorted(after.legal, SHOGI.parse(after, "8b3b"))] == LEFT * 81 + square("7h")
