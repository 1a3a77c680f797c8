"""Signatures: people with habits are told apart, a file is what was learned, odds are those of the formula."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.columns import Columns, columns_of
from hitonami.dataset.shards import table_of
from hitonami.errors import BadData, BadInput
from hitonami.records import Record
from hitonami.style.identification import identify, share_found
from hitonami.style.learn_signature import Lesson, choose_seats, learn_signature, people_of
from hitonami.style.signature import Bags, Signature, read_signature, write_signature
from hitonami.style.similar import rank_people
from hitonami.traits import measure_traits

LESSON = Lesson(turns=64, dimensions=40, least_games=5)


def habitual_games(people: int, each: int, seed: int = 0, first: int = 0) -> Columns:
    """Othello games in which a person likes squares of their own."""
    records = []
    for person in range(first, first + people):
        likes = np.random.default_rng(person).permutation(65)
        for at in range(each):
            rng, position = np.random.default_rng([seed, person, at]), open_game("othello").start(Setup())
            moves: list[int] = []
            while len(position.legal):
                legal = position.legal
                own = position.to_move == at % 2 and rng.random() < 0.8
                moves.append(int(legal[likes[legal].argmin()] if own else rng.choice(legal)))
                position = position.play(moves[-1])
            pair = [Player(None, "club", f"person {person}"), Player(None, "club", "")]
            records.append(Record("othello", Setup(), tuple(moves), (pair[at % 2], pair[1 - at % 2])))
    return columns_of(table_of(records, [""] * len(records)), "othello")


def own_seats(games: Columns) -> np.ndarray:
    return np.flatnonzero(people_of(games) >= 0)


@pytest.fixture(scope="module")
def lesson_games() -> Columns:
    return habitual_games(120, 8)


@pytest.fixture(scope="module")
def learned(lesson_games: Columns) -> Signature:
    games = lesson_games
    return learn_signature(games, measure_traits(games), choose_seats(people_of(games), LESSON), LESSON)


def test_people_who_did_not_teach_are_told_apart(learned: Signature) -> None:
    games = habitual_games(10, 20, first=1000)
    vectors = learned.embed(games).reshape(2 * len(games), -1)
    seats = own_seats(games).reshape(10, 20)
    known, asked = (vectors[part].mean(axis=1) for part in (seats[:, :10], seats[:, 10:]))
    odds = learned.match(asked, np.full(10, 10), known, np.full(10, 10))
    hits = odds.argmax(axis=1) == np.arange(10)
    assert hits.mean() >= 0.6  # by chance 0.1
    assert identify(learned.match, vectors, list(seats), (10, 10), "far").tolist() == hits.tolist()
    drawn = share_found(identify(learned.match, vectors, list(seats), (10, 10), "random"))
    assert 0.4 <= drawn.low <= drawn.value <= drawn.high
    assert (np.diag(odds) > 0).mean() >= 0.8
    assert (odds[~np.eye(10, dtype=bool)] < 0).mean() >= 0.75


def test_games_of_one_person_differ_by_one(learned: Signature, lesson_games: Columns) -> None:
    games = lesson_games
    vectors = learned.embed(games).reshape(2 * len(games), -1)[own_seats(games)].reshape(120, 8, -1)
    assert np.sqrt(vectors.var(axis=1, ddof=1).mean(axis=0)) == pytest.approx(np.ones(vectors.shape[2]), abs=0.05)


def test_odds_are_those_of_two_gaussians() -> None:
    b, n, m, q, r = 0.7, 4, 3, 0.9, 0.4
    empty = np.zeros(0, np.float32)
    one = Signature(
        "othello",
        np.zeros(0, np.uint64),
        (),
        empty,
        empty,
        empty,
        np.zeros((1, 1), np.float32),
        np.array([b], np.float32),
    )
    [[found]] = one.match(*(np.array([[q]], np.float32), np.array([m]), np.array([[r]], np.float32), np.array([n])))
    both = np.array([[b + 1 / m, b], [b, b + 1 / n]])
    apart = np.diag(np.diag(both))
    x = np.array([q, r])

    def log_density(covariance: np.ndarray) -> float:
        return float(-0.5 * x @ np.linalg.solve(covariance, x) - 0.5 * np.log(np.linalg.det(covariance)))

    assert found == pytest.approx(log_density(both) - log_density(apart), abs=1e-5)


def test_a_file_holds_what_was_learned(learned: Signature, tmp_path: Path) -> None:
    path = tmp_path / "othello.npz"
    write_signature(replace(learned, provenance={"people": 40}), path)
    again, games = read_signature(path), habitual_games(5, 4, first=200)
    assert dict(again.provenance) == {"people": 40}
    assert again.embed(games) == pytest.approx(learned.embed(games), abs=0.15)
    path.write_bytes(b"nothing")
    with pytest.raises(BadData, match="no signature"):
        read_signature(path)


def test_bags_are_the_same_however_games_are_cut(learned: Signature) -> None:
    games = habitual_games(4, 3, first=300)
    rows = np.zeros(len(games), dtype=bool)
    rows[5:] = True
    whole = Bags(games, learned.turns).dense(np.arange(2 * len(games)))
    assert np.array_equal(Bags(games.keep(rows), learned.turns).dense(np.arange(2 * rows.sum())), whole[10:])
    assert learned.embed(games.keep(rows)) == pytest.approx(learned.embed(games)[5:], abs=1e-4)


def test_who_played_this(learned: Signature) -> None:
    games, asked = habitual_games(4, 20, first=400), habitual_games(1, 20, seed=1, first=402)
    vectors = learned.embed(games).reshape(2 * len(games), -1)
    query = learned.embed(asked).reshape(40, -1)[own_seats(asked)].mean(axis=0)
    found = rank_people(learned, (query, 20), games, vectors, 5)
    assert found[0].player.name == "person 402"
    assert sum(each.share for each in found) == pytest.approx(1.0)
    assert [each.games for each in found] == [20] * 4
    with pytest.raises(BadInput, match="nobody"):
        rank_people(learned, (query, 20), games, vectors, 21)


def test_too_few_people_teach_nothing() -> None:
    games = habitual_games(1, 6)
    with pytest.raises(BadInput, match="there are not two"):
        choose_seats(people_of(games), LESSON)
