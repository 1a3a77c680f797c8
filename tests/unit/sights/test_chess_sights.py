"""What a chess board shows of each move, against python-chess and against positions that are easy to see through."""

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Player, Query, Setup
from hitonami.games.chess import Chess, ChessPosition
from hitonami.sights import Sights, look, sights_of

CHESS = Chess()


@pytest.fixture(scope="module")
def sights() -> Sights:
    found = sights_of("chess")
    assert found is not None
    return found


def position_of(fen: str, *moves: str) -> ChessPosition:
    position = CHESS.start(Setup(start=fen))
    for text in moves:
        position = position.play(CHESS.parse(position, text))
    return position


def shown_of(sights: Sights, position: ChessPosition) -> dict[str, dict[str, float]]:
    """{UCI: {column: value}} of all legal moves."""
    rows = sights.show([position], position.legal.astype(np.int64), np.array([0, len(position.legal)]))
    return {
        CHESS.format(position, int(move)): dict(zip(sights.columns, row.tolist(), strict=True))
        for move, row in zip(position.legal, rows, strict=True)
    }


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
def test_what_python_chess_sees_is_seen(seed: int, plies: int) -> None:
    sights = sights_of("chess")
    assert sights is not None
    position = random_position(seed, plies)
    board = chess.Board(CHESS.write(position))
    for text, shown in shown_of(sights, position).items():
        move = chess.Move.from_uci(text)
        piece = board.piece_type_at(move.from_square)
        assert shown[["pawn", "knight", "bishop", "rook", "queen", "king"][(piece or 1) - 1]] == 1
        assert bool(shown["takes_any"]) == (board.is_capture(move) or bool(move.promotion))
        assert bool(shown["castles"]) == board.is_castling(move)
        assert bool(shown["check"]) == board.gives_check(move)
        assert bool(shown["pinned"]) == (piece != chess.KING and board.is_pinned(board.turn, move.from_square))
        mover, target = board.turn, move.to_square
        board.push(move)
        assert bool(shown["mate"]) == board.is_checkmate()
        assert round(4 * shown["guards"]) == len(board.attackers(mover, target))
        assert round(4 * shown["attackers"]) == len(board.attackers(not mover, target))
        board.pop()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 120))
def test_colours_exchanged_change_nothing(seed: int, plies: int) -> None:
    sights = sights_of("chess")
    assert sights is not None
    board = chess.Board(CHESS.write(random_position(seed, plies)))
    own, other = (shown_of(sights, position_of(each.fen())) for each in (board, board.mirror()))
    for move in board.legal_moves:
        turned = chess.Move(
            chess.square_mirror(move.from_square), chess.square_mirror(move.to_square), move.promotion
        ).uci()
        for name, value in own[move.uci()].items():
            assert other[turned][name] == pytest.approx(value), (move, name)


def test_exchanges_and_what_is_left_hanging(sights: Sights) -> None:
    shown = shown_of(sights, position_of("4k3/8/3p4/4p3/8/5N2/R7/4K2b w - - 0 1"))
    assert shown["f3e5"]["exchange"] * 3 == pytest.approx(1 - 3)  # a pawn for a knight: the other pawn guards
    assert shown["f3e5"]["retaken"] * 3 == pytest.approx(3)
    assert shown["f3e5"]["pawn_attacks"] == 1
    assert shown["e1f2"]["source_loose"] == 0
    assert shown["a2a4"]["others_loose_before"] * 3 == pytest.approx(3)  # the bishop attacks the knight
    assert shown["e1f2"]["others_loose"] == 0  # now the king guards it
    assert shown["f3d4"]["prey_of_mover"] == 0


def test_moves_before_are_remembered(sights: Sights) -> None:
    start = "4k3/8/8/3p4/4P3/8/8/R3K2R w - - 0 1"
    shown = shown_of(sights, position_of(start, "a1a2", "d5e4"))
    assert shown["a2a1"]["goes_back"] == 1
    assert shown["a2a1"]["moved_last"] == 1
    assert shown["h1h2"]["moved_last"] == 0
    taken_back = shown_of(sights, position_of("4k3/8/8/3p4/4P3/3P4/8/4K3 w - - 0 1", "e1e2", "d5e4"))["d3e4"]
    assert taken_back["takes_back"] == taken_back["takes_mover"] == 1
    again = shown_of(
        sights, position_of("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a2", "e8e7", "a2a1", "e7e8", "a1a2", "e8e7")
    )
    assert again["a2a1"]["repeats"] == 1
    assert again["a2a3"]["repeats"] == 0


def test_mates_in_one_and_two_and_threats_of_one(sights: Sights) -> None:
    shown = shown_of(sights, position_of("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"))
    assert shown["a1a8"]["mate"] == 1
    assert shown["h2h3"]["threatens_mate"] == 1
    assert shown["a1c1"]["threatens_mate"] == 1
    ladder = shown_of(sights, position_of("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1"))
    assert ladder["a2a7"]["threatens_mate"] == 1
    smothered = shown_of(sights, position_of("r6k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1"))
    assert smothered["b3g8"]["mate_in_two"] == 1
    assert smothered["h6f7"]["mate_in_two"] == 0


def test_a_mate_is_looked_at_whatever_the_base_thinks(sights: Sights) -> None:
    position = position_of("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    query = Query(position, Player(1500.0, "lichess"))
    names = [CHESS.format(position, int(move)) for move in position.legal]
    probs = np.full(len(names), 1e-6)
    probs[names.index("g1f1")] = 1 - probs.sum()
    looked = look(sights, [query], [np.log(probs).astype(np.float32)])
    assert [names[at] for at in looked.places] == ["g1f1", "a1a8"]
