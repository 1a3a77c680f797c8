"""Agents' own games on clocks: time is taken off, flags fall, games end, and people stand beside them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hitonami import dist
from hitonami.agent import Agent
from hitonami.core import Effort, Opinion, Player, Query, Setup
from hitonami.fits.clocked import MOST_PLIES, can_be_played, measure_clocked, play_clocked
from hitonami.fits.turns import Turns
from hitonami.records import Record

MOVES = ("f2f3", "e7e5", "g2g4", "d8h4")


def mating(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """Plays the fool's mate."""
    told = []
    for query in queries:
        chances = np.full(len(query.position.legal), 1e-9)
        text = MOVES[query.position.ply]
        chances[list(query.position.legal).index(query.position.game.parse(query.position, text))] = 1.0
        told.append(Opinion(dist.normalise(np.log(chances)), wdl=np.array([0.5, 0.0, 0.5], dtype=np.float32)))
    return told


def shuffling(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """Any move, and an even game."""
    even = np.array([0.4, 0.2, 0.4], dtype=np.float32)
    return [Opinion(dist.uniform(len(query.position.legal)), wdl=even) for query in queries]


def record(control: str = "180+2") -> Record:
    players = (Player(1500, "lichess"), Player(1500, "lichess"))
    return Record("chess", Setup(), (), players, 1.0, "time", time_control=control)


def test_time_is_taken_off_and_the_increment_comes_back() -> None:
    [game] = play_clocked([record("600+5")], Agent(mating, style="human"), Effort.seeded(1))
    assert (game.ending, game.plies) == ("checkmate", 4)
    assert [len(own) for own in game.spent] == [2, 2]
    for left, own in zip(game.left, game.spent, strict=True):
        assert left == pytest.approx(600 + 2 * 5 - sum(own))
    assert game.query.clock is not None
    assert game.query.clock.spent_seconds == game.spent[game.position.to_move][-1]


def test_flags_fall_with_little_time_and_hardly_with_much() -> None:
    quick = play_clocked([record("5+0")] * 8, Agent(shuffling, style="human"), Effort.seeded(2))
    slow = play_clocked([record("3600+60")] * 2, Agent(shuffling, style="human"), Effort.seeded(2))
    assert sum(game.ending == "time" for game in quick) > 4
    assert all(game.ending and game.ending != "time" for game in slow)
    assert all(game.plies <= MOST_PLIES for game in slow)


def test_people_stand_beside_agents() -> None:
    records = [record("600+5"), replace(record("600+5"), termination="resignation", moves=(1, 2, 3))]
    games = play_clocked(records, Agent(mating, style="human"), Effort.seeded(3))
    people = Turns({"game": np.array([0.0, 0.0, 1.0, 1.0]), "seconds": np.array([0.3, 40.5, 2.5, 3.5])})
    found = measure_clocked(records, people, games)
    assert (found.quick.value, found.long.value) == (0.25, 0.25)
    assert (found.flags.value, found.own_flags.value) == (0.5, 0.0)
    assert (found.plies.value, found.own_plies.value) == (1.5, 4.0)
    assert (found.resigned.value, found.own_resigned.value) == (0.5, 0.0)
    assert can_be_played(records[0])
    assert not can_be_played(replace(records[0], time_control="-"))
    assert not can_be_played(replace(records[0], players=(Player(), Player(1500, "lichess"))))
