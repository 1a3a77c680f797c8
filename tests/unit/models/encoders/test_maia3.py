"""The input of Maia-3 networks against what a JavaScript client of them made of the same games."""

import hashlib
import json
from pathlib import Path

import numpy as np

from hitonami.core import Player, Query, Setup
from hitonami.games.chess import Chess
from hitonami.models.encoders.maia3 import UNRATED, Maia3

CHESS = Chess()
GOLDEN = Path(__file__).parents[3] / "golden" / "chess" / "maia3.json"


def test_tokens_and_moves_are_the_clients() -> None:
    """The digests are of the places of the ones, and of the numbers of the legal moves, as that client gave them."""
    for case in json.loads(GOLDEN.read_text(encoding="utf-8")):
        position = CHESS.start(Setup(start=case["start"]))
        for move in case["moves"].split():
            position = position.play(CHESS.parse(position, move))
        tokens = Maia3().encode([Query(position)])["tokens"][0]
        ones = np.flatnonzero(tokens.reshape(-1)).astype("<i4")
        assert hashlib.sha256(ones.tobytes()).hexdigest()[:16] == case["tokens"], CHESS.write(position)
        places = Maia3().head_index(position).tolist()
        names = [CHESS.format(position, int(move)) for move in position.legal]
        listed = json.dumps(dict(sorted(zip(names, places, strict=True))))
        assert hashlib.sha256(listed.encode()).hexdigest()[:16] == case["head"], CHESS.write(position)


def test_each_past_position_is_seen_by_its_own_mover() -> None:
    position = CHESS.start()
    for move in ("e2e4", "c7c5"):
        position = position.play(CHESS.parse(position, move))
    tokens = Maia3().encode([Query(position)])["tokens"][0].reshape(8, 8, 8, 12)  # rank, file, oldest first, piece
    own, other = 0, 6
    assert tokens[3, 4, 7, own] == 1, "White's pawn on e4, White to move"
    assert tokens[4, 2, 7, other] == 1, "Black's pawn on c5"
    assert tokens[4, 4, 6, other] == 1, "a ply ago Black was to move: e4 is on Black's fifth rank"
    assert tokens[1, 4, 5, own] == 1, "two plies ago, at the start, on e2"
    assert np.array_equal(tokens[:, :, 0], tokens[:, :, 5]), "the start stands for all before it"


def test_ratings_are_whole_numbers_and_unknown_ones_the_middle() -> None:
    inputs = Maia3().encode([Query(CHESS.start(), Player(1834.6, "lichess"), Player())])
    assert (inputs["self_elo"].tolist(), inputs["oppo_elo"].tolist()) == ([1835], [UNRATED])
