"""How readily an agent gives up what is lost: lengths of its games, told without playing them again."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Agent, Patience
from hitonami.core import Effort, Opinion, Player, Query, open_game
from hitonami.fits.haste import HASTES, Through, choose_haste, lengths_at, measure_lengths, play_through
from hitonami.fits.playing_out import Start
from hitonami.knobs import Curve
from hitonami.manners import Manners
from hitonami.manners.additive import Additive
from hitonami.manners.resignation import Resignation, features_of, look_back

A_QUEEN_DOWN = "4k3/8/8/8/8/8/4q3/7K w - - 0 1"
HOPE = Curve(((-5.0, 0.0), (5.0, 0.0)))
LOST = Additive(-20.0, {"hope": HOPE}, {})
MODEL = Resignation(Additive(-3.0, {"hope": HOPE}, {}), LOST, most_saved=0.05, haste=2.0)


def start(text: str) -> Start:
    position = open_game("chess").read(text)
    return Start(position, (Player(1500, "lichess"), Player(1700, "lichess")))


def gloomy(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """White has lost and knows it."""
    found = []
    for query in queries:
        hope = 0.01 if query.position.to_move == 0 else 0.99
        found.append(Opinion(dist.uniform(len(query.position.legal)), np.array([hope, 0, 1 - hope], np.float32)))
    return found


def through(scores: list[float], is_lost: list[bool]) -> Through:
    saved = [0.01 if lost else 0.5 for lost in is_lost]
    return Through(start(A_QUEEN_DOWN), scores=scores, saved=saved, finished=True)


def test_lengths_are_expected_over_who_gives_up() -> None:
    certain, never = 40.0, -40.0
    games = [through([0.0, certain, 0.0], [True, False, True]), through([never] * 4, [True] * 4)]
    plies, resigned = lengths_at(games, 0.05, 0.0)
    assert plies.tolist() == pytest.approx([0.5 + 0.5 + 0.25, 4.0]), "half give up at once; the second may not"
    assert resigned.tolist() == pytest.approx([0.75, 0.0])
    sooner, _ = lengths_at(games, 0.05, 2.0)
    assert sooner[0] < plies[0]


def test_the_haste_is_that_at_which_games_last_as_long_as_peoples() -> None:
    games = [through([-5.0] * 60, [False] * 20 + [True] * 40) for _ in range(10)]
    lengths = [float(lengths_at(games, 0.05, haste)[0].mean()) for haste in HASTES]
    assert lengths == sorted(lengths, reverse=True)
    for at in (0, 4, 8):
        assert choose_haste(games, 0.05, [round(lengths[at])] * 10) == pytest.approx(HASTES[at], abs=0.5)
    assert choose_haste(games, 0.05, [90] * 10) == 0.0, "longer than without any haste: none"


def test_games_are_played_to_their_end_and_noted_turn_by_turn() -> None:
    games = play_through(
        [start(A_QUEEN_DOWN)] * 6, Agent(gloomy, patience=None, style="human"), MODEL, Effort.seeded(1)
    )
    for game in games:
        assert game.finished
        assert game.position.ply == len(game.scores) == len(game.saved)
        assert min(game.saved[1::2], default=1.0) == 1.0, "Black has won"
        asked = game.saved[Patience().min_ply :: 2]
        assert max(asked, default=0.0) < 1e-6, "White has nothing left, from the first ply on at which anybody gives up"
        assert game.scores[Patience().min_ply :: 2] == pytest.approx([-3.0] * len(asked))
    found = measure_lengths("1600", games, replace(MODEL, haste=0.0), [10] * 6, [True] * 6)
    assert (found.group, found.games, found.plies.value, found.resigned.value) == ("1600", 6, 10.0, 1.0)
    assert 0 < found.own_resigned.value < 1
    hasty = measure_lengths("1600", games, replace(MODEL, haste=3.0), [10] * 6, [True] * 6)
    assert hasty.own_plies.value < found.own_plies.value
    assert hasty.own_resigned.value > found.own_resigned.value
    assert hasty.free_plies == found.free_plies
    assert found.free_plies.value == pytest.approx(found.own_plies.value), "nothing can be saved anywhere"


def test_an_agent_is_hasty_only_where_nothing_can_be_saved() -> None:
    """Against what its expected length says: a patience that draws ends as often as the chance of the model."""
    query = Query(start(A_QUEEN_DOWN).position, Player(1500, "lichess"), Player(1700, "lichess"))
    features = features_of(query, look_back(query.position, [0.01]))
    people, own = MODEL.chance(features).item(), MODEL.own_chance(features).item()
    assert own == pytest.approx(1 / (1 + np.exp(1.0)))
    assert people == pytest.approx(1 / (1 + np.exp(3.0)))
    patience, rng = Patience(min_ply=0, manners=Manners(MODEL)), np.random.default_rng(5)
    drawn = np.mean([patience.gives_up(query, [0.01], rng) is not None for _ in range(2000)])
    assert drawn == pytest.approx(own, abs=0.04)
    doubtful = replace(MODEL, saves=Additive(0.0, {"hope": HOPE}, {}), most_saved=0.001)
    assert doubtful.own_chance(features).item() == pytest.approx(people)
