"""Lost positions played out: who gives up when, and what that would have cost."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hitonami import dist
from hitonami.core import Effort, Opinion, Player, Position, Query, open_game
from hitonami.dataset.reading import Found
from hitonami.fits.playing_out import PlayedOut, Start, given_up_starts, lost_starts, measure_played_out, play_out
from hitonami.fits.turns import NUMBERS, Turns
from hitonami.records import Record

A_QUEEN_DOWN = "4k3/8/8/8/8/8/4q3/7K w - - 0 1"


def chess(text: str) -> Position:
    return open_game("chess").read(text)


def gloomy(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
    """White has little hope: a quarter against weak players, hardly any against strong ones."""
    opinions = []
    for query in queries:
        white = query.position.to_move == 0
        weak = (query.opponent if white else query.player).rating == 800
        hope = (0.25 if weak else 0.004) if white else 0.9
        opinions.append(Opinion(dist.uniform(len(query.position.legal)), np.array([hope, 0, 1 - hope], np.float32)))
    return opinions


def ends(other: float) -> list[PlayedOut]:
    players = Player(1600, "lichess"), Player(other, "lichess")
    return play_out([Start(chess(A_QUEEN_DOWN), players)] * 25, gloomy, Effort.seeded(3))


def test_who_minds_the_opponent_gives_up_no_sooner_and_not_at_all_where_games_are_saved() -> None:
    for games in (ends(800), ends(1600)):
        assert all(game.finished for game in games)
        assert all(game.aware is None or (game.blind is not None and game.blind <= game.aware) for game in games)
        assert all(game.score in (0.0, 0.5) or game.plies == 200 for game in games), "a bare king never wins"
    weak, strong = measure_played_out(ends(800)), measure_played_out(ends(1600))
    assert weak.blind_ends > 0
    assert weak.aware_ends == 0
    assert weak.fewer.value == pytest.approx(weak.blind_lost.value)
    assert strong.aware_ends > weak.aware_ends
    assert weak == measure_played_out(ends(800)), "one seed, the same games"
    assert len({game.plies for game in ends(800)}) > 5, "equal starts are different games"


def test_figures_are_those_of_the_games() -> None:
    position = chess(A_QUEEN_DOWN)
    games = [
        PlayedOut(position, 0, blind=4, aware=10, score=0.0, plies=30, finished=True),
        PlayedOut(position, 0, blind=2, aware=None, score=0.5, plies=40, finished=True),
        PlayedOut(position, 0, blind=6, aware=6, score=1.0, plies=50, finished=True),
        PlayedOut(position, 0, score=0.0, plies=20, finished=True),
    ]
    found = measure_played_out(games)
    assert (found.games, found.saved.value, found.blind_ends, found.aware_ends) == (4, 0.5, 0.75, 0.5)
    assert found.blind_saved.value == pytest.approx(2 / 3)
    assert found.aware_saved.value == 0.5
    assert (found.blind_lost.value, found.aware_lost.value, found.fewer.value) == (0.75, 0.5, 0.25)
    assert found.later.value == pytest.approx((6 + 38 + 0) / 3)


def test_starts_are_the_first_lost_turns_of_a_side() -> None:
    game = open_game("chess")
    position, moves = game.start(), []
    for _ in range(40):
        moves.append(int(position.legal[0]))
        position = position.play(moves[-1])
    record = Record("chess", position.setup, tuple(moves))
    plies = np.arange(20.0, 40.0)
    columns = {name: np.zeros(20) for name in NUMBERS}
    hope = np.where((plies % 2 == 1) & (plies >= 27), 0.1, 0.5)
    turns = Turns(columns | {"ply": plies, "side": plies % 2, "hope": hope})
    [start] = lost_starts([Found(0, record)], turns, 5, 0)
    assert (start.position.ply, start.position.to_move) == (27, 1)
    assert start.players[0].rating == 1500, "the usual level where the record does not tell"


def test_where_people_gave_up_the_loser_is_to_move_at_his_own_level() -> None:
    game = open_game("chess")
    position, moves = game.start(), []
    for _ in range(31):
        moves.append(int(position.legal[0]))
        position = position.play(moves[-1])
    players = (Player(1700, "lichess"), Player(1200, "lichess"))
    record = Record("chess", position.setup, tuple(moves), players, score=1.0, termination="resignation")
    by_other = replace(record, score=0.0)
    on_time = replace(record, termination="time")
    [start] = given_up_starts([Found(at, each) for at, each in enumerate((by_other, record, on_time))], 5, 0)
    assert (start.position.ply, start.position.to_move) == (31, 1)
    assert [player.rating for player in start.players] == [1200, 1700]
    assert [player.rating for player in start.weaker(800).players] == [1200, 900]
