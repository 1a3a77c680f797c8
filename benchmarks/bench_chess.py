"""Chess: playing a move and listing the legal moves, against python-chess's push and list.

Both replay the same random games; ours keeps every position as an immutable value with sorted move ids.
"""

import random
from collections.abc import Sequence

import chess

from _measure import Row, ratio_of, show
from hitonami.games.chess import Chess

_GAMES = 10
_PLIES = 120


def random_games(count: int, plies: int, seed: int) -> list[list[chess.Move]]:
    """Games of random moves from the start."""
    rng = random.Random(seed)
    games = []
    for _ in range(count):
        board = chess.Board()
        while len(board.move_stack) < plies and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        games.append(list(board.move_stack))
    return games


def play_ours(games: Sequence[Sequence[int]]) -> int:
    game, done = Chess(), 0
    for moves in games:
        position = game.start()
        for move in moves:
            done += len(position.legal) > 0
            position = position.play(move)
    return done


def play_python_chess(games: Sequence[Sequence[chess.Move]]) -> int:
    done = 0
    for moves in games:
        board = chess.Board()
        for move in moves:
            done += len(list(board.legal_moves)) > 0
            board.push(move)
    return done


def run() -> list[Row]:
    games = random_games(_GAMES, _PLIES, seed=1)
    ids = [[move.from_square | move.to_square << 6 | (move.promotion or 0) << 12 for move in moves] for moves in games]
    return [
        ratio_of(
            "chess: play + legal moves / python-chess push + list",
            lambda: play_ours(ids),
            lambda: play_python_chess(games),
            at_least=0.7,
        )
    ]


if __name__ == "__main__":
    show(run())
