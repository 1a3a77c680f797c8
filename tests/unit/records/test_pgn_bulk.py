"""PGN in bulk: dialects and spellings by golden files, streams cut anywhere, garbage, damage, real files."""

import io
import lzma
import os
import random
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import chess
import chess.pgn
import pytest

from hitonami.games.chess import Chess
from hitonami.games.chess_rules.rules import id_of
from hitonami.records import Document, Record, Rejected, pgn
from hitonami.records.pgn import REASONS, Pgn

CHESS, PGN = Chess(), Pgn()
TESTS = Path(__file__).parents[2]
GOLDEN = TESTS / "golden" / "records" / "pgn"
SHARED = Path(os.environ.get("HITONAMI_SHARED", TESTS.parents[1] / "shared")) / "data" / "chess"
FILES = sorted(SHARED.rglob("*.pgn.xz"))


def read(data: bytes, offset: int = 0) -> list[Record | Rejected]:
    return list(PGN.read(Document("test", offset, data)))


def show(found: Record | Rejected) -> str:
    """A game as the golden files have it."""
    if isinstance(found, Rejected):
        return f"rejected: {found.reason}: {found.detail}"
    sides = [f"{player.name} {player.rating} {player.pool or '?'} {player.kind}" for player in found.players]
    moves = " ".join(chess.Move(move & 63, move >> 6 & 63, move >> 12 or None).uci() for move in found.moves)
    lines = [
        f"{found.event}, {found.date or 'undated'}: {sides[0]}, {sides[1]}",
        f"{found.score} {found.termination or '-'} {found.time_control or '?'} {found.speed or '?'} "
        f"{sorted(found.marks)} {found.setup.variant} {found.setup.start}".rstrip(),
        moves,
    ]
    lines += [f"{name} {times}" for name, times in (("clk", found.clocks), ("emt", found.think_seconds)) if times]
    return "\n  ".join(lines)


@pytest.mark.parametrize("name", ["dialects", "spellings", "broken"])
def test_golden(name: str) -> None:
    shown = "\n".join(map(show, read((GOLDEN / f"{name}.pgn").read_bytes()))) + "\n"
    assert shown == (GOLDEN / f"{name}.txt").read_text()


@pytest.mark.parametrize("line_end", [b"\r\n", b"\r", b"\r\r\n"])
@pytest.mark.parametrize("name", ["dialects", "spellings", "broken"])
def test_line_ends_do_not_matter(name: str, line_end: bytes) -> None:
    data = (GOLDEN / f"{name}.pgn").read_bytes()
    assert list(map(show, read(data.replace(b"\n", line_end)))) == list(map(show, read(data)))


def test_offsets_point_at_games() -> None:
    data = (GOLDEN / "dialects.pgn").read_bytes()
    for found in read(data, offset=1000):
        assert data[found.offset - 1000 :].startswith(b"[Event ")


@pytest.mark.parametrize("size", [1, 7, 100, 1000, 4096])
def test_documents_do_not_depend_on_where_the_stream_is_cut(
    size: int, monkeypatch: pytest.MonkeyPatch, made_games: Callable[[int], bytes]
) -> None:
    data = b"\n \n" + made_games(6 if size == 1 else 30) + (GOLDEN / "spellings.pgn").read_bytes()
    monkeypatch.setattr(pgn, "DOCUMENT_BYTES", max(size, 300))

    class Trickle(io.BytesIO):
        def read(self, most: int | None = None, /) -> bytes:
            return super().read(size if most is None else min(size, most))

    documents = list(PGN.documents("test", Trickle(data)))
    assert b"".join(document.data for document in documents) == data
    assert [each for document in documents for each in PGN.read(document)] == read(data)
    assert len(documents) <= len(data) // 300 + 1


def test_a_truncated_game_keeps_its_neighbours(made_games: Callable[[int], bytes]) -> None:
    data = made_games(5)
    whole = read(data)
    for cut in range(1, len(data), 13):
        found = read(data[:cut])
        assert found[:-1] == whole[: len(found) - 1]


