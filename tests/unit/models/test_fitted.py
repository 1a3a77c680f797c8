"""Fitted curves and the network they were fitted to: what belongs here, what does not, and who says so."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hitonami import levels
from hitonami.core import Player, Query, open_game
from hitonami.doctor import examine
from hitonami.fits.foresight import write_ranker
from hitonami.levels import draw_exponent, shape_of
from hitonami.levels.rankers import Ranker, ranker_file
from hitonami.models.fitted import curves_of_model, describe_curves, fitted_curves, packaged_origin
from hitonami.models.shipped import shipped_models
from hitonami.models.store import load_model
from hitonami.report.model import as_lines

pytestmark = pytest.mark.skipif("chess" not in shipped_models("human"), reason="no chess network is packaged")
OTHER = "network chess-human, sha256 " + "0" * 64
BLEND = {"weight": {"pool": {"": [[800, 0.9]], "fide": [[1200, 0.6]]}}}


def ranker(last: float) -> Ranker:
    one = np.ones(1, dtype=np.float32)
    weights = {"first": one[:, None], "first_bias": one, "second": np.ones((2, 1), np.float32), "second_bias": one}
    return Ranker("chess", ("base",), ("lichess",), (800.0, 2600.0), one, one, weights | {"third": last * one})


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Write chess's levels into a folder that stands for the package's."""
    monkeypatch.setattr(levels, "FOLDER", tmp_path)

    def write(data: dict[str, Any]) -> None:
        (tmp_path / "chess.json").write_text(json.dumps(data))
        levels.forget()

    yield write
    levels.forget()


def level(style: str = "human", **made: Any) -> dict[str, Any]:
    return {"level": {style: {"pool": {"lichess": [[1500, 2.5]]}, "provenance": {"lichess": made}}}}


def test_a_level_belongs_to_its_network_and_to_what_shapes_its_mind(package: Callable[[dict[str, Any]], None]) -> None:
    here = packaged_origin("chess")

    def belonging(data: dict[str, Any]) -> str:
        package(data)
        [found] = [each.belonging for each in fitted_curves("chess") if each.method == "level"]
        return found

    assert belonging(level(minds=[here])) == "here"
    assert belonging(level(minds=[OTHER])) == "another network"
    assert belonging(level()) == "not told"
    write_ranker(ranker_file(levels.FOLDER, "chess"), ranker(1.0))
    assert belonging(level(minds=[here])) == "not told"
    shaped = level(minds=[here], shape_sha256=shape_of("chess", "human", "lichess"))
    assert belonging(shaped) == "here"
    write_ranker(ranker_file(levels.FOLDER, "chess"), ranker(2.0))
    assert belonging(shaped) == "another shape"


def test_a_shape_is_that_of_the_style_and_the_pool(package: Callable[[dict[str, Any]], None]) -> None:
    package({"blend": BLEND})
    write_ranker(ranker_file(levels.FOLDER, "chess"), ranker(1.0))
    shapes = {(style, pool): shape_of("chess", style, pool) for style in ("human", "blend") for pool in ("", "fide")}
    assert len(set(shapes.values())) == 3  # one ranker for all pools
    assert shape_of("chess", "blend", "lichess") == shapes["blend", ""]  # a pool without curves of its own
    assert shape_of("chess", "expert", "") == shape_of("shogi", "human", "") == ""


def test_what_was_fitted_to_another_network_is_used_and_told(package: Callable[[dict[str, Any]], None]) -> None:
    calibration = {"pool": {"": [[0, 2.0]]}, "provenance": {"": {"minds": [OTHER]}}}
    package(level(minds=[OTHER]) | {"result": {"temperature": calibration}})
    query = Query(open_game("chess").start(), Player(1500.0, "lichess"))
    assert draw_exponent("human", query) == 2.5
    told = describe_curves(fitted_curves("chess"))
    assert told == [
        "0 of 2 fitted curves belong to this network",
        "fitted to another network: level of lichess (used as it is); result of other pools (left out)",
    ]
    model = load_model(str(shipped_models("human")["chess"]))
    assert any(
        "fitted to another network: level of lichess" in line for line in as_lines(model, "", fitted_curves("chess"))
    )
    own = model.card.model_copy(update={"model_sha256": "1" * 64})
    assert (len(curves_of_model(model.card)), curves_of_model(own)) == (2, [])
    finding = next(each for each in examine() if each.what == "levels of chess")
    assert (finding.state, finding.detail) == ("stale", "; ".join(told))


LEFT_OVER: dict[str, set[tuple[str, str, str]]] = {"chess": {("level", "blend", "another shape")}, "shogi": set()}
"""Fitted before the ranker of foresight: used as it is until it is fitted again."""


@pytest.mark.parametrize("game", [game for game in LEFT_OVER if game in shipped_models("human")])
def test_the_packaged_levels_belong_to_the_packaged_network(game: str) -> None:
    found = {(each.method, each.knob, each.belonging) for each in fitted_curves(game) if each.belonging != "here"}
    assert found == LEFT_OVER[game], f"hitonami fit {game} METHOD DATA --out src/hitonami/levels/{game}.json"
