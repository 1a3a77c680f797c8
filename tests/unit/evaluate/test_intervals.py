"""Resampling against SciPy, hand-made cases and the laws that p-values obey."""

from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.evaluate.intervals import (
    Sums,
    flip_p_values,
    holm,
    interval_of,
    resample_counts,
    resample_means,
    sum_by_game,
)


def clustered(games: int, seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Rows in games of one to six; rows of a game are alike."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, games)
    level = rng.normal(1.5, 0.5, games)
    game = np.repeat(np.arange(games), sizes)
    return game, np.repeat(level, sizes) + rng.normal(0, 0.3, len(game))


def test_every_resample_draws_as_many_games_as_there_are() -> None:
    blocks = list(resample_counts(2_500, seed=1, resamples=2_000))
    assert len(blocks) > 1  # in pieces: a whole matrix of many games would not fit
    counts = np.concatenate(blocks)
    assert counts.shape == (2_000, 2_500)
    assert (counts.sum(axis=1) == 2_500).all()
    assert counts.mean(axis=0) == pytest.approx(1.0, abs=0.15)


def test_intervals_are_scipys_bootstrap_over_games(need_module: Callable[[str], ModuleType]) -> None:
    stats = need_module("scipy.stats")
    game, values = clustered(120)
    sums = sum_by_game(game, values[:, None])
    [draws] = resample_means([sums], 120, seed=5, resamples=8_000)
    ours = interval_of(float(values.mean()), draws[:, 0])

    def mean_of(totals: np.ndarray, rows: np.ndarray, axis: int = -1) -> np.ndarray:
        return totals.sum(axis=axis) / rows.sum(axis=axis)

    theirs = stats.bootstrap(
        (sums.sums[:, 0], sums.counts), mean_of, paired=True, vectorized=True, n_resamples=8_000, method="percentile",
        rng=np.random.default_rng(7),
    ).confidence_interval  # fmt: skip
    width = theirs.high - theirs.low
    assert ours.value == pytest.approx(values.mean())
    assert ours.low == pytest.approx(theirs.low, abs=0.05 * width)
    assert ours.high == pytest.approx(theirs.high, abs=0.05 * width)


def test_rows_of_one_game_are_not_independent() -> None:
    game, values = clustered(150)
    whole = sum_by_game(game, values[:, None])
    single = sum_by_game(np.arange(len(values)), values[:, None])
    [by_game] = resample_means([whole], 150, seed=0)
    [by_row] = resample_means([single], len(values), seed=0)
    assert by_game.std() > 1.3 * by_row.std()


def test_a_group_is_measured_within_the_draws_of_all_games() -> None:
    game, values = clustered(200)
    part = game < 80
    own = sum_by_game(game[part], values[part, None])
    [within] = resample_means([own], 200, seed=1)
    alone = Sums(np.arange(80), own.counts, own.sums)
    [apart] = resample_means([alone], 80, seed=1)
    assert within.std() == pytest.approx(apart.std(), rel=0.12)


def test_a_group_that_was_not_drawn_says_nothing() -> None:
    lonely = Sums(np.array([0]), np.array([2.0]), np.array([[1.0]]))
    [draws] = resample_means([lonely], 50, seed=0)
    assert 0.25 < np.isnan(draws).mean() < 0.5  # (1 - 1/50)^50 is 0.364
    assert interval_of(0.5, draws[:, 0]) == interval_of(0.5, np.array([0.5]))
    assert interval_of(0.5, np.array([np.nan])).low == 0.5


def test_flipping_signs_agrees_with_scipys_permutation_test(need_module: Callable[[str], ModuleType]) -> None:
    stats = need_module("scipy.stats")
    differences = np.random.default_rng(2).normal(0.25, 1.0, 60)
    exact = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=20_000, rng=np.random.default_rng(4)
    ).pvalue
    [ours] = flip_p_values(differences[:, None], seed=6, flips=20_000)
    assert ours == pytest.approx(exact, abs=0.01)


def test_p_values_of_no_difference_are_uniform() -> None:
    rng = np.random.default_rng(11)
    found = flip_p_values(rng.normal(size=(40, 300)), seed=0, flips=500)
    assert np.mean(found < 0.05) == pytest.approx(0.05, abs=0.04)
    assert np.mean(found) == pytest.approx(0.5, abs=0.06)


def test_equal_minds_differ_by_chance_only() -> None:
    assert flip_p_values(np.zeros((30, 1)), seed=0) == pytest.approx([1.0])
    assert flip_p_values(np.full((30, 1), 0.1), seed=0) == pytest.approx([1 / 2_001])


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []


@given(st.lists(st.floats(0.0005, 1.0), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_never_lowers(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert all(p <= q <= 1.0 for p, q in zip(p_values, adjusted, strict=True))
    assert min(adjusted) == pytest.approx(min(1.0, len(p_values) * min(p_values)))
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(adjusted)[order]) >= 0).all()
