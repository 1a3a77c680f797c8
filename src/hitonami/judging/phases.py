"""Opening, middle game, ending: one plain rule a game, so that figures by phase can be compared.

Chess: an ending has at most six queens, rooks, bishops and knights on the board, both sides together (Lichess's rule);
before that, the first 24 plies are the opening. Shogi has no such material rule: the opening is the first 30 plies, the
ending begins at ply 80. Go: by plies against the points of the board, the opening up to a sixth (60 on 19×19), the
ending from a half (181). Any other game is all middle.
"""

from typing import Final, Literal

import chess

from hitonami.core import Position
from hitonami.games.chess import ChessPosition
from hitonami.games.go import GoPosition

Phase = Literal["opening", "middle", "ending"]
PHASES: Final[tuple[Phase, ...]] = ("opening", "middle", "ending")
_CHESS_OPENING: Final = 24
_CHESS_ENDING_PIECES: Final = 6
_SHOGI: Final = (30, 80)
_GO_SHARES: Final = (1 / 6, 1 / 2)


def phase_of(position: Position) -> Phase:
    """The phase in which the move to come is played."""
    if isinstance(position, ChessPosition):
        board = position.board
        pieces = board.occupied & ~board.pawns & ~board.kings
        if chess.popcount(pieces) <= _CHESS_ENDING_PIECES:
            return "ending"
        return "opening" if position.ply < _CHESS_OPENING else "middle"
    if isinstance(position, GoPosition):
        points = position.size**2
        return _by_ply(position.ply, points * _GO_SHARES[0], points * _GO_SHARES[1])
    if position.game.name == "shogi":
        return _by_ply(position.ply, *_SHOGI)
    return "middle"


def _by_ply(ply: int, middle: float, ending: float) -> Phase:
    return "opening" if ply < middle else "middle" if ply < ending else "ending"
