"""Shogi: playing a move and listing the legal moves, against cshogi's own push and list.

Ours keeps every position as an immutable value with sorted move ids; cshogi changes one board in place.
Both replay the same random games.
"""

import random
from collections.abc import Sequence

import cshogi

from _measure import Row, ratio_of, show
from hitonami.games.shogi import Shogi

_GAMES = 20
_PLIES = 160


def random_games(count: int, plies: int, seed: int) -> list[list[int]]:
    """Games of random moves from the start, as cshogi's full moves."""
    rng = random.Random(seed)
    games = []
    for _ in range(count):
        board = cshogi.Board()
        while len(board.history) < plies and (moves := list(board.legal_moves)):
            board.push(rng.choice(moves))
        games.append(board.history)
    return games


def play_ours(games: Sequence[Sequence[int]]) -> int:
    shogi, done = Shogi(), 0
    for moves in games:
        position = shogi.start()
        for move in moves:
            done += len(position.legal) > 0
            position = position.play(move)
    return done


def play_cshogi(games: Sequence[Sequence[int]]) -> int:
    done = 0
    for moves in games:
        board = cshogi.Board()
        for move in moves:
            done += len(list(board.legal_moves)) > 0
            board.push(move)
    return done


def run() -> list[Row]:
    games = random_games(_GAMES, _PLIES, seed=1)
    ids = [[cshogi.move16(move) for move in moves] for moves in games]
    return [
        ratio_of(
            "shogi: play + legal moves / cshogi push + list",
            lambda: play_ours(ids),
            lambda: play_cshogi(games),
            at_least=0.1,
        )
    ]


if __name__ == "__main__":
    show(run())
