"""Figures against hand-made rows, scikit-learn and their own laws."""

from collections.abc import Callable, Sequence
from math import exp, log
from types import ModuleType

import numpy as np
import pytest
from numpy.typing import NDArray

from hitonami.evaluate.decisions import Answers, DecisionTable, Facts
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.metrics import FLOOR, calibration_of, measure, surprise

Floats = NDArray[np.float64]
LOW, HIGH = Group("lichess", 1000.0, "1000"), Group("lichess", 1200.0, "1200")


def answers(probs: Sequence[float] | Floats, hits: Sequence[float], tops: Sequence[float] | None = None) -> Answers:
    with np.errstate(divide="ignore"):
        log_prob = np.log(np.array(probs, dtype=np.float64))
    top = np.array(tops if tops is not None else np.maximum(probs, 0.5), dtype=np.float64)
    n = len(probs)
    return Answers(
        log_prob, np.where(np.array(hits) > 0, 1.0, 2.0), np.array(hits, float), top, np.full((n, 3), np.nan)
    )


def facts(games: Sequence[int], groups: Sequence[int], known: tuple[Group, ...] = (LOW, HIGH)) -> Facts:
    n = len(games)
    empty = np.full(n, np.nan)
    return Facts(
        np.array(games, dtype=np.uint64), np.array(groups, dtype=np.int32), known, np.full(n, 20, dtype=np.int32),
        empty, empty, ("lichess",) * n, np.full(n, 30, dtype=np.int32), empty,
    )  # fmt: skip


def test_an_example_by_hand() -> None:
    table = DecisionTable(
        facts([1, 1, 2, 3], [0, 0, 0, 1]),
        {"m": answers([0.5, 0.25, 0.125, 0.5], [1, 0, 0, 1]), "u": answers([0.25] * 4, [0.25] * 4)},
    )
    found = measure(table)
    low, high, every = found.minds[0].groups
    assert [(each.group, each.n, each.games) for each in found.minds[0].groups] == [
        ("1000", 3, 2),
        ("1200", 1, 1),
        ("all", 4, 3),
    ]
    assert low.accuracy.value == pytest.approx(1 / 3)
    assert low.cross_entropy.value == pytest.approx(2 * log(2))
    assert low.likelihood.value == pytest.approx((0.5 * 0.25 * 0.125) ** (1 / 3))
    assert high.accuracy.value == 1.0
    assert every.cross_entropy.value == pytest.approx(7 / 4 * log(2))
    equal = found.minds[0].equal
    assert (equal[0].value, equal[1].value) == pytest.approx(((1 / 3 + 1) / 2, 1.5 * log(2)))
    (pair,) = found.pairs
    assert (pair.a, pair.b) == ("m", "u")
    assert pair.all.accuracy.interval.value == pytest.approx(0.25)
    assert pair.all.cross_entropy.interval.value == pytest.approx((7 / 4 - 2) * log(2))
    assert pair.equal[0].value == pytest.approx((1 / 3 + 1) / 2 - 0.25)


def random_table(games: int, minds: int = 2, seed: int = 0, known: tuple[Group, ...] = (LOW, HIGH)) -> DecisionTable:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, games)
    game = np.repeat(np.arange(games), sizes)
    made = {}
    for at in range(minds):
        probs = rng.beta(1.0 + at, 2.0, len(game))
        made[f"m{at}"] = answers(probs, (rng.random(len(game)) < 0.4 + 0.1 * at).astype(float).tolist())
    return DecisionTable(
        facts(game.tolist(), np.repeat(rng.integers(0, len(known), games), sizes).tolist(), known), made
    )


def test_figures_are_scikit_learns(need_module: Callable[[str], ModuleType]) -> None:
    metrics = need_module("sklearn.metrics")
    rng = np.random.default_rng(5)
    probs = rng.dirichlet(np.ones(7) * 0.5, 200)
    played = np.array([rng.choice(7, p=row) for row in probs])
    own = probs[np.arange(200), played]
    hits = (probs.argmax(axis=1) == played).astype(float)
    [figures] = measure(DecisionTable(facts(range(200), [0] * 200, (LOW,)), {"m": answers(own, hits)})).minds
    every = figures.groups[-1]
    assert every.accuracy.value == pytest.approx(metrics.accuracy_score(played, probs.argmax(axis=1)))
    assert every.cross_entropy.value == pytest.approx(metrics.log_loss(played, probs, labels=range(7)))


