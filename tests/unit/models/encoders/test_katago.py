"""KataGo's input, plane by plane. ../test_katago.py checks, through its outputs, that KataGo itself sees the same."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hitonami.core import Player, Query, Setup
from hitonami.errors import BadInput
from hitonami.games.go import Go, GoPosition
from hitonami.models.encoders.katago import Katago
from hitonami.models.encoders.katago_rated import KatagoRated

GO = Go()
GOLDEN = Path(__file__).parents[3] / "golden" / "katago" / "raw-outputs.json"
KO, LAST, LADDERS, BEFORE, TWO_BEFORE, WORKING, OWN_AREA, OTHER_AREA = 6, 9, 14, 15, 16, 17, 18, 19


def board(rows: str, **fields: object) -> GoPosition:
    """Rows from the top, X Black, O White; the side of `to_move` moves first."""
    lines = rows.split()
    size = len(lines)
    marks: dict[str, list[str]] = {"X": [], "O": []}
    for row, line in enumerate(lines):
        for column, mark in enumerate(line):
            if mark in marks:
                marks[mark].append(f"[{chr(97 + column)}{chr(97 + row)}]")
    stones = "".join(f"{key}{''.join(marks[mark])}" for key, mark in (("AB", "X"), ("AW", "O")) if marks[mark])
    side, rules, komi = fields.get("to_move", "B"), fields.get("rules", "chinese"), fields.get("komi", 7.5)
    return GO.read(f"(;SZ[{size}]{stones}PL[{side}]RU[{rules}]KM[{komi}])")


def play(position: GoPosition, vertices: str) -> GoPosition:
    for each in vertices.split():
        position = position.play(GO.parse(position, each))
    return position


def planes(position: GoPosition) -> NDArray[np.uint8]:
    found: NDArray[np.uint8] = Katago().encode([Query(position)])["planes"][0]
    return found


def scalars(position: GoPosition) -> list[float]:
    found: list[float] = Katago().encode([Query(position)])["scalars"][0].tolist()
    return found


def named(position: GoPosition, plane: NDArray[np.uint8]) -> str:
    """The vertices of a plane, by row from the top."""
    columns = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
    return " ".join(f"{columns[column]}{position.size - row}" for row, column in np.argwhere(plane).tolist())


def test_stones_and_liberties_from_the_movers_side() -> None:
    position = board("XO... ..... ..O.. ..... ...XX", to_move="W")
    seen = planes(position)
    assert seen[0].all()
    assert named(position, seen[1]) == "B5 C3"
    assert named(position, seen[2]) == "A5 D1 E1"
    assert [named(position, seen[at]) for at in (3, 4, 5)] == ["A5", "B5", "D1 E1"]


def test_the_last_five_moves_and_their_passes() -> None:
    position = play(GO.start(Setup(size=5)), "A1 B1 pass C1 D1 E5")
    seen = planes(position)
    assert [named(position, plane) for plane in seen[LAST : LAST + 5]] == ["E5", "D1", "C1", "", "B1"]
    assert scalars(position)[:5] == [0, 0, 0, 1, 0]
    early = play(GO.start(Setup(size=5)), "A1")
    assert [named(early, plane) for plane in planes(early)[LAST : LAST + 5]] == ["A1", "", "", "", ""]


def test_ko_and_superko_but_not_suicide_are_forbidden_points() -> None:
    start = board(".XO.. X.XO. .XO.. ..... .....", to_move="W")
    taken = play(start, "B4")
    assert named(taken, planes(taken)[KO]) == "C4"
    eye = board(".X... X.... ..... ..... ....O", to_move="W")
    assert named(eye, planes(eye)[KO]) == ""
    again = play(taken, "E1 D1")
    assert named(again, planes(again)[KO]) == "", "both have played elsewhere"


@pytest.mark.parametrize(("rules", "forbidden"), [("chinese", "B5"), ("tromp-taylor", "B5"), ("japanese", "")])
def test_superko_is_shown_where_simple_ko_says_nothing(rules: str, forbidden: str) -> None:
    """White sends two stones, Black takes both, and taking one back would repeat the board."""
    position = play(board(".O.X. OXX.. O.... ..... .....", to_move="W", rules=rules), "C5 A5")
    assert named(position, planes(position)[KO]) == forbidden


CORNER = "......... ......... ..XX..... .XO...... "
EMPTY_ROW = "......... "
RUN = CORNER + 5 * EMPTY_ROW
"""White's C6 has two liberties; from C5 Black can chase it into the opposite corner, from D6 not."""
SAVED = CORNER + 2 * EMPTY_ROW + "......O.. " + 2 * EMPTY_ROW
"""The same with a white stone on the way."""


