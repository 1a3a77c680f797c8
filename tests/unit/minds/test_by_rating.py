"""Between ratings: the geometric blend of the neighbours, and no other mind is asked."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami import dist
from hitonami.core import Effort, Opinion, Player, Query, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.minds.by_rating import ByRating
from hitonami.minds.uniform import Uniform
from hitonami.specs import mind_spec

START = open_game("chess").start()


@dataclass
class Fond:
    """A mind that is fond of one move, and remembers the ratings it was asked for."""

    favourite: int
    win: float
    asked: list[float | None] = field(default_factory=list)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked += [query.player.rating for query in queries]
        scores = np.zeros(len(START.legal))
        scores[self.favourite] = 3.0
        result = np.array([self.win, 0.0, 1.0 - self.win], dtype=np.float32)
        return [Opinion(dist.normalise(scores), result) for _ in queries]


def ladder() -> tuple[Fond, Fond, Fond, ByRating]:
    low, middle, high = Fond(0, 0.2), Fond(5, 0.5), Fond(9, 0.8)
    return low, middle, high, ByRating(((1100, low), (1500, middle), (1900, high)))


def ask(mind: ByRating, *ratings: float | None) -> list[Opinion]:
    return mind([Query(START, Player(rating)) for rating in ratings], Effort.seeded())


@given(st.floats(1100, 1499))
def test_between_two_ratings_it_is_their_geometric_blend(rating: float) -> None:
    low, middle, _, mind = ladder()
    (opinion,) = ask(mind, rating)
    part = (rating - 1100) / 400
    one, other = (each([Query(START)], Effort.seeded())[0] for each in (low, middle))
    expected = dist.normalise((1 - part) * one.log_probs.astype(np.float64) + part * other.log_probs)
    np.testing.assert_allclose(opinion.log_probs, expected, atol=1e-5)
    assert opinion.wdl is not None
    np.testing.assert_allclose(opinion.wdl, [0.2 + 0.3 * part, 0, 0.8 - 0.3 * part], atol=1e-5)


def test_at_a_rating_and_beyond_the_ends_one_mind_speaks_alone() -> None:
    low, middle, high, mind = ladder()
    opinions = ask(mind, 400, 1100, 1500, 1900, 3000)
    assert [dist.best(opinion.log_probs) for opinion in opinions] == [0, 0, 5, 9, 9]
    assert (low.asked, middle.asked, high.asked) == ([400, 1100], [1500], [1900, 3000])


def test_only_neighbours_are_asked_in_a_mixed_batch() -> None:
    low, middle, high, mind = ladder()
    opinions = ask(mind, 1800, 1200, 1700)
    assert (low.asked, middle.asked, high.asked) == ([1200], [1800, 1200, 1700], [1800, 1700])
    assert [dist.best(opinion.log_probs) for opinion in opinions][:2] == [9, 0]
    assert dist.expected_score(opinions[0].wdl) > dist.expected_score(opinions[2].wdl) > 0.5  # type: ignore[arg-type]


def test_a_mind_without_a_result_leaves_it_to_the_other() -> None:
    (opinion,) = ask(ByRating(((1000, Uniform()), (2000, Fond(1, 0.9)))), 1200)
    assert opinion.wdl is not None
    np.testing.assert_allclose(opinion.wdl, [0.9, 0, 0.1], atol=1e-6)


def test_no_rating_is_made_up() -> None:
    with pytest.raises(BadInput, match="depends on rating"):
        ask(ladder()[3], None)


@pytest.mark.parametrize("ratings", [(), (1500, 1500), (1500, 1100), (float("nan"),)])
def test_ratings_must_rise(ratings: tuple[float, ...]) -> None:
    with pytest.raises(BadSpec, match="rising ratings"):
        ByRating(tuple((rating, Uniform()) for rating in ratings))


def test_a_path_of_a_model_is_a_spec() -> None:
    spec = mind_spec({"kind": "by-rating", "minds": [[1100, "maia-1100.pb.gz"], [1500, "my/model.onnx"]]})
    assert repr(spec) == (
        "by-rating(minds=((1100.0, neural(model='maia-1100.pb.gz')), (1500.0, neural(model='my/model.onnx'))))"
    )
