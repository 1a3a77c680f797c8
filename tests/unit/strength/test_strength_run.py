"""Whole calibrations and measurements of estimated ratings, with the packaged network; what was asked is kept."""

from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup, open_game
from hitonami.errors import BadInput
from hitonami.records import Record
from hitonami.strength.estimate import read_calibrations
from hitonami.strength.fit import half_of
from hitonami.strength.rating_of import Person
from hitonami.strength.row_cache import FILE, RowCache
from hitonami.strength.run import Collecting


def _person(name: str, rating: float | None, moves: tuple[int, ...], games: int = 1) -> Person:
    players = Player(rating, "lichess", name), Player(1500.0, "lichess", "x")
    record = Record("chess", Setup(), moves, players)
    return Person(name, "lichess", [(record, 0, at) for at in range(games)], games)


@pytest.fixture
def moves() -> tuple[int, ...]:
    """Eight of each side, at random."""
    rng, position = np.random.default_rng(1), open_game("chess").start()
    played: list[int] = []
    while len(played) < 16:
        played.append(int(rng.choice(position.legal)))
        position = position.play(played[-1])
    return tuple(played)


def test_halves_and_games_enough(moves: tuple[int, ...]) -> None:
    people = [_person(f"player {at}", 1500.0, moves, 1 + at % 3) for at in range(30)]
    people.append(_person("unrated", None, moves, 3))
    collecting = Collecting("chess", "lichess", 4, 10, least_games=2)
    halves = [collecting.people_of(people, half) for half in (0, 1)]
    assert {half_of(person.name) for person in halves[1]} == {1}
    assert sum(map(len, halves)) == 20  # two of three have two games, and the one without a rating counts nowhere
    assert len(collecting.drawn_of(halves[0])) == 4
    with pytest.raises(BadInput, match="has 9 games with a rating"):
        Collecting("chess", "lichess", None, 10, least_games=9).people_of(people, 0)


def test_a_calibration_is_made_from_games_and_what_was_asked_is_kept(moves: tuple[int, ...], tmp_path: Path) -> None:
    people = [_person(f"player {at}", 1000.0 + 40 * at, moves[: 15 + at % 2]) for at in range(32)]
    collecting = Collecting("chess", "lichess", None, 8, cache=tmp_path)
    told: list[tuple[int, int]] = []
    games = collecting.games_of(people, lambda done, count: told.append((done, count)))
    assert told[-1] == (32, 32)
    lines = (tmp_path / FILE).read_text().splitlines()
    again = collecting.games_of(people)
    assert (tmp_path / FILE).read_text().splitlines() == lines  # nobody was asked again
    for one, other in zip(games, again, strict=True):
        assert one.rows == pytest.approx(other.rows, abs=1e-5)
    padded = [type(each)(each.player, each.rating, np.repeat(each.rows, 2, axis=0)) for each in games]
    path = tmp_path / "strength.json"
    facts = collecting.fit(padded, people, path)
    assert facts["games"] == facts["players"] == 32
    found = read_calibrations(path)["chess", "lichess"]
    assert found.prior_mean == pytest.approx(np.mean([person.recorded for person in people if person.recorded]))
    assert "expert_regret" in found.features


def test_kept_rows_survive_a_kill_and_belong_to_who_was_asked(tmp_path: Path) -> None:
    cache = RowCache(tmp_path, {"network": "a"})
    cache.keep(5, 0, [10, 12], [np.array([0.25, -1.5]), np.array([1.0, 2.0])])
    with (tmp_path / FILE).open("a") as file:
        file.write('["half a li')
    cache = RowCache(tmp_path, {"network": "a"})
    cache.keep(6, 1, [11], [np.array([3.0, 4.0])])
    found = RowCache(tmp_path, {"network": "a"})
    rows = found.find(5, 0, [10, 12])
    assert rows is not None
    assert np.stack(rows).tolist() == [[0.25, -1.5], [1.0, 2.0]]
    assert found.find(6, 1, [11]) is not None
    assert found.find(5, 1, [10, 12]) is None
    assert RowCache(tmp_path, {"network": "b"}).find(5, 0, [10, 12]) is None
    assert RowCache(None, {"network": "a"}).find(5, 0, [10, 12]) is None
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="nothing can be kept"):
        RowCache(tmp_path / "file", {})
