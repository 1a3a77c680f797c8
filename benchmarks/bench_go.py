"""Go's rules against OpenSpiel's: random games, every legal move listed at every ply."""

import random
from collections.abc import Callable

import pyspiel

from _measure import Row, ratio_of, show
from hitonami.core import Setup
from hitonami.games.go import Go

_GAMES = 6
_MOST_PLIES = 700


def _play_ours(size: int) -> int:
    rng, game, plies = random.Random(7), Go(), 0
    for _ in range(_GAMES):
        position = game.start(Setup(size=size))
        while len(legal := position.legal) and position.ply < _MOST_PLIES:
            position = position.play(legal[int(rng.random() * len(legal))])
        plies += position.ply
    return plies


def _play_theirs(size: int) -> int:
    rng, game, plies = random.Random(7), pyspiel.load_game(f"go(board_size={size},komi=7.5)"), 0
    for _ in range(_GAMES):
        state, here = game.new_initial_state(), 0
        while not state.is_terminal() and here < _MOST_PLIES:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            here += 1
        plies += here
    return plies


def _on(work: Callable[[int], int], size: int) -> Callable[[], int]:
    return lambda: work(size)


def run() -> list[Row]:
    return [
        ratio_of(
            f"Go {size}×{size}: play + legal moves, against OpenSpiel",
            _on(_play_ours, size),
            _on(_play_theirs, size),
            at_least=0.1 if size == 19 else None,
        )
        for size in (9, 19)
    ]


if __name__ == "__main__":
    show(run())
