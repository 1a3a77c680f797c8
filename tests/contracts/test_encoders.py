"""What every encoder must do, for every file in models/encoders/. The contract is the definition of `Encoder`."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.core import Clock, Player, Position, Query, Setup, open_game
from hitonami.errors import BadInput
from hitonami.lanes import LaneGame
from hitonami.models.encoders import Encoder
from hitonami.parts import find_parts, load_part

LANE_GAMES = [name for name in find_parts("games") if isinstance(load_part("games", name), LaneGame)]
DRAWN_GAMES = ["renju"]
"""Whose boards are read off their diagrams."""
NAMES = [name for name in find_parts("models/encoders") if name != "cells"]
NAMES += [f"cells {game}" for game in (*LANE_GAMES, *DRAWN_GAMES)]
_MATES = (62, 63, *(64 + 16 * age + plane for age in range(7) for plane in (5, 6, 9, 10, 11)))
COLOURED_PLANES = {
    "lc0": ("planes", (108,)),
    "lc0-rated": ("planes", (108,)),
    "miniosl": ("input", (60, *_MATES)),
    "miniosl-rated": ("planes", (60, *_MATES)),
}
"""The planes of a format that tell the colours apart: who is to move, and in miniosl's which of two equal pieces
mates, because it counts pieces from White's side."""


def open_encoder(name: str) -> Encoder:
    """`cells` is for one game, named after it."""
    part, *game = name.split()
    encoder: Encoder = load_part("models/encoders", part)(*game)
    return encoder


def _fits(encoder: Encoder, setup: Setup) -> bool:
    try:
        encoder.encode([Query(open_game(encoder.game).start(setup))])
    except BadInput:
        return False
    return True


SETUPS = [
    (name, setup)
    for name in NAMES
    for setup in open_game(open_encoder(name).game).examples
    if _fits(open_encoder(name), setup)
]


def _case_id(value: object) -> str:
    return value if isinstance(value, str) else str(value).removeprefix("Setup").replace(" ", "")


def playout(start: Position, seed: int, most: int) -> list[Position]:
    """Every position of a random game, the start included, the final one only if it still has moves."""
    rng = np.random.default_rng(seed)
    positions = [start]
    while len(positions) <= most:
        position = positions[-1].play(int(rng.choice(positions[-1].legal)))
        if not len(position.legal):
            break
        positions.append(position)
    return positions


def queries_of(positions: list[Position]) -> list[Query]:
    """Players of all kinds: rated or not, of a named pool or none, with a clock or without."""
    players = (Player(), Player(1500.0, "a"), Player(2750.0, "b"))
    clocks = (None, Clock(0.0, 5.0), Clock(3600.0, 1.0))
    return [
        Query(position, players[at % 3], players[at // 3 % 3], clocks[at // 9 % 3])
        for at, position in enumerate(positions)
    ]


@pytest.mark.parametrize(("name", "setup"), SETUPS, ids=_case_id)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 90))
def test_a_batch_equals_its_singles(name: str, setup: Setup, seed: int, most: int) -> None:
    encoder = open_encoder(name)
    queries = queries_of(playout(open_game(encoder.game).start(setup), seed, most)[-12:])
    batch = encoder.encode(queries)
    for at, query in enumerate(queries):
        single = encoder.encode([query])
        assert single.keys() == batch.keys()
        for key, array in single.items():
            assert array.dtype == batch[key].dtype
            assert np.array_equal(array[0], batch[key][at]), key
    head = encoder.head_indices([query.position for query in queries])
    for index, query in zip(head, queries, strict=True):
        assert np.array_equal(index, encoder.head_index(query.position))


@pytest.mark.parametrize(("name", "setup"), SETUPS, ids=_case_id)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 150))
def test_each_legal_move_has_its_own_logit(name: str, setup: Setup, seed: int, most: int) -> None:
    encoder = open_encoder(name)
    positions = playout(open_game(encoder.game).start(setup), seed, most)
    size = encoder.head_size(positions)
    for position, index in zip(positions, encoder.head_indices(positions), strict=True):
        assert index.dtype == np.int32
        assert index.shape == position.legal.shape
        assert len(np.unique(index)) == len(index)
        assert index.min() >= 0
        assert index.max() < size


@pytest.mark.parametrize("name", NAMES)
def test_inputs_are_finite_arrays_of_the_batch(name: str) -> None:
    encoder = open_encoder(name)
    game = open_game(encoder.game)
    queries = queries_of(playout(game.start(), 7, 40))
    for key, array in encoder.encode(queries).items():
        assert len(array) == len(queries)
        assert array.dtype in (np.float32, np.uint8, np.int64), key
        assert array.flags.c_contiguous, "runtimes take the buffer as it is"
        assert np.isfinite(array).all()
        assert array.any() == (key not in ("pool",)), "no pool is known to a fresh encoder"


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_batch_is_a_batch(name: str) -> None:
    encoder = open_encoder(name)
    one = encoder.encode([Query(open_game(encoder.game).start())])
    for key, array in encoder.encode([]).items():
        assert array.shape[0] == 0
        assert array.dtype == one[key].dtype
        assert array.ndim == one[key].ndim
    assert encoder.head_indices([]) == []


