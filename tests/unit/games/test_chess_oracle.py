"""Chess against published move counts, python-chess and Stockfish."""

import random
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import chess
import pytest

from hitonami.core import Setup
from hitonami.games.chess import Chess, ChessPosition
from hitonami.games.chess_rules.rules import id_of

CHESS = Chess()
GOLDEN = Path(__file__).parents[2] / "golden" / "chess" / "perft.txt"
STARTS = (
    *CHESS.examples,
    Setup(),
    Setup(start="r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    Setup(start="8/8/8/4k3/8/4K3/8/6R1 w - - 90 100"),
    Setup(start="4k3/8/8/8/8/8/8/3QK2B w - - 0 1"),
    Setup(start="k7/8/3B4/8/8/4b3/8/K7 w - - 0 1"),
    Setup(start="8/2p1p3/8/1P1P1P2/8/k7/8/K7 b - - 0 1"),
)
ENDINGS = {
    chess.Termination.CHECKMATE: "checkmate",
    chess.Termination.STALEMATE: "stalemate",
    chess.Termination.INSUFFICIENT_MATERIAL: "insufficient material",
    chess.Termination.SEVENTYFIVE_MOVES: "75-move rule",
    chess.Termination.FIVEFOLD_REPETITION: "fivefold repetition",
}
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
START_960 = (
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    "rkrbbnnq/pppppppp/8/8/8/8/PPPPPPPP/RKRBBNNQ w KQkq - 0 1",
    "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
    "rbbqn1kr/pp2p1pp/6n1/2pp1p2/2P4P/P7/BP1PPPP1/R1BQNNKR w HAha - 0 9",
    "1r1k1r2/8/8/8/8/8/8/1R1K1R2 b BFbf - 0 1",
    "rk2r3/8/8/8/8/8/8/RK2R3 w EAea - 0 1",
)


def read_perft() -> list[tuple[str, list[int]]]:
    rows = [line.split(" | ") for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    return [(fen, [int(count) for count in counts.split()]) for counts, fen in rows]


def count_leaves(position: ChessPosition, depth: int) -> int:
    if depth == 1:
        return len(position.legal)
    return sum(count_leaves(position.play(move), depth - 1) for move in position.legal.tolist())


@pytest.mark.parametrize(("fen", "counts"), read_perft())
def test_perft(fen: str, counts: list[int]) -> None:
    position = CHESS.read(fen)
    for depth, count in enumerate(counts, start=1):
        assert count_leaves(position, depth) == count


def compare(position: ChessPosition, board: chess.Board) -> None:
    """Assert that python-chess's `board`, with all its history, sees the same."""
    assert CHESS.write(position) == board.fen(en_passant="legal")
    outcome = board.outcome(claim_draw=False)
    if outcome is not None:
        assert (position.ending, position.score) == (ENDINGS[outcome.termination], SCORES[outcome.result()])
        assert not len(position.legal)
        return
    assert (position.ending, position.score) == (None, None)
    assert position.legal.tolist() == sorted(id_of(move) for move in board.legal_moves)
    claimable = board.is_repetition(3) or board.halfmove_clock >= 100
    assert (CHESS.claims(position).draw is not None) == claimable


def choose(position: ChessPosition, rng: random.Random, stubbornness: float) -> int:
    """A random move, often the last one taken back: random play alone hardly ever repeats."""
    legal: list[int] = position.legal.tolist()
    own_last = position.before.last_move if position.before is not None else None
    if own_last is not None and rng.random() < stubbornness:
        back = own_last >> 6 & 63 | (own_last & 63) << 6
        if back in legal:
            return back
    return rng.choice(legal)


@pytest.mark.parametrize("games", [150, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_games_agree_with_python_chess(games: int) -> None:
    rng, endings = random.Random(games), Counter[str | None]()
    for number in range(games):
        setup = STARTS[number % len(STARTS)]
        position = CHESS.start(setup)
        board = chess.Board(setup.start or chess.STARTING_FEN, chess960=setup.variant == "chess960")
        stubbornness = 0.95 * rng.random()
        compare(position, board)
        while position.ending is None and position.ply < 250:
            move = choose(position, rng, stubbornness)
            board.push(chess.Move(move & 63, move >> 6 & 63, move >> 12 or None))
            position = position.play(move)
            compare(position, board)
        endings[position.ending] += 1
    assert {"checkmate", "insufficient material", "75-move rule", "fivefold repetition"} <= set(endings)


def stockfish_perft(program: str, fen: str, depth: int) -> dict[str, int]:
    """Leaves under each move of a Chess960 position."""
    commands = f"setoption name UCI_Chess960 value true\nposition fen {fen}\ngo perft {depth}\nquit\n"
    done = subprocess.run([program], input=commands, capture_output=True, text=True, check=True, timeout=120)
    pairs = [line.split(": ") for line in done.stdout.splitlines() if ": " in line and line[0] in "abcdefgh"]
    return {move: int(count) for move, count in pairs}


@pytest.mark.parametrize("fen", START_960)
def test_chess960_agrees_with_stockfish(need_program: Callable[[str], str], fen: str) -> None:
    position = CHESS.start(Setup(start=fen, variant="chess960"))
    ours = {CHESS.format(position, move): count_leaves(position.play(move), 2) for move in position.legal.tolist()}
    assert ours == stockfish_perft(need_program("stockfish"), fen, 3)