def test_a_chain_of_two_liberties_shows_which_play_catches_it() -> None:
    attacked, defended = board(RUN, to_move="B"), board(RUN, to_move="W")
    assert named(attacked, planes(attacked)[LADDERS]) == "C6"
    assert named(attacked, planes(attacked)[WORKING]) == "C5"
    assert named(defended, planes(defended)[LADDERS]) == "C6"
    assert not planes(defended)[WORKING].any(), "only plays of the mover are shown"


def test_a_chain_in_atari_that_cannot_run() -> None:
    position = play(board(RUN, to_move="B"), "C5")
    assert named(position, planes(position)[3]) == "C6"
    assert named(position, planes(position)[LADDERS]) == "C6"
    saved = play(board(SAVED, to_move="B"), "C5")
    assert named(saved, planes(saved)[3]) == "C6"
    assert named(saved, planes(saved)[LADDERS]) == ""


def test_a_stone_on_the_way_saves_the_chain() -> None:
    saved = planes(board(SAVED, to_move="B"))
    assert not saved[LADDERS].any()
    assert not saved[WORKING].any()


def test_ladders_of_the_two_boards_before() -> None:
    def shown(position: GoPosition) -> list[bool]:
        seen = planes(position)
        return [bool(seen[at].any()) for at in (LADDERS, BEFORE, TWO_BEFORE)]

    start = board(RUN, to_move="W")
    assert shown(start) == [True, True, True], "before the start stands the start"
    saved = play(start, "G4")
    assert shown(saved) == [False, True, True]
    assert shown(play(saved, "H8")) == [False, False, True]
    assert shown(play(saved, "H8 B2")) == [False, False, False]


ALIVE = ".X.XO XXXXO OOOOO ..... ....."
"""Black lives in the corner with two eyes; White surrounds the lower half and is not proven to live."""


def test_area_belongs_to_those_who_stand_on_it_or_surround_it() -> None:
    position = board(ALIVE)
    own, other = (named(position, planes(position)[at]).split() for at in (OWN_AREA, OTHER_AREA))
    assert own == ["A5", "B5", "C5", "D5", "A4", "B4", "C4", "D4"]
    assert len(other) == 17
    assert not planes(board(ALIVE, rules="japanese"))[OWN_AREA:].any(), "not told under territory scoring"


def test_dame_belongs_to_nobody() -> None:
    position = board("X.O.. ..... ..... ..... .....")
    assert [named(position, planes(position)[at]) for at in (OWN_AREA, OTHER_AREA)] == ["A5", "C5"]


def test_a_stone_without_room_among_the_living_is_theirs() -> None:
    dead = board(".XO.X XX.XX .XXX. ..... .....")
    assert "C5" in named(dead, planes(dead)[OWN_AREA]).split()
    unproven = board("..O.X XX.XX .XXX. ..... .....")
    assert "C5" in named(unproven, planes(unproven)[OTHER_AREA]).split()


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("chinese", [1, 0.5, 0, 0, 0, 0]),
        ("tromp-taylor", [1, 0.5, 1, 0, 0, 0]),
        ("aga", [1, -0.5, 0, 0, 0, 0]),
        ("new-zealand", [1, -0.5, 1, 0, 0, 0]),
        ("japanese", [0, 0, 0, 1, 1, 0]),
        ("record", [0, 0, 0, 0, 0, 0]),
    ],
)
def test_rules_are_told(rules: str, told: list[float]) -> None:
    assert scalars(GO.start(Setup(size=9, rules=rules)))[6:12] == told


