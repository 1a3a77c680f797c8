"""Doubt: which moves are looked at."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.intuition.doubt import doubtful, perplexity

CHANCES = st.lists(st.floats(0.001, 1.0), min_size=1, max_size=40)


def log_probs(weights: list[float]) -> np.ndarray:
    chances = np.array(weights) / sum(weights)
    return np.log(chances)


@given(CHANCES, st.floats(0.01, 5.0), st.floats(1.0, 10.0))
@settings(deadline=None)
def test_a_larger_epsilon_never_doubts_less(weights: list[float], epsilon: float, factor: float) -> None:
    fewer = doubtful(log_probs(weights), epsilon)
    more = doubtful(log_probs(weights), epsilon * factor)
    assert set(fewer.tolist()) <= set(more.tolist())


@given(CHANCES, st.floats(0.01, 5.0))
@settings(deadline=None)
def test_the_likeliest_come_first_and_none_likelier_is_left_out(weights: list[float], epsilon: float) -> None:
    given_ = log_probs(weights)
    taken = doubtful(given_, epsilon)
    left = np.setdiff1d(np.arange(len(weights)), taken)
    assert len(taken) >= 1
    assert (np.diff(given_[taken]) <= 0).all()
    assert not len(left) or given_[left].max() <= given_[taken].min()


def test_one_move_that_stands_out_is_alone() -> None:
    assert doubtful(log_probs([0.9, 0.02, 0.02, 0.02, 0.02, 0.02]), 0.3).tolist() == [0]


def test_two_that_stand_out_are_two() -> None:
    assert doubtful(log_probs([0.01, 0.5, 0.01, 0.45, 0.01, 0.02]), 0.1).tolist() == [1, 3]


def test_nothing_stands_out_and_all_are_looked_at() -> None:
    assert len(doubtful(log_probs([1.0] * 7), 0.05)) == 7


def test_without_doubt_the_best_is_played() -> None:
    assert doubtful(log_probs([0.2, 0.5, 0.3]), 0.0).tolist() == [1]


def test_perplexity_counts_equal_moves() -> None:
    assert np.isclose(perplexity(np.log([0.25] * 4)), 4)
    assert np.isclose(perplexity(np.log([0.5])), 1)
