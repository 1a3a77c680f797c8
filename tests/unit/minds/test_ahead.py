"""The mind `ahead`: what a short look ahead changes, and what it leaves alone."""

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Player, Query, open_game
from hitonami.specs import open_mind

MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
OWN = {"kind": "ahead", "mind": "uniform"}


def query(text: str = "startpos", rating: float = 1500.0) -> Query:
    player = Player(rating, "lichess")
    return Query(open_game("chess").read(text), player, player)


def test_a_mate_that_is_seen_is_played_and_the_clock_changes_nothing() -> None:
    asked = query(MATE)
    with open_mind(OWN | {"simulations": 64}) as mind:
        [found] = mind([asked], Effort.seeded())
        [longer] = mind([asked], Effort(np.random.default_rng(0), simulations=600))
    best = int(asked.position.legal[dist.best(found.log_probs)])
    assert asked.position.game.describe(asked.position, best) == "Rd8#"
    assert np.exp(found.log_probs).max() > 0.9
    assert longer.log_probs.tolist() == found.log_probs.tolist()


def test_one_simulation_and_a_large_lambda_are_the_mind_itself() -> None:
    asked = query(MATE)
    for fields in ({"simulations": 1}, {"simulations": 64, "kl_lambda": 1e6}):
        with open_mind(OWN | fields) as mind:
            [found] = mind([asked], Effort.seeded())
        assert np.exp(found.log_probs) == pytest.approx(1 / len(asked.position.legal), rel=1e-3)


def test_lambda_may_follow_the_rating() -> None:
    with open_mind(OWN | {"simulations": 64, "kl_lambda": [[1000, 10.0], [2000, 0.1]]}) as mind:
        weak, strong = mind([query(MATE, 1000.0), query(MATE, 2000.0)], Effort.seeded())
    assert np.exp(weak.log_probs).max() < 0.2 < np.exp(strong.log_probs).max()


def test_over_the_packaged_network_it_leaves_a_position_that_is_quiet_nearly_as_it_was() -> None:
    asked = query("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4")
    with open_mind("ahead") as mind, open_mind("human") as human:
        (found,), (plain,) = mind([asked], Effort.seeded()), human([asked], Effort.seeded())
    assert 0.0 < dist.kl(plain.log_probs, found.log_probs) < 1.0
