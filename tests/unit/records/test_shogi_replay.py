"""The fast replay is exactly as strict as cshogi's list of legal moves, and ends games as the rules do."""

import random

import cshogi
import pytest

from hitonami.core import Setup, lineage
from hitonami.errors import BadRecord
from hitonami.games.shogi import Shogi
from hitonami.records._shogi_replay import open_board, play_ids, play_wishes, try_move, wish

SHOGI = Shogi()


def test_no_move_is_let_through_that_is_not_legal() -> None:
    rng, board, tried = random.Random(6), cshogi.Board(), 0
    for _ in range(120):
        board.reset()
        for _ in range(rng.randrange(160)):
            legal = list(board.legal_moves)
            if legal:
                board.push(rng.choice(legal))
        ids = {cshogi.move16(move) for move in board.legal_moves}
        for move in [*(rng.randrange(-5, 1 << 17) for _ in range(400)), *ids]:
            before = board.sfen()
            played = try_move(board, move)
            assert played == (move in ids), (move, before)
            if played:
                board.pop()
            assert board.sfen() == before
            tried += 1
    assert tried > 40_000


@pytest.mark.parametrize("seed", range(6))
def test_random_games_end_as_by_the_rules(seed: int) -> None:
    rng, position = random.Random(seed), SHOGI.start()
    while position.ending is None and position.ply < 400:
        position = position.play(int(rng.choice(position.legal)))
    _, moves = lineage(position)
    played = play_ids(Setup(), moves)
    assert (played.moves, played.to_move) == (tuple(moves), position.to_move)
    assert (played.ending, played.score) == (position.ending, position.score)


def test_a_wish_names_the_piece_that_arrives() -> None:
    pawn, horse, bishop = cshogi.PAWN, cshogi.PROM_BISHOP, cshogi.BISHOP
    wishes = [wish(59, 60, pawn), wish(21, 20, pawn), wish(10, 70, horse)]
    moves = play_wishes(Setup(), wishes).moves
    assert " ".join(cshogi.move_to_usi(move) for move in moves) == "7g7f 3c3d 8h2b+"
    for wrong in (wish(10, 70, pawn), wish(10, 70, cshogi.PROM_ROOK), wish(40, 80 + bishop, bishop)):
        with pytest.raises(BadRecord, match="illegal move: move 3"):
            play_wishes(Setup(), [*wishes[:2], wrong])


def test_play_after_a_fourth_occurrence_is_refused() -> None:
    moves = [SHOGI.parse(SHOGI.start(), "2h5h")]
    position = SHOGI.start()
    ids = []
    for text in ("2h5h", "8b5b", "5h2h", "5b8b") * 3:
        ids.append(SHOGI.parse(position, text))
        position = position.play(ids[-1])
    assert play_ids(Setup(), ids).ending == "repetition"
    with pytest.raises(BadRecord, match="play after the end"):
        play_ids(Setup(), [*ids, *moves])


def test_starts_are_checked() -> None:
    assert open_board(Setup(variant="2-piece")).turn == cshogi.WHITE
    with pytest.raises(ValueError, match="no king"):
        open_board(Setup(start="9/9/9/9/9/9/9/9/9 b - 1"))
