"""SFEN text checked before it reaches cshogi, for `shogi.py` and the shogi records.

cshogi trusts its input: on a wrong piece count or a missing king it reads beyond its tables or plays on
from nonsense. So every position is parsed and judged here, and cshogi only ever sees text that
`canonical_sfen` wrote. Both kings must stand on the board; a mating problem without the attacker's king
is refused, because cshogi's tables are indexed by the squares of both kings.
"""

import re
from collections import Counter
from itertools import pairwise
from typing import Final

from hitonami.errors import BadPosition, quote

START: Final = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
_CAMP = "ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
HANDICAPS: Final = {
    "even": START,
    "lance": f"lnsgkgsn1/1r5b1/{_CAMP}",
    "right-lance": f"1nsgkgsnl/1r5b1/{_CAMP}",
    "bishop": f"lnsgkgsnl/1r7/{_CAMP}",
    "rook": f"lnsgkgsnl/7b1/{_CAMP}",
    "rook-lance": f"lnsgkgsn1/7b1/{_CAMP}",
    "2-piece": f"lnsgkgsnl/9/{_CAMP}",
    "3-piece": f"lnsgkgsn1/9/{_CAMP}",
    "4-piece": f"1nsgkgsn1/9/{_CAMP}",
    "5-piece": f"2sgkgsn1/9/{_CAMP}",
    "left-5-piece": f"1nsgkgs2/9/{_CAMP}",
    "6-piece": f"2sgkgs2/9/{_CAMP}",
    "8-piece": f"3gkg3/9/{_CAMP}",
    "10-piece": f"4k4/9/{_CAMP}",
}
"""The start of each handicap: White gives the pieces and moves first."""

PIECES_IN_SET: Final = {"p": 18, "l": 4, "n": 4, "s": 4, "g": 4, "b": 2, "r": 2, "k": 2}
HAND_ORDER: Final = "RBGSNLP"
"""The order in which SFEN lists a hand, most valuable first."""
MAX_MOVE_NUMBER: Final = 9999
_NAMES = {"p": "pawn", "l": "lance", "n": "knight", "s": "silver", "g": "gold", "b": "bishop", "r": "rook", "k": "king"}
_WORTH = {"P": 1, "L": 3, "N": 4, "S": 5, "G": 6, "B": 8, "R": 10}
_WORTH |= {"+P": 5, "+L": 5, "+N": 5, "+S": 6, "+B": 11, "+R": 13}
"""In pawns, about as programs weigh them."""
_STUCK_RANKS = {"P": (0,), "L": (0,), "N": (0, 1), "p": (8,), "l": (8,), "n": (7, 8)}
_SHAPE = re.compile(r"(?:sfen\s+)?(\S+)\s+([bw])\s+(\S+)(?:\s+([0-9]+))?", re.ASCII)
_HAND = re.compile(r"([1-9][0-9]?)?([PLNSGBRplnsgbr])", re.ASCII)
_PIECE = re.compile(r"\+?[PLNSBRplnsbr]|[GKgk]|[1-9]", re.ASCII)


def canonical_sfen(text: str) -> str:
    """The same position as cshogi writes it, move number included. Raises BadPosition with the reason."""
    shape = _SHAPE.fullmatch(text.strip())
    if shape is None:
        raise BadPosition(f"not an SFEN: {quote(text)} (it has a board, b or w, the hands and a move number)")
    try:
        rows = _read_board(shape[1])
        hands = _read_hands(shape[3])
        _check_material(rows, hands)
        _check_squares(rows)
        number = _read_number(shape[4])
    except ValueError as wrong:
        raise BadPosition(f"not a shogi position: {quote(text)} ({wrong})") from None
    return f"{shape[1]} {shape[2]} {_write_hands(hands)} {number}"


def count_material(sfen: str) -> float:
    """What Black has more than White, in pawns, of a position that is known to be right."""
    board, _, hands, *_ = sfen.split()
    pieces = Counter(_PIECE.findall(board))
    for count, piece in _HAND.findall(hands):
        pieces[piece] += int(count or 1)
    return float(sum(_WORTH.get(piece.upper(), 0) * (n if piece.isupper() else -n) for piece, n in pieces.items()))


def _read_number(text: str | None) -> int:
    """1 where it is missing; some programs count from 0."""
    if text is not None and int(text[:6]) > MAX_MOVE_NUMBER:
        raise ValueError(f"the move number is beyond {MAX_MOVE_NUMBER}")
    return max(1, int(text or 1))


def _read_board(text: str) -> list[list[str]]:
    """Nine rows of nine, "" where no piece stands."""
    ranks = text.split("/")
    if len(ranks) != 9:
        raise ValueError(f"{len(ranks)} ranks, not 9")
    rows = []
    for at, rank in enumerate(ranks, start=1):
        tokens = _PIECE.findall(rank)
        if "".join(tokens) != rank or any(a.isdigit() and b.isdigit() for a, b in pairwise(tokens)):
            raise ValueError(f"rank {at} cannot be read: {quote(rank)}")
        row = [square for token in tokens for square in ([""] * int(token) if token.isdigit() else [token])]
        if len(row) != 9:
            raise ValueError(f"rank {at} has {len(row)} squares, not 9")
        rows.append(row)
    return rows


def _read_hands(text: str) -> Counter[str]:
    found = _HAND.findall(text)
    if text != "-" and "".join(count + piece for count, piece in found) != text:
        raise ValueError(f"the hands cannot be read: {quote(text)}")
    hands: Counter[str] = Counter()
    for count, piece in found:
        if piece in hands:
            raise ValueError(f"{piece} is in hand twice: {quote(text)}")
        hands[piece] = int(count or 1)
    return hands


def _write_hands(hands: Counter[str]) -> str:
    listed = [(hands[piece], piece) for piece in HAND_ORDER + HAND_ORDER.lower() if hands[piece]]
    return "".join(f"{count if count > 1 else ''}{piece}" for count, piece in listed) or "-"


def _check_material(rows: list[list[str]], hands: Counter[str]) -> None:
    on_board = Counter(square for row in rows for square in row if square)
    for king, side in (("K", "Black"), ("k", "White")):
        if on_board[king] != 1:
            raise ValueError(f"{side} has {on_board[king] or 'no'} king{'s' if on_board[king] > 1 else ''}")
    total: Counter[str] = Counter()
    for pieces in (on_board, hands):
        for piece, count in pieces.items():
            total[piece.lower().lstrip("+")] += count
    for piece, most in PIECES_IN_SET.items():
        if total[piece] > most:
            raise ValueError(f"{total[piece]} {_NAMES[piece]}s, and the set has {most}")


def _check_squares(rows: list[list[str]]) -> None:
    """Refuse pieces that could never have come to stand where they do."""
    for at, row in enumerate(rows):
        for piece in row:
            if at in _STUCK_RANKS.get(piece, ()):
                raise ValueError(f"a {_NAMES[piece.lower()]} on rank {at + 1} could never move again")
    for column in range(9):
        squares = [row[column] for row in rows]
        if squares.count("P") > 1 or squares.count("p") > 1:
            raise ValueError(f"two pawns of one side on file {9 - column}")
    (top, left), (bottom, right) = (
        (at, row.index(king)) for king in "Kk" for at, row in enumerate(rows) if king in row
    )
    if max(abs(top - bottom), abs(left - right)) == 1:
        raise ValueError("the kings stand next to each other")
