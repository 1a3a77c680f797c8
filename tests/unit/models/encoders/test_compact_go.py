"""Our own Go input, point by point, on boards of any size."""

import numpy as np
import pytest

from hitonami.core import Query, Setup
from hitonami.errors import BadInput
from hitonami.games.go import Go, GoPosition
from hitonami.models.encoders.compact_go import CompactGo

GO = Go()
LIBERTIES, FORBIDDEN, ON_BOARD = slice(16, 20), 20, 21


def play(setup: Setup, vertices: str) -> GoPosition:
    position = GO.start(setup)
    for vertex in vertices.split():
        position = position.play(GO.parse(position, vertex))
    return position


def points(position: GoPosition, vertices: str) -> list[int]:
    """Flat places on the position's own board, ascending."""
    named = [GO.parse(GO.start(Setup(size=position.size)), vertex) for vertex in vertices.split()]
    return sorted(named)


def test_stones_of_eight_boards_from_the_movers_side() -> None:
    position = play(Setup(size=5), "A1 B1 pass C1 D1")
    planes = CompactGo().encode([Query(position)])["planes"][0]
    white = ["B1 C1", "B1 C1", "B1", "B1", "", ""]
    black = ["A1 D1", "A1", "A1", "A1", "A1", ""]
    for age, (own, other) in enumerate(zip(white, black, strict=True)):
        assert np.flatnonzero(planes[2 * age]).tolist() == points(position, own), age
        assert np.flatnonzero(planes[2 * age + 1]).tolist() == points(position, other), age
    assert not planes[12:16].any(), "nothing stood before the start"


def test_liberties_one_two_three_and_more() -> None:
    position = GO.read("(;SZ[9]AB[aa][ee][ia][fi]AW[ab])")
    planes = CompactGo().encode([Query(position)])["planes"][0, LIBERTIES]
    assert [np.flatnonzero(plane).tolist() for plane in planes] == [
        points(position, "A9"),
        points(position, "A8 J9"),
        points(position, "F1"),
        points(position, "E5"),
    ]


def test_suicide_and_the_ko_just_taken_are_forbidden_points() -> None:
    eye = GO.read("(;SZ[5]AB[ba][ab]AW[ee]PL[W])")
    before = GO.read("(;SZ[5]AB[bb][ca][cc]AW[cb][da][dc][eb]PL[B])")
    taken = before.play(GO.parse(before, "D4"))
    assert taken.captures == (1, 0)
    planes = CompactGo().encode([Query(eye), Query(taken)])["planes"][:, FORBIDDEN]
    assert np.flatnonzero(planes[0]).tolist() == points(eye, "A5")
    assert np.flatnonzero(planes[1]).tolist() == points(taken, "C4")


def test_boards_of_different_sizes_share_a_batch() -> None:
    small, large = play(Setup(size=4), "D1 A4"), play(Setup(size=9), "J1")
    encoder = CompactGo()
    both = encoder.encode([Query(small), Query(large)])
    alone = encoder.encode([Query(small)])
    assert both["planes"].shape == (2, 22, 9, 9)
    assert np.array_equal(both["planes"][0, :, :4, :4], alone["planes"][0])
    assert not both["planes"][0, :, 4:, :].any()
    assert not both["planes"][0, :, :, 4:].any()
    assert both["planes"][:, ON_BOARD].sum(axis=(1, 2)).tolist() == [16, 81]
    assert np.array_equal(both["scalars"][0], alone["scalars"][0])


def test_the_head_of_a_small_board_lies_in_the_corner_of_the_large_one() -> None:
    small, large = GO.start(Setup(size=3)), GO.start(Setup(size=5))
    encoder = CompactGo()
    assert encoder.head_size([small, large]) == 26
    assert encoder.head_indices([small, large])[0].tolist() == [0, 1, 2, 5, 6, 7, 10, 11, 12, 25]
    assert encoder.head_index(small).tolist() == list(range(10))


def test_a_fixed_board_pads_and_refuses_what_does_not_fit() -> None:
    encoder = CompactGo(board=9)
    assert encoder.encode([Query(GO.start(Setup(size=4)))])["planes"].shape == (1, 22, 9, 9)
    assert encoder.head_index(GO.start(Setup(size=4)))[-1] == 81
    assert encoder.encode([])["planes"].shape == (0, 22, 9, 9)
    with pytest.raises(BadInput, match=r"9×9.*13×13"):
        encoder.encode([Query(GO.start(Setup(size=13)))])
    with pytest.raises(BadInput, match=r"9×9.*13×13"):
        encoder.head_index(GO.start(Setup(size=13)))


def test_scalars_are_komi_prisoners_rules_size_and_pass() -> None:
    setup = Setup(size=5, rules="japanese", komi=6.5)
    capture = play(setup, "B1 A1 A2")  # Black takes one
    passed = capture.play(GO.parse(capture, "pass"))
    scalars = CompactGo().encode([Query(capture), Query(passed), Query(GO.start())])["scalars"]
    size = np.float32(5 / 19)
    assert scalars[0].tolist() == [np.float32(0.65), np.float32(-0.1), 1, 0, size, 0]
    assert scalars[1].tolist() == [np.float32(-0.65), np.float32(0.1), 1, 0, size, 1]
    assert scalars[2].tolist() == [-0.75, 0, 0, 1, 1, 0]
