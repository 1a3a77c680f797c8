"""What a shogi board shows of each move, against cshogi and on boards that are easy to see through."""

import cshogi
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Setup, open_game
from hitonami.games.shogi import ShogiPosition
from hitonami.sights import Sights, sights_of

SHOGI = open_game("shogi")
KINDS = ("pawn", "lance", "knight", "silver", "bishop", "rook", "gold", "king")


@pytest.fixture(scope="module")
def sights() -> Sights:
    return open_sights()


def open_sights() -> Sights:
    found = sights_of("shogi")
    assert found is not None
    return found


def position_of(sfen: str, *moves: str) -> ShogiPosition:
    position = SHOGI.start(Setup(start=sfen)) if sfen else SHOGI.start()
    for text in moves:
        position = position.play(SHOGI.parse(position, text))
    assert isinstance(position, ShogiPosition)
    return position


def shown_of(sights: Sights, position: ShogiPosition) -> dict[str, dict[str, float]]:
    """{USI: {column: value}} of all legal moves."""
    rows = sights.show([position], position.legal.astype(np.int64), np.array([0, len(position.legal)]))
    return {
        SHOGI.format(position, int(move)): dict(zip(sights.columns, row.tolist(), strict=True))
        for move, row in zip(position.legal, rows, strict=True)
    }


def random_position(seed: int, plies: int) -> ShogiPosition:
    rng, position = np.random.default_rng(seed), SHOGI.start()
    for _ in range(plies):
        then = position.play(int(rng.choice(position.legal)))
        if not len(then.legal):
            break
        position = then
    assert isinstance(position, ShogiPosition)
    return position


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 150))
def test_what_cshogi_sees_is_seen(seed: int, plies: int) -> None:
    position = random_position(seed, plies)
    board = cshogi.Board(position.sfen)
    for text, shown in shown_of(open_sights(), position).items():
        move = board.move_from_usi(text)
        kind = cshogi.move_from_piece_type(move) if not cshogi.move_is_drop(move) else cshogi.move_drop_hand_piece(move)
        if not cshogi.move_is_drop(move):
            assert shown[KINDS[(kind if kind <= 8 else kind - 8) - 1]] == 1
        assert bool(shown["drops"]) == cshogi.move_is_drop(move)
        assert bool(shown["promotes"]) == cshogi.move_is_promotion(move)
        assert bool(shown["takes_any"]) == (not shown["drops"] and board.pieces[cshogi.move_to(move)] != 0)
        board.push(move)
        assert bool(shown["check"]) == board.is_check()
        assert bool(shown["mate"]) == (board.is_check() and len(board.legal_moves) == 0)
        board.pop()


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 150))
def test_sides_exchanged_change_nothing(seed: int, plies: int) -> None:
    sights, position = open_sights(), random_position(seed, plies)
    plain = position_of(position.sfen)
    turned = position_of(turn_round(position.sfen))
    own = sights.show([plain], plain.legal.astype(np.int64), np.array([0, len(plain.legal)]))
    moves = np.array([turn_move(move) for move in plain.legal.tolist()])
    other = sights.show([turned], moves, np.array([0, len(moves)]))
    assert other == pytest.approx(own, abs=1e-6)


def turn_round(sfen: str) -> str:
    board, turn, hands, number = sfen.split()
    rows: list[str] = []
    for row in board.split("/"):
        cells: list[str] = []
        for letter in row:
            cells = [*cells[:-1], cells[-1] + letter] if cells and cells[-1] == "+" else [*cells, letter]
        rows.insert(0, "".join(reversed(cells)).swapcase())
    return f"{'/'.join(rows)} {'w' if turn == 'b' else 'b'} {hands.swapcase()} {number}"


def turn_move(move: int) -> int:
    target, source = move & 127, move >> 7 & 127
    return 80 - target | (80 - source if source < 81 else source) << 7 | move & 1 << 14


def test_mates_are_looked_at_and_threats_are_seen(sights: Sights) -> None:
    position = position_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")
    legal = position.legal.astype(np.int64)
    struck = sights.strike([position], legal, np.array([0, len(legal)]))
    assert [SHOGI.format(position, int(move)) for move in legal[struck]] == ["G*5b"]
    shown = shown_of(sights, position)
    assert shown["G*5b"]["mate"] == 1
    assert shown["5i5h"]["threatens_mate"] == 1
    assert shown["G*1e"]["threatens_mate"] == 0
    defended = shown_of(sights, position_of("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "5i5h"))
    assert all(each["mate_threatened"] == 1 for each in defended.values())
    assert defended["5a4a"]["is_mated"] == 0


def test_exchanges_and_what_is_left_hanging(sights: Sights) -> None:
    shown = shown_of(sights, position_of("4k4/9/9/4p4/4s4/9/4R4/9/4K4 b - 1"))
    assert shown["5g5e"]["exchange"] * 5 == pytest.approx(5 - 10)  # a silver for a rook: the pawn guards
    assert shown["5g5e"]["retaken"] * 5 == pytest.approx(10)
    assert shown["5g4g"]["prey_before"] == 0
    free = shown_of(sights, position_of("4k4/9/9/9/4s4/9/4R4/9/4K4 b - 1"))
    assert free["5g5e"]["exchange"] * 5 == pytest.approx(5)
    assert free["5i4i"]["prey"] * 5 == pytest.approx(5)
    assert free["5g4g"]["prey"] == 0


def test_moves_before_are_remembered(sights: Sights) -> None:
    shown = shown_of(sights, position_of("", "7g7f", "3c3d", "8h2b+"))
    assert shown["3a2b"]["takes_back"] == shown["3a2b"]["takes_mover"] == 1
    assert shown["8b2b"]["takes_back"] == 1
    back = shown_of(sights, position_of("", "2h3h", "8b7b", "3h2h", "7b8b", "2h3h", "8b7b"))
    assert back["3h2h"]["goes_back"] == back["3h2h"]["moved_last"] == back["3h2h"]["repeats"] == 1
    assert back["3h4h"]["repeats"] == 0
