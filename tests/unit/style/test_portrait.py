"""A person beside people of their level: what is unusual comes first, and chance is not taken for style."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests.unit.style.conftest import PERSON
from tests.unit.style.test_signature import habitual_games

from hitonami.cli import cli
from hitonami.core import Player
from hitonami.errors import BadData, HitonamiError
from hitonami.style.portrait import compare
from hitonami.style.reference import (
    PROBABILITIES,
    Group,
    describe_people,
    level_of,
    make_reference,
    packaged_reference,
    read_reference,
    reference_json,
)
from hitonami.traits import Trait, measure_traits

Games = Callable[..., Path]


def run(*words: object) -> Result:
    return CliRunner().invoke(cli, [str(each) for each in words])


def test_what_a_person_does_otherwise_comes_first(own_games: Games, tmp_path: Path) -> None:
    page = tmp_path / "style.html"
    found = run("style", "chess", own_games(40), "--html", page, "--json", tmp_path / "style.json")
    assert found.exit_code == 0, found.output
    told = json.loads((tmp_path / "style.json").read_text())
    assert told["games"] == 40
    assert told["beside"]["pool"] == "lichess"
    traits = {each["name"]: each for each in told["traits"]}
    assert traits["queen"]["spreads"]["low"] > 3  # the queen moves whenever it can
    assert traits["queen"]["share_below"] == 0.95
    assert traits["white_e4"]["value"]["value"] == 1.0
    assert "moves of the queen" in page.read_text()
    assert PERSON not in found.stdout + json.dumps(told)
    assert "beside" in found.stdout


def test_too_few_games_and_unknown_people_are_told(own_games: Games) -> None:
    for words, reason in (((own_games(3),), "at least"), ((own_games(9), "--player", "Nobody"), "Nobody")):
        found = run("style", "chess", *words)
        assert isinstance(found.exception, HitonamiError)
        assert reason in str(found.exception)


def test_spread_is_without_chance() -> None:
    rng = np.random.default_rng(0)
    true = rng.normal(5.0, 0.5, size=(2_000, 1))
    games = true[:, None, :] + rng.normal(0.0, 2.0, size=(2_000, 10, 1))
    group = describe_people(None, games.mean(axis=1), games.var(axis=1, ddof=1), np.full((2_000, 1), 10.0))
    assert group.spread[0] == pytest.approx(0.5, abs=0.06)
    assert group.noise[0] == pytest.approx(2.0, abs=0.05)
    assert group.quantiles[0, PROBABILITIES.index(0.9)] == pytest.approx(5.0 + 1.2816 * 0.5, abs=0.1)


def test_intervals_hold_what_they_say() -> None:
    rng, quantiles = np.random.default_rng(1), np.array([[-1.64, -1.28, -0.67, 0.0, 0.67, 1.28, 1.64]])
    level = Group(None, 100, quantiles, np.array([1.0]), np.array([2.0]))
    rows = [compare(Trait("x", "x"), rng.normal(0.3, 2.0, 40).astype(np.float32), level, 0) for _ in range(400)]
    hits = [row is not None and row.value.low <= 0.3 <= row.value.high for row in rows]
    assert np.mean(hits) == pytest.approx(0.95, abs=0.035)
    assert compare(Trait("x", "x"), np.full(40, np.nan, np.float32), level, 0) is None


def test_a_share_lies_between_nothing_and_all() -> None:
    level = Group(None, 100, np.linspace(0.1, 0.3, 7)[None], np.array([0.1]), np.array([0.3]))
    for values in ([0.0] * 19 + [1.0], [1.0] * 19 + [0.0]):
        row = compare(Trait("x", "x", share=True), np.array(values, np.float32), level, 0)
        assert row is not None
        assert 0.0 <= row.value.low < row.value.value < row.value.high <= 1.0
        assert row.place.high - row.place.value == pytest.approx(row.place.value - row.place.low)


def test_levels_lie_between_groups() -> None:
    low, high = (Group(each, 50, np.full((1, 7), each), np.array([1.0]), np.array([1.0])) for each in (1100.0, 1300.0))
    reference = {"lichess": [low, high]}
    for rating, wanted in ((1000.0, 1100.0), (1150.0, 1150.0), (1300.0, 1300.0), (2000.0, 1300.0)):
        assert level_of(reference, Player(rating, "lichess"))[1].quantiles[0, 0] == wanted
    assert level_of(reference, Player(1500.0, "elsewhere"))[0] == "lichess"
    with pytest.raises(BadData, match="nobody"):
        level_of({}, Player())


def test_a_reference_is_read_as_it_was_written(tmp_path: Path) -> None:
    games = habitual_games(25, 10)
    made = make_reference([(games, measure_traits(games))])
    path = tmp_path / "othello.json"
    path.write_text(json.dumps(reference_json("othello", made, {})))
    [group], [again] = made["club"], read_reference(path, "othello")["club"]
    assert again.people == group.people == 25
    assert again.spread == pytest.approx(group.spread, rel=1e-3, nan_ok=True)
    assert "person" not in path.read_text().replace("people", "")


def test_packaged_references_are_of_this_version() -> None:
    folder = Path(packaged_reference.__wrapped__.__globals__["_FOLDER"])
    found = sorted(each.stem for each in folder.glob("*.json"))
    assert "chess" in found
    for game in found:
        assert all(group.people >= 20 for groups in packaged_reference(game).values() for group in groups)
    with pytest.raises(BadData, match="--among"):
        packaged_reference("hex")


def test_a_mind_that_plays_the_persons_moves_has_the_persons_traits() -> None:
    from collections.abc import Sequence

    from hitonami.core import Effort, Opinion, Query, open_game
    from hitonami.dataset.samples import Sample
    from hitonami.style.feature_match import expected_traits, match_people

    rng, position, samples = np.random.default_rng(0), open_game("chess").start(), []
    for _ in range(30):
        samples.append(Sample(Query(position), int(rng.choice(position.legal)), None))
        position = position.play(samples[-1].move)

    def copies(queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        told = [np.where(each.query.position.legal == each.move, 0.0, -np.inf) for each in samples]
        return [Opinion(each.astype(np.float32)) for each in told]

    own, model = expected_traits(copies, samples, Effort.seeded())
    assert model == pytest.approx(own)
    people = rng.normal(size=(50, 2))
    [same, other] = match_people(["a", "b"], people, np.stack([people[:, 0], people[:, 1] + 2 * people[:, 1].std()], 1))
    assert same.rmse.value == pytest.approx(0.0)
    assert other.rmse.value == pytest.approx(2.0, rel=0.03)
    assert other.correlation == pytest.approx(1.0)
