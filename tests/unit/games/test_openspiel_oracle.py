"""Othello, Connect Four, Breakthrough, gomoku and Hex against OpenSpiel: every legal move, every result."""

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from hitonami.core import Position, Setup, open_game


def same(move: int, position: Any) -> int:
    return move


def breakthrough_move(move: int, position: Any) -> int:
    """Our move as theirs: there the first player moves down from above, so that rows are mirrored."""
    size, side = position.size, position.to_move
    (row, column), (to, beside) = position.game.touches(position, move)
    taken = bool(position.cells[to * size + beside])
    way = 3 * side + beside - column + 1
    return (((size - 1 - row) * size + column) * 6 + way) * 2 + taken


CASES: dict[str, tuple[Callable[[int], str], tuple[int, ...], Callable[[int, Any], int]]] = {
    "othello": (lambda _: "othello", (0,), same),
    "connect-four": (lambda _: "connect_four", (0,), same),
    "gomoku": (lambda size: f"gomoku(size={size})", (5, 7, 15), same),
    "hex": (lambda size: f"hex(board_size={size},swap=True)", (3, 5, 11), same),
    "breakthrough": (lambda size: f"breakthrough(rows={size},columns={size})", (6, 8), breakthrough_move),
}


def play_beside(pyspiel: ModuleType, name: str, size: int, seed: int) -> Position:
    """One random game on both sides; every list of moves and the result must be the same."""
    theirs_of, _, translate = CASES[name]
    rng = random.Random(seed)
    state = pyspiel.load_game(theirs_of(size)).new_initial_state()
    position = open_game(name).start(Setup(size=size))
    while not state.is_terminal():
        ours = {translate(int(move), position): int(move) for move in position.legal}
        assert sorted(ours) == state.legal_actions()
        assert position.to_move == state.current_player()
        swap = size * size if name == "hex" and position.ply == 1 and rng.random() < 0.5 else -1
        action = swap if swap in ours else rng.choice(sorted(ours))
        state.apply_action(action)
        position = position.play(ours[action])
    assert not len(position.legal)
    assert position.score == (state.returns()[0] + 1) / 2
    return position


@pytest.mark.parametrize("name", CASES)
def test_openspiel_agrees(need_module: Callable[[str], ModuleType], name: str) -> None:
    pyspiel = need_module("pyspiel")
    plies = [play_beside(pyspiel, name, size, seed).ply for size in CASES[name][1] for seed in range(12)]
    assert len(set(plies)) > 2, "as good as one game"


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_openspiel_agrees_in_a_thousand_games(need_module: Callable[[str], ModuleType], name: str) -> None:
    pyspiel = need_module("pyspiel")
    sizes = CASES[name][1]
    for seed in range(1000):
        play_beside(pyspiel, name, sizes[seed % len(sizes)], 10_000 + seed)
