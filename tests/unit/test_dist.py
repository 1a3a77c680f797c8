"""Distributions: laws that hold for any input, and the cases where peers went wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami import dist
from hitonami.core import LogProbs
from hitonami.errors import BadInput, NoOpinion

logits = st.lists(st.floats(-30, 30), min_size=1, max_size=40).map(dist.normalise)


def probs(log_probs: LogProbs) -> np.ndarray:
    return np.exp(log_probs.astype(np.float64))


@given(st.lists(st.floats(-1000, 1000) | st.just(-np.inf), max_size=90), st.floats(-30, 30))
def test_short_and_long_vectors_are_normalised_alike(values: list[float], one: float) -> None:
    scores = np.array([one, *values])
    expected = scores - np.logaddexp.reduce(scores)
    np.testing.assert_allclose(dist.normalise(scores), expected.astype(np.float32), rtol=1e-6, atol=1e-6)


def test_rows_are_normalised_together_as_alone() -> None:
    rng = np.random.default_rng(4)
    logits = rng.normal(scale=9.0, size=(12, 90)).astype(np.float32)
    places = [rng.choice(90, size=count, replace=False).astype(np.int32) for count in range(1, 85, 7)]
    for row, place, made in zip(logits, places, dist.normalise_rows(logits, places), strict=True):
        np.testing.assert_allclose(made, dist.normalise(row.take(place)), rtol=1e-6, atol=1e-6)
    for bad in (-np.inf, np.nan):
        logits[3, places[3]] = bad
        with pytest.raises(NoOpinion):
            dist.normalise_rows(logits, places)


def test_normalise_survives_extremes() -> None:
    assert probs(dist.normalise([1000.0, 1000.0])).tolist() == pytest.approx([0.5, 0.5])
    assert probs(dist.normalise([-1e5, -np.inf])).tolist() == [1.0, 0.0]


_NONSENSE = [[], [-np.inf], [np.nan, 0.0], [0.0, np.nan], [0.0, np.inf], [0.0] * 99 + [np.nan], [-np.inf] * 99]


@pytest.mark.parametrize("bad", _NONSENSE)
def test_normalise_refuses_nothing_and_nonsense(bad: list[float]) -> None:
    with pytest.raises(NoOpinion):
        dist.normalise(bad)


@given(logits, st.floats(0, 20))
def test_temper_keeps_order_and_sum(log_probs: LogProbs, rho: float) -> None:
    tempered = dist.temper(log_probs, rho)
    assert probs(tempered).sum() == pytest.approx(1, abs=1e-5)
    order = np.argsort(log_probs, kind="stable")
    assert (np.diff(tempered[order]) >= -1e-5).all()


def test_temper_at_zero_keeps_exclusions() -> None:
    log_probs = dist.normalise([0.0, -1.0, -np.inf])
    assert probs(dist.temper(log_probs, 0.0)).tolist() == pytest.approx([0.5, 0.5, 0.0])


@given(logits, st.floats(0, 1))
def test_geometric_mix_with_itself_changes_nothing(log_probs: LogProbs, alpha: float) -> None:
    mixed = dist.mix([log_probs, log_probs], [alpha, 1 - alpha])
    assert mixed == pytest.approx(log_probs, abs=1e-4)


def test_geometric_mix_is_the_formula() -> None:
    p, q, alpha = np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.3, 0.6]), 0.6
    wanted = p**alpha * q ** (1 - alpha)
    mixed = dist.mix([np.log(p).astype(np.float32), np.log(q).astype(np.float32)], [alpha, 1 - alpha])
    assert probs(mixed) == pytest.approx(wanted / wanted.sum(), abs=1e-6)


@pytest.mark.parametrize("beta", [-2.0, -0.5, 0.5, 1.0, 3.0])
def test_power_mean_is_the_formula(beta: float) -> None:
    p, q, alpha = np.array([0.7, 0.2, 0.1]), np.array([0.1, 0.3, 0.6]), 0.6
    wanted = (alpha * p**beta + (1 - alpha) * q**beta) ** (1 / beta)
    mixed = dist.mix([np.log(p).astype(np.float32), np.log(q).astype(np.float32)], [alpha, 1 - alpha], beta)
    assert probs(mixed) == pytest.approx(wanted / wanted.sum(), abs=1e-6)


def test_power_means_approach_the_geometric_one() -> None:
    p, q = dist.normalise([0.3, -1.0, 2.0]), dist.normalise([1.0, 0.5, -2.0])
    near = dist.mix([p, q], [0.4, 0.6], 1e-6)
    assert near == pytest.approx(dist.mix([p, q], [0.4, 0.6], 0.0), abs=1e-4)


@pytest.mark.parametrize(("exponent", "kept"), [(0.0, [0, 1, 0]), (-1.0, [0, 1, 0]), (1.0, [1, 1, 1])])
def test_exclusion_under_each_mean(exponent: float, kept: list[int]) -> None:
    p, q = dist.normalise([0.0, 0.0, -np.inf]), dist.normalise([-np.inf, 0.0, 0.0])
    assert (probs(dist.mix([p, q], [0.5, 0.5], exponent)) > 0).astype(int).tolist() == kept


def test_a_part_of_weight_zero_has_no_say() -> None:
    p, q = dist.normalise([0.0, 1.0]), dist.normalise([0.0, -np.inf])
    assert dist.mix([p, q], [1.0, 0.0]) == pytest.approx(p)


def test_disjoint_parts_have_no_geometric_mean() -> None:
    with pytest.raises(NoOpinion):
        dist.mix([dist.normalise([0.0, -np.inf]), dist.normalise([-np.inf, 0.0])], [0.5, 0.5])


@pytest.mark.parametrize("weights", [[1.0], [0.0, 0.0], [-1.0, 2.0], [np.nan, 1.0]])
def test_bad_weights_are_refused(weights: list[float]) -> None:
    with pytest.raises(BadInput):
        dist.mix([dist.uniform(3), dist.uniform(3)], weights)


def test_top_p_keeps_the_move_on_the_boundary() -> None:
    log_probs = np.log(np.array([0.5, 0.3, 0.2], dtype=np.float32))
    assert (probs(dist.restrict(log_probs, top_p=0.6)) > 0).tolist() == [True, True, False]
    assert (probs(dist.restrict(log_probs, top_p=0.5)) > 0).tolist() == [True, False, False]
    assert (probs(dist.restrict(log_probs, top_p=0.0)) > 0).tolist() == [True, False, False]


@given(logits, st.floats(0, 1), st.floats(0, 1), st.integers(1, 50))
def test_restrict_keeps_the_likeliest_and_enough(log_probs: LogProbs, least: float, mass: float, count: int) -> None:
    kept = dist.restrict(log_probs, least, mass, count)
    alive = ~np.isneginf(kept)
    assert alive[dist.best(log_probs)]
    assert alive.sum() <= count
    only_mass = ~np.isneginf(dist.restrict(log_probs, top_p=mass))
    assert probs(log_probs)[only_mass].sum() >= mass - 1e-5


def test_floor_gives_every_move_its_share() -> None:
    floored = probs(dist.floor(dist.normalise([0.0, -np.inf, -np.inf, -np.inf]), 0.2))
    assert floored.tolist() == pytest.approx([0.85, 0.05, 0.05, 0.05])


def test_sample_follows_the_distribution_and_never_draws_the_excluded() -> None:
    log_probs = dist.normalise(np.log([0.6, 1e-300, 0.4, 1e-300]))
    log_probs[[1, 3]] = -np.inf
    rng = np.random.default_rng(5)
    drawn = np.bincount([dist.sample(log_probs, rng) for _ in range(4000)], minlength=4)
    assert drawn[1] == drawn[3] == 0
    assert abs(drawn[0] / 4000 - 0.6) < 4 * np.sqrt(0.24 / 4000)


def test_entropy_and_divergence() -> None:
    even = dist.uniform(8)
    assert dist.entropy(even) == pytest.approx(np.log(8))
    sure = dist.normalise([0.0, -np.inf])
    assert dist.entropy(sure) == 0
    assert dist.kl(sure, dist.uniform(2)) == pytest.approx(np.log(2))
    assert dist.kl(dist.uniform(2), sure) == np.inf
