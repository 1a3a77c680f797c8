"""Orders of games: one to one, a permutation of their own for each seed, the same in all versions."""

import numpy as np

from hitonami.dataset.order import scatter, scramble


def test_values_are_those_of_splitmix64() -> None:
    """The first outputs for seed 0, as the reference implementation (Vigna, splitmix64.c) gives them."""
    state = np.arange(1, 4, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert [f"{value:016x}" for value in scramble(state).tolist()] == [
        "e220a8397b1dcdaf",
        "6e789e6aa1b965f4",
        "06c45d188009454f",
    ]


def test_places_are_distinct_and_even_and_change_with_the_seed() -> None:
    games = np.arange(10_000, dtype=np.uint64)
    first, second = scatter(games, 0), scatter(games, 1)
    assert len(np.unique(first)) == len(games)
    counts, _ = np.histogram((first >> np.uint64(32)).astype(np.float64) / 2**32, bins=10, range=(0, 1))
    assert counts.min() > 900
    assert abs(np.corrcoef(np.argsort(first), np.argsort(second))[0, 1]) < 0.05
