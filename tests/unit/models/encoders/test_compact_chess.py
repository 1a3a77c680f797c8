"""Our own chess input, square by square."""

import chess
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Player, Query, walk_back
from hitonami.games.chess import Chess, ChessPosition
from hitonami.models.encoders.compact_chess import CompactChess

CHESS = Chess()
EN_PASSANT = 96


def play(start: str, moves: str) -> ChessPosition:
    position = CHESS.read(start)
    for move in moves.split():
        position = position.play(CHESS.parse(position, move))
    return position


@settings(max_examples=15)
@given(seed=st.integers(0, 2**32 - 1), plies=st.integers(0, 60))
def test_planes_hold_the_pieces_of_eight_positions(seed: int, plies: int) -> None:
    rng = np.random.default_rng(seed)
    position = CHESS.start()
    while len(position.legal) and position.ply < plies:
        position = position.play(int(rng.choice(position.legal)))
    planes = CompactChess().encode([Query(position)])["planes"][0]
    pasts = [past.board for past in walk_back(position)][:8]
    for age, board in enumerate(pasts):
        shown = board if position.to_move == 0 else board.mirror()
        for plane in range(12):
            squares = shown.pieces(plane % 6 + 1, plane < 6)
            assert set(np.flatnonzero(planes[12 * age + plane]).tolist()) == set(squares)
    assert not planes[12 * len(pasts) : 96].any(), "nothing stood before the start"


def test_a_bare_fen_has_one_position() -> None:
    planes = CompactChess().encode([Query(CHESS.read("4k3/P7/8/8/8/8/8/R3K3 b Q - 30 5"))])["planes"][0]
    assert planes[:12].sum() == 4
    assert not planes[12:].any()


def test_en_passant_is_shown_where_it_is_legal_alone() -> None:
    taken = play("4k3/8/8/8/5p2/8/4P3/4K3 w - - 0 1", "e2e4")
    pinned = play("5k2/8/8/8/5p2/8/4P3/K4R2 w - - 0 1", "e2e4")
    nobody = play("startpos", "e2e4")
    planes = CompactChess().encode([Query(each) for each in (taken, pinned, nobody)])["planes"]
    assert np.flatnonzero(planes[0, EN_PASSANT]).tolist() == [chess.square_mirror(chess.E3)]
    assert not planes[1:, EN_PASSANT].any()


def test_scalars_are_repetitions_castling_and_the_draw_clock() -> None:
    there_and_back = play("r3k2r/8/8/8/8/8/8/R3K3 b Qkq - 10 40", "a8b8 e1d1 b8a8 d1e1 a8b8 e1d1 b8a8 d1e1")
    scalars = CompactChess().encode([Query(there_and_back)])["scalars"][0]
    # Castling rights went with the first two moves, so the fifth makes a position that the first had not made.
    assert scalars[:8].tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert scalars[8:12].tolist() == [0, 1, 0, 0], "Black, to move, may still castle short; nobody else may castle"
    assert scalars[12] == np.float32(0.18)


def test_who_plays_comes_along() -> None:
    encoder = CompactChess(pools=("club", "online"), clock=True)
    inputs = encoder.encode([Query(CHESS.start(), Player(1900.0, "online"), Player(pool="club"))])
    assert inputs["pool"].tolist() == [2]
    assert inputs["player"].round(3).tolist() == [[np.float32(0.4).round(3), 1, 0, 0, 0, 0]]
