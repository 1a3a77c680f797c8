"""Traits of shogi against the same counted slowly over cshogi's board, with python-shogi's attacks."""

from collections.abc import Callable
from typing import Any

import cshogi
import numpy as np
import pytest
import shogi  # type: ignore[import-untyped]

from hitonami.core import Setup, open_game
from hitonami.traits import measure_traits, traits_of
from hitonami.traits._shogi_walk import MADE, PIECES, STANDING


def rank_for(square: int, side: int) -> int:
    """0 is the own back rank; python-shogi counts squares from 9a along the ranks."""
    return 8 - square // 9 if side == shogi.BLACK else square // 9


def near(one: int, other: int) -> int:
    return max(abs(one // 9 - other // 9), abs(one % 9 - other % 9))


def standing(board: shogi.Board, side: int) -> dict[str, float]:
    times = [len(board.attackers(side, square)) for square in shogi.SQUARES]
    own = [square for square in shogi.SQUARES if board.piece_at(square) and board.piece_at(square).color == side]
    other = [square for square in shogi.SQUARES if board.piece_at(square) and square not in own]
    king = board.king_squares[side]
    found = {
        "control_cnt": sum(times),
        "own_piece_control_cnt": sum(times[each] for each in own),
        "opponent_piece_control_cnt": sum(times[each] for each in other),
        "own_side_control_cnt": sum(count for each, count in enumerate(times) if rank_for(each, side) < 4),
        "opponent_side_control_cnt": sum(count for each, count in enumerate(times) if rank_for(each, side) > 4),
        "hand_cnt": sum(board.pieces_in_hand[side].values()),
        "cover_ratio": np.mean([count > 0 for count in times]),
    }
    for reach in (1, 2):
        zone = [each for each in shogi.SQUARES if 0 < near(each, king) <= reach]
        found[f"king_surround{reach}_control_per_sq"] = np.mean([times[each] for each in zone])
        found[f"king_surround{reach}_piece_per_sq"] = np.mean([each in own for each in zone])
    return {name: float(value) for name, value in found.items()}


def made(board: shogi.Board, usi: str) -> dict[str, float]:
    move, side = shogi.Move.from_usi(usi), board.turn
    kind = move.drop_piece_type or board.piece_at(move.from_square).piece_type
    letter = shogi.PIECE_SYMBOLS[kind]
    name = dict(zip("plnsbrgk", PIECES[:8], strict=True)) | {
        "+p": "promoted_pawn",
        "+l": "promoted_lance",
        "+n": "promoted_knight",
        "+s": "promoted_silver",
        "+b": "horse",
        "+r": "dragon",
    }
    rank = rank_for(move.to_square, side)
    found = dict.fromkeys(MADE, 0.0) | {name[letter]: 1.0}
    found["drops"] = float(bool(move.drop_piece_type))
    found["drop_own_side_cnt"] = float(bool(move.drop_piece_type) and rank < 4)
    found["drop_opponent_side_cnt"] = float(bool(move.drop_piece_type) and rank > 4)
    found["promotions"] = float(move.promotion)
    found["captures"] = float(board.piece_at(move.to_square) is not None)
    return found


def test_traits_are_those_that_python_shogi_counts(draw_games: Callable[..., Any]) -> None:
    games, records = draw_games("shogi", 3, 160, (Setup(), Setup(variant="2-piece")))
    found, names = measure_traits(games), traits_of("shogi").names
    for at, record in enumerate(records):
        board = shogi.Board(open_game("shogi").start(record.setup).sfen)
        noted: dict[int, list[dict[str, float]]] = {0: [], 1: []}
        for move in record.moves:
            side, usi = board.turn, cshogi.move_to_usi(move)
            told = made(board, usi)
            board.push_usi(usi)
            told["checks"] = float(board.is_check())
            noted[side].append(told | standing(board, side))
        for side in (0, 1):
            for name in (*STANDING, *MADE):
                wanted = np.mean([each[name] for each in noted[side]])
                assert found[at, side, names.index(name)] == pytest.approx(wanted, abs=1e-4), name


def test_where_rook_and_king_go() -> None:
    from hitonami.core import Player
    from hitonami.dataset.columns import columns_of
    from hitonami.dataset.shards import table_of
    from hitonami.records import Record

    position, moves = open_game("shogi").start(), []
    opening = ["7g7f", "3c3d", "2h6h", "2b8h+", "7i8h", "5a4b", "5i4h", "4b3b", "4h3h"]
    for text in [*opening, "4a5a", "4i5i", "5a4a", "5i4i"]:
        moves.append(open_game("shogi").parse(position, text))
        position = position.follow(moves[-1])
    moves += moves[-4:] * 8  # longer than the rules allow, as some records are
    record = Record("shogi", Setup(), tuple(moves), (Player(), Player()))
    found = measure_traits(columns_of(table_of([record], [""]), "shogi"))[0]
    told = {name: found[:, at].tolist() for at, name in enumerate(traits_of("shogi").names)}
    assert told["ranging_rook"] == [1, 0]
    assert told["bishops_off"] == [1, 1]
    assert told["king_left"] == [0, 1]  # to Black's right, and to White's left
