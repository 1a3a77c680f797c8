"""What other people teach about one: priors from many, and the nearest of them."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hitonami.dataset.reading import open_data
from hitonami.habits import habits_of
from hitonami.specs import open_mind
from hitonami.style.decisions import Decisions, ask_decisions, draw_plies, read_decisions
from hitonami.style.learning import Choices, plain_prior
from hitonami.style.person import find_person
from hitonami.style.prior import fit_prior, lean_on_similar, nearest

SIZES = [size for _, size in habits_of("chess").kinds]
People = Callable[..., list[Decisions]]


@pytest.fixture
def people(own_games: Callable[..., Path], tmp_path: Path) -> People:
    """people(3): decisions of so many, all of whom like queens."""

    def ask(count: int, games: int = 6, first: int = 0) -> list[Decisions]:
        found = []
        for at in range(first, first + count):
            file = own_games(games, plies=16, first=1000 * at)
            own = find_person(open_data([str(file)], "chess", named=True), "").games
            with open_mind("uniform") as mind:
                drawn = list(zip(own, draw_plies(own, 4000), strict=True))
                found.append(ask_decisions(drawn, mind, tmp_path / f"asked-{at}", {}))
        return found

    return ask


def _nats(held: Decisions, choices: Choices, weights: np.ndarray) -> float:
    return float(choices.nats(choices.lean(weights)).mean())


def test_what_many_like_is_known_of_who_has_hardly_played(people: People, tmp_path: Path) -> None:
    many, [new], [later] = people(4), people(1, 5, first=10), people(1, 5, first=20)
    assert np.array_equal(read_decisions(tmp_path / "asked-0").played, many[0].played)
    prior = fit_prior(many, SIZES)
    plain = plain_prior(new, SIZES)
    few = np.arange(6)
    alone = _nats(later, Choices(later, plain, SIZES), Choices(new, plain, SIZES).fit(few, 1.0))
    taught = _nats(later, Choices(later, prior, SIZES), Choices(new, prior, SIZES).fit(few, 1.0))
    assert taught < alone
    moved = lean_on_similar(prior, many[:2], SIZES)
    assert moved.pull is prior.pull
    assert not np.array_equal(moved.centre, prior.centre)


def test_curvature_is_the_second_derivative_of_the_fit(people: People) -> None:
    [held] = people(1)
    prior = plain_prior(held, SIZES)
    choices, step = Choices(held, prior, SIZES), 1e-3
    weights = np.random.default_rng(0).normal(0.0, 0.05, choices.firsts[-1])
    bends = choices.curvature(weights)
    known = choices.own >= 0
    for at in (0, 3, len(bends) - 384 + int(np.bincount(held.kinds[:, 1]).argmax())):
        sides = []
        for sign in (-1, 0, 1):
            moved = weights.copy()
            moved[at] += sign * step
            sides.append(-choices.lean(moved)[choices.legal_begins[:-1] + held.played][known].sum())
        assert (sides[0] - 2 * sides[1] + sides[2]) / step**2 == pytest.approx(bends[at], rel=0.02, abs=0.02)


def test_the_nearest_is_who_plays_alike(people: People) -> None:
    one, other, third = people(3)
    prior = plain_prior(one, SIZES)
    assert nearest(other, [one, other, third], prior, SIZES, 2)[0] == 1
