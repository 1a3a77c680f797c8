"""Go's rules against OpenSpiel's: random games, every legal move listed at every ply. SGF against sgfmill."""

import random
from collections.abc import Callable
from pathlib import Path

import pyspiel
from sgfmill import sgf, sgf_moves

from _measure import Row, ratio_of, show
from hitonami.core import Setup
from hitonami.games.go import Go
from hitonami.records import Record
from hitonami.records.sgf import read_text

_GAMES = {9: 60, 19: 6}
_MOST_PLIES = 700
_FILES = sorted((Path(__file__).parents[1] / "tests" / "golden" / "go").glob("finished-*.sgf"))


def _play_ours(size: int) -> int:
    rng, game, plies = random.Random(7), Go(), 0
    for _ in range(_GAMES[size]):
        position = game.start(Setup(size=size))
        while len(legal := position.legal) and position.ply < _MOST_PLIES:
            position = position.play(legal[int(rng.random() * len(legal))])
        plies += position.ply
    return plies


def _play_theirs(size: int) -> int:
    rng, game, plies = random.Random(7), pyspiel.load_game(f"go(board_size={size},komi=7.5)"), 0
    for _ in range(_GAMES[size]):
        state, here = game.new_initial_state(), 0
        while not state.is_terminal() and here < _MOST_PLIES:
            legal = state.legal_actions()
            state.apply_action(legal[int(rng.random() * len(legal))])
            here += 1
        plies += here
    return plies


def _on(work: Callable[[int], int], size: int) -> Callable[[], int]:
    return lambda: work(size)


def _read_ours(texts: list[bytes]) -> int:
    return sum(isinstance(read_text(text), Record) for text in texts)


def _read_theirs(texts: list[bytes]) -> int:
    for text in texts:
        board, moves = sgf_moves.get_setup_and_moves(sgf.Sgf_game.from_bytes(text))
        for colour, point in moves:
            if point is not None:
                board.play(*point, colour)
    return len(texts)


def run() -> list[Row]:
    texts = [path.read_bytes() for path in _FILES] * 5
    rules = [
        ratio_of(
            f"Go {size}×{size}: play + legal moves, against OpenSpiel",
            _on(_play_ours, size),
            _on(_play_theirs, size),
            at_least=0.1 if size == 19 else None,
        )
        for size in (9, 19)
    ]
    reading = ratio_of(
        "Go: SGF parsed and replayed, against sgfmill",
        lambda: _read_ours(texts),
        lambda: _read_theirs(texts),
        at_least=5.0,
    )
    return [*rules, reading]


if __name__ == "__main__":
    show(run())
