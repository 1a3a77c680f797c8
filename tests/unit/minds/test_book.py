"""Opening books: by counts, out of book to the other mind, and files that cannot be read."""

import json
import struct
from pathlib import Path
from typing import Any

import chess
import chess.polyglot
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.core import Effort, Position, Query, Setup, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.levels.opening_counts import text_key
from hitonami.minds._books import TableBook
from hitonami.minds.book import Book
from hitonami.specs import open_mind

SAMPLE = Book.EXAMPLES[0]["path"]
CHESS = open_game("chess")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


def write_table(path: Path, table: Any) -> str:
    path.write_text(json.dumps(table, indent=1))
    return str(path)


def write_polyglot(path: Path, entries: list[tuple[chess.Board, str, int]]) -> str:
    """Castling is written as king takes rook, as Polyglot does."""
    rows = []
    for board, text, weight in entries:
        move = chess.Move.from_uci(text)
        raw = move.to_square | move.from_square << 6 | ((move.promotion or 1) - 1) << 12
        rows.append(struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), raw, weight, 0))
    path.write_bytes(b"".join(sorted(rows)))
    return str(path)


def shares(spec: dict[str, Any], position: Position) -> dict[str, float]:
    with open_mind({"kind": "book", "mind": "uniform"} | spec) as mind:
        [opinion] = mind([Query(position)], Effort.seeded())
    probs = np.exp(opinion.log_probs)
    return {
        position.game.format(position, int(move)): float(prob)
        for move, prob in zip(position.legal, probs, strict=True)
        if prob > 0
    }


def test_in_book_moves_are_played_by_their_counts(tmp_path: Path) -> None:
    path = write_table(tmp_path / "book.json", {START: {"e2e4": 3, "Nf3": 1}})
    assert shares({"path": path}, CHESS.start()) == pytest.approx({"e2e4": 0.75, "g1f3": 0.25})
    assert shares({"path": path, "temperature": 0.5}, CHESS.start()) == pytest.approx({"e2e4": 0.9, "g1f3": 0.1})
    assert shares({"path": path, "min_count": 2}, CHESS.start()) == pytest.approx({"e2e4": 1.0})


@pytest.mark.parametrize("spec", [{"max_ply": 0}, {"min_count": 4}])
def test_out_of_book_the_other_mind_is_asked(spec: dict[str, Any], tmp_path: Path) -> None:
    path = write_table(tmp_path / "book.json", {START: {"e2e4": 3}})
    assert len(shares({"path": path} | spec, CHESS.start())) == 20


def test_a_batch_keeps_its_order_in_and_out_of_book(tmp_path: Path) -> None:
    path = write_table(tmp_path / "book.json", {START: {"e2e4": 3}})
    inside = Query(CHESS.start())
    outside = inside.after(CHESS.parse(inside.position, "a2a3"))
    further = outside.after(CHESS.parse(outside.position, "e7e5"))
    with open_mind({"kind": "book", "path": path, "mind": "uniform"}) as mind:
        opinions = mind([outside, inside, further, inside], Effort.seeded())
    sizes = [int(np.isfinite(opinion.log_probs).sum()) for opinion in opinions]
    assert sizes == [20, 1, len(further.position.legal), 1]


def test_move_counters_do_not_matter_and_may_be_written(tmp_path: Path) -> None:
    path = write_table(tmp_path / "book.json", {START + " 0 1": {"e2e4": 1}})
    start = CHESS.read(START + " 7 30")
    assert shares({"path": path}, start) == {"e2e4": 1.0}
    assert text_key(start) == START


@pytest.mark.parametrize("game", ["chess", "shogi", "go"])
def test_the_sample_knows_the_first_moves_of_each_game(game: str) -> None:
    start = open_game(game).start()
    known = shares({"path": SAMPLE}, start)
    assert 1 < len(known) < len(start.legal)


