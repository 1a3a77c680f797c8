"""Encoders at batch 1,024 against a straightforward loop over positions, boards and pieces.

The loops write the same planes, which is checked before anything is timed. "Cold" positions were played
but never encoded; "warm" ones have been encoded before, as in a second epoch or under a search.
"""

from collections.abc import Callable, Iterator
from typing import Any

import chess
import numpy as np
from numpy.typing import NDArray

from _measure import Row, ratio_of, show
from hitonami.core import Query, lineage, open_game
from hitonami.models.encoders import Encoder
from hitonami.parts import load_part

BATCH = 1_024
PLIES = 80
ROUNDS = 5

Planes = NDArray[Any]


def play_games(game_name: str, count: int) -> list[list[int]]:
    """Random games as move ids, each of at most PLIES plies, `count` plies in all."""
    game, rng = open_game(game_name), np.random.default_rng(1)
    games: list[list[int]] = []
    while sum(map(len, games)) < count:
        position = game.start()
        while len(position.legal) and position.ply < PLIES:
            position = position.play(int(rng.choice(position.legal)))
        games.append(lineage(position)[1])
    return games


def replay(game_name: str, games: list[list[int]]) -> list[Query]:
    """Fresh positions, each after a move of a game: nothing is cached but what playing on caches."""
    queries: list[Query] = []
    for moves in games:
        position = open_game(game_name).start()
        for move in moves:
            position = position.play(move)
            queries.append(Query(position))
    return queries[:BATCH]


def loop_lc0(board: chess.Board) -> Planes:
    planes = np.zeros((112, 8, 8), dtype=np.float32)
    past = board.copy()
    for age in range(8):
        for square, piece in past.piece_map().items():
            rank, file = divmod(square if board.turn else chess.square_mirror(square), 8)
            planes[13 * age + 6 * (piece.color != board.turn) + piece.piece_type - 1, rank, file] = 1
        if past.is_repetition(2):
            planes[13 * age + 12] = 1
        if not past.move_stack:
            break
        past.pop()
    for at, color in ((104, board.turn), (106, not board.turn)):
        planes[at] = board.has_queenside_castling_rights(color)
        planes[at + 1] = board.has_kingside_castling_rights(color)
    planes[108] = not board.turn
    planes[109] = board.halfmove_clock
    planes[111] = 1
    return planes


def loop_compact_chess(board: chess.Board) -> Planes:
    planes = np.zeros((97, 8, 8), dtype=np.uint8)
    past = board.copy()
    for age in range(8):
        for square, piece in past.piece_map().items():
            rank, file = divmod(square if board.turn else chess.square_mirror(square), 8)
            planes[12 * age + 6 * (piece.color != board.turn) + piece.piece_type - 1, rank, file] = 1
        if not past.move_stack:
            break
        past.pop()
    if board.has_legal_en_passant() and board.ep_square is not None:
        rank, file = divmod(board.ep_square if board.turn else chess.square_mirror(board.ep_square), 8)
        planes[96, rank, file] = 1
    return planes


def boards_of(queries: list[Query]) -> list[chess.Board]:
    """python-chess boards with their whole stack: the loop gets its input for nothing."""
    boards = []
    for query in queries:
        board = chess.Board()
        for move in lineage(query.position)[1]:
            board.push(chess.Move(move & 63, move >> 6 & 63, move >> 12 or None))
        boards.append(board)
    return boards


def measure(name: str, loop: Callable[[chess.Board], Planes], bar: float | None) -> Iterator[Row]:
    encoder: Encoder = load_part("models/encoders", name)()
    games = play_games(encoder.game, BATCH)
    cold = [replay(encoder.game, games) for _ in range(ROUNDS + 1)]
    warm = replay(encoder.game, games)
    given = boards_of(warm)
    if not np.array_equal(encoder.encode(warm)["planes"], np.stack([loop(each) for each in given])):
        raise AssertionError(f"{name} and its loop disagree")

    def ours_cold() -> int:
        return len(encoder.encode(cold.pop())["planes"])

    def ours_warm() -> int:
        return len(encoder.encode(warm)["planes"])

    def reference() -> int:
        return len(np.stack([loop(each) for each in given]))

    yield ratio_of(f"{name}, cold", ours_cold, reference, at_least=bar, rounds=ROUNDS)
    yield ratio_of(f"{name}, warm", ours_warm, reference, at_least=bar, rounds=ROUNDS)


def run() -> list[Row]:
    return [
        *measure("lc0", loop_lc0, 20.0),
        *measure("compact-chess", loop_compact_chess, None),
    ]


if __name__ == "__main__":
    show(run())
