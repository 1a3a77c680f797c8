"""The style `search`: whose knobs it takes, and what it refuses."""

import numpy as np
import pytest

from hitonami import dist, levels
from hitonami.core import Effort, Player, Query, open_game
from hitonami.errors import BadSpec
from hitonami.minds.search import floor_of
from hitonami.specs import mind_spec, open_mind

OWN = {"kind": "search", "mind": "uniform", "tau": 1.0, "prior_temperature": 1.0, "simulations": 60}


def query(rating: float, text: str = "startpos") -> Query:
    player = Player(rating, "lichess")
    return Query(open_game("chess").read(text), player, player)


def test_the_knobs_are_those_of_the_rating_and_the_budget_is_its_own() -> None:
    """A wide search is nearly the prior, a narrower one goes for the mate; more time does not change the player."""
    mate = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    with open_mind(OWN | {"c_puct": [[1000, 500.0], [2000, 2.0]]}) as mind:
        weak, strong = mind([query(1000, mate), query(2000, mate)], Effort.seeded())
        [longer] = mind([query(2000, mate)], Effort(np.random.default_rng(0), simulations=600))
    at = int(np.argmax(strong.log_probs))
    position = query(1000, mate).position
    assert position.game.describe(position, int(position.legal[at])) == "Rd8#"
    assert np.exp(weak.log_probs[at]) < 0.2
    assert np.exp(strong.log_probs[at]) > 0.3
    assert longer.log_probs.tolist() == strong.log_probs.tolist()


def test_no_move_is_impossible() -> None:
    with open_mind(OWN | {"c_puct": 0.01, "simulations": 8}) as mind:
        [opinion] = mind([query(1500)], Effort.seeded())
    assert np.exp(opinion.log_probs).min() == pytest.approx(floor_of(8) / 20, rel=0.01)


def test_a_short_search_leaves_more_to_the_prior() -> None:
    assert [floor_of(each) for each in (1, 8, 16, 100, 1000)] == [0.5, 0.25, 0.125, 0.02, 0.02]


def test_another_mind_needs_knobs_of_its_own() -> None:
    with (
        pytest.raises(BadSpec, match="the fitted c_puct belongs to the packaged expert"),
        open_mind(mind_spec(OWN)),
    ):
        pass


def test_where_nothing_was_fitted_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "levels_of", lambda game, base="": {})
    start = Query(open_game("shogi").start(), Player(30.0, "shogiwars"), Player(30.0, "shogiwars"))
    with open_mind("search") as mind, pytest.raises(BadSpec, match="tau of search has not been fitted for shogi"):
        mind([start], Effort.seeded())


def test_the_packaged_search_plays_every_rating_and_the_stronger_is_the_surer() -> None:
    """Knobs and simulations come with the package; beyond the fitted levels they stay as they are."""
    with open_mind("search") as mind:
        opinions = mind([query(rating) for rating in (400.0, 1100.0, 2250.0, 3000.0)], Effort.seeded())
    for opinion in opinions:
        assert np.exp(opinion.log_probs.astype(np.float64)).sum() == pytest.approx(1.0, abs=1e-5)
        assert len({sum(line.visits or 0 for line in each.lines) for each in opinions}) == 1
    entropies = [dist.entropy(opinion.log_probs) for opinion in opinions]
    assert entropies[1] > entropies[2]
