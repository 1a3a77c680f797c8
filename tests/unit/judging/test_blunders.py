"""Whose favourite is the person's move, by hand: a decision's first judged move is the person's own."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from tests.unit.judging.conftest import made_up_facts

from hitonami.judging.blunders import BAD, compare_blunders, favourite_losses, favourite_places
from hitonami.judging.losses import Judged

_LOSSES = ([0.0, 0.3, 0.1], [0.5, 0.0], [0.1, 0.0, 0.25], [0.0, 0.4])
"""Of four decisions; the person plays the first move of each."""


def judged_of(likes: Mapping[str, Sequence[Sequence[float]]], losses: Sequence[Sequence[float]] = _LOSSES) -> Judged:
    count = len(losses)
    return Judged(
        made_up_facts(count),
        np.zeros(count, dtype=np.int8),
        np.concatenate([[0], np.cumsum([len(each) for each in losses])]),
        np.concatenate([np.array(each) for each in losses]),
        np.array([each[0] for each in losses]),
        {mind: np.log(np.concatenate([np.array(row) for row in rows])) for mind, rows in likes.items()},
        "somebody",
        None,
    )


_WEAK = [[0.2, 0.5, 0.3], [0.1, 0.9], [0.6, 0.3, 0.1], [0.3, 0.7]]
_STRONG = [[0.5, 0.3, 0.2], [0.2, 0.8], [0.7, 0.2, 0.1], [0.4, 0.6]]


def test_favourites_and_what_they_lose() -> None:
    judged = judged_of({"weak": _WEAK})
    assert favourite_places(judged, "weak").tolist() == [1, 4, 5, 9]
    assert favourite_losses(judged, "weak").tolist() == [0.3, 0.0, 0.1, 0.4]


def test_regions_and_gains_by_hand() -> None:
    found = compare_blunders(judged_of({"weak": _WEAK, "strong": _STRONG}), ["weak", "strong"])
    assert (found.n, found.n_bad) == (4, 2), "the first and the last decision lose 0.3 and 0.4 against the person"
    assert {each.minds: (each.n, each.n_bad) for each in found.regions} == {
        (): (2, 1),
        ("weak",): (0, 0),
        ("strong",): (1, 1),
        ("weak", "strong"): (1, 0),
    }
    weak, strong = found.finders
    assert (weak.matched.value, strong.matched.value) == (0.25, 0.5)
    assert (weak.gain.value, strong.gain.value, strong.gain_where_bad.value) == (0.0, 0.25, 0.25)
    assert (weak.bad.value, strong.bad.value) == (0.5, 0.25)
    assert strong.gain.low <= 0.25 <= strong.gain.high


def test_the_best_is_the_best_of_those_compared_not_the_judges() -> None:
    """All lose against a move that nobody likes: then nobody is bad."""
    judged = judged_of({"mind": [[0.4, 0.6, 0.0001]]}, [[0.9, 0.9, 0.0]])
    assert compare_blunders(judged, ["mind"]).n_bad == 0
    lost = 0.9 + BAD
    assert compare_blunders(judged_of({"mind": [[0.4, 0.6]]}, [[0.9, lost]]), ["mind"]).n_bad == 1


def test_who_likes_all_moves_alike_has_found_none() -> None:
    found = compare_blunders(judged_of({"even": [[0.5] * len(row) for row in _LOSSES]}), ["even"])
    assert found.finders[0].matched.value == 0.0


def test_regions_hold_every_position_once() -> None:
    rng = np.random.default_rng(3)
    losses = [rng.random(4).tolist() for _ in range(60)]
    minds = {name: [rng.dirichlet(np.ones(4)).tolist() for _ in losses] for name in "abc"}
    found = compare_blunders(judged_of(minds, losses), list(minds))
    assert len(found.regions) == 8
    assert sum(each.n for each in found.regions) == 60
    assert sum(each.n_bad for each in found.regions) == found.n_bad
    for at, mind in enumerate(minds):
        matched = sum(each.n for each in found.regions if mind in each.minds)
        assert found.finders[at].matched.value == pytest.approx(matched / 60)
