"""Matches in lockstep, results by playing on at random, and the page of a run."""

import numpy as np
import pytest

from hitonami.core import Setup, open_game
from hitonami.matches.sprt import Sprt
from hitonami.models.encoders.cells import Cells
from hitonami.report.selfplay import as_page
from hitonami.selfplay.arena import Arena, Entrant
from hitonami.selfplay.boards import open_lanes
from hitonami.selfplay.rollouts import Rollouts, looking


@pytest.mark.parametrize(("game", "plies"), [("connect-four", 42), ("othello", 130)])
def test_looking_ahead_beats_chance(game: str, plies: int) -> None:
    encoder = Cells(game)
    judge = Rollouts(open_lanes(encoder), plies)
    arena = Arena(encoder, 2, plies, (1,))
    one, other = Entrant(judge, looking(24)), Entrant(None)
    verdict = arena.contest(one, other, Sprt(0.0, 100.0), 64)
    assert verdict.state.verdict == "H1"
    assert verdict.score > 0.75
    assert verdict.games < 64, "the test stops as soon as it knows"
    swapped = arena.contest(other, one, Sprt(0.0, 100.0), 32)
    assert swapped.state.verdict == "H0"


def test_moves_are_drawn_as_sharply_as_asked() -> None:
    """By visits to a power: the flattest is as good as chance, the sharpest nearly as good as the best move."""
    encoder = Cells("connect-four")
    judge, arena = Rollouts(open_lanes(encoder), 42), Arena(encoder, 2, 42, (1,))
    chance, pairs = Entrant(None), 40
    flat, sharp = (
        float(arena.play_pairs(Entrant(judge, looking(32), rho), chance, pairs, np.random.default_rng(4)).mean())
        for rho in (0.0, 4.0)
    )
    assert 0.3 < flat < 0.7
    assert sharp > 0.7
    alone = arena.play_pairs(Entrant(judge, None, 1.0), chance, pairs, np.random.default_rng(4)).mean()
    assert 0.3 < alone < 0.7, "rollouts have no opinion of moves without a search"


def test_results_at_random_are_those_of_the_rules() -> None:
    """The mean of many games from one position, by compiled rules and by positions."""
    start = "7/7/7/3x3/2oxx2/1oxoo2 o"
    position = open_game("connect-four").start(Setup(start=start))
    lanes = open_lanes(Cells("connect-four"))
    rng = np.random.default_rng(2)
    scores = []
    for _ in range(800):
        here = position
        while len(here.legal):
            here = here.play(int(rng.choice(here.legal)))
        scores.append(here.score)
    count = 4000
    states = np.repeat(lanes.state_of(position)[None], count, axis=0)
    legal = np.repeat(np.arange(7, dtype=np.int32)[None], count, axis=0)
    _, chances = Rollouts(lanes, 42)(states, legal, np.full(count, 7, np.int32))
    assert abs(float((chances @ [0.0, 0.5, 1.0]).mean()) - float(np.mean(scores))) < 0.06


def test_a_page_draws_what_a_run_has_told() -> None:
    row = {"games": 8.0, "play_seconds": 60.0, "length": 20.0, "r2_network": 0.1, "r2_search": 0.2}
    text = as_page("mine", [row | {"generation": float(at)} for at in range(4)])
    assert "4 generations, 32 games, 4 minutes" in text
    assert text.count("<svg") == 2
    assert "Gate" not in text