def test_intervals_hold_their_figure_and_likelihood_turns_them_round() -> None:
    for mind in measure(random_table(80)).minds:
        for each in mind.groups:
            for interval in (each.accuracy, each.cross_entropy, each.likelihood):
                assert interval.low < interval.value < interval.high
            assert each.likelihood.low == pytest.approx(exp(-each.cross_entropy.high))
            assert each.likelihood.high == pytest.approx(exp(-each.cross_entropy.low))


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    """Forty made-up evaluations of minds whose accuracies are 0.4 and 0.5."""
    covered = [
        each.groups[-1].accuracy.low <= truth <= each.groups[-1].accuracy.high
        for seed in range(40)
        for each, truth in zip(measure(random_table(60, seed=seed), resamples=400).minds, (0.4, 0.5), strict=True)
    ]
    assert np.mean(covered) > 0.85


def test_pairing_makes_differences_sharper() -> None:
    table = random_table(100, minds=1)
    first = table.answers["m0"]
    better = first.hit.copy()
    better[np.flatnonzero(better == 0)[::15]] = 1.0  # in many games: a few games, however much better, prove little
    table.answers["m1"] = Answers(first.log_prob + 0.1, first.rank, better, first.top, first.wdl)
    found = measure(table)
    difference, alone = found.pairs[0].all.accuracy, found.minds[0].groups[-1].accuracy
    assert difference.interval.high < 0  # m0 − m1
    assert difference.p < 0.01
    assert difference.interval.high - difference.interval.low < 0.5 * (alone.high - alone.low)
    nats = found.pairs[0].all.cross_entropy.interval
    assert (nats.value, nats.low, nats.high) == pytest.approx((0.1, 0.1, 0.1))


def test_groups_are_corrected_together_and_all_is_not() -> None:
    pair = measure(random_table(150)).pairs[0]
    *bands, every = pair.groups
    assert every.accuracy.p_holm is None
    p_values = [band.cross_entropy.p for band in bands]
    assert min(band.cross_entropy.p_holm or 0 for band in bands) == pytest.approx(min(1.0, 2 * min(p_values)))


def test_the_same_seed_gives_the_same_figures_and_another_other_intervals() -> None:
    table = random_table(40)
    assert measure(table, seed=1) == measure(table, seed=1)
    one, two = (measure(table, seed=seed).minds[0].groups[-1].accuracy for seed in (1, 2))
    assert one.value == two.value
    assert (one.low, one.high) != (two.low, two.high)


def test_excluded_moves_cost_the_floor_and_are_counted() -> None:
    table = DecisionTable(facts([1, 2, 3], [0, 0, 0], (LOW,)), {"m": answers([0.5, 0.0, 1e-12], [1, 0, 0])})
    every = measure(table).minds[0].groups[-1]
    assert every.zero_probability == 2
    assert every.cross_entropy.value == pytest.approx((log(2) - 2 * log(FLOOR)) / 3)
    assert surprise(np.array([-np.inf, -1.0])) == pytest.approx([-log(FLOOR), 1.0])


def test_pools_are_named_only_where_there_are_several() -> None:
    fide = Group("fide", 1000.0, "1000")
    [alone] = measure(random_table(30, minds=1, known=(fide,))).minds
    assert [each.group for each in alone.groups] == ["1000", "all"]
    [both] = measure(random_table(30, minds=1, known=(fide, LOW))).minds
    assert [each.group for each in both.groups] == ["fide 1000", "lichess 1000", "all"]


def test_without_groups_there_is_only_all() -> None:
    found = measure(random_table(30, known=(Group("", 0.0, "all"),)))
    assert [each.group for each in found.minds[0].groups] == ["all"]
    assert found.minds[0].equal[0].value == found.minds[0].groups[0].accuracy.value
    assert [each.group for each in found.pairs[0].groups] == ["all"]


def test_calibration_bins_hold_every_decision() -> None:
    tops = [0.05, 0.15, 0.19, 0.95, 1.0]
    bins = calibration_of(answers([0.1] * 5, [0, 1, 0, 1, 1], tops))
    assert [(each.low, each.n, each.accuracy) for each in bins] == [(0.0, 1, 0.0), (0.1, 2, 0.5), (0.9, 2, 1.0)]
    assert bins[1].probability == pytest.approx(0.17)