def garbage() -> dict[str, bytes]:
    rng = random.Random(11)
    million = 1 << 20
    return {
        "random": rng.randbytes(million),
        "words": b" ".join(
            rng.choices([b"e4", b"e5", b"{", b"(", b")", b"1.", b"1-0", b"[A", b'"', b"]\n"], k=million // 3)
        ),
        **{
            f"many {text!r}": text * (million // len(text))
            for text in (b"(", b"{", b"[", b'"', b"1. ", b"e4 ", b"0-", b"\\", b"\n", b"\xef\xbb\xbf")
        },
        **{
            f"tags {text!r}": text * (million // len(text))
            for text in (b'[A "\n', b'[A ""]\n', b'[A "x"]\n1.\n', b'[Event "')
        },
        "shuffle": b"1. Nf3 Nf6 2. Ng1 Ng8 " * (million // 22),
        "open": b"1. e4 " + b"(1. d4 {" * (million // 8),
    }


@pytest.mark.parametrize("name", garbage())
def test_garbage_neither_hangs_nor_raises(name: str) -> None:
    data = garbage()[name] * 3
    documents = list(PGN.documents("test", io.BytesIO(data)))
    assert b"".join(document.data for document in documents) == data
    for document in documents:
        for found in PGN.read(document):
            assert isinstance(found, Record) or found.reason in REASONS


TOKENS = [
    *b"{ } ( ) [ ] ; % \\ $ * - -- 0-0 O-O-O 1-0 1/2-1/2 e4 Nf3 exd6 e8=Q e.p. 1. 1... \xff \xe2\x99\x98".split(),
    *(b'"', b"\n", b"\r", b"\t", b"\x00", b"[%clk 0:00:01]", b"[%clk 99999:99:99]", b"[%emt 1.5]", b"[%eval #3]"),
    b'[FEN "',
    b'[Variant "Chess960"]',
    b"[%clk ",
    b"8/8/8/4k3/8/4K3/4R3/8 w - - 140 200",
    b" w KQkq e3 0 99999999999999999999",
    b" b HAha - 300 0",
]


def damage(data: bytes, rng: random.Random) -> bytes:
    text = bytearray(data)
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(text) + 1)
        width = rng.choice([0, 1, 1, 2, 5, 40])
        choice = rng.randrange(4)
        if choice == 0:
            text[at : at + width] = rng.randbytes(rng.randrange(4))
        elif choice == 1:
            text[at : at + width] = rng.choice(TOKENS)
        elif choice == 2:
            other = rng.randrange(len(text) + 1)
            text[at : at + width] = text[other : other + rng.randrange(60)]
        else:
            del text[at : at + width]
    return bytes(text)


@pytest.mark.parametrize("count", [1000, pytest.param(50_000, marks=pytest.mark.slow)])
def test_damaged_games_are_read_or_rejected(count: int) -> None:
    """What is accepted is legal by python-chess, so that damage cannot make up moves."""
    rng = random.Random(count)
    good = [
        game
        for name in ("dialects", "spellings", "broken")
        for game in re.split(rb"\n\n(?=\[)", (GOLDEN / f"{name}.pgn").read_bytes())
    ]
    accepted = 0
    for _ in range(count):
        for found in read(damage(rng.choice(good), rng)):
            if isinstance(found, Rejected):
                assert found.reason in REASONS
                continue
            accepted += 1
            check_legal(found)
    assert accepted > count // 10


def check_legal(record: Record) -> None:
    board = CHESS.start(record.setup).board
    for move in record.moves:
        said = chess.Move(move & 63, move >> 6 & 63, move >> 12 or None)
        assert board.is_legal(said), record
        board.push(said)
    assert {len(record.clocks), len(record.think_seconds)} <= {0, len(record.moves)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.slow)])
def test_real_games_are_read_as_python_chess_reads_them(path: Path, count: int) -> None:
    rng = random.Random(count)
    with lzma.open(path) as stream:
        documents = list(islice(PGN.documents(path.name, cast("BinaryIO", stream)), 2 if count < 1000 else None))
    places = [(document, found) for document in documents for found in PGN.read(document)]
    ends = [found.offset for _, found in places[1:]] + [documents[-1].offset + len(documents[-1].data)]
    compared = 0
    for index in rng.sample(range(len(places)), min(count, len(places))):
        document, found = places[index]
        if isinstance(found, Rejected):
            assert found.reason in REASONS
            continue
        text = document.data[found.offset - document.offset : ends[index] - document.offset].decode(errors="replace")
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        nodes = list(game.mainline())
        assert found.moves == tuple(id_of(node.move) for node in nodes)
        assert found.clocks in ((), tuple(node.clock() for node in nodes))
        compared += 1
    assert compared > 0.9 * min(count, len(places))
