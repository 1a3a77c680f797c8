"""Figures of win rates against hand-made cases, and against chances that are known to be right or wrong."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Answers, DecisionTable, Facts
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.winrate import (
    Outcomes,
    bin_errors,
    loss_columns,
    measure_chances,
    measure_results,
    phase_rows,
    reliability,
    simulate_ece,
)

Floats = NDArray[np.float64]


def ece_of(told: Outcomes) -> float:
    return float(np.abs(bin_errors(told).sum(axis=0)).sum() / len(told.score))


def facts_of(score: Floats, groups: int = 1) -> Facts:
    count = len(score)
    named = tuple(Group("lichess", 1000.0 + 200 * at, f"{1000 + 200 * at}") for at in range(groups))
    place = (np.arange(count) % groups).astype(np.int32)
    ratings = (1000.0 + 200 * place).astype(np.float64)
    plies, legal = np.arange(count, dtype=np.int32), np.full(count, 20, dtype=np.int32)
    return Facts(
        np.arange(count, dtype=np.uint64), place, named, plies, ratings, ratings, ("lichess",) * count, legal, score
    )


def drawn_results(count: int, seed: int = 3) -> tuple[Floats, Floats]:
    """Chances, and results drawn from them."""
    rng = np.random.default_rng(seed)
    wdl = rng.dirichlet([1.5, 0.7, 1.5], count)
    drawn = rng.random(count)
    return np.where(drawn < wdl[:, 0], 1.0, np.where(drawn < wdl[:, 0] + wdl[:, 1], 0.5, 0.0)), wdl


def test_losses_by_hand() -> None:
    score = np.array([1.0, 0.0, 0.5, 1.0])
    wdl = np.array([[0.8, 0.0, 0.2], [0.6, 0.0, 0.4], [0.5, 0.3, 0.2], [0.5, 0.0, 0.5]])
    hit, decided, entropy, three_way, brier = loss_columns(Outcomes(score, np.maximum(wdl, 1e-9))).T
    assert hit.tolist() == [1.0, 0.0, 0.0, 0.5]
    assert decided.tolist() == [1.0, 1.0, 0.0, 1.0]
    assert entropy[:2] == pytest.approx([-np.log(0.8), -np.log(0.4)])
    assert entropy[2] == pytest.approx(-(np.log(0.65) + np.log(0.35)) / 2)
    assert three_way == pytest.approx(-np.log([0.8, 0.4, 0.3, 0.5]))
    assert brier == pytest.approx([0.04, 0.36, 0.0225, 0.25])


def test_ece_by_hand() -> None:
    # bin 0.6…0.7 holds three positions with mean V 0.65 and mean score 1/3, bin 0.9…1.0 one with V 0.95 that was won
    expected = np.array([0.64, 0.65, 0.66, 0.95])
    told = Outcomes(np.array([1.0, 0.0, 0.0, 1.0]), np.column_stack([expected, np.zeros(4), 1 - expected]))
    assert ece_of(told) == pytest.approx((3 * (0.65 - 1 / 3) + 0.05) / 4)
    assert [(each.n, each.low) for each in reliability(told)] == [(3, 0.6), (1, 0.9)]


def test_chances_of_nought_and_one_have_bins() -> None:
    told = Outcomes(np.array([0.0, 1.0]), np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]))
    assert ece_of(told) == 0.0
    assert [each.low for each in reliability(told)] == [0.0, 0.9]


def test_right_chances_have_the_ece_that_chance_gives_and_wrong_ones_more() -> None:
    score, wdl = drawn_results(2000)
    facts = facts_of(score)
    timid = (wdl + 0.8) / (wdl + 0.8).sum(axis=1, keepdims=True)
    found = measure_chances(facts, {"right": wdl, "timid": timid, "even": np.full((2000, 3), 1 / 3)}, resamples=200)
    right, timid_one, even = (each.all for each in found.minds)
    assert abs(right.ece_excess) < 0.012
    assert right.ece_p > 0.05
    assert timid_one.ece_excess > 0.05
    assert timid_one.ece_p == 0.0
    assert right.cross_entropy.value < timid_one.cross_entropy.value < even.cross_entropy.value
    assert even.cross_entropy.value == pytest.approx(np.log(2))
    assert even.spread == pytest.approx(0.0, abs=1e-9)
    assert even.ece.value < 0.03, "which is why ECE never stands alone"
    [pair] = [pair for pair in found.pairs if (pair.a, pair.b) == ("right", "timid")]
    assert pair.groups[-1][1]["cross_entropy"].high < 0


def test_the_expected_ece_shrinks_with_the_sample() -> None:
    few, many = (simulate_ece(Outcomes(*drawn_results(count)), 0).mean() for count in (100, 1600))
    assert few == pytest.approx(4 * many, rel=0.2)


@given(st.integers(1, 60), st.integers(1, 4))
def test_every_known_row_is_in_one_group_and_one_phase(count: int, groups: int) -> None:
    score, wdl = drawn_results(count)
    facts = facts_of(score, groups)
    found = measure_chances(facts, {"one": wdl}, resamples=5)
    [mind] = found.minds
    assert sum(each.n for each in mind.groups[:-1]) == mind.all.n == count
    assert sum(each.n for each in mind.phases) == count
    assert sum(each.n for each in mind.bins) == count
    rows = np.concatenate([rows for _, rows in phase_rows(facts, np.arange(count))])
    assert sorted(rows.tolist()) == list(range(count))


def test_games_without_a_result_are_left_out_and_silent_minds_refused() -> None:
    score, wdl = drawn_results(50)
    score[::2] = np.nan
    nothing = np.full(50, np.nan)
    answers = Answers(nothing, nothing, nothing, nothing, wdl)
    table = DecisionTable(facts_of(score), {"one": answers})
    assert measure_results(table, resamples=5).minds[0].all.n == 25
    silent = DecisionTable(table.facts, {"one": answers, "mute": replace(answers, wdl=np.full((50, 3), np.nan))})
    with pytest.raises(BadInput, match="mute"):
        measure_results(silent)
    with pytest.raises(BadInput, match="who won"):
        measure_results(DecisionTable(facts_of(np.full(50, np.nan)), {"one": answers}))
