"""Openings and handicaps that a game can begin with, by name.

Names are those of the games' own literature; the lines are their usual first moves. A handicap is given by the side
that the game's custom says: White in chess and shogi, and in Go Black puts the stones.
"""

from dataclasses import dataclass, replace
from typing import Final

from hitonami.core import Setup
from hitonami.errors import BadInput, alternatives, quote
from hitonami.games._shogi_sfen import HANDICAPS


@dataclass(frozen=True)
class Opening:
    """A named line, as programs write its moves. `size` is the board that it belongs to, 0 for the only one."""

    name: str
    japanese: str
    moves: str
    size: int = 0


_CHESS: Final = (
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
_SHOGI: Final = (
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
_GO: Final = (
    Opening("Three Stars (sanrensei)", "三連星", "Q16 D4 Q4 D16 Q10", 19),
    Opening("Two Stars (nirensei)", "二連星", "Q16 D4 Q4 D16", 19),
    Opening("Low Chinese", "低い中国流", "Q16 D4 Q3 D16 R9", 19),
    Opening("High Chinese", "高い中国流", "Q16 D4 Q3 D16 Q9", 19),
)
_BY_GAME: Final = {"chess": _CHESS, "shogi": _SHOGI, "go": _GO}


@dataclass(frozen=True)
class Handicap:
    """What one side gives. `giver` is the stronger side by custom."""

    name: str
    giver: int


_CHESS_ODDS: Final = {
    "pawn": ("rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1),
    "knight": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1", 0),
    "rook": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1", 0),
    "queen": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", 0),
}
_MOST_STONES: Final = 9


def openings_of(game: str) -> tuple[Opening, ...]:
    return _BY_GAME[game]


def handicaps_of(game: str) -> tuple[Handicap, ...]:
    """Smallest first."""
    if game == "chess":
        return tuple(Handicap(name, giver) for name, (_, giver) in _CHESS_ODDS.items())
    if game == "shogi":
        return tuple(Handicap(name, 1) for name in HANDICAPS if name != "even")
    return tuple(Handicap(str(stones), 1) for stones in range(2, _MOST_STONES + 1))


def with_handicap(game: str, setup: Setup, name: str) -> Setup:
    """The setup with a named handicap; as it was for "". Raises BadInput."""
    if not name:
        return setup
    known = [handicap.name for handicap in handicaps_of(game)]
    if name not in known:
        raise BadInput(f"{game} has no handicap {quote(name)} here; {alternatives(name, known)}")
    if setup.start:
        raise BadInput("a game begins from a position or with a handicap, not both")
    if game == "chess":
        return replace(setup, start=_CHESS_ODDS[name][0])
    return replace(setup, variant=name) if game == "shogi" else replace(setup, handicap=int(name))


def opening_moves(game: str, size: int, name: str) -> str:
    """The moves of a named opening, none for "". Raises BadInput."""
    if not name:
        return ""
    fitting = {opening.name: opening.moves for opening in openings_of(game) if opening.size in (0, size)}
    if name not in fitting:
        raise BadInput(f"no opening {quote(name)} for this board; {alternatives(name, fitting)}")
    return fitting[name]
