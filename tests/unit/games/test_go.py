"""Go: setups, positions, notation, counting of edge cases, safety by Benson."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.core import Setup
from hitonami.errors import BadInput, BadMove, BadPosition, BadSetup
from hitonami.games.go import Go, GoPosition
from hitonami.games.go_rules.board import REASONS
from hitonami.games.go_rules.life import find_safe
from hitonami.games.go_rules.points import read_vertex, vertex
from hitonami.games.go_rules.replay import replay
from hitonami.games.go_rules.rulesets import RULES
from hitonami.games.go_rules.score import count_liberties

GO = Go()


def play(position: GoPosition, moves: str) -> GoPosition:
    for text in moves.split():
        position = position.play(GO.parse(position, text))
    return position


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        (Setup(size=1), "2 to 25"),
        (Setup(size=26), "2 to 25"),
        (Setup(variant="toroidal"), "no variants"),
        (Setup(rules="chinesse"), "did you mean chinese"),
        (Setup(rules="xyz"), "tromp-taylor"),
        (Setup(komi=float("nan")), "komi"),
        (Setup(komi=float("inf")), "komi"),
        (Setup(handicap=1), "2 to 9"),
        (Setup(handicap=10), "2 to 9"),
        (Setup(size=8, handicap=5), "2 to 4"),
        (Setup(size=5, handicap=2), "none"),
        (Setup(size=9, start="(;SZ[19])"), "19×19 in the start"),
        (Setup(handicap=2, start="(;SZ[19])"), "not both"),
    ],
)
def test_a_bad_setup_says_what_would_do(setup: Setup, message: str) -> None:
    with pytest.raises(BadSetup, match=message):
        GO.start(setup)


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[9]B[aa])",
        "(;SZ[9]AB[zz])",
        "(;SZ[9]AB[aa]AW[aa])",
        "(;SZ[2]AB[aa][ab][ba][bb])",
        "(;SZ[9:13])",
        "(;SZ[99])",
        "(;SZ[9]PL[green])",
        "(;SZ[9]KM[much])",
    ],
)
def test_a_bad_start_is_a_bad_position(text: str) -> None:
    with pytest.raises(BadPosition):
        GO.start(Setup(start=text))


@pytest.mark.parametrize(
    ("setup", "komi"),
    [
        (Setup(), 7.5),
        (Setup(rules="japanese"), 6.5),
        (Setup(rules="JP"), 6.5),
        (Setup(handicap=3), 0.5),
        (Setup(handicap=3, komi=-5), -5.0),
        (Setup(start="(;SZ[9]KM[3.5])"), 3.5),
        (Setup(start="(;SZ[9]KM[3.5])", komi=0), 0.0),
        (Setup(start="(;SZ[9]HA[2]AB[cc][gg])"), 0.5),
        (Setup(start="(;SZ[9]RU[Japanese])"), 6.5),
        (Setup(start="(;SZ[19]KM[375])"), 7.5),
        (Setup(start="(;SZ[19]KM[650])"), 6.5),
    ],
)
def test_komi(setup: Setup, komi: float) -> None:
    assert GO.start(setup).komi == komi


def test_white_follows_given_stones_and_black_anything_else() -> None:
    assert GO.read("(;SZ[9]AB[cc][gg])").to_move == 1
    assert GO.read("(;SZ[9]AB[cc]AW[gg])").to_move == 0
    assert GO.read("(;SZ[9]AB[cc][gg]PL[B])").to_move == 0
    assert GO.read("(;SZ[9];W[cc])").to_move == 0
    assert GO.read("(;SZ[9]AB[aa:bb];AE[bb])").board.tolist()[:11] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize("size", [2, 9, 19, 25])
def test_points_are_named_as_gtp_names_them(size: int) -> None:
    names = [vertex(size, move) for move in range(size * size + 1)]
    assert len(set(names)) == len(names)
    assert not any("I" in name for name in names)
    assert names[0] == f"A{size}"
    assert names[-1] == "pass"
    assert [read_vertex(size, f" {name.lower()}\n") for name in names] == list(range(size * size + 1))


@pytest.mark.parametrize("text", ["", "I5", "A0", "A20", "T20", "5A", "AA", "A-1", "A1.0", "dd", "resign", "A¹", "Z1"])
def test_what_is_no_point_is_refused(text: str) -> None:
    with pytest.raises(BadMove, match="A1 to T19"):
        GO.parse(GO.start(), text)


def test_an_illegal_move_says_why() -> None:
    position = play(GO.start(Setup(size=9)), "D4")
    with pytest.raises(BadMove, match="D4 is not legal: the point is taken"):
        GO.parse(position, "d4")
    over = play(position, "pass pass")
    with pytest.raises(BadMove, match="two passes"):
        GO.parse(over, "pass")


def test_two_passes_end_the_game_and_one_does_not() -> None:
    position = play(GO.start(Setup(size=9)), "pass E5 pass E4")
    assert (position.ending, position.score) == (None, None)
    over = play(position, "pass pass")
    assert (over.ending, over.score, len(over.legal)) == ("two passes", 0.0, 0)


@pytest.mark.parametrize(("komi", "score"), [(80.5, 1.0), (81.0, 0.5), (81.5, 0.0)])
def test_the_score_is_black_s_share(komi: float, score: float) -> None:
    assert play(GO.start(Setup(size=9, komi=komi)), "E5 pass pass").score == score


def test_an_empty_board_belongs_to_nobody() -> None:
    counted = GO.count(GO.start(Setup(size=9)))
    assert (counted.black, counted.white, counted.dame, str(counted)) == (0.0, 7.5, 81, "W+7.5")


@pytest.mark.parametrize("dead", [[0], [81], [-1], [40, 0]])
def test_only_stones_can_be_dead(dead: list[int]) -> None:
    with pytest.raises(BadInput, match="only stones"):
        GO.count(play(GO.start(Setup(size=9)), "E5"), dead)


def test_the_board_is_read_only() -> None:
    position = GO.start(Setup(size=9))
    with pytest.raises(ValueError, match="read-only"):
        position.board[0] = 1


def test_liberties_are_the_chain_s() -> None:
    liberties = np.empty(25, np.int16)
    assert count_liberties(play(GO.start(Setup(size=5)), "A5 C5 B5 E1").board, 5, liberties) == 0
    assert liberties.reshape(5, 5)[0].tolist() == [2, 2, 2, 0, 0]
    assert liberties[24] == 2


def test_keys_tell_apart_what_the_rules_tell_apart() -> None:
    start = GO.start(Setup(size=5))
    assert play(start, "A1 B1 C1").key == play(start, "C1 B1 A1").key
    assert play(start, "A1 pass").key != play(start, "A1").key
    ko = play(GO.read("(;SZ[5]AB[ba][ab][bc]AW[ca][bb][db][cc])"), "C4")
    same_board = GO.start(Setup(start="(;SZ[5]AB[ba][ab][bc][cb]AW[ca][db][cc]PL[W])"))
    assert ko.board.tolist() == same_board.board.tolist()
    assert ko.key != same_board.key
    assert start.key != GO.start(Setup(size=5, komi=0.5)).key


@pytest.mark.parametrize("rules", sorted(RULES))
@given(moves=st.lists(st.integers(0, 16), max_size=60))
def test_replaying_at_once_is_playing_move_by_move(rules: str, moves: list[int]) -> None:
    setup = Setup(size=4, rules=rules)
    position = start = GO.start(setup)
    for move in moves:
        try:
            position = position.play(move)
        except BadMove as wrong:
            reason = str(wrong)
            break
    else:
        reason = ""
    flags, cells = RULES[rules].flags, np.concatenate([start.board, start.board])
    played, answer = replay(cells, 4, 1, flags, np.array(moves, np.int32))
    if "two passes" in reason:
        assert played >= position.ply
    else:
        assert played == position.ply
        assert (answer == 0) == (reason == "")
        assert reason.endswith(REASONS.get(answer, ""))


def board_of(rows: str) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.array([".XO".index(mark) for mark in rows.split()], np.uint8)


def test_benson_proves_two_eyes_and_nothing_less() -> None:
    safe = np.zeros(25, np.bool_)
    two_eyes = board_of(". X . X O  X X X X O  O O O O O  . . . . .  . . . . .")
    find_safe(two_eyes, 5, 1, safe)
    assert safe.tolist() == (two_eyes == 1).tolist()
    find_safe(two_eyes, 5, 2, safe)
    assert not safe.any()
    one_eye = board_of(". X X X O  X X X X O  O O O O O  . . . . .  . . . . .")
    find_safe(one_eye, 5, 1, safe)
    assert not safe.any()
    shared = board_of(". X . O .  X X . O O  . . . . .  . . . . .  . . . . .")
    find_safe(shared, 5, 1, safe)
    assert not safe.any()


def test_guessing_is_repeatable_for_an_rng() -> None:
    position = GO.read("(;SZ[7]AB[da][db][dc][dd][de][df][dg]AW[ea][eb][ec][ed][ee][ef][eg][bb])")
    first = GO.guess_dead(position, np.random.default_rng(3))
    assert first == GO.guess_dead(position, np.random.default_rng(3)) == [8]


def test_diagram() -> None:
    diagram = GO.diagram(play(GO.start(Setup(size=9)), "A9 C3"))
    assert [cell.glyph for cell in diagram.rows[0][:2]] == ["●", ""]
    assert (diagram.rows[6][2].glyph, diagram.rows[6][2].side) == ("○", 1)
    assert diagram.columns == tuple("ABCDEFGHJ")
    assert diagram.ranks[0] == "9"
    assert diagram.marked == {(6, 2)}
