"""The encoder for any game: what its planes show, what it refuses, and moves of a game that is only drawn."""

import numpy as np
import pytest

from hitonami.core import Query, Setup, open_game
from hitonami.errors import BadInput
from hitonami.models.encoders.cells import Cells


def play(game: str, *moves: str, variant: str = "") -> Query:
    here = open_game(game).start(Setup(variant=variant))
    for move in moves:
        here = here.play(here.game.parse(here, move))
    return Query(here)


def test_a_mover_sees_his_own_discs_first() -> None:
    planes = Cells("connect-four").encode([play("connect-four", "d", "c")])["planes"][0]
    assert [np.argwhere(plane).tolist() for plane in planes[:4]] == [[[5, 3]], [[5, 2]], [], [[5, 2]]]
    assert not planes[4:].any()
    other = Cells("connect-four").encode([play("connect-four", "d")])["planes"][0]
    assert np.argwhere(other[1]).tolist() == [[5, 3]]
    assert other[6].all(), "the second player is to move"


def test_a_board_is_turned_for_the_side_that_plays_down() -> None:
    encoder = Cells("heian")
    first, second = play("heian"), play("heian", "5g5f")
    one, other = (encoder.encode([query])["planes"][0] for query in (first, second))
    assert np.array_equal(one[:11], other[:11])
    assert np.argwhere(other[11 + 5] != one[11 + 5]).tolist() == [[2, 4], [3, 4]], "a pawn came nearer"
    assert np.argwhere(other[22]).tolist() == [[2, 4]]
    assert np.argwhere(other[23]).tolist() == [[3, 4]]
    start = first.position
    answer = second.position.game.parse(second.position, "5c5d")
    place = encoder.head_index(start)[start.legal.tolist().index(start.game.parse(start, "5g5f"))]
    assert encoder.head_index(second.position)[second.position.legal.tolist().index(answer)] == place


def test_a_position_that_stood_before_is_marked() -> None:
    round_trip = ("5i5h", "5a5b", "5h5i", "5b5a")
    planes = Cells("heian").encode([play("heian", *round_trip), play("heian", *round_trip, *round_trip)])["planes"]
    assert planes[0, 24].all()
    assert not planes[0, 25].any()
    assert planes[1, 25].all()


def test_history_shows_earlier_boards_to_the_same_mover() -> None:
    long, short = Cells("othello", history=3), Cells("othello")
    game = play("othello", "f5", "d6")
    before = game.position.before
    assert before is not None
    planes, now = long.encode([game])["planes"][0], short.encode([game])["planes"][0]
    earlier = short.encode([Query(before)])["planes"][0]
    assert np.array_equal(planes[:2], now[:2])
    assert np.array_equal(planes[-5:], now[-5:])
    assert np.array_equal(planes[2:4], earlier[[1, 0]]), "the other side was to move then"


def test_moves_that_are_only_drawn_have_places() -> None:
    encoder = Cells("chess")
    position = open_game("chess").read("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    places = encoder.head_index(position)
    assert len(set(places.tolist())) == len(position.legal)
    with pytest.raises(BadInput, match="alternates = 2"):
        Cells("chess", alternates=1).head_index(position)


def test_other_boards_are_refused() -> None:
    with pytest.raises(BadInput, match="9×9"):
        Cells("heian").encode([play("heian", variant="8x8")])
    assert Cells("heian", variant="8x8").encode([play("heian", variant="8x8")])["planes"].shape == (1, 27, 8, 8)
    with pytest.raises(BadInput, match="history"):
        Cells("othello", history=0)
