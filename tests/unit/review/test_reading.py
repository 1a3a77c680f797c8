"""Games out of files: which one, how many, and what is left of a broken one."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.errors import BadInput
from hitonami.records import salvage
from hitonami.review.reading import choose_game

HEADS = '[Event "x"]\n[White "a"]\n[WhiteElo "1500"]\n\n'
BROKEN = {
    "illegal move.pgn": (f"{HEADS}1. e4 e5 2. Nf3 Nc6 3. Bb9 a6 1-0\n", 4, "unreadable move"),
    "cut off.pgn": (f"{HEADS}1. e4 e5 2. Nf3 Nc6 3. B", 4, "at ply 5"),
    "open comment.pgn": (f"{HEADS}1. e4 e5 2. Nf3 {{he said Nc6 3. B", 3, "unclosed comment"),
    "taken point.sgf": ("(;GM[1]SZ[9];B[ee];W[cc];B[ee];W[gg])", 2, "the point is taken"),
    "cut off.sgf": ("(;GM[1]SZ[9]C[a ; b];B[ee];W[cc](;B[gg];W[c", 3, "not SGF"),
    "illegal move.kif": ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(25)\n", 2, "illegal move"),
    "illegal move.csa": ("V2.2\nPI\n+\n+7776FU\n-3334FU\n+2725FU\n%TORYO\n", 2, "illegal move"),
    "illegal move.ki2": ("手合割：平手\n▲７六歩△３四歩▲１一玉△３三角\n", 2, "illegal move"),
}
GAMES = {".pgn": "chess", ".sgf": "go"}


@pytest.mark.parametrize("name", sorted(BROKEN))
def test_a_broken_game_is_read_up_to_its_break(name: str, tmp_path: Path) -> None:
    text, moves, why = BROKEN[name]
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    chosen = choose_game(str(path), GAMES.get(path.suffix, "shogi"))
    assert len(chosen.record.moves) == moves
    assert why in chosen.broken
    assert chosen.record.score is None  # the result belongs to the whole game


def test_games_are_counted_and_chosen(tmp_path: Path) -> None:
    path = tmp_path / "three.pgn"
    path.write_text(f"{HEADS}1. e4 e5 1-0\n\n{HEADS}1. d4 Qxd4 *\n\n{HEADS}1. c4 1/2-1/2\n")
    first, second, third = (choose_game(str(path), "chess", number) for number in (1, 2, 3))
    assert [len(each.record.moves) for each in (first, second, third)] == [2, 1, 1]
    assert {each.games for each in (first, second, third)} == {3}
    assert (first.broken, bool(second.broken), third.broken) == ("", True, "")
    with pytest.raises(BadInput, match="holds 3 games, there is no game 4"):
        choose_game(str(path), "chess", 4)


def test_games_are_counted_from_one() -> None:
    with pytest.raises(BadInput, match="counted from 1"):
        choose_game("nowhere.pgn", "chess", 0)


def test_nothing_to_save_is_said(tmp_path: Path) -> None:
    path = tmp_path / "empty.pgn"
    path.write_text("this is no game of chess")
    with pytest.raises(BadInput, match="game 1 cannot be read"):
        choose_game(str(path), "chess")


@given(st.sampled_from(["pgn", "sgf", "kif", "csa", "ki2", "ogs", "usi-lines"]), st.binary(max_size=120))
def test_no_bytes_make_it_raise(name: str, data: bytes) -> None:
    found = salvage(name, data)
    assert found is None or found.moves
