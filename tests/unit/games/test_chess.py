"""Chess: setups, FEN, notation, draws, history."""

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Claims, Setup
from hitonami.errors import BadMove, BadPosition, BadSetup
from hitonami.games.chess import Chess, ChessPosition
from hitonami.games.chess_rules.rules import id_of

CHESS = Chess()
GOLDEN = Path(__file__).parents[2] / "golden" / "chess" / "draws.txt"


def play(position: ChessPosition, moves: str) -> ChessPosition:
    for text in moves.split():
        position = position.play(CHESS.parse(position, text))
    return position


@st.composite
def positions(draw: st.DrawFn) -> ChessPosition:
    """Positions of random games from the examples."""
    position = CHESS.start(draw(st.sampled_from(CHESS.examples)))
    for choice in draw(st.lists(st.integers(0, 999), max_size=60)):
        if not len(position.legal):
            break
        position = position.play(int(position.legal[choice % len(position.legal)]))
    return position


@st.composite
def boards(draw: st.DrawFn) -> str:
    """FEN of pieces strewn about, mostly not a legal position."""
    board = chess.Board(None)
    squares = draw(st.permutations(chess.SQUARES))
    board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
    for square in squares[2 : 2 + draw(st.integers(0, 30))]:
        kind = draw(st.sampled_from([chess.PAWN, *chess.PIECE_TYPES[:5]]))
        if kind != chess.PAWN or chess.square_rank(square) not in (0, 7):
            board.set_piece_at(square, chess.Piece(kind, draw(st.booleans())))
    castling = draw(st.sampled_from(["-", "KQkq", "Kq", "HAha"]))
    en_passant = draw(st.sampled_from(["-", "e3", "d6", "a6", "h3"]))
    clocks = f"{draw(st.integers(0, 160))} {draw(st.integers(1, 300))}"
    return f"{board.board_fen()} {draw(st.sampled_from('wb'))} {castling} {en_passant} {clocks}"


def read_draws() -> list[tuple[str, ...]]:
    lines = GOLDEN.read_text().splitlines()
    return [tuple(part.strip() for part in line.split("|")) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("fen", "moves", "repeats", "claim", "ending"), read_draws())
def test_draws(fen: str, moves: str, repeats: str, claim: str, ending: str) -> None:
    position = play(CHESS.read(fen), moves)
    assert position.repeats == int(repeats)
    assert position.ending == (None if ending == "-" else ending)
    assert CHESS.claims(position) == Claims(draw=None if claim == "-" else claim)


class TestSetups:
    @pytest.mark.parametrize(
        "setup",
        [Setup(size=8), Setup(komi=0.5), Setup(handicap=1), Setup(rules="area"), Setup(variant="atomic")],
    )
    def test_what_chess_does_not_have_is_refused(self, setup: Setup) -> None:
        with pytest.raises(BadSetup):
            CHESS.start(setup)

    @pytest.mark.parametrize(
        "fen",
        [
            "nonsense",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",
            "4k3/8/8/8/8/8/8/P3K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
            "4k3/8/8/8/8/8/8/4R1K1 w - - 0 1",
            "4k4/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
            "4k3/8/8/8/8/PPPPPPPP/PPPPPPPP/4K3 w - - 0 1",
        ],
    )
    def test_a_bad_position_is_refused(self, fen: str) -> None:
        with pytest.raises(BadPosition):
            CHESS.read(fen)

    def test_castling_rights_that_only_chess960_has_make_it_chess960(self) -> None:
        position = CHESS.read("1k6/8/8/8/8/8/8/RK2R3 w EA - 0 1")
        assert position.setup.variant == "chess960"
        assert CHESS.parse(position, "b1e1") == CHESS.parse(position, "O-O") == 1 | 4 << 6


class TestFen:
    @given(positions())
    def test_reading_what_is_written_gives_the_same_position(self, position: ChessPosition) -> None:
        again = CHESS.start(Setup(start=CHESS.write(position), variant=position.setup.variant))
        assert (again.key, CHESS.write(again)) == (position.key, CHESS.write(position))

    @settings(max_examples=150)
    @given(boards(), st.booleans())
    def test_constructed_positions_agree_with_python_chess(self, fen: str, chess960: bool) -> None:
        try:
            position = CHESS.start(Setup(start=fen, variant="chess960" if chess960 else ""))
        except BadPosition:
            return
        board = chess.Board(fen, chess960=chess960)
        if board.status() & chess.STATUS_INVALID_EP_SQUARE:
            board.ep_square = None
        moves = sorted(id_of(move) for move in board.legal_moves)
        over = board.is_game_over(claim_draw=False)
        assert position.legal.tolist() == ([] if over else moves)
        assert (position.ending is not None) == over
        for move in position.legal.tolist()[:8]:
            after = board.copy()
            after.push(chess.Move(move & 63, move >> 6 & 63, move >> 12 or None))
            assert CHESS.write(position.play(move)) == after.fen(en_passant="legal")

    @settings(max_examples=300)
    @given(st.data())
    def test_damaged_fen_is_read_or_refused(self, data: st.DataObject) -> None:
        text = CHESS.write(data.draw(positions()))
        for _ in range(data.draw(st.integers(1, 3))):
            at = data.draw(st.integers(0, len(text)))
            text = text[:at] + data.draw(st.text("pnbrqkPNBRQK18/ wb-ae36", max_size=2)) + text[at + 1 :]
        try:
            position = CHESS.read(text)
        except BadPosition:
            return
        assert CHESS.read(CHESS.write(position)).key == position.key

    @settings(max_examples=200)
    @given(st.text(max_size=60))
    def test_any_text_is_read_or_refused(self, text: str) -> None:
        try:
            position = CHESS.read(text)
        except BadPosition:
            return
        assert position.ply == 0


