"""The mind `utility`: moves by what their results are worth, and what is left alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Query, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.minds.uniform import Uniform
from hitonami.minds.utility import Utility
from hitonami.specs import open_mind

GAME = open_game("openspiel:tic_tac_toe")


@dataclass(frozen=True)
class Told:
    """Chances of the side to move after each first move, by its place; everything else is even."""

    after: tuple[tuple[float, float, float], ...]

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [
            Opinion(dist.uniform(len(query.position.legal)), np.array(self._chances(query), dtype=np.float32))
            for query in queries
        ]

    def _chances(self, query: Query) -> tuple[float, float, float]:
        last = query.position.last_move
        if last is None or last >= len(self.after):
            return 0.0, 1.0, 0.0
        return self.after[last]


RISK, SAFE = (0.4, 0.0, 0.6), (0.0, 1.0, 0.0)
"""Of the opponent after the move: the mover wins 60% and loses 40%, or draws."""


def chances(mind: Utility) -> np.ndarray:
    [found] = mind([Query(GAME.start())], Effort.seeded())
    return np.exp(found.log_probs.astype(np.float64))


def test_the_odds_are_those_of_the_expected_worth() -> None:
    mind = Utility(Uniform(), Told((RISK, SAFE)), draw=0.5, beta=4.0)
    found = chances(mind)
    assert found[0] / found[1] == pytest.approx(np.exp(4.0 * (0.6 - 0.5)), rel=1e-5)
    assert found.sum() == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(("worth", "likes"), [((1.0, 0.0, -10.0), 1), ((30.0, 1.0, 0.0), 0)])
def test_a_sore_loser_takes_the_draw_and_a_novice_the_chance(worth: tuple[float, float, float], likes: int) -> None:
    win, draw, loss = worth
    found = chances(Utility(Uniform(), Told((RISK, SAFE)), win=win, draw=draw, loss=loss, beta=1.0))
    assert found[likes] > 3 * found[1 - likes]


def test_moves_that_are_not_looked_at_keep_their_share() -> None:
    @dataclass(frozen=True)
    class Prior:
        def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
            shares = np.array([0.3, 0.3, 0.3, *[0.1 / 6] * 6])
            return [Opinion(np.log(shares).astype(np.float32)) for _ in queries]

    found = chances(Utility(Prior(), Told((RISK, SAFE)), beta=20.0, min_probability=0.1))
    assert found[3:] == pytest.approx(0.1 / 6, rel=1e-4)
    assert found[:3].sum() == pytest.approx(0.9, abs=1e-5)
    assert found[0] > 2 * found[1]


def test_a_move_that_ends_the_game_counts_its_result() -> None:
    position = GAME.start()
    for move in (0, 3, 1, 4):
        position = position.play(move)
    query = Query(position)
    [found] = Utility(Uniform(), Told(()), beta=10.0)([query], Effort.seeded())
    assert int(position.legal[found.log_probs.argmax()]) == 2
    assert np.exp(found.log_probs).max() > 0.9


def test_without_beta_it_is_the_mind_itself_and_a_mind_without_results_is_refused() -> None:
    assert chances(Utility(Uniform(), Told((RISK, SAFE)), beta=0.0)) == pytest.approx(1 / 9)
    with pytest.raises(BadInput, match="says nothing about results"):
        chances(Utility(Uniform()))
    with (
        pytest.raises(BadSpec, match="min_probability"),
        open_mind({"kind": "utility", "mind": "uniform", "min_probability": 2}) as _,
    ):
        pass
