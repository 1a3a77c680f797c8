"""CSA as servers write it, and its several ways to set a start position."""

import io
from pathlib import Path

import pytest

from hitonami.core import Setup
from hitonami.games.shogi import Shogi
from hitonami.records import DOCUMENT_BYTES, Document, Record, Rejected
from hitonami.records.csa import Csa

SHOGI, CSA = Shogi(), Csa()
GOLDEN = Path(__file__).parents[2] / "golden" / "shogi"


def read(text: str) -> Record | Rejected:
    (found,) = CSA.read(Document("test", 0, text.encode()))
    return found


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_two_games_in_one_file(line_end: str) -> None:
    text = (GOLDEN / "two_games.csa").read_text(encoding="utf-8").replace("\n", line_end)
    first, second = CSA.read(Document("test", 0, text.encode()))
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert [player.name for player in first.players] == ["first", "second"]
    assert [player.rating for player in first.players] == [2345.6, 1999.0]
    assert (first.score, first.termination, first.time_control) == (1.0, "resignation", "900+10/1")
    assert (first.setup, first.date, first.event) == (Setup(), "2026-11-15", "wdoor+test")
    assert first.think_seconds == (12.0, 6.0, 3.0)
    assert (second.setup, len(second.moves)) == (Setup(variant="2-piece"), 2)
    assert (second.score, second.termination) == (0.0, "illegal move")
    assert text.encode()[second.offset :].lstrip().startswith(b"PI82HI22KA")


@pytest.mark.parametrize(
    ("lines", "sfen"),
    [
        ("P-51OU\nP+59OU00HI\n+", "4k4/9/9/9/9/9/9/9/4K4 b R 1"),
        ("P-51OU\nP+59OU00HI\nP-00AL\n-", "4k4/9/9/9/9/9/9/9/4K4 w Rr2b4g4s4n4l18p 1"),
        ("P1 *  *  *  * -OU *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \n+", "4k4/9/9/9/9/9/9/9/4K4 b - 1"),
    ],
)
def test_start_positions(lines: str, sfen: str) -> None:
    found = read(f"{lines}\n%CHUDAN\n")
    assert isinstance(found, Record)
    assert SHOGI.write(SHOGI.start(found.setup)) == sfen


@pytest.mark.parametrize(
    ("end", "score", "termination"),
    [
        ("%TORYO", 1.0, "resignation"),
        ("%TIME_UP", 1.0, "time"),
        ("%KACHI", 0.0, "entering king"),
        ("%SENNICHITE", 0.5, "repetition"),
        ("%JISHOGI", 0.5, "impasse"),
        ("%-ILLEGAL_ACTION", 1.0, "illegal move"),
        ("%CHUDAN", None, "interrupted"),
        ("", None, ""),
    ],
)
def test_endings(end: str, score: float | None, termination: str) -> None:
    found = read(f"PI\n+\n+7776FU\n{end}\n")
    assert isinstance(found, Record)
    assert (found.score, found.termination) == (score, termination)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no start position"),
        ("PI\n+\n+7775FU\n", "illegal move"),
        ("PI\n+\n-3334FU\n", "illegal move"),
        ("PI\n+\n%TORYO\n+7776FU\n", "play after the end"),
        ("PI\n+\n%WHATEVER\n", "unknown ending"),
        ("PI\n+\nhello\n", "unknown line"),
        ("PI55FU\n+\n", "unknown start position"),
        ("P-51OU\n+\n", "not a shogi position"),
        ("P-51XX\n+\n", "unknown piece"),
        ("P-5\n+\n", "unknown start position"),
        ("P²+OU\n+\n", "unknown start position"),
    ],
)
def test_a_bad_game_is_rejected_with_its_reason(text: str, reason: str) -> None:
    found = read(text)
    assert isinstance(found, Rejected)
    assert found.reason == reason


def test_large_files_are_cut_between_games() -> None:
    game = "PI\n+\n+7776FU\nT1\n-3334FU\n%TORYO\n/\n"
    data = game.encode() * (5 * DOCUMENT_BYTES // (2 * len(game)))
    documents = list(CSA.documents("many", io.BytesIO(data)))
    assert len(documents) > 1
    assert b"".join(document.data for document in documents) == data
    found = [each for document in documents for each in CSA.read(document)]
    assert all(isinstance(each, Record) for each in found)
    assert [each.offset for each in found] == list(range(0, len(data), len(game)))
