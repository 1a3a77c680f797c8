"""Opponents and results as witnesses of a rating: recovered from made-up people, and held to by intervals."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup
from hitonami.dataset.filters import parse_filter
from hitonami.dataset.reading import Tally, open_data
from hitonami.errors import BadInput
from hitonami.records import Record
from hitonami.strength.company import Company, Meeting, fit_company
from hitonami.strength.estimate import Calibration, estimate, read_calibrations, write_calibration, write_company
from hitonami.strength.evidence import Evidence
from hitonami.strength.fit import Played, measure
from hitonami.strength.rate_run import RateWish, rate_players
from hitonami.strength.rating_of import Person, Wanted, find_people, meeting_of
from hitonami.terminal.progress import Meter

ELO = float(np.log(10) / 400)
NOTHING = Evidence(0, 0, np.zeros(1))
PLAIN = Calibration(
    (1500.0,), ("log_prob@1500",), (0.0,), 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1500.0, 300.0, 400.0, 3000.0, is_alone=True
)


def made_up(people: int, games: int, seed: int) -> list[list[tuple[float, Meeting]]]:
    """People whose opponents are as good as they are, give or take 60 for the person and 120 for the game."""
    rng = np.random.default_rng(seed)
    found = []
    for rating in rng.normal(1600, 300, people):
        own = rating + rng.normal(0, 60)
        opponents = own + rng.normal(0, 120, games)
        wins = rng.random(games) < 1 / (1 + np.exp(-ELO * (rating - opponents)))
        found.append([
            (float(rating), Meeting(float(other), float(won))) for other, won in zip(opponents, wins, strict=True)
        ])  # fmt: skip
    return found


def test_what_made_people_up_is_found_again() -> None:
    found = fit_company(made_up(1500, 10, 1))
    assert found.steepness == pytest.approx(ELO, rel=0.1)
    assert found.slope == pytest.approx(1.0, abs=0.05)
    assert found.player_variance == pytest.approx(60**2, rel=0.25)
    assert found.game_variance == pytest.approx(120**2, rel=0.1)
    assert found.spread == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("games", [1, 5, 20])
def test_intervals_hold_and_more_games_tell_more(games: int) -> None:
    model = replace(PLAIN, company=fit_company(made_up(600, 20, 2)))
    inside, off = [], []
    for own in made_up(400, games, 3):
        said = estimate(NOTHING, "", model, model.ratings, [meeting for _, meeting in own])
        assert said.opponents == games
        inside.append(said.low <= own[0][0] <= said.high)
        off.append(abs(said.rating - own[0][0]))
    assert 0.91 <= np.mean(inside) <= 0.985
    assert np.mean(off) < {1: 125, 5: 85, 20: 65}[games]


def test_results_move_the_estimate_and_unknown_ones_do_not() -> None:
    model = replace(PLAIN, company=Company(0.0, 1.0, 3600.0, 14400.0, 1.0, ELO))
    said = {
        score: estimate(NOTHING, "", model, model.ratings, [Meeting(1700.0, score)] * 10).rating
        for score in (0.0, 0.5, 1.0, None)
    }
    assert said[0.0] < said[0.5] < said[1.0]
    assert said[None] == pytest.approx(said[0.5], abs=30)


def test_nobody_is_heard_where_nothing_is_known_of_company() -> None:
    heard = estimate(NOTHING, "", PLAIN, PLAIN.ratings, [Meeting(2500.0, 1.0)] * 20)
    assert heard == estimate(NOTHING, "", PLAIN, PLAIN.ratings)
    assert heard.opponents == 0


def test_a_posterior_is_kept_to_be_drawn() -> None:
    model = replace(PLAIN, company=Company(0.0, 1.0, 3600.0, 14400.0, 1.0, ELO))
    said = estimate(NOTHING, "", model, model.ratings, [Meeting(1700.0, 0.5)] * 10)
    ratings, shares = zip(*said.posterior, strict=True)
    assert (ratings[0], ratings[-1]) == (400.0, 3000.0)
    assert max(shares) == pytest.approx(1.0, abs=0.05)
    assert abs(ratings[int(np.argmax(shares))] - said.rating) < 60


def test_who_was_met_is_told_from_either_side() -> None:
    record = Record("chess", Setup(), (), (Player(1500.0, "lichess"), Player(1600.0, "lichess")), score=1.0)
    assert meeting_of(record, 0) == Meeting(1600.0, 1.0)
    assert meeting_of(record, 1) == Meeting(1500.0, 0.0)
    assert meeting_of(replace(record, score=None), 0) == Meeting(1600.0, None)
    nobody = replace(record, players=(record.players[0], Player(None, "lichess")))
    assert meeting_of(nobody, 0) is None
    assert Person("a", "lichess", [(record, 0, 1), (nobody, 0, 2)]).meetings == [Meeting(1600.0, 1.0)]


def test_people_are_measured_by_company_alone_too() -> None:
    model = replace(PLAIN, company=fit_company(made_up(300, 10, 4)))
    none = np.zeros((0, 1))
    people = made_up(60, 5, 5)
    games = [Played(f"p{at}", rating, none, each) for at, own in enumerate(people) for rating, each in own]
    assert measure(games, model) == []
    one, five = measure(games, model, with_opponents=True)
    assert (one.games, five.games, five.players) == (1, 5, 60)
    assert five.error.value < five.guess.value


def test_company_is_kept_beside_a_calibration(tmp_path: Path) -> None:
    path, company = tmp_path / "strength.json", Company(1.0, 0.9, 3600.0, 14400.0, 1.1, 0.005)
    with pytest.raises(BadInput, match="fit the moves first"):
        write_company(path, "chess", "lichess", company, {})
    write_calibration(path, "chess", "lichess", PLAIN, {"games": 3})
    write_company(path, "chess", "lichess", company, {"games": 5})
    read_calibrations.cache_clear()
    assert read_calibrations(path) == {("chess", "lichess"): replace(PLAIN, company=company)}
    read_calibrations.cache_clear()


def test_too_few_meetings_and_no_moves_are_refused() -> None:
    with pytest.raises(BadInput, match="too few"):
        fit_company(made_up(3, 2, 6))
    with pytest.raises(BadInput, match="--opponents"):
        RateWish("chess", ("a.pgn",), most_moves=0)


def test_games_that_the_filter_leaves_out_rate_nobody(tmp_path: Path) -> None:
    tags = '[White "{}"]\n[Black "{}"]\n[WhiteElo "{}"]\n[BlackElo "{}"]\n[Site "lichess.org"]\n'
    game = tags + "\n1. e4 e5 2. Nf3 Nc6 1-0\n\n"
    path = tmp_path / "games.pgn"
    path.write_text(game.format("a", "b", 1500, 1510) + game.format("c", "d", 2500, 2510), encoding="utf-8")
    data = open_data((str(path),), "chess", named=True)
    found = find_people(data, Wanted(chosen=parse_filter("rating:1400-1600")), Tally())
    assert [person.name for person in found] == ["a", "b"]
    with pytest.raises(BadInput, match="there is no filter rule 'strong'"):
        RateWish("chess", (str(path),), filter_text="strong")
    wish = RateWish("chess", (str(path),), filter_text="rating:100-200")
    with pytest.raises(BadInput, match="nobody but bots in 2 games that rating:100-200 keeps"):
        rate_players(wish, Meter, print)
