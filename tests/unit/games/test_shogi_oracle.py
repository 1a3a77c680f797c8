"""Shogi against published move counts and against rsshogi, an independent rules library."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hitonami.games.shogi import Shogi, ShogiPosition

SHOGI = Shogi()
GOLDEN = Path(__file__).parents[2] / "golden" / "shogi" / "perft.txt"
STARTS = (
    "startpos",
    "ln1g5/1ks1g3l/1ppp3+r1/p8/4pP3/P1P6/1P1PP4/1KS1G4/LN1G3+rL w BNSbns7p 1",
    "k8/9/9/9/9/9/9/9/K1R1G4 b Gb 1",
    "4k4/9/4+R4/9/9/9/9/9/4K4 w r2g 1",
    "4k4/9/9/9/9/9/9/3r5/4K3R b - 1",
    "k8/9/1G7/9/9/9/9/7g1/8K b RBrb 1",
)


def read_perft() -> list[tuple[str, list[int]]]:
    rows = [line.split(" | ") for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]
    return [(sfen, [int(count) for count in counts.split()]) for counts, sfen in rows]


def count_leaves(position: ShogiPosition, depth: int) -> int:
    if depth == 1:
        return len(position.legal)
    return sum(count_leaves(position.play(move), depth - 1) for move in position.legal.tolist())


@pytest.mark.parametrize(("sfen", "counts"), read_perft())
def test_perft(sfen: str, counts: list[int]) -> None:
    position = SHOGI.read(sfen)
    assert [count_leaves(position, depth) for depth in range(1, len(counts) + 1)] == counts


def choose(position: ShogiPosition, rng: random.Random, eagerness: float, stubbornness: float) -> int:
    """A random move, often a check, often the last move taken back: random play alone hardly ever repeats."""
    legal: list[int] = position.legal.tolist()
    own_last = position.before.last_move if position.before is not None else None
    if own_last is not None and rng.random() < stubbornness:
        back = own_last >> 7 & 127 | (own_last & 127) << 7
        if back in legal:
            return back
    if rng.random() < eagerness:
        checks = [move for move in legal if position.play(move).in_check]
        return rng.choice(checks or legal)
    return rng.choice(legal)


def compare(position: ShogiPosition, other: Any, states: Any) -> None:
    """Assert that rsshogi's board `other` sees the same position, moves and repetition."""
    assert other.to_sfen() == SHOGI.write(position)
    expected = {
        "repetition": states.DRAW,
        "perpetual check": states.WIN if position.score == 1 - position.to_move else states.LOSE,
    }.get(position.ending or "")
    if expected is not None:
        assert other.repetition_state() == expected
        return
    assert other.repetition_state() not in (states.DRAW, states.WIN, states.LOSE)
    ours = sorted(SHOGI.format(position, move) for move in position.legal.tolist())
    assert ours == sorted(move.to_usi() for move in other.legal_moves())
    assert position.in_check == other.is_in_check()
    lost = position.ending in ("checkmate", "no moves")  # rsshogi calls both mated
    assert lost == other.is_mated()
    assert position.score == (position.to_move if lost else None)


@pytest.mark.parametrize("games", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_random_games_agree_with_rsshogi(need_module: Callable[[str], ModuleType], games: int) -> None:
    core, types = need_module("rsshogi.core"), need_module("rsshogi.types")
    rng, endings = random.Random(games), Counter[str | None]()
    for number in range(games):
        position = SHOGI.read(STARTS[number % len(STARTS)])
        other = core.Board(SHOGI.write(position))
        eagerness, stubbornness = rng.random(), rng.random()
        compare(position, other, types.RepetitionState)
        while position.ending is None and position.ply < 200:
            move = choose(position, rng, eagerness, stubbornness)
            other.apply_usi(SHOGI.format(position, move))
            position = position.play(move)
            compare(position, other, types.RepetitionState)
        endings[position.ending] += 1
    assert {"checkmate", "repetition", "perpetual check"} <= set(endings)
