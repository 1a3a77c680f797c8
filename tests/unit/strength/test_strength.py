"""Ratings from moves: evidence adds up, estimates follow it, calibrations find what is in the data."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hitonami.core import Effort, Opinion, Player, Query, Setup, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.records import Record
from hitonami.strength.estimate import Calibration, estimate, ratings_told, read_calibrations, write_calibration
from hitonami.strength.evidence import FIRST_PLY, Evidence, Witness, feature_names, plies_of
from hitonami.strength.fit import Played, fit_calibration, half_of, measure
from hitonami.strength.rating_of import Person, Rater, draw_evenly

RATINGS = (1000.0, 2000.0)
PLAIN = Calibration(
    ratings=RATINGS,
    features=tuple(feature_names(RATINGS, False)),
    weights=(-500.0, 500.0),
    offset=1500.0,
    intercept=750.0,
    slope=0.5,
    player_variance=100.0,
    game_variance=2_000.0,
    move_variance=50_000.0,
    prior_mean=1500.0,
    prior_deviation=300.0,
    low=400.0,
    high=3000.0,
)


class Leaning:
    """A mind of two levels: the first legal move is the weak player's, the last the strong one's."""

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return [Opinion(_lean(query)) for query in queries]


def _lean(query: Query) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    share = 0.8 if (query.player.rating or 0) >= 1500 else 0.2
    probabilities = np.full(len(query.position.legal), 1e-3)
    probabilities[-1], probabilities[0] = share, 1.0 - share
    return np.log(probabilities / probabilities.sum()).astype(np.float32)


def _record(last: bool, moves: int = 40) -> Record:
    position = open_game("chess").start()
    played: list[int] = []
    while len(played) < moves and len(position.legal):
        played.append(int(position.legal[-1 if last else 0]))
        position = position.play(played[-1])
    return Record("chess", Setup(), tuple(played), (Player(1500.0, "lichess", "one"), Player(1500.0, "lichess", "two")))


def test_moves_of_strong_players_point_up() -> None:
    witness = Witness(Leaning(), None, RATINGS, "lichess")
    sums = {}
    for last in (False, True):
        record = _record(last)
        rows = list(witness.rows_of(record, plies_of(record, 0, None), Effort.seeded()))
        sums[last] = Evidence(len(rows), 1, np.sum(rows, axis=0))
        assert 10 <= len(rows) <= 15  # White's of 40 plies, from the eleventh on, where there was a choice
    strong, weak = (estimate(sums[last], "lichess", None, RATINGS) for last in (True, False))
    assert strong.rating > 1700
    assert weak.rating < 1300
    assert not strong.calibrated


def test_plies_are_past_the_opening_one_side_and_within_the_budget() -> None:
    record = _record(True)
    plies = plies_of(record, 1, None)
    assert plies
    assert min(plies) >= FIRST_PLY
    assert all(ply % 2 == 1 for ply in plies)
    some = plies_of(record, 1, 6, key=5)
    assert len(some) == 6
    assert set(some) < set(plies)
    assert some == plies_of(record, 1, 6, key=5)
    assert some != plies_of(record, 1, 6, key=6)
    hurried = replace(record, clocks=tuple(10.0 if ply > 20 else 60.0 for ply in range(40)))
    assert max(plies_of(hurried, 1, None)) == 21  # at 23 ten seconds are left, from the move before


def test_the_budget_is_shared_by_the_games() -> None:
    person = Person("one", "lichess", [(_record(True, 14), 0, 1), (_record(True), 0, 2), (_record(False), 0, 3)], 3)
    rater = Rater("chess", Leaning(), None, packaged=False, most_moves=18)
    sizes = [len(rows) for rows in rater.rows_of(person, Witness(Leaning(), None, RATINGS, "lichess"), Effort.seeded())]
    assert sizes[0] == 2
    assert all(6 < size <= 8 for size in sizes[1:])  # what the short game leaves goes to the others
    rated = rater.rate_one(person, Effort.seeded())
    assert rated.recorded == 1500.0
    assert rated.estimate is not None
    assert rated.estimate.moves == sum(sizes)


@given(st.floats(-0.5, 0.5), st.integers(1, 30), st.integers(1, 40))
def test_estimates_lie_inside_their_intervals_and_follow_the_index(gap: float, games: int, moves: int) -> None:
    def said(difference: float, count: int) -> tuple[float, float, float]:
        means = np.array([0.0, difference])
        found = estimate(Evidence(count * moves, count, means * count * moves), "lichess", PLAIN, RATINGS)
        return found.low, found.rating, found.high

    low, rating, high = said(gap, games)
    assert low < rating < high
    assert said(gap + 0.1, games)[1] > rating
    more = said(gap, games + 10)
    assert more[2] - more[0] <= high - low + 1e-6  # more games never make it less certain


def test_without_a_move_the_prior_speaks() -> None:
    found = estimate(Evidence(0, 0, np.zeros(2)), "lichess", PLAIN, RATINGS)
    assert found.rating == pytest.approx(PLAIN.prior_mean, abs=5)


def _made_up(players: int, games: int, seed: int) -> list[Played]:
    """People whose index is 0.5 · rating + noise, in units of the second feature."""
    rng = np.random.default_rng(seed)
    found = []
    for at in range(players):
        rating = float(rng.normal(1500, 300))
        own = rng.normal(0, 30)
        for _ in range(games):
            middle = (rating + own + rng.normal(0, 60)) / 1000
            rows = rng.normal(0, 0.4, (20, 4))
            rows[:, 1] += middle
            found.append(Played(f"player {seed} {at}", rating, rows))
    return found


def test_a_calibration_finds_the_feature_that_tells_and_knows_how_sure_it_is() -> None:
    features = feature_names(RATINGS, True)
    population = [float(each) for each in np.random.default_rng(1).normal(1500, 300, 500)]
    found = fit_calibration(_made_up(120, 4, 1), RATINGS, features, (400.0, 3000.0), population)
    assert found.weights[1] == pytest.approx(-found.weights[0])  # one slope
    assert abs(found.weights[1]) > 5 * max(map(abs, found.weights[2:]))
    measured = measure(_made_up(150, 20, 2), found)
    assert [each.games for each in measured] == [1, 5, 10, 20]
    errors = [each.error.value for each in measured]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.5 * measured[-1].guess.value
    assert all(0.88 <= each.coverage.value <= 1.0 for each in measured)


def test_too_few_games_make_no_calibration() -> None:
    with pytest.raises(BadInput, match="at least 30 games"):
        fit_calibration(_made_up(5, 2, 3), RATINGS, feature_names(RATINGS, True), (400.0, 3000.0), [1500.0])


def test_halves_are_halves() -> None:
    assert 400 < sum(half_of(f"name {at}") for at in range(1000)) < 600


def test_calibrations_are_kept_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rate.json"
    write_calibration(path, "chess", "lichess", PLAIN, {"split": "validation"})
    write_calibration(path, "go", "ogs", replace(PLAIN, low=0.0), {})
    assert read_calibrations(path) == {("chess", "lichess"): PLAIN, ("go", "ogs"): replace(PLAIN, low=0.0)}
    assert ratings_told("chess", "lichess", PLAIN) == RATINGS
    data = json.loads(path.read_text())
    data["go"]["ogs"]["calibration"]["weights"].pop()
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(data))
    with pytest.raises(BadSpec, match="2 features have 1 weights"):
        read_calibrations(broken)


def _people(players: int, seed: int, flat_from: float = 9_999.0) -> list[Played]:
    """Twenty games of people of all ratings; above `flat_from` the moves are alike."""
    rng, found = np.random.default_rng(seed), []
    for at in range(players):
        rating = float(rng.uniform(900, 2600))
        own = min(rating, flat_from) + rng.normal(0, 120)
        for _ in range(20):
            rows = rng.normal(0, 0.8, (10, 4))
            rows[:, 1] += (own + rng.normal(0, 150)) / 1000
            found.append(Played(f"player {seed} {at}", rating, rows))
    return found


def _calibrated(flat_from: float = 9_999.0) -> Calibration:
    population = [float(each) for each in np.random.default_rng(1).normal(1600, 290, 500)]
    people = _people(150, 5, flat_from)
    return fit_calibration(people, RATINGS, feature_names(RATINGS, True), (400.0, 3000.0), population)


def test_intervals_hold_at_every_level_and_masters_are_not_shrunk() -> None:
    """The pool is 1600 ± 290: with a normal prior people of 2400 came out hundreds of points too low."""
    found = _calibrated()
    measured = {each.games: each for each in measure(_people(400, 6), found)}
    for count in (1, 5, 20):
        assert 0.92 <= measured[count].coverage.value <= 0.99
        for band in measured[count].bands:
            assert band.players < 20 or band.coverage >= 0.85
    masters = next(band for band in measured[20].bands if band.name == "2400")
    assert masters.players > 20
    assert abs(masters.bias) < 90.0
    shrunk = replace(found, is_alone=False)
    old = next(each for each in measure(_people(400, 6), shrunk) if each.games == 20)
    before = next(band for band in old.bands if band.name == "2400")
    assert before.bias < masters.bias - 40.0


def test_where_levels_play_alike_the_interval_is_open() -> None:
    found = _calibrated(flat_from=1900.0)
    rises = np.diff([index for _, index in found.curve])
    assert (rises >= 0.0).all()
    assert rises[-1] < 0.3 * rises[0]
    measured = next(each for each in measure(_people(300, 7, 1900.0), found) if each.games == 20)
    share = {band.name: band.open_above for band in measured.bands}
    assert share["2400"] > 0.5
    assert share["1200"] == 0.0
    assert all(band.coverage > 0.8 for band in measured.bands if band.players >= 20)


def test_the_guess_lies_inside_the_interval_of_the_moves() -> None:
    alone = replace(PLAIN, is_alone=True, player_variance=1.0, game_variance=1.0, move_variance=1.0)
    found = estimate(Evidence(100, 10, np.array([0.0, 90.0])), "lichess", alone, RATINGS)
    assert found.low <= found.rating <= found.high
    assert not found.open_above
    nothing = estimate(Evidence(0, 0, np.zeros(2)), "lichess", alone, RATINGS)
    assert nothing.open_below
    assert nothing.open_above


def test_a_curve_is_kept_with_its_calibration(tmp_path: Path) -> None:
    curved = replace(PLAIN, curve=((1000.0, 1.0), (2000.0, 2.0)), spread=1.5, is_alone=True)
    write_calibration(tmp_path / "rate.json", "chess", "lichess", curved, {})
    assert read_calibrations(tmp_path / "rate.json") == {("chess", "lichess"): curved}
    assert curved.mean_index(np.array([500.0, 1500.0, 3000.0])).tolist() == [0.5, 1.5, 3.0]


def test_people_of_all_ratings_are_drawn_alike() -> None:
    people = [Person(f"one {at}", "lichess", [(_rated(1500.0), 0, at)], 1) for at in range(40)]
    people += [Person(f"two {at}", "lichess", [(_rated(2300.0), 0, at)], 1) for at in range(5)]
    people.append(Person("unrated", "lichess", [(_rated(None), 0, 1)], 1))
    drawn = [person.recorded for person in draw_evenly(people, 12, 200.0)]
    assert drawn.count(2300.0) == 5
    assert drawn.count(1500.0) == 7
    assert draw_evenly([], 3, 200.0) == []


def _rated(rating: float | None) -> Record:
    return Record("chess", Setup(), (), (Player(rating, "lichess", "a"), Player(1500.0, "lichess", "b")))
