"""The rules of shogi that a setup may choose, and the counting of entering-king declarations.

Everything else about the rules is cshogi's. Points are counted here because cshogi does not know what
was given as a handicap, which the declaration rule counts as White's.
"""

import re
from dataclasses import dataclass
from typing import Final

import cshogi

from hitonami.core import Setup
from hitonami.errors import BadSetup, quote
from hitonami.games.shogi_rules.sfen import HANDICAPS

_POINTS_OF_A_SIDE = 27
_BIG: Final = frozenset((cshogi.BISHOP, cshogi.ROOK, cshogi.PROM_BISHOP, cshogi.PROM_ROOK))
_HAND_POINTS: Final = (1, 1, 1, 1, 1, 5, 5)
_MAX_MOVES = re.compile(r"max-([1-9][0-9]{0,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class ShogiRules:
    """The part of the rules that a setup chooses."""

    points: int = 27
    """27: 28 points win for Black, 27 for White (CSA). 24: 31 points win, 24 to 30 draw (professionals)."""
    max_moves: int | None = None
    """The game is drawn after so many moves, where it has not ended by then."""
    given_points: int = 0
    """What White gave as a handicap."""


def read_rules(setup: Setup) -> ShogiRules:
    """Rules from the words of `Setup.rules`. Raises BadSetup."""
    points, max_moves = 0, None
    for word in setup.rules.split():
        limit = _MAX_MOVES.fullmatch(word)
        if limit is not None and max_moves is None:
            max_moves = int(limit[1])
        elif word in ("27-point", "24-point") and not points:
            points = int(word[:2])
        else:
            raise BadSetup(
                f"unknown shogi rules: {quote(setup.rules)}; known: 27-point or 24-point, and max-MOVES (max-512)"
            )
    return ShogiRules(points or 27, max_moves, _points_given(setup.variant))


def _points_given(handicap: str) -> int:
    camp = HANDICAPS[handicap or "even"].split()[0]
    held = sum(5 if piece in "rb" else 1 for piece in camp if piece in "plnsgbr")
    return _POINTS_OF_A_SIDE - held


def declared_points(board: cshogi.Board, rules: ShogiRules) -> int | None:
    """The points that the side to move may declare; None where its king or its pieces do not allow it.

    The king stands in the enemy's camp and is not in check, and ten other pieces stand there too. Pieces
    in the camp and in hand count, five points for each rook and bishop and one for each other piece.
    """
    side = board.turn
    camp = range(3) if side == cshogi.BLACK else range(6, 9)
    if board.king_square(side) % 9 not in camp or board.is_check():
        return None
    entered = [
        piece & 15
        for square, piece in enumerate(board.pieces)
        if piece and piece >> 4 == side and square % 9 in camp and piece & 15 != cshogi.KING
    ]
    if len(entered) < 10:
        return None
    hand = board.pieces_in_hand[side]
    points = sum(5 if piece in _BIG else 1 for piece in entered)
    points += sum(count * worth for count, worth in zip(hand, _HAND_POINTS, strict=True))
    return points + (rules.given_points if side == cshogi.WHITE else 0)


def adjudicate(points: int, side: int, rules: ShogiRules) -> str | None:
    """ "win", "draw" or None: what a declaration with so many points achieves."""
    if rules.points == 27:
        return "win" if points >= (28 if side == cshogi.BLACK else 27) else None
    if points >= 31:
        return "win"
    return "draw" if points >= 24 else None
