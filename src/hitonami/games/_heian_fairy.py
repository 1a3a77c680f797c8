"""Heian shogi as Fairy-Stockfish knows it: a description of its rules, positions and moves in that program's words."""

from typing import Final

from hitonami.errors import BadMove, quote
from hitonami.fairy import FairyRules
from hitonami.games._heian_rules import PROMOTED
from hitonami.games._heian_text import Board, start_board, write_sfen

_RULES: Final = """[{name}:shogi]
maxRank = {ranks}
maxFile = {files}
pieceDrops = false
capturesToHand = false
bishop = -
rook = -
dragonHorse = -
bers = -
customPiece1 = e:FsfW
promotedPieceType = p:g s:g n:g l:g
promotionRegionWhite = {far}
promotionRegionBlack = *1 *2 *3
promotionRank = {first_far}
startFen = {start}
extinctionValue = loss
extinctionPieceTypes = *
extinctionPieceCount = 1
perpetualCheckIllegal = false
nFoldRule = 4
"""


def describe_rules(board: Board) -> FairyRules:
    """The rules on a board of this size. `promotionRank` is the region's name in version 11."""
    name = f"heian{board.ranks}x{board.files}"
    far = " ".join(f"*{board.ranks - at}" for at in range(3))
    start = write_fen(start_board(f"{board.ranks}x{board.files}"))
    text = _RULES.format(
        name=name, ranks=board.ranks, files=board.files, far=far, first_far=board.ranks - 2, start=start
    )
    return FairyRules(name, text)


def write_fen(board: Board) -> str:
    """Black, who moves first, is their White."""
    rows, side, _, number = write_sfen(board).split()
    return f"{rows}[] {'w' if side == 'b' else 'b'} 0 {number}"


def write_move(board: Board, move: int) -> str:
    """Files run from the left as letters, ranks from the bottom."""
    names = [
        f"{'abcdefghi'[at % board.files]}{board.ranks - at // board.files}" for at in (move >> 7 & 127, move & 127)
    ]
    return "".join(names) + ("+" if move & PROMOTED else "")


def read_move(board: Board, text: str, legal: list[int]) -> int:
    """The legal move that is written so. Raises BadMove."""
    for move in legal:
        if write_move(board, move) == text:
            return move
    raise BadMove(f"not a legal move: {quote(text)}", write_fen(board))