def test_komi_is_the_movers_and_counts_stones_under_territory() -> None:
    area = GO.start(Setup(size=9, komi=7.5))
    assert scalars(area)[5] == pytest.approx(-7.5 / 20)
    assert scalars(play(area, "E5"))[5] == pytest.approx(7.5 / 20)
    territory = GO.start(Setup(size=9, komi=6.5, rules="japanese"))
    assert scalars(play(territory, "E5"))[5] == pytest.approx(7.5 / 20), "Black has put down one stone more"
    assert scalars(play(territory, "E5 pass C3"))[5] == pytest.approx(8.5 / 20)
    captured = play(GO.start(Setup(size=5, komi=0.5, rules="japanese")), "A1 B1 C3 A2")
    assert captured.captures == (0, 1)
    assert scalars(captured)[5] == pytest.approx(-0.5 / 20), "a stone that was taken was put down all the same"
    assert scalars(GO.start(Setup(size=5, komi=90.0)))[5] == pytest.approx(-45 / 20)


@pytest.mark.parametrize(
    ("size", "komi", "wave"),
    [(9, 7.0, 0.0), (9, 7.5, -0.5), (9, 6.5, 0.5), (9, 6.0, 0.0), (8, 6.0, 0.0), (8, 6.5, -0.5), (8, 5.75, 0.25)],
)
def test_parity_wave(size: int, komi: float, wave: float) -> None:
    assert scalars(GO.start(Setup(size=size, komi=komi)))[18] == pytest.approx(wave)


def test_passing_ends_play_after_a_pass() -> None:
    start = GO.start(Setup(size=5))
    assert scalars(start)[14] == 0
    assert scalars(play(start, "pass"))[14] == 1


def test_sizes_share_a_batch_and_a_fixed_board_is_kept() -> None:
    small, large = play(GO.start(Setup(size=3)), "B2"), GO.start(Setup(size=5))
    both = Katago().encode([Query(small), Query(large)])["planes"]
    assert both.shape == (2, 22, 5, 5)
    assert np.array_equal(both[0, :, :3, :3], planes(small))
    assert not both[0, :, 3:].any()
    assert Katago(board=9).encode([Query(small)])["planes"].shape == (1, 22, 9, 9)
    with pytest.raises(BadInput, match="up to 3×3, got 5×5"):
        Katago(board=3).encode([Query(large)])


def test_players_stand_beside_the_same_planes() -> None:
    query = Query(play(GO.start(Setup(size=5)), "C3"), Player(1700.0, "ogs"), Player())
    told = KatagoRated(pools=("kgs", "ogs"), clock=True).encode([query])
    plain = Katago().encode([query])
    assert all(np.array_equal(told[name], plain[name]) for name in plain)
    assert told["pool"].tolist() == [2]
    assert told["player"].shape == (1, 6)


@settings(max_examples=12)
@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([5, 9, 13]))
def test_turning_the_board_turns_the_planes(seed: int, size: int) -> None:
    """No plane depends on the order in which points are looked at."""
    rng = np.random.default_rng(seed)
    position, turned = GO.start(Setup(size=size)), GO.start(Setup(size=size))
    for _ in range(int(rng.integers(1, size * size))):
        move = int(rng.choice(position.legal[:-1])) if len(position.legal) > 1 else size * size
        position = position.play(move)
        row, column = divmod(move, size)
        turned = turned.play(move if move == size * size else column * size + size - 1 - row)
        if not len(position.legal):
            return
    assert np.array_equal(np.rot90(planes(position), -1, axes=(1, 2)), planes(turned))


def test_golden_positions_are_encoded_as_when_katago_was_asked() -> None:
    rows = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert len(rows) >= 20
    for row in rows:
        arrays = Katago().encode([Query(GO.read(row["position"]))])
        rounded = np.round(arrays["scalars"], 5).astype("<f4")
        assert hashlib.sha256(arrays["planes"].tobytes() + rounded.tobytes()).hexdigest() == row["encoded"], row[
            "position"
        ]