class TestMoves:
    @given(positions())
    def test_parse_is_the_inverse_of_format_and_describe(self, position: ChessPosition) -> None:
        legal = position.legal.tolist()
        assert all(a < b for a, b in pairwise(legal))
        for move in legal:
            assert CHESS.parse(position, CHESS.format(position, move)) == move
            assert CHESS.parse(position, CHESS.describe(position, move)) == move

    @given(positions(), st.integers(-(2**40), 2**40))
    def test_an_id_that_is_not_legal_is_refused(self, position: ChessPosition, move: int) -> None:
        if move not in position.legal.tolist():
            with pytest.raises(BadMove):
                position.play(move)
            with pytest.raises(BadMove):
                CHESS.format(position, move)

    @pytest.mark.parametrize("text", ["", "e2e5", "e7e5", "Nd2", "0000", "e2e4q", "O-O", "Z0"])
    def test_other_text_is_refused(self, text: str) -> None:
        with pytest.raises(BadMove):
            CHESS.parse(CHESS.start(), text)

    @given(st.text(max_size=8))
    def test_any_text_is_a_move_or_refused(self, text: str) -> None:
        position = CHESS.start()
        try:
            move = CHESS.parse(position, text)
        except BadMove:
            return
        assert move in position.legal


class TestLongGames:
    def test_move_numbers_go_on_past_a_byte(self) -> None:
        position = play(CHESS.read("4k3/8/8/8/8/8/P7/R3K3 b - - 12 254"), "e8e7 e1e2 e7e8 e2e1 e8e7")
        assert CHESS.write(position).endswith("w - - 17 257")

    @pytest.mark.parametrize(("last", "clock"), [("g8h8", 256), ("a7a6", 0), ("g8g2", 0)])
    def test_the_clock_goes_on_past_a_byte_where_people_played_on(self, last: str, clock: int) -> None:
        position = CHESS.read("k6r/p7/8/8/8/8/6P1/K6R w - - 0 1")
        shuffle = ["h1g1", "h8g8", "g1h1", "g8h8"] * 64
        for text in [*shuffle[:255], last]:
            position = position.follow(id_of(chess.Move.from_uci(text)))
        assert position.rules.halfmove_clock == clock


class TestHistory:
    def test_bitboards_latest_first_with_the_repeat_flag(self) -> None:
        position = play(CHESS.start(), "g1f3 g8f6 f3g1 f6g8")
        blocks = np.frombuffer(position.history, np.uint64).reshape(5, 13)
        assert blocks[0, :12].tolist() == blocks[4, :12].tolist()
        assert blocks[:, 12].tolist() == [1, 0, 0, 0, 0]
        assert int(blocks[3, 1]) == chess.BB_B1 | chess.BB_F3

    def test_eight_positions_at_most(self) -> None:
        position = play(CHESS.start(), "g1f3 g8f6 f3g1 f6g8 " * 3)
        assert len(position.history) == 8 * 13 * 8

    def test_diagram(self) -> None:
        shown = CHESS.diagram(play(CHESS.start(), "e2e4"))
        assert (shown.rows[4][4].glyph, shown.rows[4][4].side) == ("♟", 0)
        assert shown.marked == {(4, 4), (6, 4)}
        assert shown.rows[0][4].side == 1


def test_a_shuffle_of_any_length_is_counted() -> None:
    position = Chess().start()
    moves = []
    for text in ("Nf3", "Nf6", "Ng1", "Ng8"):
        moves.append(position.game.parse(position, text))
        position = position.play(moves[-1])
    for _ in range(999):
        for move in moves:
            position = position.follow(move)
    assert position.repeats == 1000


def test_rules_that_a_thread_loaded_outlive_it() -> None:
    """In a process of its own: the library that it guards against ends the process."""
    code = """
import threading
from hitonami.core import open_game
for _ in range(10):
    thread = threading.Thread(target=lambda: len(open_game("chess").start().legal))
    thread.start()
    thread.join()
"""
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


@pytest.mark.parametrize("setup", Chess().examples)
def test_bitboards_carried_from_move_to_move_are_the_rules_own(setup: Setup) -> None:
    rng = np.random.default_rng(8)
    for _ in range(12):
        position = Chess().start(setup)
        for _ in range(90):
            if not len(position.legal):
                break
            assert position.key[:12] == position.rules.bitboards()
            assert position.history[:96] == np.array(position.rules.bitboards(), dtype=np.uint64).tobytes()
            position = position.play(int(rng.choice(position.legal)))
