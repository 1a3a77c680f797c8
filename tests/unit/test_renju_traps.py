"""The suite of renju's traps: what it says of its positions holds, and forced wins are found."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

RECIPES = Path(__file__).parents[2] / "recipes"
SUITE = json.loads((RECIPES / "renju-traps.json").read_text())


@pytest.fixture(scope="module")
def traps() -> ModuleType:
    spec = importlib.util.spec_from_file_location("renju_traps", RECIPES / "renju_traps.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def _cells(traps: ModuleType, text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    cells: np.ndarray[tuple[int, ...], np.dtype[np.uint8]] = traps._GAME.read(text).cells.copy()
    return cells


def test_a_win_by_fours_is_found_and_no_other(traps: ModuleType) -> None:
    open_three = _cells(traps, "15/15/15/15/15/15/15/4ooo8/15/15/15/15/15/xxx12/15 o")
    two_stones = _cells(traps, "15/15/15/15/15/15/15/4oo9/15/15/15/15/15/xx13/15 o")
    blocked = _cells(traps, "15/15/15/15/15/15/15/3xooox7/15/15/15/15/15/x14/15 o")
    assert traps.wins_by_fours(open_three, 2) == "fours"
    assert traps.wins_by_fours(two_stones, 2) == ""
    assert traps.wins_by_fours(blocked, 2) == ""


def test_every_position_is_the_trap_that_it_is_said_to_be(traps: ModuleType) -> None:
    assert len(SUITE) >= 20
    assert {each["kind"] for each in SUITE} == set(traps.KINDS)
    for each in SUITE:
        position = traps._GAME.read(each["position"])
        assert set(each["safe"]) <= set(position.legal.tolist())
        assert each["natural"] not in each["safe"]
        assert (each["natural"] in position.legal) == (each["kind"] != "forbidden")
        for move in each["safe"][:3]:
            assert not traps._loses(position.cells.copy(), position.to_move, move)


def test_who_plays_at_random_falls_in_as_often_as_moves_lose(traps: ModuleType) -> None:
    rows, best = traps.ask(SUITE[:3], "uniform")
    for each, (chance, _) in zip(SUITE[:3], rows, strict=True):
        legal = len(traps._GAME.read(each["position"]).legal)
        assert chance == pytest.approx(1 - len(each["safe"]) / legal, abs=1e-3)
    assert len(best) == 3
