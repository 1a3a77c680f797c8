"""Counting a finished game of Go, and guessing which stones are dead.

Area: stones and the empty points that touch one colour alone. Territory: those empty points, and the
prisoners. In both, empty parts that touch both colours are dame and nobody's.

Under territory scoring an eye in a seki is no territory. Which groups are in seki is judged by one rule
and not by reading: chains that share an empty part of their own are one group; a group that touches dame
and owns a single empty part of at most two points has not two eyes of its own, so it is in seki. Fill the
dame before counting, as the Japanese rules ask, or one-eyed outposts that are really connected lose theirs.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.games.go_rules.life import find_safe
from hitonami.games.go_rules.rulesets import Start
from hitonami.games.go_rules.score import find_chains, find_regions, play_out

Board = NDArray[np.uint8]
_SEKI_EYE = 2
_DEAD_BELOW = 0.5


@dataclass(frozen=True, slots=True)
class Count:
    """A counted game. `white` holds the komi; `owners` are uint8[n]: 1 Black's, 2 White's, 0 nobody's."""

    black: float
    white: float
    komi: float
    dame: int
    prisoners: tuple[int, int]
    """Stones that Black and White took off, dead ones included."""
    owners: Board

    @property
    def margin(self) -> float:
        """Points that Black is ahead."""
        return self.black - self.white

    @property
    def score(self) -> float:
        """0..1 for player 0."""
        return 0.5 if self.margin == 0 else float(self.margin > 0)

    def __str__(self) -> str:
        """As SGF and GTP write results: B+3.5, W+10, 0."""
        return "0" if self.margin == 0 else f"{'B' if self.margin > 0 else 'W'}+{abs(self.margin):.10g}"


def count_board(board: Board, start: Start, captures: tuple[int, int], dead: Collection[int]) -> Count:
    """Count with the chains of the `dead` points taken off. Raises BadInput where such a point has no stone."""
    gone = _whole_chains(board, start.size, dead)
    prisoners = (
        captures[0] + int(np.count_nonzero(board[gone] == 2)),
        captures[1] + int(np.count_nonzero(board[gone] == 1)),
    )
    left = board.copy()
    left[gone] = 0
    region = np.empty(len(board), np.int32)
    touches = np.zeros(len(board) + 1, np.uint8)
    parts = find_regions(left, start.size, 0, region, touches)
    owners = np.where(left != 0, left, np.where(touches[region] == 3, 0, touches[region])).astype(np.uint8)
    if start.rules.scoring == "territory":
        for part in _seki_eyes(left, start.size, region, touches, parts):
            owners[region == part] = 0
        counted = np.where(left == 0, owners, 0)
        bonus: tuple[int, int] = prisoners
    else:
        counted, bonus = owners, (0, 0)
    return Count(
        black=float(np.count_nonzero(counted == 1) + bonus[0]),
        white=float(np.count_nonzero(counted == 2) + bonus[1] + start.komi),
        komi=start.komi,
        dame=int(np.count_nonzero((left == 0) & (owners == 0))),
        prisoners=prisoners,
        owners=owners,
    )


def _whole_chains(board: Board, size: int, dead: Collection[int]) -> NDArray[np.bool_]:
    """The points of every chain that holds a dead stone."""
    if not len(dead):
        return np.zeros(len(board), np.bool_)
    points = np.fromiter(dead, np.int64, len(dead))
    if ((points < 0) | (points >= len(board))).any() or (board[points] == 0).any():
        raise BadInput(f"only stones can be dead, got points {sorted(map(int, points))}")
    chain = np.empty(len(board), np.int32)
    find_chains(board, size, chain)
    return np.isin(chain, chain[points])


def _neighbours(size: int) -> list[tuple[int, int]]:
    """Every pair of adjacent points, once."""
    across = [(at, at + 1) for at in range(size * size) if at % size < size - 1]
    return across + [(at, at + size) for at in range(size * (size - 1))]


def _seki_eyes(board: Board, size: int, region: NDArray[np.int32], touches: Board, parts: int) -> list[int]:
    """The empty parts that the module's rule calls eyes in a seki."""
    chain = np.empty(len(board), np.int32)
    chains = find_chains(board, size, chain)
    beside: list[set[int]] = [set() for _ in range(parts + 1)]  # chains next to each empty part
    for one, other in _neighbours(size):
        for empty, stone in ((one, other), (other, one)):
            if board[empty] == 0 and board[stone]:
                beside[region[empty]].add(int(chain[stone]))
    group = list(range(chains + 1))

    def root(number: int) -> int:
        while group[number] != number:
            number = group[number]
        return number

    owned = [part for part in range(1, parts + 1) if touches[part] in (1, 2)]
    for part in owned:
        first, *others = beside[part]
        for number in others:
            group[root(number)] = root(first)
    by_dame = {root(number) for part in range(1, parts + 1) if touches[part] == 3 for number in beside[part]}
    eyes: dict[int, list[int]] = {}
    for part in owned:
        eyes.setdefault(root(next(iter(beside[part]))), []).append(part)
    return [
        held[0]
        for who, held in eyes.items()
        if who in by_dame and len(held) == 1 and np.count_nonzero(region == held[0]) <= _SEKI_EYE
    ]


def guess_dead(board: Board, size: int, to_move: int, rng: np.random.Generator, playouts: int) -> list[int]:
    """Points of stones that random play rarely leaves standing; never stones that Benson proves alive."""
    points = size * size
    owned: list[Any] = [np.zeros(points, np.int32) for _ in range(2)]
    play_out(board, size, to_move + 1, int(rng.integers(2**31)), playouts, *owned)
    chain = np.empty(points, np.int32)
    chains = find_chains(board, size, chain)
    sure = np.zeros(points, np.bool_)
    safe = np.zeros(points, np.bool_)
    for colour in (1, 2):
        find_safe(board, size, colour, safe)
        sure |= safe
    dead: list[int] = []
    for number in range(1, chains + 1):
        stones = np.flatnonzero(chain == number)
        kept = owned[int(board[stones[0]]) - 1][stones].mean() / playouts
        if kept < _DEAD_BELOW and not sure[stones[0]]:
            dead += stones.tolist()
    return sorted(dead)
