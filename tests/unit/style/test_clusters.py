"""Kinds of players that were made are found, named and told apart in unseen games; where there are none, none are."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.metrics import adjusted_rand_score
from tests.unit.style.conftest import PERSON

from hitonami.cli import cli
from hitonami.core import Player, Setup, open_game
from hitonami.errors import BadInput
from hitonami.records import Record, write_record
from hitonami.report.clusters import as_json, as_lines, as_page
from hitonami.style.clusters import ClusterWish, People, agree, divide
from hitonami.traits import Trait

TRAITS = tuple(Trait(f"trait_{at}", f"of sort {at}") for at in range(8))
WISH = ClusterWish("chess", most=5)


def make(centres: list[list[float]], *, each: int = 50, noise: float = 0.3, seed: int = 0) -> tuple[People, np.ndarray]:
    """People around centres in the first traits, all of which also rise with rating; the last trait is chance alone."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(len(centres)), each)
    rating = rng.uniform(1000, 2000, len(truth))
    own = rng.normal(size=(len(truth), 8)) * 0.5
    own[:, : len(centres[0])] += np.array(centres)[truth]
    own += 0.01 * (rating[:, None] - 1500)
    own[:, -1] = 0.0
    halves = [own + noise * rng.normal(size=own.shape) for _ in range(2)]
    names = tuple(f"p{at}" for at in range(len(truth)))
    pool = np.array(["lichess"] * len(truth), dtype=object)
    return People(names, rating, pool, (halves[0], halves[1]), np.full(8, noise**2), 40 * len(truth)), truth


CENTRES = [[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]


def test_kinds_that_are_there_are_found_named_and_told_apart_in_unseen_games() -> None:
    people, truth = make(CENTRES)
    found = divide(people, TRAITS, WISH)
    assert len(found.clusters) == 3
    assert adjusted_rand_score(truth, found.labels) > 0.9
    assert found.stability.low > 0.7
    assert found.agreement.low > 0.9
    assert found.chance < 0.5
    assert found.p_value < 0.01
    assert TRAITS[-1] not in found.used
    for cluster, label in zip(found.clusters, range(3), strict=True):
        kind = int(np.bincount(truth[found.labels == label]).argmax())
        assert cluster.traits[0][0] == TRAITS[kind]
        assert cluster.name.startswith(f"more of sort {kind}")
        assert cluster.rating is not None
        assert abs(cluster.rating - 1500) < 150  # groups are no levels


def test_people_of_one_kind_are_one_group() -> None:
    found = divide(make([[0.0, 0.0, 0.0]], each=150)[0], TRAITS, WISH)
    assert len(found.clusters) == 1
    assert (found.agreement.value, found.chance, found.p_value) == (1.0, 1.0, 1.0)


def test_halves_of_different_people_agree_by_chance_only() -> None:
    people, _ = make(CENTRES)
    order = np.random.default_rng(1).permutation(len(people.names))
    found = divide(replace(people, halves=(people.halves[0], people.halves[1][order])), TRAITS, WISH)
    assert found.p_value > 0.01
    assert abs(found.agreement.value - found.chance) < 0.12
    assert agree(np.array([0, 0, 1, 1] * 9), np.array([0, 0, 1, 1] * 9))[2] < 0.01


def test_people_who_differ_by_chance_alone_are_not_divided() -> None:
    people, _ = make([[0.0, 0.0, 0.0]], each=100)
    with pytest.raises(BadInput, match="beyond chance"):
        divide(replace(people, noise=np.full(8, 9.0)), TRAITS, WISH)


def test_it_is_told_in_words_figures_and_pictures() -> None:
    found = divide(make(CENTRES, each=50)[0], TRAITS, WISH)
    told = as_json(found)
    assert json.loads(json.dumps(told, allow_nan=False))["people"] == 150
    assert {each["cluster"] for each in told["members"]} == set(range(1, len(found.clusters) + 1))
    assert sum(each["people"] for each in told["clusters"]) == 150
    assert any("by chance" in line for line in as_lines(found))
    assert as_page(found, "style").count("<svg") == 2


def _write(path: Path, names: list[str], games: int) -> Path:
    """Half of the people move their queens wherever they can; opponents are new each time."""
    records, rng = [], np.random.default_rng(5)
    chess = open_game("chess")
    for at, name in enumerate(names):
        for number in range(games):
            position, moves = chess.start(Setup()), list[int]()
            while len(moves) < 24 and len(position.legal):
                likes = at % 2 and position.to_move == 0
                named = [(chess.describe(position, int(each)), int(each)) for each in position.legal] if likes else []
                queens = [move for name, move in named if name.startswith("Q")]
                moves.append(int(rng.choice(queens or position.legal)))
                position = position.play(moves[-1])
            seats = Player(1500.0, "lichess", name), Player(1500.0, "lichess", f"Other {at}-{number}")
            records.append(Record("chess", Setup(), tuple(moves), seats, 0.5))
    path.write_text("\n\n".join(write_record(each, "pgn") for each in records), encoding="utf-8")
    return path


def test_through_the_command_line(tmp_path: Path, own_games: Callable[..., Path]) -> None:
    data = _write(tmp_path / "many.pgn", [f"Person {at}" for at in range(32)], 8)
    words = ["style", "chess", str(data), "--clusters", "--least-games", "8", "--most", "2", "--json"]
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    labels = {each["name"]: each["cluster"] for each in told["members"]}
    assert told["people"] == 32
    assert adjusted_rand_score(np.arange(32) % 2, [labels[f"Person {at}"] for at in range(32)]) > 0.6
    assert told["unseen"]["agreement"]["low"] > told["unseen"]["chance"]
    few = CliRunner().invoke(cli, ["style", "chess", str(own_games(6)), "--clusters", "--least-games", "4"])
    assert "need 30 at least" in str(few.exception)
    assert PERSON not in str(few.exception)
    both = CliRunner().invoke(cli, [*words, "--player", "Person 1"])
    assert "--player" in str(both.exception)
