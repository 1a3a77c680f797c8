"""Traits of chess against the same counted slowly, with python-chess."""

from collections.abc import Callable, Iterator
from typing import Any

import chess
import numpy as np
import pytest

from hitonami.core import Setup, open_game
from hitonami.games.chess_rules.mailbox import lay_out
from hitonami.traits import measure_traits, traits_of
from hitonami.traits._chess_walk import MADE, STANDING, weigh_moves

CASTLING = Setup(start="r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1")
SHUFFLED = Setup(variant="chess960", start="bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9")


def zone(square: int, reach: int) -> list[int]:
    return [each for each in chess.SQUARES if 0 < chess.square_distance(square, each) <= reach]


def standing(board: chess.Board, side: bool) -> dict[str, float]:
    """Of a side, by python-chess's own attacks."""
    attacks = [board.attacks(square) for square in chess.scan_forward(board.occupied_co[side])]
    times = {square: sum(square in each for each in attacks) for square in chess.SQUARES}
    own_half = [square for square in chess.SQUARES if (chess.square_rank(square) < 4) == side]
    king, theirs = board.king(side), board.king(not side)
    assert king is not None
    assert theirs is not None
    pawns = board.pieces(chess.PAWN, side)
    files = [sum(chess.square_file(each) == file for each in pawns) for file in range(8)]
    beside = [files[max(file - 1, 0) : file] + files[file + 1 : file + 2] for file in range(8)]
    passed = [
        each
        for each in pawns
        if not any(is_in_front(each, other, side) for other in board.pieces(chess.PAWN, not side))
    ]
    ranks = [chess.square_rank(each) + 1 if side else 8 - chess.square_rank(each) for each in pawns]
    found: dict[str, Any] = {
        "control": sum(times.values()),
        "own_piece_control": sum(times[each] for each in chess.scan_forward(board.occupied_co[side])),
        "opponent_piece_control": sum(times[each] for each in chess.scan_forward(board.occupied_co[not side])),
        "own_side_control": sum(times[each] for each in own_half),
        "opponent_side_control": sum(times[each] for each in chess.SQUARES if each not in own_half),
        "their_king_control": np.mean([times[each] for each in zone(theirs, 1)]),
        "cover_ratio": np.mean([count > 0 for count in times.values()]),
        "doubled_pawns": sum(max(count - 1, 0) for count in files),
        "isolated_pawns": sum(count for count, near in zip(files, beside, strict=True) if not sum(near)),
        "passed_pawns": len(passed),
        "pawn_islands": sum(count > 0 and (file == 0 or not files[file - 1]) for file, count in enumerate(files)),
        "pawn_advance": np.mean(ranks) if ranks else np.nan,
    }
    for reach in (1, 2):
        found[f"king{reach}_control"] = np.mean([times[each] for each in zone(king, reach)])
        found[f"king{reach}_pieces"] = np.mean([board.color_at(each) == side for each in zone(king, reach)])
    return {name: float(value) for name, value in found.items()}


def is_in_front(pawn: int, other: int, side: bool) -> bool:
    ahead = chess.square_rank(other) - chess.square_rank(pawn)
    near = abs(chess.square_file(other) - chess.square_file(pawn)) <= 1
    return near and (ahead > 0 if side else ahead < 0)


def made(board: chess.Board, move: chess.Move, retaken: int | None) -> dict[str, float]:
    """Of a move, before it is pushed."""
    kind, source, target = board.piece_type_at(move.from_square), move.from_square, move.to_square
    assert kind is not None
    up = chess.square_rank(target) - chess.square_rank(source)
    castles = board.is_castling(move)
    found: dict[str, float] = {name: float(kind == at) for at, name in enumerate(MADE[:6], 1)}
    found["captures"] = float(board.is_capture(move))
    found["recaptures"] = float(board.is_capture(move) and target == retaken)
    found["checks"] = float(board.gives_check(move))
    found["flank_pawns"] = float(kind == chess.PAWN and chess.square_file(source) in (0, 1, 6, 7))
    found["retreats"] = float(kind != chess.PAWN and not castles and (up < 0 if board.turn else up > 0))
    return found


def slowly(record: Any) -> Iterator[tuple[bool, dict[str, float]]]:
    board = chess.Board(record.setup.start or chess.STARTING_FEN, chess960=record.setup.variant == "chess960")
    retaken = None
    for each in record.moves:
        move = chess.Move(each & 63, each >> 6 & 63, each >> 12 or None)
        side, noted = board.turn, made(board, move, retaken)
        retaken = move.to_square if board.is_capture(move) else None
        board.push(move)
        yield side, noted | standing(board, side)


@pytest.mark.parametrize("setup", [Setup(), CASTLING, SHUFFLED], ids=["usual", "castling", "shuffled"])
def test_traits_are_those_that_python_chess_counts(draw_games: Callable[..., Any], setup: Setup) -> None:
    games, records = draw_games("chess", 3, 140, (setup,))
    found, names = measure_traits(games), traits_of("chess").names
    for at, record in enumerate(records):
        noted = list(slowly(record))
        for side in (chess.WHITE, chess.BLACK):
            own = [each for mover, each in noted if mover == side]
            for name in (*STANDING, *MADE):
                wanted = np.nanmean([each[name] for each in own])
                assert found[at, 0 if side else 1, names.index(name)] == pytest.approx(wanted, abs=1e-4), name


def test_what_happens_once(draw_games: Callable[..., Any]) -> None:
    from hitonami.core import Player
    from hitonami.dataset.columns import columns_of
    from hitonami.dataset.shards import table_of
    from hitonami.records import Record

    position, moves = open_game("chess").start(), []
    for text in ["e4", "c5", "Nf3", "d6", "Bb5+", "Bd7", "O-O", "Qa5", "Bxd7+", "Nxd7", "d4", "O-O-O", "dxc5", "Qxc5"]:
        moves.append(open_game("chess").parse(position, text))
        position = position.play(moves[-1])
    record = Record("chess", Setup(), tuple(moves), (Player(), Player()))
    found = measure_traits(columns_of(table_of([record], [""]), "chess"))[0]
    told = {name: found[:, at].tolist() for at, name in enumerate(traits_of("chess").names)}
    assert told["castles_short"] == [1, 0]
    assert told["castles_long"] == [0, 1]
    assert told["castling_move"] == [4, 6]
    assert told["own_moves"] == [7, 7]
    assert np.isnan(told["queen_out_move"][0])
    assert told["queen_out_move"][1] == 4
    assert told["first_capture_move"] == [5, 5]
    assert told["queens_off"] == [0, 0]
    assert told["recaptures"] == pytest.approx([0, 2 / 7])
    assert told["white_e4"][0] == 1
    assert told["white_d4"][0] == 0
    assert np.isnan(told["white_e4"][1])
    assert told["e4_c5"][1] == 1
    assert told["e4_e5"][1] == 0
    assert np.isnan(told["d4_d5"][1])


def test_a_move_weighed_before_it_is_made_is_as_after_it() -> None:
    board = chess.Board("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7")
    moves = [open_game("chess").parse(open_game("chess").read(board.fen()), move.uci()) for move in board.legal_moves]
    out = np.zeros((len(moves), len(STANDING) + len(MADE)))
    weigh_moves(lay_out(board)[0][None], np.array([1]), np.array(moves), np.array([0, len(moves)]), out)
    for row, move in zip(out, list(board.legal_moves), strict=True):
        wanted = made(board, move, None)
        board.push(move)
        wanted |= standing(board, chess.WHITE)
        board.pop()
        assert row == pytest.approx([wanted[name] for name in (*STANDING, *MADE)])
