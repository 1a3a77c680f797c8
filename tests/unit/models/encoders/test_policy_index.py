"""The 1858-move table against what is known of it, apart from any library."""

from collections.abc import Iterator
from itertools import permutations

import chess
import numpy as np

from hitonami.games.chess import Chess
from hitonami.models.encoders._policy_index import HEAD_SIZE, ChessHead

CHESS = Chess()
HEAD = ChessHead()


def places(fen: str, variant: str = "") -> dict[str, int]:
    position = CHESS.read(fen)
    assert position.setup.variant == variant
    moves = [CHESS.format(position, int(move)) for move in position.legal]
    return dict(zip(moves, HEAD.head_index(position).tolist(), strict=True))


def lone(piece: str, square: int) -> Iterator[str]:
    """FEN of a piece of White's alone on the board with the two kings, which stand now here, now there."""
    for own, other in permutations((chess.A1, chess.H8, chess.H1, chess.A8, chess.E3), 2):
        board = chess.Board(None)
        pawn = chess.A5 if square != chess.A5 else chess.H5  # without it a knight could not win, and the game were over
        for at, symbol in ((own, "K"), (other, "k"), (pawn, "p" if piece == "N" else None), (square, piece)):
            board.set_piece_at(at, chess.Piece.from_symbol(symbol) if symbol else None)
        if board.is_valid():
            yield board.fen()


def test_every_place_is_some_move_of_a_queen_a_knight_or_a_pawn() -> None:
    fens = [fen for square in chess.SQUARES for piece in "QN" for fen in lone(piece, square)]
    for file in range(8):
        pawn = f"{file or ''}P{7 - file or ''}"
        fens += [f"{targets}/{pawn}/8/8/8/8/8/K6k w - - 0 1" for targets in ("n1n1n1n1", "1n1n1n1n")]
    seen = {place for index in HEAD.head_indices([CHESS.read(fen) for fen in fens]) for place in index.tolist()}
    assert seen == set(range(HEAD_SIZE))


def test_the_table_starts_at_a1b1_and_ends_at_h7h8b() -> None:
    assert places("8/7k/8/8/8/8/8/Q5K1 w - - 0 1")["a1b1"] == 0
    assert places("8/7P/8/8/8/8/8/K1k5 w - - 0 1")["h7h8b"] == HEAD_SIZE - 1


def test_chess960_castling_is_the_king_on_its_rook() -> None:
    white = places("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1", "chess960")
    black = places("rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 b EAea - 0 1", "chess960")
    plain = places("7k/8/8/8/8/8/7K/1Q6 w - - 0 1")
    assert white["b1e1"] == black["b8e8"] == plain["b1e1"]
    assert white["b1a1"] == black["b8a8"] == plain["b1a1"]


def test_in_chess960_a_king_on_e1_that_takes_its_rook_on_g1_is_not_taken_for_castling_to_g1() -> None:
    index = places("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "chess960")
    assert index["e1g1"] == places("3k4/8/8/8/8/8/8/4R2K w - - 0 1")["e1g1"]


def test_a_batch_of_both_colours_is_gathered_in_order() -> None:
    start = CHESS.start()
    after = start.play(CHESS.parse(start, "e2e4"))
    white, black = HEAD.head_indices([start, after])
    assert np.array_equal(np.sort(white), np.sort(black)), "the same twenty moves, seen from each side"
    assert len(white) == 20
