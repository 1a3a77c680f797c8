"""Losses by the dissertation's protocol, on decisions made by hand."""

from dataclasses import replace

import numpy as np
import pytest
from tests.unit.judging.conftest import made_up_facts

from hitonami.judging.as_published import best_temperature, in_centipawns, measure_as_published, take_undecided
from hitonami.judging.losses import Judged

_SCALE = 272.0


def decisions(count: int, best: float = 0.5) -> Judged:
    """A good and a bad move each; people play the bad one in every fourth. The mind gives the bad one 0.4."""
    slips = np.arange(count) % 4 == 0
    losses = np.where(slips[:, None], [0.4, 0.0], [0.0, 0.4])
    likes = np.where(slips[:, None], [0.4, 0.6], [0.6, 0.4])
    return Judged(
        made_up_facts(count),
        np.zeros(count, dtype=np.int8),
        np.arange(count + 1) * 2,
        losses.ravel(),
        losses[:, 0],
        {"mind": np.log(likes).ravel(), "sure": np.log(np.where(losses > 0, 0.01, 0.99)).ravel()},
        "somebody",
        None,
        np.full(count, best),
    )


def test_the_temperature_has_the_least_squared_difference() -> None:
    # with p of the bad move, 3/4 · p + 1/4 · (1 − p) = 1/4 + p/2 is least at p = 0: the likeliest move
    assert best_temperature(decisions(40), "mind") == 0.0
    people_slip = replace(decisions(40), person=np.full(40, 0.4))
    assert best_temperature(people_slip, "mind") == 1.0


def test_only_undecided_positions_count() -> None:
    judged = decisions(40)
    judged = replace(judged, best=np.where(np.arange(40) < 30, 0.5, 0.99))
    kept = take_undecided(judged)
    assert kept.count == 30
    assert kept.loss.tolist() == judged.loss[:60].tolist()
    assert kept.log_probs["mind"].tolist() == judged.log_probs["mind"][:60].tolist()
    found = measure_as_published(decisions(8), judged, _SCALE)
    assert (found.judged, found.n, found.n_fit) == (40, 30, 8)


def test_shares_are_those_of_all_draws() -> None:
    found = measure_as_published(decisions(40), decisions(400), _SCALE)
    [mind, _] = found.minds
    assert (mind.temperature, mind.more.value, mind.less.value) == pytest.approx((0.0, 0.0, 0.25))
    assert mind.less.low < 0.25 < mind.less.high
    assert found.people.value == pytest.approx(0.1)


def test_bad_is_500_centipawns_below_the_best_that_anybody_plays() -> None:
    judged = in_centipawns(decisions(4), _SCALE)
    lost = _SCALE * np.log(0.9 / 0.1)  # from even chances to 0.1
    assert sorted(set(np.round(judged.loss, 6))) == [0.0, round(lost, 6)]
    assert lost > 500
    # the likeliest move of both minds is the good one, which people miss in a quarter
    found = measure_as_published(decisions(8), decisions(400), _SCALE).blunders
    assert [each.bad.value for each in found.finders] == [0.0, 0.0]
    assert [each.matched.value for each in found.finders] == [0.75, 0.75]
    careless = replace(decisions(400), log_probs={"mind": np.log(np.tile([0.4, 0.6], 400))})
    found = measure_as_published(careless, careless, _SCALE).blunders
    assert found.finders[0].bad.value == 0.75
