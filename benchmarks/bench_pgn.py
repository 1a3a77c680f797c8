"""PGN: bytes to checked Records, against python-chess's `read_game` on the same text, on one core.

The text is the first documents of real files where the shared data is at hand (HITONAMI_SHARED, or ../shared
beside the repository), else games of random moves that prefer captures and checks, which look enough like
games for their text to be of the usual length.
"""

import io
import lzma
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import chess
import chess.pgn

from _measure import Row, ratio_of, show
from hitonami.core import Player, Setup
from hitonami.games.chess_rules.rules import id_of
from hitonami.records import Document, Record
from hitonami.records.pgn import Pgn

_PGN = Pgn()
_SHARED = Path(os.environ.get("HITONAMI_SHARED", Path(__file__).parents[2] / "shared"))
_FILES = {
    "over the board": "twic_otb.pgn.xz",
    "online": "lichess_kaggle.pgn.xz",
    "online, clocks": "players/*_clk.pgn.xz",
}
_REFERENCE_GAMES = 100


def sensible_games(count: int, seed: int) -> Iterator[Record]:
    """Games of random moves, captures and checks four times as likely as others, up to 120 plies."""
    rng = random.Random(seed)
    for number in range(count):
        board = chess.Board()
        moves: list[int] = []
        while len(moves) < 120 and (legal := list(board.legal_moves)):
            weights = [4 if board.is_capture(move) or board.gives_check(move) else 1 for move in legal]
            (move,) = rng.choices(legal, weights)
            moves.append(id_of(move))
            board.push(move)
        players = (Player(1500.0 + number, "lichess", "first"), Player(1500.0 - number, "lichess", "second"))
        clocks = tuple(300.0 - ply for ply in range(len(moves)))
        yield Record(
            "chess", Setup(), tuple(moves), players, score=0.5, time_control="300+3", date="2026-11-15", clocks=clocks
        )


def sample_documents() -> Iterator[tuple[str, Document]]:
    """One document of each kind, with its name."""
    text = "".join(map(_PGN.write, sensible_games(400, seed=1))).encode()
    yield "made games with clocks", Document("made", 0, text)
    for name, pattern in _FILES.items():
        for path in sorted((_SHARED / "data" / "chess").glob(pattern))[-1:]:
            with lzma.open(path) as stream:
                yield name, next(_PGN.documents(name, cast("BinaryIO", stream)))


def read_ours(document: Document) -> int:
    return sum(isinstance(found, Record) for found in _PGN.read(document))


def read_python_chess(text: str) -> int:
    stream = io.StringIO(text)
    games = 0
    while games < _REFERENCE_GAMES and chess.pgn.read_game(stream) is not None:
        games += 1
    return games


def compare(name: str, document: Document) -> Row:
    text = document.data.decode(errors="replace")
    return ratio_of(
        f"PGN to Records, games/s: {name} / chess.pgn.read_game",
        lambda: read_ours(document),
        lambda: read_python_chess(text),
        at_least=8,
    )


def run() -> list[Row]:
    return [compare(name, document) for name, document in sample_documents()]


if __name__ == "__main__":
    show(run())
