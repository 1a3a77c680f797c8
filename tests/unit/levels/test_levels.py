"""Fitted curves as data: what is read, for whom, and what is refused."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hitonami import levels
from hitonami.core import Player, Query, Setup, open_game
from hitonami.errors import BadInput, BadSpec
from hitonami.levels import (
    draw_exponent,
    find_curve,
    levels_of,
    origins_of,
    read_level,
    read_levels,
    read_provenance,
)
from hitonami.levels.held import held_levels
from hitonami.levels.profiles import PACKAGED
from hitonami.levels.rankers import read_ranker
from hitonami.models.fitted import packaged_origin
from hitonami.play.doubt import doubt_of
from hitonami.sights import columns_of, sights_of

START = open_game("chess").start()
CURVES = {"pool": {"": [[1000, 0.9], [2000, 0.5]], "fide": [[1500, 0.7]]}, "note": "made up"}


@pytest.fixture
def fitted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, Any], Path]]:
    """Write the levels of a game into a folder that stands for the package's."""
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    levels.forget()

    def write(game: str, data: Any) -> Path:
        path = tmp_path / f"{game}.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        return path

    yield write
    levels.forget()


def test_each_query_is_read_at_its_own_rating_and_pool(fitted: Callable[[str, Any], Path]) -> None:
    fitted("chess", {"blend": {"weight": CURVES}})
    players = Player(1500.0), Player(1750.0, "lichess"), Player(1100.0, "fide"), Player(400.0), Player(3000.0)
    found = read_level("blend", "weight", [Query(START, player) for player in players])
    assert found.tolist() == pytest.approx([0.7, 0.6, 0.7, 0.9, 0.5])


