"""A board that knows where its men stand lists and plays as python-chess does, and takes everything back."""

import chess
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.games.chess import Chess
from hitonami.games.chess_rules.mailbox import is_attacked
from hitonami.games.chess_rules.men import add_quiet, begin, lay_out, list_captures, make, take_back, target_of, undo

CHESS = Chess()


def laid_out(board: chess.Board) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    position = CHESS.read(board.fen())
    sets = np.array(position.rules.bitboards(), dtype=np.uint64)
    squares, men, slot = np.empty(120, np.int8), np.zeros((2, 16), np.int64), np.zeros(120, np.int64)
    lay_out(sets, squares, men, slot)
    return squares, men, slot


def plain(square: int) -> int:
    return square % 10 - 1 + 8 * (square // 10 - 2)


def random_board(seed: int, plies: int) -> chess.Board:
    rng, board = np.random.default_rng(seed), chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            board.pop()
            break
        board.push(moves[int(rng.integers(len(moves)))])
    return board


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 150))
def test_listed_moves_are_python_chess_s(seed: int, plies: int) -> None:
    board = random_board(seed, plies)
    squares, men, slot = laid_out(board)
    side, own = (1, 0) if board.turn else (-1, 1)
    listed = np.zeros(256, np.int64)
    count = add_quiet(squares, men, side, listed, list_captures(squares, men, side, 0, listed))
    before = squares.copy(), men.copy()
    found = set()
    for move in listed[:count].tolist():
        taken, lost = make(squares, men, slot, side, move, 0)
        if not is_attacked(squares, men[own, 0], -side):
            found.add((plain(move & 127), plain(target_of(move)), (move >> 14 & 7) or None))
        take_back(squares, men, slot, side, move, taken, lost)
        assert np.array_equal(squares, before[0])
        assert np.array_equal(men, before[1])
    meant = {
        (move.from_square, move.to_square, move.promotion)
        for move in board.legal_moves
        if not board.is_castling(move) and not board.is_en_passant(move) and move.promotion in (None, chess.QUEEN)
    }
    assert found == meant


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 150))
def test_every_legal_move_is_played_and_taken_back(seed: int, plies: int) -> None:
    board = random_board(seed, plies)
    squares, men, slot = laid_out(board)
    side = 1 if board.turn else -1
    passed = 0 if board.ep_square is None else 21 + board.ep_square % 8 + 10 * (board.ep_square // 8)
    before = squares.copy(), men.copy()
    for move in board.legal_moves:
        given_id = move.from_square + 64 * move.to_square + 4096 * (move.promotion or 0)
        packed, taken, lost, rook_from, rook_to = begin(squares, men, slot, side, given_id, passed)
        board.push(move)
        then, men_then, _ = laid_out(board)
        assert np.array_equal(squares, then)
        assert [sorted(set(row) - {0}) for row in men.tolist()] == [sorted(set(row) - {0}) for row in men_then.tolist()]
        board.pop()
        undo(squares, men, slot, side, packed, taken, lost, rook_from, rook_to)
        assert np.array_equal(squares, before[0])
        assert np.array_equal(men, before[1])
