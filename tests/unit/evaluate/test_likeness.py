"""Likeness against minds whose answers are known beforehand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Query, open_game
from hitonami.dataset.reading import open_data
from hitonami.errors import BadInput
from hitonami.evaluate.likeness import _changes, measure_likeness
from hitonami.evaluate.population import LEAST, find_crossings, match_population
from hitonami.evaluate.selection import Selected, Selection, select
from hitonami.minds.uniform import Uniform


@dataclass(frozen=True)
class Climbing:
    """Likes the first legal move the more the higher the player's rating is."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [self._opinion(query) for query in queries]

    def _opinion(self, query: Query) -> Opinion:
        scores = np.zeros(len(query.position.legal))
        scores[0] = ((query.player.rating or 0.0) - 1500.0) / 200.0
        return Opinion(dist.normalise(scores))


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 120)


def drawn_from(folder: Path, plan: Selection) -> Selected:
    return select(open_data([str(folder)], plan.game), plan)


def test_uniform_probabilities_of_random_games_are_right_and_know_no_levels(games: Path) -> None:
    drawn = drawn_from(games, Selection("chess", "none", 600, "none"))
    [found] = measure_likeness(drawn, {"uniform": Uniform()}, (1000.0, 1500.0, 2000.0))
    assert sum(each.n for each in found.bins) == sum(
        len(s.query.position.legal) for p in drawn.picks for s, _ in p.samples()
    )
    assert found.calibration_error < 0.12
    assert found.coherence is not None
    assert (found.coherence.same.value, found.coherence.no_return.value) == (1.0, 1.0)
    assert found.coherence.step.value == 0.0
    assert found.distances[-1].n > 0


def test_distances_in_go_are_people_s_own(write_games: Callable[..., Path]) -> None:
    drawn = drawn_from(write_games("go", 30), Selection("go", "none", 150, "plies:2"))
    [found] = measure_likeness(drawn, {"uniform": Uniform()})
    whole = found.distances[-1]
    assert whole.people.value == pytest.approx(whole.mind.value, rel=0.15), (
        "random moves are as far as random minds expect"
    )
    assert found.coherence is None


def test_a_mind_that_climbs_is_coherent(games: Path) -> None:
    drawn = drawn_from(games, Selection("chess", "none", 60, "none"))
    [found] = measure_likeness(drawn, {"climbing": Climbing()}, (1000.0, 1400.0, 1800.0, 2200.0))
    assert found.coherence is not None
    assert found.coherence.no_return.value == 1.0
    assert found.coherence.rising.value == 1.0
    assert found.coherence.same.value < 0.2
    assert found.coherence.step.value > 0.05


def test_changes_by_hand() -> None:
    def view(*probs: float) -> Opinion:
        return Opinion(np.log(np.array(probs, dtype=np.float32)))

    there_and_back = view(0.6, 0.4), view(0.3, 0.7), view(0.6, 0.4)
    assert _changes(there_and_back) == pytest.approx((0.0, 0.0, 0.0, 0.3), abs=1e-6)
    over = view(0.6, 0.3, 0.1), view(0.4, 0.5, 0.1), view(0.1, 0.2, 0.7)
    assert _changes(over)[:3] == (0.0, 1.0, 1.0)


def test_levels_must_rise(games: Path) -> None:
    drawn = drawn_from(games, Selection("chess", "none", 5, "none"))
    for levels in ((1500.0,), (2000.0, 1500.0)):
        with pytest.raises(BadInput, match="rising"):
            measure_likeness(drawn, {"uniform": Uniform()}, levels)


def test_population_match_at_the_start_of_random_games(games: Path) -> None:
    plan = Selection("chess", "none", 10, "plies:10")
    crossings = find_crossings(open_data([str(games)], "chess"), plan)
    start = crossings[0]
    assert start.position.key == open_game("chess").start().key, "openings are met although the filter leaves them out"
    assert start.chosen.total() == 120
    assert all(each.chosen.total() >= LEAST for each in crossings)
    [own] = match_population(crossings, {"uniform": Uniform()})
    assert own.group == "all"
    assert own.people == sum(each.chosen.total() for each in crossings)
    assert own.drawn == pytest.approx(0.05, abs=1e-6), "twenty moves alike, whoever chose them"
    assert own.favourite == pytest.approx(0.05, abs=1e-6), "all moves share the top"
    assert own.drawn < own.most_popular
    assert own.another_person == pytest.approx(0.05, abs=0.02)
    assert match_population([], {"uniform": Uniform()}) == []
