"""Ratings, pools and clocks as numbers."""

import numpy as np
import pytest

from hitonami.core import Clock, Player, Query, open_game
from hitonami.models.players import CLOCK_FIELDS, PLAYER_FIELDS, encode_players

START = open_game("chess").start()


def test_unknown_is_not_a_rating() -> None:
    unknown, average = encode_players([Query(START), Query(START, Player(1500.0))], (), clock=False)["player"]
    assert unknown.tolist() == [0, 0, 0, 0]
    assert average.tolist() == [0, 1, 0, 0], "1500 is the zero of the scale, and known"


def test_mover_and_opponent_keep_their_places() -> None:
    query = Query(START, Player(2000.0), Player(1000.0))
    row = encode_players([query], (), clock=False)["player"][0]
    assert row.tolist() == [0.5, 1, -0.5, 1]
    after = encode_players([query.after(int(START.legal[0]))], (), clock=False)["player"][0]
    assert after.tolist() == [-0.5, 1, 0.5, 1]


def test_pools_count_from_one_and_zero_is_unknown() -> None:
    queries = [Query(START, Player(pool=pool)) for pool in ("b", "", "a", "elsewhere")]
    pools = encode_players(queries, ("a", "b"), clock=False)["pool"]
    assert pools.dtype == np.int64
    assert pools.tolist() == [2, 0, 1, 0]


def test_the_clock_is_the_movers_and_grows_with_time() -> None:
    clocks = [None, Clock(-1.0, 900.0), Clock(10.0, 900.0), Clock(600.0, 0.0)]
    rows = encode_players([Query(START, clock=clock) for clock in clocks], (), clock=True)["player"]
    assert rows.shape == (4, len(PLAYER_FIELDS) + len(CLOCK_FIELDS))
    assert rows[:, 5].tolist() == [0, 1, 1, 1]
    assert rows[0, 4] == rows[1, 4] == 0, "a flag that has fallen is a known clock at zero"
    assert rows[2, 4] == pytest.approx(np.log(11.0) / 8)
    assert rows[3, 4] > rows[2, 4]
