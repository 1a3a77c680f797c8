"""The mind `ahead`: what a short look ahead changes, and what it leaves alone."""

from collections.abc import Sequence

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Player, Query, open_game
from hitonami.errors import BadSpec
from hitonami.minds.ahead import Ahead
from hitonami.minds.puct import Puct
from hitonami.models.shipped import shipped_models
from hitonami.models.store import load_model
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


class Telling:
    """Says the same of every move, is sure of a result for whoever moves, and remembers what it was asked."""

    def __init__(self, win: float) -> None:
        self.win = win
        self.asked: list[Query] = []

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        self.asked += queries
        chances = np.array([self.win, 0.0, 1.0 - self.win], dtype=np.float32)
        return [Opinion(dist.normalise(np.zeros(len(each.position.legal))), chances) for each in queries]


def test_leaves_are_asked_of_their_own_mind_and_the_first_position_of_the_other() -> None:
    mind, leaves = Telling(0.5), Telling(0.2)
    asked = query()
    [found] = Ahead(mind, simulations=24, leaves=leaves).search(mind)([asked], Effort.seeded())
    assert [each.position.key for each in mind.asked] == [asked.position.key]
    assert len(leaves.asked) == 23
    assert all(each.position.key != asked.position.key for each in leaves.asked)
    assert found.wdl is not None  # whoever moves below loses there, so the first mover is the better off
    assert found.wdl[0] > 0.5


def test_leaves_of_another_mind_leave_no_tree_to_go_on_from() -> None:
    with pytest.raises(BadSpec, match='reuse is "never", not'):
        Puct(Telling(0.5), leaves=Telling(0.5))


def test_the_packaged_network_for_leaves_is_nobody_s_player() -> None:
    leaves = shipped_models("human", "ahead")
    assert "chess" in leaves
    for game, folder in leaves.items():
        assert shipped_models("human")[game] != folder
        assert load_model(folder).card.serves == "ahead"


def test_games_with_and_without_a_network_for_leaves_share_a_call() -> None:
    player = Player(1500.0, "lichess")
    others = Query(open_game("shogi").start(), player, player)
    with open_mind({"kind": "ahead", "simulations": 6}) as mind:
        found = mind([query(MATE), others, query()], Effort.seeded())
        [alone] = mind([others], Effort.seeded())
    assert [len(each.log_probs) for each in found] == [20, 30, 20]
    assert found[1].log_probs == pytest.approx(alone.log_probs, abs=1e-4)
