"""Fixtures for the PGN tests: readers for short texts, random boards, games made from them."""

import random
from collections.abc import Callable, Iterator

import chess
import pytest

from hitonami.core import Setup
from hitonami.games.chess import Chess
from hitonami.games.chess_rules.rules import id_of
from hitonami.records import Document, Record, Rejected
from hitonami.records.pgn import Pgn


@pytest.fixture(scope="session")
def read_pgn() -> Callable[[bytes], list[Record | Rejected]]:
    """Every game of the text."""
    return lambda data: list(Pgn().read(Document("test", 0, data)))


@pytest.fixture(scope="session")
def read_game(read_pgn: Callable[[bytes], list[Record | Rejected]]) -> Callable[[str], Record]:
    """The one good game of the text."""

    def read(text: str) -> Record:
        (found,) = read_pgn(text.encode())
        assert isinstance(found, Record), found
        return found

    return read


@pytest.fixture(scope="session")
def random_boards() -> Callable[[int, int], Iterator[chess.Board]]:
    """random_boards(count, seed): positions of chess and Chess960, and of endings full of pawns about to promote."""

    def play_out(count: int, seed: int) -> Iterator[chess.Board]:
        rng = random.Random(seed)
        for number in range(count):
            if number % 3 == 0:
                board = chess.Board()
            elif number % 3 == 1:
                board = chess.Board.from_chess960_pos(rng.randrange(960))
            else:
                board = chess.Board("r3k2r/1P4P1/8/2pP1pP1/1pP2Pp1/8/1p4p1/R3K2R w KQkq - 0 1")
            for _ in range(rng.randrange(1, 100)):
                moves = list(board.legal_moves)
                if not moves:
                    break
                board.push(rng.choice(moves))
            yield board

    return play_out


@pytest.fixture(scope="session")
def made_games(random_boards: Callable[[int, int], Iterator[chess.Board]]) -> Callable[[int], bytes]:
    """made_games(count): PGN of random games."""

    def write(count: int) -> bytes:
        texts = []
        for number, board in enumerate(random_boards(count, 9)):
            root = board.root().fen()
            setup = Setup() if root == chess.STARTING_FEN else Chess().read(root).setup
            moves = tuple(id_of(move) for move in board.move_stack)
            texts.append(Pgn().write(Record("chess", setup, moves, event=f"game {number}")))
        return "".join(texts).encode()

    return write
