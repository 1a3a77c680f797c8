"""Similar games through the command line, and exact search against sorting everything."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests.unit.style.conftest import PERSON

from hitonami.cli import cli
from hitonami.errors import HitonamiError
from hitonami.style.similar import By, nearest

Games = Callable[..., Path]


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in words])


@pytest.mark.parametrize("by", ["features", "embedding"])
@pytest.mark.parametrize("count", [1, 7, 500, 200_000])
def test_the_nearest_are_those_of_a_whole_sort(by: By, count: int) -> None:
    rng = np.random.default_rng(3)
    vectors, query = rng.standard_normal((140_000, 3), np.float32), rng.standard_normal(3, np.float32)
    rows, near = nearest(vectors, query, count, by)
    exact = vectors.astype(np.float64)
    if by == "embedding":
        value = exact @ query / np.linalg.norm(exact, axis=1) / np.linalg.norm(query)
        wanted = np.sort(-value)[:count] * -1
    else:
        value = np.linalg.norm(exact - query, axis=1)
        wanted = np.sort(value)[:count]
    assert len(set(rows.tolist())) == len(rows) == min(count, len(vectors))
    assert near == pytest.approx(wanted, abs=2e-3)
    assert value[rows] == pytest.approx(wanted, abs=2e-3)


def test_games_of_the_same_habits_are_nearer(own_games: Games, tmp_path: Path) -> None:
    own, alike = own_games(20), own_games(20, name="Taro Example", first=100)
    found = run("similar", "chess", own, alike, "--games", 20, "--json")
    assert found.exit_code == 0, found.output
    told = json.loads(found.stdout)
    assert told["own_games"] == 20
    assert told["searched_games"] == 20
    assert sum(each["name"] == "Taro Example" for each in told["games"][:10]) >= 8
    values = [each["nearness"] for each in told["games"]]
    assert values == sorted(values)


def test_who_played_this_names_the_habits(own_games: Games) -> None:
    own, others = own_games(12), own_games(30, name="Taro Example", first=100)
    found = run("similar", "chess", own, others, "--people", "--least-games", 5, "--json")
    assert found.exit_code == 0, found.output
    assert [each["name"] for each in json.loads(found.stdout)["people"]] == ["Taro Example"]
    lines = run("similar", "chess", own, others, "--people").stdout
    assert "log-odds" in lines


def test_what_cannot_be_searched_is_told(own_games: Games, tmp_path: Path) -> None:
    own = own_games(12)
    cases = {("similar", "chess", own): "where to look", ("similar", "chess", own, own): "all the person's own"}
    for words, reason in cases.items():
        found = run(*words)
        assert isinstance(found.exception, HitonamiError)
        assert reason in str(found.exception)
        assert PERSON not in str(found.exception)
