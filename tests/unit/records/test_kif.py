"""KIF as programs and sites write it."""

from pathlib import Path

import pytest

from hitonami.core import Player, Setup, lineage
from hitonami.games.shogi import Shogi
from hitonami.records import Document, Record, Rejected
from hitonami.records.kif import Kif

SHOGI, KIF = Shogi(), Kif()
GOLDEN = Path(__file__).parents[2] / "golden" / "shogi"


def read(text: str, encoding: str = "utf-8") -> Record | Rejected:
    (found,) = KIF.read(Document("test", 0, text.encode(encoding)))
    return found


def usi(record: Record) -> str:
    position, texts = SHOGI.start(record.setup), []
    for move in record.moves:
        texts.append(SHOGI.format(position, move))
        position = position.play(move)
    return " ".join(texts)


@pytest.mark.parametrize("encoding", ["utf-8", "cp932"])
def test_a_handicap_game_with_comments_and_a_variation(encoding: str) -> None:
    found = read((GOLDEN / "handicap.kif").read_text(encoding="utf-8").replace("\n", "\r\n"), encoding)
    assert isinstance(found, Record)
    assert found.setup == Setup(variant="2-piece")
    assert usi(found) == "7a6b 7g7f 5c5d 4g4f"
    assert [player.name for player in found.players] == ["弟子", "師匠"]
    assert (found.score, found.termination, found.time_control) == (1.0, "resignation", "5400+0")
    assert (found.date, found.event) == ("2026-11-15", "指導対局")
    assert found.think_seconds == (3.0, 12.0, 2.0, 60.0)


def test_the_written_text() -> None:
    position = SHOGI.start()
    for text in ("7g7f", "3c3d", "8h2b+", "3a2b", "B*5e"):
        position = position.play(SHOGI.parse(position, text))
    record = Record(
        game="shogi",
        setup=Setup(),
        moves=tuple(lineage(position)[1]),
        players=(Player(name="先"), Player(name="後")),
        score=1.0,
        termination="resignation",
        date="2026-11-15",
        think_seconds=(1.0, 2.0, 65.0, 4.0, 5.0),
    )
    assert KIF.write(record) == (GOLDEN / "resigned.kif").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("end", "score", "termination"),
    [
        ("   3 投了", 0.0, "resignation"),
        ("   3 切れ負け", 0.0, "time"),
        ("   3 反則勝ち", 1.0, "illegal move"),
        ("   3 入玉勝ち", 1.0, "entering king"),
        ("   3 千日手", 0.5, "repetition"),
        ("   3 中断", None, "interrupted"),
        ("まで2手で後手の勝ち", 0.0, ""),
        ("まで2手で先手の反則勝ち", 1.0, "illegal move"),
        ("まで2手で持将棋", 0.5, "impasse"),
        ("", None, ""),
    ],
)
def test_endings(end: str, score: float | None, termination: str) -> None:
    found = read(f"手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n{end}\n")
    assert isinstance(found, Record)
    assert (found.score, found.termination) == (score, termination)


def test_rules_and_positions_are_kept() -> None:
    setup = Setup(start="4k4/9/9/9/9/9/9/9/4K4 w R12P2p 57", rules="24-point max-60")
    found = read(KIF.write(Record("shogi", setup, ())))
    assert isinstance(found, Record)
    assert found.setup == setup


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a KIF"),
        ("手合割：王落ち\n", "unknown handicap"),
        ("手合割：平手\n   1 ７五歩(77)\n", "illegal move"),
        ("手合割：平手\n   1 パス\n", "illegal move"),
        ("手合割：平手\n   1 投了\n   2 ３四歩(33)\n", "play after the end"),
        ("| ・ ・|一\n先手：a\n", "not a shogi position"),
        ("|v玉|一\n先手の持駒：王\n", "unknown hand"),
        ("ルール：囲碁\n手合割：平手\n", "unknown shogi rules"),
    ],
)
def test_a_bad_game_is_rejected_with_its_reason(text: str, reason: str) -> None:
    found = read(text)
    assert isinstance(found, Rejected)
    assert found.reason == reason


def test_bytes_that_are_no_text_are_rejected() -> None:
    (found,) = KIF.read(Document("test", 7, b"\x81\xff\xff"))
    assert isinstance(found, Rejected)
    assert (found.reason, found.offset) == ("not a KIF", 7)
