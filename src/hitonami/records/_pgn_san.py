"""Kernels that read the words of PGN movetext: moves, castling, results, clock times.

Read are SAN, with too much or too little said where it stays clear: long forms (Ng1-f3, e2e4), promotions
as e8=Q, e8Q, e8(Q) or e8/Q, zeros for castling, small letters for pieces but the bishop, whose letter is a
file, and piece figures. Letters of other languages are not guessed.
"""
# ruff: noqa: PLR0913, PLR0917, PLR1714 (a kernel's state is its arguments; comparisons compile to less than `in`)

from typing import Any, Final

import numpy as np

from hitonami.games.chess_rules.mailbox import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from hitonami.kernel import kernel
from hitonami.records._pgn_text import DOT, MINUS, ONE, SLASH, SPACE, TWO, ZERO

COLON: Final = ord(":")
EQUALS: Final = ord("=")
PAREN: Final = ord("(")
UNPAREN: Final = ord(")")
_FILE_A: Final = ord("a")
_FILE_B: Final = ord("b")
_FILE_E: Final = ord("e")
_FILE_H: Final = ord("h")
_RANK_1: Final = ord("1")
_RANK_8: Final = ord("8")
_X: Final = ord("x")
_BIG_O: Final = ord("O")
_SMALL_O: Final = ord("o")
_SMALL_P: Final = ord("p")
_NINE: Final = ord("9")
_COMMA: Final = ord(",")
_YEAR: Final = 366 * 86_400

WHITE_WON: Final = 1
BLACK_WON: Final = 2
DRAWN: Final = 3


def _kinds_by_letter() -> Any:
    kinds = np.zeros(256, np.int64)
    for letters, kind in (("P", PAWN), ("Nn", KNIGHT), ("B", BISHOP), ("Rr", ROOK), ("Qq", QUEEN), ("Kk", KING)):
        for letter in letters:
            kinds[ord(letter)] = kind
    return kinds


def _word_parts() -> Any:
    parts = np.zeros(256, np.bool_)
    parts[[code for code in range(128) if chr(code).isalnum() or chr(code) in "@[]_&"]] = True
    return parts


_KIND: Final = _kinds_by_letter()
_WORD: Final = _word_parts()
"""Characters that no move is followed by."""


@kernel
def _read_piece(data: Any, at: int, end: int) -> Any:
    """The kind of piece that is named there and the place after it; a pawn where none is."""
    kind = _KIND[data[at]]
    if kind:
        return kind, at + 1
    if data[at] == 0xE2 and at + 2 < end and data[at + 1] == 0x99 and 0x94 <= data[at + 2] <= 0x9F:
        return KING - (np.int64(data[at + 2]) - 0x94) % 6, at + 3
    return PAWN, at


@kernel
def _read_promotion(data: Any, at: int, end: int) -> Any:
    """The kind that a pawn turns into and the place after it; 0 where none is named."""
    sign = at < end and (data[at] == EQUALS or data[at] == SLASH or data[at] == PAREN)
    here = at + 1 if sign else at
    if here >= end:
        return 0, at
    kind = BISHOP if data[here] == _FILE_B else _KIND[data[here]]
    if kind < KNIGHT or kind > QUEEN:
        return 0, at
    if sign and data[at] == PAREN:
        return (kind, here + 2) if here + 1 < end and data[here + 1] == UNPAREN else (0, at)
    return kind, here + 1


@kernel
def skip_en_passant(data: Any, at: int, end: int) -> Any:
    """The place after "e.p.", "ep" or the like, the same place where that is not said."""
    here = at
    for letter in (_FILE_E, DOT, _SMALL_P, DOT):
        if here < end and data[here] == letter:
            here += 1
        elif letter != DOT:
            return at
    return here


@kernel
def _is_rank(data: Any, at: int, end: int) -> Any:
    return at < end and _RANK_1 <= data[at] <= _RANK_8


