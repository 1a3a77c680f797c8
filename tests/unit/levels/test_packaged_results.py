"""The packaged calibrations: of the packaged networks, in range, and used by the packaged minds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hitonami import levels
from hitonami.core import Effort, Player, Query, open_game
from hitonami.levels import levels_of, origins_of
from hitonami.models.card import name_origin
from hitonami.models.shipped import shipped_models
from hitonami.search.results import METHOD
from hitonami.specs import open_mind

FITTED = [game for game in shipped_models("human") if levels_of(game).get(METHOD)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in place of the packaged levels."""
    monkeypatch.setattr(levels, "FOLDER", tmp_path)
    levels.forget()
    yield tmp_path
    levels.forget()


def origin_of(game: str) -> str:
    card = json.loads((shipped_models("human")[game] / "card.json").read_bytes())
    return name_origin(card["name"], card["model_sha256"])


@pytest.mark.parametrize("game", FITTED)
def test_a_calibration_belongs_to_the_network_that_is_packaged(game: str) -> None:
    fit = f"hitonami fit {game} calibration DATA --out src/hitonami/levels/{game}.json"
    assert origins_of(game, METHOD) == {origin_of(game)}, f"the network has changed since: {fit}"


@pytest.mark.parametrize("game", FITTED)
def test_its_values_are_those_of_a_sound_network(game: str) -> None:
    knobs = levels_of(game)[METHOD]
    assert set(knobs) == {"temperature", "lean", "draws"}
    for curves in knobs.values():
        assert "" in curves, "pools that were not fitted have something too"
    for curve in knobs["temperature"].values():
        assert all(0.5 <= value <= 3.0 for _, value in curve.points)


def write_calibration(folder: Path, origin: str) -> None:
    values = {"temperature": 2.0, "lean": 0.5, "draws": 0.0}
    made = {"": {"minds": [origin]}}
    knobs = {knob: {"pool": {"": [[0, value]]}, "provenance": made} for knob, value in values.items()}
    (folder / "chess.json").write_text(json.dumps({METHOD: knobs}))


@pytest.mark.skipif("chess" not in shipped_models("human"), reason="no chess network is packaged")
def test_the_packaged_mind_is_calibrated_by_default_and_a_stale_fit_is_left_alone(folder: Path) -> None:
    from hitonami import dist

    query = Query(open_game("chess").start(), Player(1500.0, "lichess"), Player(1500.0, "lichess"))

    def told(name: str | dict[str, Any]) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
        with open_mind(name) as mind:
            [opinion] = mind([query], Effort.seeded())
        assert opinion.wdl is not None
        return opinion.wdl

    raw = told({"kind": "human", "calibrated": False})
    assert np.array_equal(told("human"), raw)
    write_calibration(folder, origin_of("chess"))
    levels.forget()
    assert told("human") == pytest.approx(dist.calibrate(raw, 2.0, 0.5), abs=1e-6)
    assert np.array_equal(told({"kind": "human", "calibrated": False}), raw)
    write_calibration(folder, "network chess-human, sha256 " + "0" * 64)
    levels.forget()
    assert np.array_equal(told("human"), raw)
