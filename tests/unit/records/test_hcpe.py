"""HCPE: positions against cshogi's own decoder, entries joined into games, damage rejected."""

import random

import cshogi
import numpy as np
import pytest

from hitonami.core import Setup
from hitonami.errors import BadRecord
from hitonami.games.shogi import Shogi
from hitonami.records import Document, Record, Rejected
from hitonami.records.hcpe import ENTRY_BYTES, Hcpe

HCPE, SHOGI = Hcpe(), Shogi()


def entries(seed: int, plies: int, result: int = 1, skip: int = 0) -> tuple[bytes, list[str], list[int]]:
    """A random game as entries, its positions and its moves; the first `skip` are left out."""
    rng, board = random.Random(seed), cshogi.Board()
    data, sfens, moves = b"", [], []
    for ply in range(plies):
        legal = list(board.legal_moves)
        if not legal:
            break
        move = rng.choice(legal)
        entry = np.zeros(1, cshogi.HuffmanCodedPosAndEval)
        packed = np.empty(32, np.uint8)
        board.to_hcp(packed)
        entry["hcp"][0], entry["bestMove16"], entry["gameResult"] = packed, cshogi.move16(move), result
        if ply >= skip:
            data += entry.tobytes()
            sfens.append(board.sfen())
            moves.append(cshogi.move16(move))
        board.push(move)
    return data, sfens, moves


def read(data: bytes) -> list[Record | Rejected]:
    return list(HCPE.read(Document("test", 0, data)))


@pytest.mark.parametrize("seed", range(8))
def test_positions_are_decoded_as_by_cshogi(seed: int) -> None:
    data, sfens, moves = entries(seed, 200)
    for at, (sfen, move) in enumerate(zip(sfens, moves, strict=True)):
        (found,) = read(data[at * ENTRY_BYTES : (at + 1) * ENTRY_BYTES])
        assert isinstance(found, Record)
        start = SHOGI.write(SHOGI.start(found.setup))
        assert (start.rpartition(" ")[0], found.moves) == (sfen.rpartition(" ")[0], (move,))


def test_entries_that_follow_each_other_are_one_game() -> None:
    first, _, moves = entries(1, 60)
    second, _, later = entries(2, 60, result=2, skip=20)
    one, two = read(first + second)
    assert isinstance(one, Record)
    assert isinstance(two, Record)
    assert (one.moves, one.score, one.offset) == (tuple(moves), 1.0, 0)
    assert (two.moves, two.score, two.offset) == (tuple(later), 0.0, len(first))
    gap = first[: 10 * ENTRY_BYTES] + first[11 * ENTRY_BYTES :]
    assert [len(each.moves) for each in read(gap) if isinstance(each, Record)] == [10, len(moves) - 11]


@pytest.mark.parametrize(
    ("at", "value", "reason"),
    [(0, b"\xff" * 32, "broken position"), (34, b"\xff\x7f", "illegal move"), (36, b"\x03", "unknown result")],
)
def test_a_broken_entry_costs_no_neighbour(at: int, value: bytes, reason: str) -> None:
    data, _, moves = entries(3, 30)
    place = 10 * ENTRY_BYTES + at
    found = read(data[:place] + value + data[place + len(value) :])
    assert [each.reason for each in found if isinstance(each, Rejected)] == [reason]
    assert sum(len(each.moves) for each in found if isinstance(each, Record)) == len(moves) - 1


def test_a_cut_off_entry_is_rejected() -> None:
    data, _, _ = entries(4, 5)
    assert [each.reason for each in read(data[:-3]) if isinstance(each, Rejected)] == ["truncated entry"]


def test_it_is_read_only() -> None:
    with pytest.raises(BadRecord, match="CSA or KIF"):
        HCPE.write(Record("shogi", Setup(), ()))
