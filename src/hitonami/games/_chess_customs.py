"""What chess is used to. Openings have the names of the literature; lines for matches are even for either side."""

from typing import Final

from hitonami.core import Setup
from hitonami.customs import Customs, Handicap, KnownEngine, Opening, Phases, Scale

_OPENINGS: Final = (
    Opening("Italian Game", "イタリアン・ゲーム", "e2e4 e7e5 g1f3 b8c6 f1c4"),
    Opening("Ruy Lopez", "ルイ・ロペス", "e2e4 e7e5 g1f3 b8c6 f1b5"),
    Opening("Scotch Game", "スコッチ・ゲーム", "e2e4 e7e5 g1f3 b8c6 d2d4"),
    Opening("King's Gambit", "キングズ・ギャンビット", "e2e4 e7e5 f2f4"),
    Opening("Petrov Defence", "ペトロフ・ディフェンス", "e2e4 e7e5 g1f3 g8f6"),
    Opening("Sicilian Defence", "シシリアン・ディフェンス", "e2e4 c7c5"),
    Opening("Sicilian, Najdorf", "シシリアン・ナイドルフ", "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6"),
    Opening("French Defence", "フレンチ・ディフェンス", "e2e4 e7e6"),
    Opening("Caro-Kann Defence", "カロ・カン・ディフェンス", "e2e4 c7c6"),
    Opening("Scandinavian Defence", "スカンジナビアン・ディフェンス", "e2e4 d7d5"),
    Opening("Queen's Gambit", "クイーンズ・ギャンビット", "d2d4 d7d5 c2c4"),
    Opening("Slav Defence", "スラブ・ディフェンス", "d2d4 d7d5 c2c4 c7c6"),
    Opening("London System", "ロンドン・システム", "d2d4 d7d5 g1f3 g8f6 c1f4"),
    Opening("King's Indian Defence", "キングズ・インディアン", "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6"),
    Opening("Nimzo-Indian Defence", "ニムゾ・インディアン", "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4"),
    Opening("Dutch Defence", "ダッチ・ディフェンス", "d2d4 f7f5"),
    Opening("English Opening", "イングリッシュ・オープニング", "c2c4"),
    Opening("Réti Opening", "レティ・オープニング", "g1f3 d7d5 c2c4"),
)
_LINES: Final = (
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
    "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5",
    "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6",
    "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4",
    "e2e4 e7e5 g1f3 g8f6 f3e5 d7d6",
    "e2e4 e7e5 b1c3 g8f6 f1c4 b8c6",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4",
    "e2e4 c7c5 g1f3 b8c6 d2d4 c5d4",
    "e2e4 c7c5 g1f3 e7e6 d2d4 c5d4",
    "e2e4 c7c5 b1c3 b8c6 g2g3 g7g6",
    "e2e4 c7c5 c2c3 g8f6 e4e5 f6d5",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6",
    "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5",
    "e2e4 c7c6 d2d4 d7d5 e4e5 c8f5",
    "e2e4 c7c6 d2d4 d7d5 e4d5 c6d5",
    "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5",
    "e2e4 d7d6 d2d4 g8f6 b1c3 g7g6",
    "e2e4 g7g6 d2d4 f8g7 b1c3 d7d6",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6",
    "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6",
    "d2d4 d7d5 c2c4 d5c4 g1f3 g8f6",
    "d2d4 d7d5 g1f3 g8f6 c1f4 e7e6",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7",
    "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5",
    "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4",
    "d2d4 g8f6 c2c4 e7e6 g1f3 b7b6",
    "d2d4 g8f6 c1g5 e7e6 e2e4 h7h6",
    "d2d4 f7f5 g2g3 g8f6 f1g2 e7e6",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6",
    "c2c4 c7c5 g1f3 g8f6 b1c3 b8c6",
    "g1f3 d7d5 g2g3 g8f6 f1g2 e7e6",
    "g1f3 g8f6 c2c4 g7g6 g2g3 f8g7",
)


def _odds(name: str, giver: int, start: str, title: str, japanese: str) -> Handicap:
    return Handicap(name, giver, Setup(start=start), title, japanese)


_ODDS: Final = (
    _odds("pawn", 1, "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "pawn (f7)", "ポーン落ち"),
    _odds("knight", 0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", "knight (b1)", "ナイト落ち"),
    _odds("rook", 0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", "rook", "ルーク落ち"),
    _odds("queen", 0, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", "queen (d1)", "クイーン落ち"),
)
CUSTOMS: Final = Customs(
    title="Chess",
    japanese={"Chess": "チェス"},
    board="fen",
    place=1,
    pairs=True,
    scale=Scale("rating", ("lichess",), 600, 2600, 50, 1500),
    told={
        "": (900.0, 1200.0, 1500.0, 1800.0, 2100.0, 2500.0),
        "fide": (1200.0, 1500.0, 1800.0, 2100.0, 2400.0, 2700.0),
    },
    spans={"": (400.0, 3000.0)},
    ratings_known=True,
    openings=_OPENINGS,
    lines=_LINES,
    handicaps=_ODDS,
    controls=("180+2", "300+3", "600+5", "900+10", "1800+20"),
    phases=Phases(opening=24, pieces="♞♝♜♛", few=6),  # Lichess's rule for endings
    most_plies=500,
    draws_offered=True,
    refinement=(35, 80, 0.074),
    engine=KnownEngine("stockfish", "stockfish", "uci:stockfish", {"nodes": 20_000}),
    records=("pgn",),
    protocol="uci",
)
