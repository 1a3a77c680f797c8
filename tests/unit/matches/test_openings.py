"""Openings: built-in ones are legal and differ, files are read line by line, sampled ones are described."""

from pathlib import Path

import pytest

from hitonami.core import Setup, open_game
from hitonami.errors import BadData, BadInput
from hitonami.matches.openings import Opening, Sampled, built_in_lines, deal, read_openings
from hitonami.records import Record, write_record

CHESS = open_game("chess")


@pytest.mark.parametrize(
    ("game", "setup", "least"),
    [
        ("chess", Setup(), 30),
        ("shogi", Setup(), 15),
        ("go", Setup(), 9),
        ("go", Setup(size=9), 12),
        ("go", Setup(size=13), 9),
        ("go", Setup(size=25), 9),
    ],
)
def test_built_in_lines_are_legal_and_lead_to_different_positions(game: str, setup: Setup, least: int) -> None:
    rules = open_game(game)
    found = read_openings("book", rules, setup)
    assert isinstance(found, tuple)
    reached = set()
    for opening in found:
        position = rules.start(opening.setup)
        for move in opening.moves:
            position = position.play(move)
        reached.add(rules.write(position))
    assert len(found) >= least
    assert len(reached) == len(found)


def test_there_is_no_book_for_other_starts() -> None:
    assert built_in_lines("chess", Setup(variant="chess960")) == ()
    assert built_in_lines("go", Setup(size=7)) == ()
    assert read_openings("book", open_game("go"), Setup(size=7)) == (Opening(Setup(size=7)),)
    assert read_openings("none", CHESS, Setup()) == (Opening(Setup()),)


def test_a_file_holds_positions_and_lines(tmp_path: Path) -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    path = tmp_path / "mine.txt"
    path.write_text(f"# a comment\n\ne4 e5 Nf3  # another\n{fen}\n{fen} moves e2e4 e8e7\nstartpos moves d2d4\n")
    found = read_openings(str(path), CHESS, Setup())
    assert isinstance(found, tuple)
    assert [len(opening.moves) for opening in found] == [3, 0, 2, 1]
    assert [bool(opening.setup.start) for opening in found] == [False, True, True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("e4 e4\n", "line 1: 'e4 e4' is no position .* and no line of moves"),
        ("e4\n7k/8/8/8/8/8/8/K7 w - - 0 1 moves a1a3", "line 2"),
        ("# nothing\n", "holds no openings"),
        ("f3 e5 g4 Qh4#\n", "line 1"),
    ],
)
def test_bad_files_are_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(text.replace("Qh4#", "Qh4"))
    with pytest.raises(BadData, match=message):
        read_openings(str(path), CHESS, Setup())


def test_records_give_their_first_plies(tmp_path: Path) -> None:
    position, moves = CHESS.start(), []
    for text in ("e4", "c5", "Nf3", "d6", "d4", "cxd4"):
        moves.append(CHESS.parse(position, text))
        position = position.play(moves[-1])
    path = tmp_path / "games.pgn"
    path.write_text(write_record(Record("chess", Setup(), tuple(moves)), "pgn") * 2)
    assert read_openings(str(path), CHESS, Setup(), plies=4) == (Opening(Setup(), tuple(moves[:4])),) * 2


def test_sampled_openings_name_their_mind() -> None:
    assert read_openings("sample:6", CHESS, Setup()) == Sampled(6)
    found = read_openings("sample:6:uniform@1500", CHESS, Setup())
    assert isinstance(found, Sampled)
    assert found.entrant is not None
    assert (found.plies, found.entrant.rating) == (6, 1500)
    for text in ("sample:", "sample:x", "sample:0"):
        with pytest.raises(BadInput, match="sample:PLIES"):
            read_openings(text, CHESS, Setup())
    with pytest.raises(BadData, match="no file 'nowhere'"):
        read_openings("nowhere", CHESS, Setup())


def test_the_seed_deals() -> None:
    book = read_openings("book", CHESS, Setup())
    assert isinstance(book, tuple)
    assert deal(book, 1) == deal(book, 1) != deal(book, 2)
    assert set(deal(book, 1)) == set(book)