def test_nothing_is_guessed(fitted: Callable[[str, Any], Path]) -> None:
    fitted("chess", {"softmax": {"rho": {"pool": {"lichess": [[1500, 1.2], [2000, 1.1]]}}}})
    with pytest.raises(BadSpec, match="the weight of blend has not been fitted for chess"):
        read_level("blend", "weight", [Query(START, Player(1500.0))])
    with pytest.raises(BadInput, match="fitted for the pools lichess; 'fide' is none of them"):
        read_level("softmax", "rho", [Query(START, Player(1500.0, "fide"))])
    with pytest.raises(BadInput, match="give a rating"):
        read_level("softmax", "rho", [Query(START, Player(None, "lichess"))])
    with pytest.raises(BadSpec, match="not been fitted for shogi"):
        read_level("softmax", "rho", [Query(open_game("shogi").start(), Player(1500.0))])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ([], "expected a table"),
        ({"blend": 1}, "blend: expected a table"),
        ({"blend": {"weight": {"pools": {}}}}, "blend.weight: unknown key 'pools'; did you mean pool"),
        ({"blend": {"weight": {}}}, "blend.weight: expected a table"),
        ({"blend": {"weight": {"pool": {"": [[2000, 1], [1000, 1]]}}}}, "rising ratings"),
        ({"blend": {"weight": {"pool": {"": 0.5}}}}, "blend.weight: "),
        ({"blend": {"weight": {"pool": {"": []}}}}, "needs points"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_place(fitted: Callable[[str, Any], Path], data: Any, reason: str) -> None:
    path = fitted("chess", data)
    with pytest.raises(BadSpec, match=r"chess\.json: ") as wrong:
        read_levels(path)
    assert reason in str(wrong.value)


def test_a_pool_without_a_curve_has_that_of_everybody_else(fitted: Callable[[str, Any], Path]) -> None:
    fitted("chess", {"blend": {"weight": {"pool": {"": [[0, 0.5]], "fide": [[0, 0.25]]}}}})
    found = {pool: find_curve("blend", "weight", "chess", pool) for pool in ("fide", "lichess", "")}
    assert {pool: curve.points[0][1] for pool, curve in found.items() if curve} == {
        "fide": 0.25,
        "lichess": 0.5,
        "": 0.5,
    }
    assert find_curve("blend", "other", "chess", "fide") is None
    assert find_curve("blend", "weight", "shogi", "fide") is None


def test_text_that_is_no_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chess.json").write_text("{", encoding="utf-8")
    with pytest.raises(BadSpec, match="not JSON"):
        read_levels(tmp_path / "chess.json")
    with pytest.raises(BadSpec, match="No such file"):
        read_levels(tmp_path / "absent.json")


def test_the_packaged_files_are_sound() -> None:
    for path in levels.FOLDER.glob("*.json"):
        if path.name.startswith(("foresight-", "ladder-")):
            continue
        held = read_levels(path)
        for curves in held.get("blend", {}).values():
            assert all(0 <= value <= 1 for curve in curves.values() for _, value in curve.points), path.name


def test_packaged_rankers_are_sound() -> None:
    for path in levels.FOLDER.glob("foresight-*.json"):
        ranker = read_ranker(path)
        sights = sights_of(ranker.game)
        assert sights is not None
        assert columns_of(sights, ranker.pools) == ranker.columns
        assert ranker.provenance["minds"] == [packaged_origin(ranker.game)]
        assert ranker.provenance["split"] == "train"


def test_the_draw_of_a_level_is_for_the_board_that_it_was_fitted_on(fitted: Callable[[str, Any], Path]) -> None:
    fitted("go", {"level": {"human": {"pool": {"": [[10, 1.5], [30, 3.5]]}}}})
    exponents = [
        draw_exponent("human", Query(open_game("go").start(Setup(size=size)), Player(20.0, "ogs")))
        for size in (9, 13, 19)
    ]
    assert exponents == [None, None, 2.5]
    fitted("go", {"level": {"human": {"pool": {"": [[10, 1.5], [30, 3.5]], "ogs:9": [[10, 1.0], [30, 2.0]]}}}})
    levels.forget()
    asked = (9, "ogs"), (9, "kgs"), (13, "ogs")
    queries = [Query(open_game("go").start(Setup(size=size)), Player(20.0, pool)) for size, pool in asked]
    assert [draw_exponent("human", query) for query in queries] == [1.5, None, None]


def test_packaged_profiles_are_sound_and_say_what_they_stand_on() -> None:
    folders = [path for path in PACKAGED.iterdir() if path.is_dir()]
    assert [path.name for path in folders] == ["maia3-5m"]
    for folder in folders:
        network = {each["network"] for each in read_provenance("chess", folder.name).values()}
        assert len(network) == 1
        assert next(iter(network)).startswith(f"network {folder.name}, sha256 ")
        assert origins_of("chess", "foresight", folder.name) == network
        assert all(
            0 < value < 1
            for curve in levels_of("chess", folder.name)["blend"]["weight"].values()
            for _, value in curve.points
        )


def test_what_games_say_is_held_is_read_and_said(fitted: Callable[[str, Any], Path]) -> None:
    entry = CURVES | {"provenance": {"": {"held": [800, 2000]}, "fide": {}}}
    fitted("chess", {"level": {"human": entry}})
    assert held_levels("human", "chess", "lichess") == (800.0, 2000.0)
    assert held_levels("human", "chess", "fide") is None
    assert held_levels("blend", "chess", "") is None
    assert held_levels("", "chess", "") is None
    assert "hardly stronger than 2000" in doubt_of("human", "chess", "lichess", 2300.0)
    assert "hardly weaker than 800" in doubt_of("human", "chess", "lichess", 600.0)
    assert doubt_of("human", "chess", "lichess", 1500.0) == ""
    assert doubt_of("human", "chess", "fide", 2300.0) == ""
    assert doubt_of("uniform", "chess", "lichess", None) == ""


def test_what_is_held_on_one_board_is_not_said_of_another(fitted: Callable[[str, Any], Path]) -> None:
    pools, made = {"ogs": [[10, 1.0]], "ogs:9": [[10, 1.0]]}, {"ogs": {"held": [7, 31]}, "ogs:9": {"held": [10, 28]}}
    fitted("go", {"level": {"human": {"pool": pools, "provenance": made}}})
    assert [held_levels("human", "go", "ogs", size) for size in (0, 19, 9, 13)] == [(7, 31), (7, 31), (10, 28), None]
    assert doubt_of("human", "go", "ogs", 30.0, 9) == (
        "Levels of human are right by games from 20k to 2k: 1d is hardly stronger than 2k."
    )
    assert doubt_of("human", "go", "ogs", 30.0, 13) == ""