@kernel
def read_move(data: Any, at: int, end: int) -> Any:
    """(place after, kind, file and rank it comes from or -1, square it goes to, promotion); place 0 if unreadable.

    Squares are numbered as on the board of `games/chess_rules/mailbox.py`.
    """
    lost = (0, 0, -1, -1, 0, 0)
    kind, at = _read_piece(data, at, end)
    from_file, from_rank, file, rank = -1, -1, -1, -1
    while at < end:
        letter = int(data[at])
        full = file >= 0 and rank >= 0 and kind == PAWN
        if full and letter == _FILE_B and (rank == 0 or rank == 7) and not _is_rank(data, at + 1, end):
            break  # e8b is a promotion, b8b7 is not
        if full and letter == _FILE_E and skip_en_passant(data, at, end) > at:
            break
        if _FILE_A <= letter <= _FILE_H:
            if file >= 0 or rank >= 0:
                if from_file >= 0 or from_rank >= 0:
                    return lost
                from_file, from_rank, rank = file, rank, -1
            file = letter - _FILE_A
        elif _RANK_1 <= letter <= _RANK_8:
            if rank >= 0:
                return lost
            rank = letter - _RANK_1
        elif letter != _X and letter != MINUS and letter != COLON:
            break
        at += 1
    if file < 0 or rank < 0:
        return lost
    promotion, at = _read_promotion(data, at, end)
    if kind == PAWN:
        at = skip_en_passant(data, at, end)
    if at < end and _WORD[data[at]]:
        return lost
    return at, kind, from_file, from_rank, 21 + file + 10 * rank, promotion


@kernel
def read_castling(data: Any, at: int, end: int) -> Any:
    """(place after, 0 short or 1 long), place 0 where it is not castling."""
    letter = data[at]
    if letter != _BIG_O and letter != _SMALL_O and letter != ZERO:
        return 0, 0
    times = 1
    at += 1
    while times < 3 and at + 1 < end and data[at] == MINUS and data[at + 1] == letter:
        at += 2
        times += 1
    if times < 2 or (at < end and (_WORD[data[at]] or data[at] == MINUS)):
        return 0, 0
    return at, times - 2


@kernel
def _matches(data: Any, at: int, end: int, first: int, second: int, third: int) -> Any:
    return at + 2 < end and data[at] == first and data[at + 1] == second and data[at + 2] == third


@kernel
def read_result(data: Any, at: int, end: int) -> Any:
    """(place after, result), place 0 where no result stands there. "*" is the caller's."""
    after, result = 0, 0
    if _matches(data, at, end, ONE, MINUS, ZERO):
        after, result = at + 3, WHITE_WON
    elif _matches(data, at, end, ZERO, MINUS, ONE):
        after, result = at + 3, BLACK_WON
    elif _matches(data, at, end, ONE, SLASH, TWO):
        after, result = at + 3, DRAWN
        if after < end and data[after] == MINUS and _matches(data, after + 1, end, ONE, SLASH, TWO):
            after += 4
    elif at + 1 < end and data[at] == 0xC2 and data[at + 1] == 0xBD:  # the fraction as one character
        after, result = at + 2, DRAWN
        if _matches(data, after, end, MINUS, 0xC2, 0xBD):
            after += 3
    if after and after < end and _WORD[data[after]]:
        return 0, 0
    return after, result


@kernel
def read_seconds(data: Any, at: int, end: int) -> Any:
    """The time that begins there, as h:mm:ss.d, mm:ss or seconds; NaN where it is none or longer than a year.

    One division at the end: the sum of seconds and a fraction would not be the number that is written.
    """
    while at < end and data[at] == SPACE:
        at += 1
    total, part, digits, colons = 0, 0, 0, 0
    while at < end and digits < 12 and colons < 3:
        if ZERO <= data[at] <= _NINE:
            part = 10 * part + int(data[at]) - ZERO
            digits += 1
        elif data[at] == COLON:
            total, part = 60 * (total + part), 0
            colons += 1
        else:
            break
        at += 1
    total += part
    scale = 1
    if at < end and (data[at] == DOT or data[at] == _COMMA):
        at += 1
        while at < end and ZERO <= data[at] <= _NINE and scale < 1_000_000:
            total = 10 * total + int(data[at]) - ZERO
            scale *= 10
            at += 1
    return total / scale if digits and total / scale <= _YEAR else np.nan
