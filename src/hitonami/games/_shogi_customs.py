"""What shogi is used to. Openings have the names of the literature; lines for matches are even for either side."""

from typing import Final

from hitonami.core import Setup
from hitonami.customs import Customs, Handicap, KnownEngine, Opening, Phases, Scale
from hitonami.games.shogi_rules.sfen import HANDICAPS
from hitonami.knobs import Curve

_OPENINGS: Final = (
    Opening("Yagura", "矢倉", "7g7f 8c8d 7i6h 3c3d 6h7g"),
    Opening("Double Wing Attack", "相掛かり", "2g2f 8c8d 2f2e 8d8e"),
    Opening("Side Pawn", "横歩取り", "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d"),
    Opening("Bishop Exchange", "角換わり", "7g7f 8c8d 2g2f 8d8e 8h7g 3c3d 7i8h 4a3b"),
    Opening("Fourth File Rook", "四間飛車", "7g7f 3c3d 6g6f 8c8d 2h6h"),
    Opening("Third File Rook", "三間飛車", "7g7f 3c3d 7f7e 8c8d 2h7h"),
    Opening("Gokigen Central Rook", "ゴキゲン中飛車", "7g7f 3c3d 2g2f 5c5d 2f2e 8b5b"),
    Opening("Central Rook", "中飛車", "5g5f 8c8d 2h5h 3c3d"),
    Opening("Opposing Rook", "向かい飛車", "7g7f 3c3d 6g6f 8c8d 8h7g 8d8e 2h8h"),
)
_LINES: Final = (
    "7g7f 3c3d 2g2f 8c8d",
    "7g7f 8c8d 2g2f 4a3b",
    "7g7f 3c3d 6g6f 8c8d",
    "7g7f 3c3d 7f7e 8c8d",
    "7g7f 8c8d 6g6f 5c5d",
    "7g7f 8c8d 7i6h 3c3d",
    "7g7f 3c3d 2g2f 4c4d",
    "7g7f 3c3d 2g2f 8b4b",
    "7g7f 3c3d 5g5f 8c8d",
    "7g7f 3c3d 2h6h 8c8d",
    "2g2f 8c8d 2f2e 8d8e",
    "2g2f 3c3d 7g7f 5c5d",
    "2g2f 3c3d 2f2e 2b3c",
    "5g5f 8c8d 2h5h 3c3d",
    "7g7f 4a3b 2g2f 3c3d",
    "9g9f 8c8d 7g7f 3c3d",
)
_GIVEN: Final = {
    "lance": ("lance", "香落ち"),
    "right-lance": ("right lance", "右香落ち"),
    "bishop": ("bishop", "角落ち"),
    "rook": ("rook", "飛車落ち"),
    "rook-lance": ("rook and lance", "飛香落ち"),
    "left-5-piece": ("left 5 pieces", "左5枚落ち"),
    **{f"{count}-piece": (f"{count} pieces", f"{count}枚落ち") for count in (2, 3, 4, 5, 6, 8, 10)},
}
_POINTS: Final = Curve(((0.0, 0.0), (40.0, 4000.0)))
"""Our own convention, 100 a rank: no server tells what its ranks are in points, and clubs do not agree."""
CUSTOMS: Final = Customs(
    title="Shogi",
    japanese={"Shogi": "将棋", "checkmate": "詰み"},
    called=("Sente", "Gote"),
    board="sfen",
    place=2,
    scale=Scale("rank", ("shogiwars",), 20, 38, 1, 27, points={"shogiwars": _POINTS}),
    told={"": (20.0, 23.0, 26.0, 29.0, 32.0, 35.0)},
    rank_groups=(
        (float("-inf"), "below 4k"),
        (26.0, "4k–1k"),
        (30.0, "1d–2d"),
        (32.0, "3d–4d"),
        (34.0, "5d+"),
        (40.0, "professional"),
    ),
    openings=_OPENINGS,
    lines=_LINES,
    handicaps=tuple(Handicap(name, 1, Setup(variant=name), *_GIVEN[name]) for name in HANDICAPS if name != "even"),
    controls=("300+10", "600+0", "600+30/1", "900+60/1"),
    phases=Phases(30, 80),
    most_plies=512,
    # At their last turn people who gave up had 10% in chess and 12% in shogi (medians), where the network hardly ever
    # says less than 5%: docs/openings.md.
    hopeless=0.1,
    # It knows no other limit, and of a move from its book it tells no chances.
    refinement=(80, 115, 0.078),
    engine=KnownEngine("gpsusi", "gpsshogi", "usi:gpsusi", {"move_milliseconds": 200, "options": {"BookDepth": 0}}),
    records=("kif", "csa"),
    protocol="usi",
)
