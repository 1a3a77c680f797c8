"""Three plies of counting against an independent count on python-chess's board."""

from collections.abc import Callable, Iterator, Mapping

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Setup
from hitonami.games.chess import Chess, ChessPosition
from hitonami.sights._chess_count import DEEPEST, MATE
from hitonami.sights.chess import count_moves

CHESS = Chess()
SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
WORTH = {chess.PAWN: 100, chess.KNIGHT: 310, chess.BISHOP: 325, chess.ROOK: 500, chess.QUEEN: 950, chess.KING: 20_000}


def position_of(fen: str) -> ChessPosition:
    return CHESS.start(Setup(start=fen))


def seen_of(position: ChessPosition) -> dict[str, list[int]]:
    """{UCI: what is won in hundredths, check}, of all legal moves, from the kernel."""
    raw = count_moves([position], position.legal.astype(np.int64), np.array([0, len(position.legal)]))
    return {CHESS.format(position, int(move)): row.tolist() for move, row in zip(position.legal, raw, strict=True)}


# The reference: the same rules, written over python-chess, without bounds and without kernels.
def balance(board: chess.Board) -> int:
    sides = [sum(WORTH[piece.piece_type] for piece in board.piece_map().values() if piece.color == c) for c in (1, 0)]
    return (sides[0] - sides[1]) * (1 if board.turn else -1)


def wins(board: chess.Board, move: chess.Move) -> int:
    if board.is_en_passant(move):
        return 100
    taken = board.piece_type_at(move.to_square)
    return (WORTH[taken] if taken else 0) + (WORTH[move.promotion] - 100 if move.promotion else 0)


def pseudo(board: chess.Board, *, en_passant: bool = False) -> Iterator[chess.Move]:
    for move in board.pseudo_legal_moves:
        if move.promotion in (None, chess.QUEEN) and not board.is_castling(move):
            yield from [] if board.is_en_passant(move) and not en_passant else [move]


def settled(board: chess.Board, level: int = 0) -> int | None:
    best = balance(board)
    if level == DEEPEST:
        return best
    for move in pseudo(board):
        gain = wins(board, move)
        if not gain:
            continue
        if board.piece_type_at(move.to_square) == chess.KING:
            return None  # the king can be taken: the move before was not legal
        guards = board.attackers(not board.turn, move.to_square) & board.pieces(chess.PAWN, not board.turn)
        if guards and WORTH[board.piece_type_at(move.from_square) or 0] > gain:
            continue
        board.push(move)
        then = settled(board, level + 1)
        board.pop()
        if then is not None:
            best = max(best, -then)
    return best


def safe_after(board: chess.Board, move: chess.Move) -> bool:
    board.push(move)
    safe = not board.was_into_check()
    board.pop()
    return safe


def after(board: chess.Board, move: chess.Move, count: Callable[[chess.Board], int | None]) -> int:
    board.push(move)
    value = count(board)
    assert value is not None
    value = -value
    board.pop()
    return value


def passed_over(board: chess.Board) -> int:
    board.push(chess.Move.null())
    value = settled(board)
    assert value is not None
    value = -value
    board.pop()
    return value


def answered(board: chess.Board) -> int:
    moves = [move for move in pseudo(board) if safe_after(board, move)]
    options = [after(board, move, settled) for move in moves]
    if not board.is_check():
        options.append(passed_over(board))
    return max(options, default=-MATE)


def is_calm(board: chess.Board) -> bool:
    """Would the other side win nothing by itself?"""
    board.push(chess.Move.null())
    calm = settled(board) == balance(board)
    board.pop()
    return calm


def attacks_any(board: chess.Board, square: chess.Square, side: chess.Color) -> bool:
    kind = board.piece_type_at(square) or 0
    prey = [target for target in board.attacks(square) if board.color_at(target) == (not side)]
    return any((board.piece_type_at(t) or 0) > kind or not board.attackers(not side, t) for t in prey)


