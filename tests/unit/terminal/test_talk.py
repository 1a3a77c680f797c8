"""A sitting at the table, without a terminal: what is said, what is drawn, what the game becomes."""

from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from hitonami.agent import Agent
from hitonami.core import Cell, Diagram, Effort, Player, Position, open_game
from hitonami.minds.uniform import Uniform
from hitonami.play.table import Table
from hitonami.terminal.board import Look, paint
from hitonami.terminal.talk import Talk


def seat(position: Position, side: int = 0) -> tuple[Talk, Console]:
    console = Console(record=True, width=400, color_system=None)
    table = Table(position, Agent(Uniform()), side, Player(name="You"), Player(name="Bot"), Effort.seeded(1))
    return Talk(table, console, human_pace=False), console


def said(console: Console) -> str:
    return console.export_text()


def test_a_move_is_played_and_nonsense_costs_nothing() -> None:
    talk, console = seat(open_game("chess").start())
    talk.hear("e5")
    assert talk.table.position.ply == 0
    assert "not a legal move: 'e5'" in said(console)
    talk.hear("e4")
    assert talk.table.position.ply == 1


def test_undo_goes_back_to_the_persons_own_turn() -> None:
    talk, console = seat(open_game("chess").start())
    talk.hear("undo")
    assert "nothing to take back" in said(console)
    for text in ("e4", "d4"):
        talk.hear(text)
        talk.table.answer()
    talk.hear("undo")
    assert (talk.table.position.ply, talk.table.humans_turn) == (2, True)
    talk.hear("resign")
    assert talk.table.outcome is not None
    talk.hear("undo")
    assert talk.table.outcome is None
    assert talk.table.position.ply == 2


def test_mate_ends_the_game_and_says_who_won() -> None:
    talk, console = seat(open_game("chess").read("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1"))
    talk.hear("Rd8#")
    assert "White wins — well played (checkmate)" in said(console)
    talk.hear("Ka2")
    assert "the game is over" in said(console)
    talk.hear("hint")
    assert "the game is over" in said(console)


def test_draws_are_claimed_offered_and_declined() -> None:
    position = open_game("chess").start()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        position = position.play(position.game.parse(position, text))
    talk, console = seat(position)
    talk.hear("draw")
    assert "Draw (threefold repetition)" in said(console)
    fresh, console = seat(open_game("chess").start())
    fresh.hear("draw")
    assert "declines" in said(console)
    fresh.hear("win")
    assert "no win to declare" in said(console)


def test_hints_are_legal_and_likeliest_first() -> None:
    talk, console = seat(open_game("chess").start())
    hints = talk.table.hint(3)
    assert [move in talk.table.position.legal for move, _ in hints] == [True] * 3
    assert sorted((chance for _, chance in hints), reverse=True) == [chance for _, chance in hints]
    assert hints[0][1] == pytest.approx(1 / 20)
    talk.hear("hint")
    assert "5.0%" in said(console)
    talk.hear("moves N")
    assert "Nc3" in said(console)


@pytest.mark.parametrize(
    ("game", "suffix", "sign"), [("chess", "pgn", "1. "), ("shogi", "kif", "手数"), ("go", "sgf", "(;")]
)
def test_games_are_saved(game: str, suffix: str, sign: str, tmp_path: Path) -> None:
    position = open_game(game).start()
    rng = np.random.default_rng(1)
    for _ in range(8):
        position = position.play(int(rng.choice(position.legal)))
    talk, console = seat(position)
    path = tmp_path / f"game.{suffix}"
    talk.hear(f"save {path}")
    assert sign in path.read_text(encoding="utf-8")
    talk.hear("save")
    talk.hear(f"save {tmp_path / 'game.xyz'}")
    talk.hear(f"save {tmp_path / 'nowhere' / f'game.{suffix}'}")
    text = said(console).replace("\n", " ")
    assert "needs a file name" in text
    assert "cannot write 'xyz'" in text
    assert "No such file" in text


def test_boards_are_drawn_the_right_way_up() -> None:
    talk, _ = seat(open_game("chess").start())
    diagram = talk.table.position.game.diagram(talk.table.position)
    upright = paint(diagram, Look(colours=False)).plain.splitlines()
    assert upright[1].split()[:3] == ["8", "♜", "♞"]
    assert upright[8].split()[:3] == ["1", "♖", "♘"]
    flipped = paint(diagram, Look(colours=False, flipped=True)).plain.splitlines()
    assert flipped[1].split()[:3] == ["1", "♖", "♘"]
    assert flipped[0].split() == list("hgfedcba")


def test_stones_and_lines() -> None:
    rows = ((Cell("●", 0), Cell(), Cell()), (Cell(), Cell(), Cell("○", 1)), (Cell(), Cell(), Cell()))
    diagram = Diagram(rows, tuple("ABC"), tuple("321"), "points", frozenset({(1, 2)}))
    text = paint(diagram, Look(colours=False)).plain.splitlines()
    assert text[1].split()[1] == "●─┬─┐"
    assert text[2].split()[1] == "├─┼─○)"
    assert text[3].split()[1] == "└─┴─┘"


def test_hexagons_are_indented_and_squares_that_are_none_left_out() -> None:
    rows = ((Cell("", 0), Cell()), (Cell(off=True), Cell("", 1)))
    text = paint(Diagram(rows, tuple("ab"), tuple("12"), "hexagons", frozenset({(1, 1)})), Look(colours=False)).plain
    assert text.splitlines()[1:3] == [" 1 ● ·  1", "  2   ○) 2"]
    squares = paint(Diagram(rows, tuple("ab"), tuple("12")), Look(colours=False)).plain.splitlines()
    assert squares[1:3] == [" 1  ●  ・ 1", " 2     ○  2"]


def test_a_game_whose_only_drawing_is_text_is_shown_as_it_is() -> None:
    assert paint(Diagram((), (), (), text=".x.\no..\n"), Look()).plain == ".x.\no..\n"


def test_letters_two_columns_wide_stand_on_points() -> None:
    rows = ((Cell("車", 0), Cell()), (Cell(), Cell("馬", 1)))
    text = paint(Diagram(rows, tuple("ab"), tuple("21"), "points"), Look(colours=False)).plain.splitlines()
    assert text[1:3] == [" 2 車┐  2", " 1 └─馬 1"]


def test_a_game_of_go_is_counted_without_its_dead_stones() -> None:
    """Black has the whole board; White's stone in the corner is dead, and only counting without it is right."""
    wall = "".join(f"[{column}{row}]" for row in "cf" for column in "abcdefghi")
    talk, console = seat(open_game("go").read(f"(;SZ[9]KM[0]RU[Chinese]AB{wall}AW[ia]PL[B])"))
    talk.hear("pass")
    talk.table.play(81)
    talk._show_outcome()
    assert talk.table.outcome is not None
    assert "B+81" in said(console)
