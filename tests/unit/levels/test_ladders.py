"""Ladders: what is read, what is refused, and that packaged ones belong to the networks that are here."""

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from hitonami.core import Effort, Player, Query, open_game
from hitonami.errors import BadSpec
from hitonami.intuition.knowledge import measured_ladder
from hitonami.levels.ladders import FOLDER, Ladder, Rung, read_ladder, write_ladder
from hitonami.minds._levelled import Levelled
from hitonami.minds.uniform import Uniform
from hitonami.models.self_played import packaged_ladder
from hitonami.models.shipped import EMBEDDED, shipped_models
from hitonami.scales import scale_of
from hitonami.specs import Room
from hitonami.web.opponents import styles_of

ALL = sorted(path.stem.removeprefix("ladder-") for path in FOLDER.glob("ladder-*.json"))
GAMES = [game for game in ALL if game in shipped_models("expert")]
BY_INTUITION = [game for game in ALL if game not in GAMES]


def test_a_ladder_comes_back_as_it_was(tmp_path: Path) -> None:
    ladder = Ladder((Rung(0, 0, 0), Rung(400, 350, 450, "some-net", 16, 2.0)), {"networks": {"some-net": "ab"}})
    write_ladder(ladder, tmp_path / "ladder-game.json")
    assert read_ladder(tmp_path / "ladder-game.json") == ladder
    assert ladder.networks == {"some-net": "ab"}
    ladder = Ladder((Rung(0, 0, 0), Rung(90, 50, 120, mind={"kind": "dual", "simulations": 8})), {"intuition": "cd"})
    write_ladder(ladder, tmp_path / "ladder-other.json")
    assert read_ladder(tmp_path / "ladder-other.json") == ladder
    assert ladder.intuition == "cd"


@pytest.mark.parametrize(
    ("held", "message"),
    [
        ({}, "not a ladder"),
        ({"rungs": [{"rating": 0}], "provenance": {}}, "not a ladder"),
        ({"rungs": [{"rating": 0, "low": 0, "high": 0}], "provenance": {}}, "two rungs or more"),
        ({"rungs": [{"rating": at, "low": 0, "high": 0} for at in (5, 5)], "provenance": {}}, "rising ratings"),
    ],
)
def test_what_is_no_ladder_is_refused(tmp_path: Path, held: object, message: str) -> None:
    path = tmp_path / "ladder-game.json"
    path.write_text(json.dumps(held))
    with pytest.raises(BadSpec, match=message):
        read_ladder(path)


def test_there_are_ladders() -> None:
    assert GAMES
    assert BY_INTUITION


@pytest.mark.parametrize("game", BY_INTUITION)
def test_two_ways_of_thinking_play_by_the_rating_where_there_is_no_network(game: str) -> None:
    """At 0 all moves are alike; without a rating, and where it is told how far to look, the rating says nothing."""
    assert packaged_ladder(game) is None
    ladder = measured_ladder(game)
    assert ladder is not None, "another intuition was measured"
    assert ladder.rungs[0].rating == 0
    assert styles_of(game)[0].name == "dual"
    assert scale_of(game).high == pytest.approx(ladder.rungs[-1].rating, abs=100)
    start = open_game(game).start()
    queries = [Query(start, Player(rating), Player(rating)) for rating in (0.0, ladder.rungs[2].rating, None)]
    with Room() as room:
        weakest, middle, alone = room.open("dual")(queries, Effort.seeded())
        still = room.open({"kind": "dual", "simulations": 200})(queries, Effort.seeded())
    assert np.ptp(weakest.log_probs) < 1e-6
    assert np.ptp(middle.log_probs) > 0.1
    assert not np.allclose(middle.log_probs, alone.log_probs)
    for each in still:
        assert np.allclose(each.log_probs, alone.log_probs, atol=1e-5)


def test_a_rung_with_contempt_searches_with_it_and_goes_back_to_nothing() -> None:
    told: list[Any] = []

    class Listening:
        def open(self, spec: Any) -> Uniform:
            told.append(spec)
            return Uniform()

    ladder = Ladder((Rung(0, 0, 0), Rung(100, 90, 110, "heian-expert", 12, 3.0, 0.3)))
    mind = Levelled(cast("Room", Listening()), Uniform(), lambda _: ladder)
    mind([Query(open_game("heian").start(), Player(100.0))], Effort.seeded())
    assert told[-1]["rho"] == 3.0
    searched = told[-1]["mind"]
    assert (searched["kind"], searched["simulations"]) == ("puct", 12)
    assert (searched["contempt"], searched["again_drawn"]) == (0.3, True)


@pytest.mark.parametrize("game", GAMES)
def test_packaged_ladders_belong_to_the_networks_that_are_here(game: str) -> None:
    ladder = packaged_ladder(game)
    assert ladder is not None, "another network was measured"
    assert ladder.rungs[0].rating == 0
    assert all((EMBEDDED / rung.model).is_dir() for rung in ladder.rungs)
    assert set(ladder.networks) == {rung.model for rung in ladder.rungs} - {""}


@pytest.mark.parametrize("game", GAMES)
def test_the_expert_plays_by_the_rating(game: str) -> None:
    """At 0 all moves are alike; without a rating, and where it is told how far to look, the rating says nothing."""
    start = open_game(game).start()
    top = packaged_ladder(game).rungs[-1].rating  # type: ignore[union-attr]
    queries = [Query(start, Player(rating), Player(rating)) for rating in (0.0, top / 2, None)]
    with Room() as room:
        weakest, middle, alone = room.open("expert")(queries, Effort.seeded())
        still = room.open("expert:0")(queries, Effort.seeded())
    assert np.ptp(weakest.log_probs) < 1e-6
    assert np.ptp(middle.log_probs) > 0.1
    for each in still:
        assert np.allclose(each.log_probs, alone.log_probs, atol=1e-5)
