"""What hangs on a board, square by square: the same as python-chess says, and exchanges that are known by heart."""

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hitonami.core import Query
from hitonami.games.chess import Chess, ChessPosition
from hitonami.models.encoders._chess_tactics import ATTACKS, CHECKS, LOSES, MATES, PINNED, PLANES, UNMASKS
from hitonami.models.encoders.lc0_rated import Lc0Rated
from hitonami.models.encoders.lc0_tactics import Lc0Tactics

CHESS = Chess()
Squares = set[int]


def tactics_of(position: ChessPosition) -> NDArray[np.uint8]:
    planes: NDArray[np.uint8] = Lc0Tactics().encode([Query(position)])["planes"][0]
    assert len(planes) == 112 + PLANES
    return planes[112:].reshape(PLANES, 64)


def seen_by_the_mover(position: ChessPosition) -> chess.Board:
    return position.board if position.to_move == 0 else position.board.mirror()


def marked(plane: NDArray[np.uint8]) -> Squares:
    return set(np.flatnonzero(plane).tolist())


def mates_in(board: chess.Board) -> tuple[Squares, Squares]:
    """Sources and targets; castling and taking in passing are not looked at."""
    sources, targets = set(), set()
    for move in board.legal_moves:
        if board.is_castling(move) or board.is_en_passant(move) or move.promotion not in (None, chess.QUEEN):
            continue
        board.push(move)
        if board.is_checkmate():
            sources.add(move.from_square)
            targets.add(move.to_square)
        board.pop()
    return sources, targets


def playout(seed: int, plies: int) -> ChessPosition:
    rng = np.random.default_rng(seed)
    position = CHESS.start()
    while position.ply < plies:
        after = position.play(int(rng.choice(position.legal)))
        if not len(after.legal):
            break
        position = after
    return position


@settings(max_examples=60)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 120))
def test_attacks_pins_and_mates_are_those_of_python_chess(seed: int, plies: int) -> None:
    position = playout(seed, plies)
    board, planes = seen_by_the_mover(position), tactics_of(position)
    for colour, first in ((chess.WHITE, ATTACKS), (chess.BLACK, ATTACKS + 7)):
        for kind in chess.PIECE_TYPES:
            wanted = {target for square in board.pieces(kind, colour) for target in board.attacks(square)}
            assert marked(planes[first + kind - 1]) == wanted
        assert planes[first + 6].tolist() == [len(board.attackers(colour, square)) for square in chess.SQUARES]
        pinned = {square for square in chess.SquareSet(board.occupied_co[colour]) if board.is_pinned(colour, square)}
        assert marked(planes[PINNED + (colour == chess.BLACK)]) == pinned - set(board.pieces(chess.KING, colour))
    assert (marked(planes[MATES]), marked(planes[MATES + 1])) == mates_in(board)
    if not board.is_check():
        board.turn = chess.BLACK
        board.ep_square = None
        assert (marked(planes[MATES + 2]), marked(planes[MATES + 3])) == mates_in(board)


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 60))
def test_the_other_planes_are_those_it_began_with(seed: int, plies: int) -> None:
    query = Query(playout(seed, plies))
    np.testing.assert_array_equal(Lc0Tactics().encode([query])["planes"][:, :112], Lc0Rated().encode([query])["planes"])


@pytest.mark.parametrize(
    ("fen", "square", "wins"),
    [
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", 1),  # nobody guards it
        ("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1", "d5", 0),  # pawns change places
        ("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", "d5", 2),  # a knight for a pawn
        ("4k3/8/2p5/3p4/8/8/3R4/3RK3 w - - 0 1", "d5", 0),  # two rooks behind each other do not help against a pawn
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d5", 1),  # they do against a rook
        ("8/8/4k3/3p4/3K4/8/8/8 w - - 0 1", "d5", 0),  # a king takes nothing that is guarded
    ],
)
def test_exchanges(fen: str, square: str, wins: int) -> None:
    planes = tactics_of(CHESS.read(fen))
    assert planes[LOSES + 1, chess.parse_square(square)] == wins


def test_checks_and_what_unmasks_them() -> None:
    planes = tactics_of(CHESS.read("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1"))
    assert marked(planes[UNMASKS]) == {chess.E4}
    assert marked(planes[CHECKS]) == {chess.C7, chess.D6, chess.F6, chess.G7}
    assert {chess.D8, chess.E7, chess.E5} <= marked(planes[CHECKS + 2])
    assert chess.E3 not in marked(planes[CHECKS + 2]), "the knight stands before it"
    assert marked(planes[CHECKS + 3]) == {chess.D7, chess.F7}
