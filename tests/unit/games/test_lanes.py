"""Compiled rules for many boards at once play the games that the games' own positions play."""

from typing import Any

import numpy as np
import pytest

from hitonami.core import Position, Setup, open_game
from hitonami.lanes import LaneGame
from hitonami.parts import find_parts, load_part

GAMES = [name for name in find_parts("games") if isinstance(load_part("games", name), LaneGame)]
SETUPS = [(name, setup) for name in GAMES for setup in open_game(name).examples]


def _id(value: object) -> str:
    return value if isinstance(value, str) else str(value).removeprefix("Setup").replace(" ", "")


def choose(position: Position, rng: np.random.Generator, *, shuffling: bool) -> int:
    """A move at random; one that takes the last back, where pieces shuffle, so that positions come again."""
    last = None if position.before is None else position.before.last_move
    if shuffling and last is not None:
        back = (last >> 7 & 127) | (last & 127) << 7
        if back in position.legal:
            return back
    return int(rng.choice(position.legal))


@pytest.mark.parametrize(("name", "setup"), SETUPS, ids=_id)
def test_states_follow_positions(name: str, setup: Setup) -> None:
    game: Any = open_game(name)
    lanes = game.lanes(setup)
    starts = [game.start(setup) for _ in range(6)]
    positions: list[Any] = [start for start in starts if len(start.legal)]
    rng = np.random.default_rng(3)
    states = np.stack([lanes.state_of(position) for position in positions])
    for _ in range(160):
        if not positions:
            break
        moves = [choose(each, rng, shuffling=at % 3 == 2) for at, each in enumerate(positions)]
        after, legal = np.empty_like(states), np.zeros((len(moves), lanes.most_moves), np.int32)
        counts, scores = np.zeros(len(moves), np.int32), np.zeros(len(moves), np.float32)
        lanes.advance(states, np.array(moves, np.int32), after, legal, counts, scores)
        positions = [position.play(move) for position, move in zip(positions, moves, strict=True)]
        for at, position in enumerate(positions):
            assert np.array_equal(legal[at, : counts[at]], position.legal)
            assert scores[at] == (-1 if position.score is None else position.score), position.ending
            assert np.array_equal(after[at], lanes.state_of(position))
        going = [at for at, position in enumerate(positions) if len(position.legal)]
        positions, states = [positions[at] for at in going], after[going]


@pytest.mark.parametrize("name", GAMES)
def test_images_of_a_game_are_games(name: str) -> None:
    """The legal moves of the turned position are the turned legal moves, all along."""
    game: Any = open_game(name)
    lanes = game.lanes(Setup())
    points = lanes.rows * lanes.columns
    rng = np.random.default_rng(5)
    for way in range(1, len(lanes.images)):
        state = lanes.state_of(game.start())
        turned = state.copy()
        turned[lanes.images[way]] = state[:points]
        back = {int(place): move for move, place in enumerate(lanes.places[0]) if place >= 0}
        both = np.stack([state, turned])
        if not np.array_equal(state[:points], turned[:points]):
            continue  # a game that begins otherwise when turned: its later positions are tested by their encoder
        legal = np.zeros((2, lanes.most_moves), np.int32)
        counts, scores = np.zeros(2, np.int32), np.zeros(2, np.float32)
        moves = game.start().legal
        for _ in range(12):
            side = int(both[0, points])
            back = {int(place): move for move, place in enumerate(lanes.places[side]) if place >= 0}
            move = int(rng.choice(moves))
            image = back[int(lanes.head_images[way][lanes.places[side][move]])]
            after = np.empty_like(both)
            lanes.advance(both, np.array([move, image], np.int32), after, legal, counts, scores)
            assert counts[0] == counts[1]
            assert scores[0] == scores[1]
            side, moves = int(after[0, points]), legal[0, : counts[0]].copy()
            seen = lanes.head_images[way][lanes.places[side][moves]]
            assert set(seen.tolist()) == set(lanes.places[side][legal[1, : counts[1]]].tolist())
            if not counts[0]:
                break
            both = after
