"""KI2: which piece is meant."""

import random

import cshogi
import pytest

from hitonami.core import Setup, lineage
from hitonami.games.shogi import Shogi
from hitonami.records import Document, Record, Rejected
from hitonami.records.ki2 import Ki2

SHOGI, KI2 = Shogi(), Ki2()
HEADER = "手合割：平手\n"


def read(text: str) -> Record | Rejected:
    (found,) = KI2.read(Document("test", 0, text.encode()))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_what_is_written_is_read_back(seed: int) -> None:
    """The notation is written by cshogi, and read here by the geometry of the board alone."""
    rng, position = random.Random(seed), SHOGI.start()
    while position.ending is None and position.ply < 250:
        position = position.play(int(rng.choice(position.legal)))
    record = Record("shogi", Setup(), tuple(lineage(position)[1]), score=1.0)
    found = read(KI2.write(record))
    assert isinstance(found, Record)
    assert found.moves == record.moves


BOARD = """後手の持駒：なし
+---------------------------+
|v玉 ・ ・ ・ ・ ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ ・ ・ ・ ・ ・|三
| ・ ・ 龍 ・ ・ ・ 龍 ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ 銀 ・ 銀 ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ 銀 銀 ・ ・ ・ ・|八
| ・ ・ 金 ・ 金 金 ・ ・ 玉|九
+---------------------------+
先手の持駒：角
"""


@pytest.mark.parametrize(
    ("text", "usi"),
    [
        ("▲５七銀直", "5h5g"), ("▲５七銀左上", "6h5g"), ("▲５七銀左引", "6f5g"), ("▲５七銀右", "4f5g"),
        ("▲５七銀引", "ambiguous move"), ("▲５七銀", "ambiguous move"), ("▲５四龍右", "3d5d"), ("▲５四龍左", "7d5d"),
        ("▲４八金直", "4i4h"), ("▲４八金左上", "5i4h"), ("▲６九金右", "5i6i"), ("▲６九金左", "7i6i"),
        ("▲５五角", "B*5e"), ("▲５五角打", "B*5e"), ("▲５五銀左", "6f5e"), ("▲５五銀右", "4f5e"),
        ("▲５五飛", "illegal move"), ("△５七銀直", "illegal move"), ("▲同　銀", "illegal move"),
    ],
)  # fmt: skip
def test_which_piece_is_meant(text: str, usi: str) -> None:
    found = read(BOARD + text + "\n")
    if isinstance(found, Rejected):
        assert found.reason == usi
    else:
        assert [cshogi.move_to_usi(move) for move in found.moves] == [usi]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not a KI2"),
        (HEADER + "▲７五歩", "illegal move"),
        (HEADER + "▲７六歩 ▲２六歩", "illegal move"),
        (HEADER + "▲７六歩\nまで1手で先手の勝ち\n△３四歩", "play after the end"),
        ("手合割：王落ち\n▲７六歩", "unknown handicap"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    found = read(text)
    assert isinstance(found, Rejected)
    assert found.reason == reason


@pytest.mark.parametrize(
    ("end", "score", "termination"),
    [
        ("まで2手で後手の勝ち", 0.0, ""),
        ("まで2手で時間切れにより先手の勝ち", 1.0, "time"),
        ("まで2手で千日手", 0.5, "repetition"),
        ("まで2手で先手の反則負け", 0.0, "illegal move"),
        ("まで2手で中断", None, "interrupted"),
    ],
)
def test_endings(end: str, score: float | None, termination: str) -> None:
    found = read(f"{HEADER}▲７六歩 △３四歩\n{end}\n")
    assert isinstance(found, Record)
    assert (found.score, found.termination, len(found.moves)) == (score, termination, 2)