def uncovers(board: chess.Board, left: chess.Square, side: chess.Color) -> bool:
    for target in chess.SQUARES:
        if board.color_at(target) != (not side):
            continue
        sliders = [each for each in board.attackers(side, target) if board.piece_type_at(each) in SLIDERS]
        if any(left in chess.SquareSet(chess.between(slider, target)) for slider in sliders):
            return True
    return False


def is_idle(board: chess.Board, move: chess.Move) -> bool:
    if wins(board, move):
        return False
    board.push(move)
    side, piece = not board.turn, board.piece_type_at(move.to_square)
    near = piece == chess.PAWN and chess.square_rank(move.to_square) == (6 if side else 1)
    idle = not near and not attacks_any(board, move.to_square, side) and not uncovers(board, move.from_square, side)
    board.pop()
    return idle


def replied(board: chess.Board) -> int:
    moves = [move for move in pseudo(board, en_passant=True) if safe_after(board, move)]
    if not moves:
        return -MATE if board.is_check() else 0
    calm = not board.is_check() and is_calm(board)
    idle = [move for move in moves if calm and is_idle(board, move)]
    values = [after(board, move, answered) for move in moves if move not in idle]
    return max([*values, after(board, chess.Move.null(), answered)] if idle else values)


def reference(board: chess.Board) -> dict[str, int]:
    before = balance(board)
    return {move.uci(): after(board, move, replied) - before for move in board.legal_moves}


def clipped(values: Mapping[str, int]) -> dict[str, int]:
    """What the search promises: exact down to the window below the best, and mate as good as won."""
    best = min(max(values.values()), 1000)
    return {move: max(value, best - 400) if value < 5000 else MATE for move, value in values.items()}


@pytest.mark.parametrize(
    "fen",
    [
        "8/2P5/8/k7/8/8/1K3p2/8 b - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 2",
        "6k1/5ppp/8/8/8/5n2/5PPP/3R2K1 w - - 0 1",
        "7k/8/6q1/8/8/8/5KN1/8 b - - 0 1",
        "8/8/3k4/2n1p3/3P4/2K5/5N2/8 w - - 0 1",
    ],
)
def test_equals_a_plain_count(fen: str) -> None:
    assert clipped({move: row[0] for move, row in seen_of(position_of(fen)).items()}) == clipped(
        reference(chess.Board(fen))
    )


@pytest.mark.slow
def test_equals_a_plain_count_with_rooks_and_knights() -> None:
    fen = "4r1k1/1p3pp1/5n2/8/8/2N2P2/1P4PP/3R2K1 w - - 0 1"
    seen = {move: row[0] for move, row in seen_of(position_of(fen)).items()}
    assert clipped(seen) == clipped(reference(chess.Board(fen)))


def random_position(seed: int, plies: int) -> ChessPosition:
    rng, position = np.random.default_rng(seed), CHESS.start()
    for _ in range(plies):
        then = position.play(int(rng.choice(position.legal)))
        if not len(then.legal):
            break
        position = then
    return position


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 120))
def test_colours_exchanged_change_nothing(seed: int, plies: int) -> None:
    position = random_position(seed, plies)
    board = chess.Board(CHESS.write(position))
    turned = position_of(board.mirror().fen())
    own, other = seen_of(position), seen_of(turned)
    mirrored = {
        chess.Move(
            chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion
        ).uci(): own[move.uci()]
        for move in board.legal_moves
    }
    assert {m: (clipped({k: v[0] for k, v in mirrored.items()})[m], v[1:]) for m, v in mirrored.items()} == {
        m: (clipped({k: v[0] for k, v in other.items()})[m], v[1:]) for m, v in other.items()
    }


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 120))
def test_checks_and_mates_are_seen(seed: int, plies: int) -> None:
    position = random_position(seed, plies)
    board = chess.Board(CHESS.write(position))
    for text, (won, check) in seen_of(position).items():
        move = chess.Move.from_uci(text)
        assert bool(check) == board.gives_check(move)
        board.push(move)
        assert (won > 5000) == board.is_checkmate()
        board.pop()
