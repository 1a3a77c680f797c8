"""Shogi moves as text: USI, CSA and Japanese, for `shogi.py` and the shogi records.

Japanese text is read in the forms that people and programs write: with or without ▲ and △, full-width or
ASCII digits, 王 for 玉, 竜 for 龍, 成銀 for 全, and the origin in brackets that KIF adds.
"""

import re
import unicodedata
from typing import Final, Protocol

import cshogi

from hitonami.core import Moves
from hitonami.errors import BadMove, quote

PIECE_GLYPHS: Final[list[str]] = cshogi.PIECE_JAPANESE_SYMBOLS
"""By piece type: 歩 at 1 … 龍 at 14."""
PROMOTION: Final = 1 << 14
DROP_ORIGIN: Final = 80
"""A drop's origin is this plus the piece type."""
_KANJI_DIGITS = "一二三四五六七八九"
_SIDES = {"▲": 0, "☗": 0, "▼": 0, "+": 0, "△": 1, "☖": 1, "▽": 1, "-": 1}
_SPELLINGS = str.maketrans(
    {"王": "玉", "竜": "龍", "行": "上", "入": "上"} | dict(zip(_KANJI_DIGITS, "123456789", strict=True))
)
_LONG_NAMES = (("成香", "杏"), ("成桂", "圭"), ("成銀", "全"))
_USI = re.compile(r"([1-9])([a-i])([1-9])([a-i])(\+?)|([PLNSGBR])\*([1-9])([a-i])", re.ASCII)
_CSA = re.compile(r"([+-]?)([0-9]{4}[A-Z]{2})", re.ASCII)
_JAPANESE = re.compile(
    r"([▲△☗☖▼▽]?)(?:([1-9])([1-9])|同)([歩香桂銀角飛金玉と杏圭全馬龍])([左直右]?[上寄引]?)(打|成|不成)?(?:\(([1-9])([1-9])\))?"
)


class Situation(Protocol):
    """What notation needs of a position."""

    @property
    def board(self) -> cshogi.Board:
        """A board of its own, whose last move is the last one played."""

    @property
    def sfen(self) -> str: ...
    @property
    def legal(self) -> Moves: ...
    @property
    def last_move(self) -> int | None: ...
    @property
    def to_move(self) -> int: ...


def move_as_japanese(position: Situation, move: int) -> str:
    """As game scores print it: "▲７六歩", "△同銀左", "▲３三角成". Unique among the legal moves."""
    board = position.board
    text = _ki2(board, move)
    rivals = [other for other in position.legal.tolist() if other != move and other & 127 == move & 127]
    unclear = any(_ki2(board, other) == text for other in rivals)
    return f"{text}({_square_digits(move >> 7 & 127)})" if unclear else text


def _ki2(board: cshogi.Board, move: int) -> str:
    from cshogi.KI2 import move_to_ki2  # only people's notation needs it

    return "".join(str(move_to_ki2(board.move_from_move16(move), board)).split())


def _square_digits(square: int) -> str:
    return f"{square // 9 + 1}{square % 9 + 1}"


def _square(file: str, rank: str) -> int:
    return 9 * (int(file) - 1) + int(rank) - 1


def move_from_text(position: Situation, text: str) -> int:
    """The id of a legal move written in USI, CSA or Japanese. Raises BadMove."""
    given = text.strip()
    if usi := _USI.fullmatch(given):
        found = [_usi_id(usi)]
    elif csa := _CSA.fullmatch(given):
        found = _from_csa(position, csa)
    else:
        found = _from_japanese(position, given)
    legal = [move for move in found if move in position.legal]
    if len(legal) != 1:
        kind = "ambiguous" if legal else "not a legal move"
        raise BadMove(f"{kind}: {quote(text)}", position.sfen)
    return legal[0]


def _usi_id(usi: re.Match[str]) -> int:
    if usi[6]:
        piece = cshogi.PIECE_SYMBOLS.index(usi[6].lower())
        return _square(usi[7], _rank(usi[8])) | DROP_ORIGIN + piece << 7
    origin, target = _square(usi[1], _rank(usi[2])), _square(usi[3], _rank(usi[4]))
    return target | origin << 7 | (PROMOTION if usi[5] else 0)


def _rank(letter: str) -> str:
    return str(ord(letter) - ord("a") + 1)


def _from_csa(position: Situation, csa: re.Match[str]) -> list[int]:
    if csa[1] and _SIDES[csa[1]] != position.to_move:
        return []
    board = position.board
    return [move for move in position.legal.tolist() if cshogi.move_to_csa(board.move_from_move16(move)) == csa[2]]


def _plain(text: str) -> str:
    """One spelling for what may be written in several ways."""
    plain = "".join(unicodedata.normalize("NFKC", text).split()).translate(_SPELLINGS)
    for long, short in _LONG_NAMES:
        plain = plain.replace(long, short)
    return plain


def _from_japanese(position: Situation, text: str) -> list[int]:
    """Moves that the text may mean. Without 成 a move does not promote; without 打 the board goes before the hand."""
    read = _JAPANESE.fullmatch(_plain(text))
    if read is None or (read[1] and _SIDES[read[1]] != position.to_move):
        return []
    if read[2]:
        target = _square(read[2], read[3])
    elif position.last_move is not None:
        target = position.last_move & 127
    else:
        return []
    board, piece = position.board, PIECE_GLYPHS.index(read[4])
    if read[7]:
        origin = _square(read[7], read[8])
        return [target | origin << 7 | (PROMOTION if read[6] == "成" else 0)] if _stands(board, piece, origin) else []
    drop = target | DROP_ORIGIN + piece << 7
    if read[6] == "打":
        return [drop]
    moves = [
        move
        for move in position.legal.tolist()
        if move & 127 == target
        and bool(move & PROMOTION) == (read[6] == "成")
        and _stands(board, piece, move >> 7 & 127)
    ]
    if read[5]:
        return [move for move in moves if read[5] in _plain(_ki2(board, move))]
    return moves or [drop]


def _stands(board: cshogi.Board, piece: int, square: int) -> bool:
    return square < 81 and board.piece(square) == piece + 16 * board.turn