@pytest.mark.parametrize("name", NAMES)
def test_answers_belong_to_the_caller(name: str) -> None:
    encoder = open_encoder(name)
    query = Query(open_game(encoder.game).start())
    before = {key: array.copy() for key, array in encoder.encode([query]).items()}
    for array in encoder.encode([query]).values():
        array.fill(3)
    encoder.head_index(query.position).fill(-7)
    after = encoder.encode([query])
    assert all(np.array_equal(before[key], after[key]) for key in before)
    assert encoder.head_index(query.position).min() >= 0


@pytest.mark.parametrize("name", NAMES)
def test_a_position_of_another_game_is_refused(name: str) -> None:
    encoder = open_encoder(name)
    stranger = open_game("shogi" if encoder.game == "chess" else "chess").start()
    own = open_game(encoder.game).start()
    for refuse in (
        lambda: encoder.encode([Query(own), Query(stranger)]),
        lambda: encoder.head_indices([own, stranger]),
        lambda: encoder.head_index(stranger),
    ):
        with pytest.raises(BadInput, match=rf"{encoder.game}.*{stranger.game.name}"):
            refuse()


@pytest.mark.parametrize("name", NAMES)
def test_a_bare_position_shows_the_same_present(name: str) -> None:
    """Text has no history; what it does have must look as it does in the game, and moves must keep their logits."""
    encoder = open_encoder(name)
    game = open_game(encoder.game)
    for position in playout(game.start(), 11, 60)[::7]:
        bare = game.read(game.write(position))
        assert np.array_equal(encoder.head_index(bare), encoder.head_index(position))
        assert {key: array.shape for key, array in encoder.encode([Query(bare)]).items()} == {
            key: array.shape for key, array in encoder.encode([Query(position)]).items()
        }


# Colours exchanged: the same game seen from the other side must look the same to the one who is to move.


def _exchange_chess(position: Any) -> Position:
    return position.game.start(Setup(start=position.board.mirror().fen(), variant=position.setup.variant))


def _exchange_shogi(position: Any) -> Position:
    board, side, hands, number = position.game.write(position).split()
    turned = "".join(reversed(re.findall(r"\+?[a-zA-Z]|[\d/]", board))).swapcase()
    return position.game.read(" ".join([turned, "w" if side == "b" else "b", hands.swapcase(), number]))


def _turn_shogi_move(move: int) -> int:
    target, origin, promotes = move & 127, move >> 7 & 127, move >> 14
    return (80 - target) | (80 - origin if origin <= 80 else origin) << 7 | promotes << 14


def _exchange_go(position: Any) -> Position:
    text = re.sub(r"HA\[\d+\]", "", position.game.write(position))
    text = re.sub(r"KM\[(.*?)\]", lambda komi: f"KM[{-float(komi[1]):g}]", text)
    return position.game.read(re.sub(r"A[BW](?=\[)|PL\[[BW]", lambda found: found[0].translate(_OTHER), text))


_OTHER = str.maketrans("BW", "WB")
EXCHANGES: dict[str, tuple[Callable[[Any], Position], Callable[[int], int]]] = {
    "chess": (_exchange_chess, lambda move: move ^ (56 | 56 << 6)),
    "shogi": (_exchange_shogi, _turn_shogi_move),
    "go": (_exchange_go, lambda move: move),
}
SYMMETRIC = [(name, setup) for name, setup in SETUPS if open_encoder(name).game in EXCHANGES]


@pytest.mark.parametrize(("name", "setup"), SYMMETRIC, ids=_case_id)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32 - 1), most=st.integers(0, 40))
def test_both_colours_see_the_same_board(name: str, setup: Setup, seed: int, most: int) -> None:
    encoder = open_encoder(name)
    exchange, turn = EXCHANGES[encoder.game]
    ours = playout(open_game(encoder.game).start(setup), seed, most)
    theirs = [exchange(ours[0])]
    for position in ours[1:]:
        theirs.append(theirs[-1].play(turn(position.last_move or 0)))
    assert theirs[-1].to_move != ours[-1].to_move
    one, other = (encoder.encode(queries_of(positions)) for positions in (ours, theirs))
    if name in COLOURED_PLANES:  # such a format also fills the time before the standard start in its own way
        key, coloured = COLOURED_PLANES[name]
        for inputs in (one, other):
            inputs[key] = np.delete(inputs[key], coloured, axis=1)[7:]
    for key, array in one.items():
        assert np.array_equal(array, other[key]), key
    places = dict(zip(ours[-1].legal.tolist(), encoder.head_index(ours[-1]).tolist(), strict=True))
    for move, place in zip(theirs[-1].legal.tolist(), encoder.head_index(theirs[-1]).tolist(), strict=True):
        assert places[turn(move)] == place