def test_every_move_of_the_sample_is_legal() -> None:
    book = TableBook(SAMPLE)
    setups = {"chess": [Setup()], "shogi": [Setup()], "go": [Setup(), Setup(size=9)]}
    met = 0
    for game, starts in setups.items():
        waiting = [open_game(game).start(setup) for setup in starts]
        while waiting:
            position = waiting.pop()
            found = book.find(position)
            met += bool(found)
            waiting += [position.play(move) for move in found]
    assert met >= len(json.loads(Path(SAMPLE).read_text()))


def test_polyglot_books_are_read_with_castling_and_promotion(tmp_path: Path) -> None:
    start, castle = chess.Board(), chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    promote = chess.Board("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    entries = [
        (start, "e2e4", 30),
        (start, "d2d4", 10),
        (start, "c2c4", 0),
        (start, "e2e5", 9),
        (castle, "e1h1", 5),
        (castle, "e1a1", 5),
        (promote, "a7a8n", 1),
    ]
    path = write_polyglot(tmp_path / "book.bin", entries)
    assert shares({"path": path}, CHESS.start()) == pytest.approx({"e2e4": 0.75, "d2d4": 0.25})
    assert shares({"path": path}, CHESS.read(castle.fen())) == pytest.approx({"e1g1": 0.5, "e1c1": 0.5})
    assert shares({"path": path}, CHESS.read(promote.fen())) == {"a7a8n": 1.0}
    assert len(shares({"path": path}, open_game("shogi").start())) == 30


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n "a": {"b": 1},\n oops\n}', "line 3"),
        ('{\n "a": {"b": 1},\n "c": {"d": 0}\n}', "line 3.*'d'.*got 0"),
        ('{\n "a": {"b": 1},\n "c": {"d": true}\n}', "line 3.*got True"),
        ('{\n "a": {"b": "many"}\n}', "line 2.*'b'"),
        ('{\n "a": {}\n}', "line 2.*'a'"),
        ('{\n "a": [1]\n}', "line 2"),
        ('{"a": {"b": 1}, "a": {"b": 2}}', "'a' stands there twice"),
        ("[1, 2]", "table of positions"),
        ("", "line 1"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_malformed_table_is_refused_with_file_and_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    with (
        pytest.raises(BadSpec, match=rf"(?s)broken\.json.*{said}"),
        open_mind({"kind": "book", "path": str(path), "mind": "uniform"}),
    ):
        pass


def test_a_move_that_is_not_legal_is_refused_with_file_and_line(tmp_path: Path) -> None:
    path = write_table(tmp_path / "book.json", {"other": {"x": 1}, START: {"e2e5": 3}})
    with pytest.raises(BadSpec, match=r"book\.json, line 5.*e2e5"):
        shares({"path": path}, CHESS.start())


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"x" * 40, "entry 3: cut off"),
        (struct.pack(">QHHI", 9, 1, 1, 0) + struct.pack(">QHHI", 3, 1, 1, 0), "entry 2: not in order"),
    ],
)
def test_a_malformed_polyglot_book_is_refused_with_file_and_entry(raw: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.bin"
    path.write_bytes(raw)
    with pytest.raises(BadSpec, match=rf"broken\.bin.*{said}"):
        shares({"path": str(path)}, CHESS.start())


def test_an_empty_polyglot_book_knows_nothing(tmp_path: Path) -> None:
    path = tmp_path / "empty.bin"
    path.touch()
    assert len(shares({"path": str(path)}, CHESS.start())) == 20


@pytest.mark.parametrize("name", ["absent.bin", "absent.json"])
def test_a_missing_book_is_refused_by_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match=name):
        shares({"path": str(tmp_path / name)}, CHESS.start())


@pytest.mark.parametrize("spec", [{"temperature": 0.0}, {"max_ply": -1}, {"min_count": 0}])
def test_what_cannot_be_is_refused(spec: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        shares({"path": SAMPLE} | spec, CHESS.start())


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_file_crashes_the_reader(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    folder = tmp_path_factory.mktemp("books")
    for name in ("any.json", "any.bin"):
        path = folder / name
        path.write_bytes(raw)
        try:
            known = shares({"path": str(path)}, CHESS.start())
        except BadSpec as refused:
            said = str(refused)
        else:
            said = name if len(known) == 20 else "in book"
        assert name in said
