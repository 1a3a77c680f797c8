"""Connect Four, gomoku, Hex and Breakthrough: their ends, their texts, and what they refuse and why."""

import pytest

from hitonami.core import Position, Setup, open_game
from hitonami.errors import BadInput, BadMove, BadPosition, BadSetup


def play(name: str, moves: str, **setup: object) -> Position:
    game = open_game(name)
    position: Position = game.start(Setup(**setup))  # type: ignore[arg-type]
    for word in moves.split():
        position = position.play(game.parse(position, word))
    return position


@pytest.mark.parametrize(
    ("name", "moves", "setup", "ending", "score"),
    [
        ("connect-four", "d1 c1 d2 c2 d3 c3 d4", {}, "four in a row", 1.0),
        ("connect-four", "a b b c c d c d d a d", {}, "four in a row", 1.0),
        ("connect-four", "a a b b c c d", {}, "four in a row", 1.0),
        ("gomoku", "h8 a1 i8 a2 j8 a3 k8 a4 l8", {}, "five in a row", 1.0),
        ("gomoku", "a1 c3 b1 d4 c1 e5 f1 f6 g9 g7", {}, "five in a row", 0.0),
        ("hex", "a1 b1 a2 b2 a3", {"size": 3, "rules": "no-swap"}, "joined edges", 1.0),
        ("hex", "a2 swap c1 a2 b2 a3", {"size": 3}, None, None),
        ("breakthrough", "c3c4 e5e4 c4-c5", {"start": "4b/5/2w2/5/5 w"}, "far row reached", 1.0),
        ("breakthrough", "c3xd4", {"start": "5/3b1/2w2/5/5 w"}, "all taken", 1.0),
    ],
)
def test_games_end_as_they_should(
    name: str, moves: str, setup: dict[str, object], ending: str | None, score: float | None
) -> None:
    end = play(name, moves, **setup)
    assert (end.ending, end.score) == (ending, score)


def test_six_in_a_row_wins_only_where_the_rules_say_so() -> None:
    board = "7/7/xxx1xx1/7/7/7/7 x"
    assert play("gomoku", "d5", start=board).ending == "five in a row"
    assert play("gomoku", "d5", start=board, rules="exact").ending is None
    assert play("gomoku", "d5", start=f"{board} exact").ending is None


def test_a_swap_takes_the_first_stone_over_at_the_mirrored_cell() -> None:
    game = open_game("hex")
    opened = play("hex", "a3", size=5)
    assert game.write(opened) == "5/5/x4/5/5 o swap"
    swapped = opened.play(game.parse(opened, "swap"))
    assert game.write(swapped) == "2o2/5/5/5/5 x"
    later = play("hex", "a3 b2 c3", size=5)
    for position in (swapped, later, game.start(Setup(size=5))):
        with pytest.raises(BadMove, match="first stone may be swapped"):
            game.parse(position, "swap")
    with pytest.raises(BadMove):
        play("hex", "a3 swap", size=5, rules="no-swap")


@pytest.mark.parametrize(
    ("name", "setup", "reason"),
    [
        ("connect-four", Setup(size=8), "no size to choose"),
        ("connect-four", Setup(start="x6/7/7/7/7/7 o"), "hangs in the air in column a"),
        ("connect-four", Setup(start="7/7/7/7/7/xxxx3 x"), "side to move has four"),
        ("connect-four", Setup(start="7/7 x"), "7 columns of 6"),
        ("gomoku", Setup(size=4), "5 to 25 lines"),
        ("gomoku", Setup(rules="renju"), "known: exact, free"),
        ("gomoku", Setup(start="5/5/5/5/xxxxx x"), "side to move has five"),
        ("gomoku", Setup(size=7, start="5/5/5/5/5 x"), "5 lines in a setup of 7"),
        ("hex", Setup(size=27), "2 to 26 lines"),
        ("hex", Setup(start="3/3/3 o swap"), "only Red's first stone"),
        ("hex", Setup(start="x1/x1 x"), "side to move has won"),
        ("hex", Setup(komi=1.0), "no komi"),
        ("breakthrough", Setup(start="w4/5/5/5/b4 w"), "side to move has won"),
        ("breakthrough", Setup(size=4), "5 to 12 lines"),
        ("renju", Setup(size=15), "no size to choose"),
    ],
)
def test_other_setups_are_refused_with_the_reason(name: str, setup: Setup, reason: str) -> None:
    with pytest.raises((BadSetup, BadPosition), match=reason):
        open_game(name).start(setup)


@pytest.mark.parametrize(
    ("name", "moves", "word", "reason"),
    [
        ("connect-four", "d d d d d d", "d", "open columns: a b c e f g"),
        ("connect-four", "", "d3", "the disc falls to d1"),
        ("gomoku", "h8", "h8", "the point is taken"),
        ("gomoku", "", "p1", "squares are a1 to o15"),
        ("hex", "c3", "c3", "the cell is taken"),
        ("breakthrough", "", "a1a2", "not a legal move"),
        ("breakthrough", "", "a2", "from where to where"),
    ],
)
def test_other_moves_are_refused_with_the_reason(name: str, moves: str, word: str, reason: str) -> None:
    position = play(name, moves)
    with pytest.raises(BadInput, match=reason):
        open_game(name).parse(position, word)


def test_a_long_board_does_not_hold_the_reader_up() -> None:
    for text in ("9" * 10_000 + " x", "/".join(["1"] * 10_000) + " x", "x" * 100_000 + " x"):
        with pytest.raises((BadPosition, BadSetup)):
            open_game("gomoku").read(text)
