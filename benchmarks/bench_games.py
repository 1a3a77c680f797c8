"""The rules of small board games against OpenSpiel's, heian shogi's against pyffish: random games, all moves listed."""

import random
from collections.abc import Callable
from time import process_time
from typing import Any

import pyffish
import pyspiel

from _measure import Row, ratio_of, show
from hitonami.core import Setup, open_game

_GAMES = {
    "othello": ("othello", 0, 30),
    "connect-four": ("connect_four", 0, 100),
    "gomoku": ("gomoku", 15, 10),
    "hex": ("hex", 11, 20),
    "breakthrough": ("breakthrough", 8, 30),
}


def _ours(name: str, size: int, games: int) -> Callable[[], int]:
    game = open_game(name)

    def play() -> int:
        rng, plies = random.Random(7), 0
        for _ in range(games):
            position = game.start(Setup(size=size))
            while len(legal := position.legal):
                position = position.play(legal[int(rng.random() * len(legal))])
            plies += position.ply
        return plies

    return play


def _theirs(name: str, games: int) -> Callable[[], int]:
    game: Any = pyspiel.load_game(name)

    def play() -> int:
        rng, plies = random.Random(7), 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                plies += 1
        return plies

    return play


_HEIAN = """
[heian-bench:shogi]
pieceDrops = false
capturesToHand = false
promotedPieceType = p:g s:g n:g l:g
startFen = lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL[] w 0 1
"""
_HEIAN_PLIES = 40


def _heian() -> int:
    rng, position = random.Random(7), open_game("heian").start()
    while len(legal := position.legal) and position.ply < _HEIAN_PLIES:
        position = position.play(legal[int(rng.random() * len(legal))])
    return position.ply


def _pyffish() -> int:
    rng, moves = random.Random(7), list[str]()
    start = pyffish.start_fen("heian-bench")
    while len(moves) < _HEIAN_PLIES and (legal := pyffish.legal_moves("heian-bench", start, moves)):
        moves.append(legal[int(rng.random() * len(legal))])
    return len(moves)


def run() -> list[Row]:
    pyffish.load_variant_config(_HEIAN)
    heian = ratio_of("heian: play + legal moves, against pyffish", _heian, _pyffish, at_least=0.1, clock=process_time)
    small = [
        ratio_of(
            f"{name}: play + legal moves, against OpenSpiel",
            _ours(name, size, games),
            _theirs(theirs, games),
            at_least=0.5,
            rounds=15,
            clock=process_time,
        )
        for name, (theirs, size, games) in _GAMES.items()
    ]
    return [*small, heian]


if __name__ == "__main__":
    show(run())
