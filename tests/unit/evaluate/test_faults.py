"""Tournaments, rows and calibrations when the disk fails, or the process is killed, at each call."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from hitonami.core import Setup
from hitonami.matches.entrants import read_entrants
from hitonami.matches.openings import Opening
from hitonami.matches.pairing import Schedule
from hitonami.matches.tournament import Store, run_tournament
from hitonami.strength.estimate import Calibration, write_calibration
from hitonami.strength.row_cache import RowCache

FailEach = Callable[..., int]
Tree = Callable[[Path], dict[str, bytes]]


def test_a_tournament_ends_with_the_same_games(fail_each: FailEach, tree: Tree) -> None:
    entrants = read_entrants(("uniform@1500", "uniform@1400"))
    plan = Schedule("chess", entrants, 4, (Opening(Setup()),), max_plies=6, block_games=2)

    def work(folder: Path) -> object:
        there = (folder / "event" / "run.json").exists()
        return run_tournament(plan, Store(folder / "event", plan, resume=there))

    def check(folder: Path) -> None:
        for path in (folder / "event" / "games").glob("*.json"):  # a block with results has its records
            assert path.with_suffix(".pgn").exists()
            assert len(json.loads(path.read_bytes())) == 2

    assert fail_each(work, work, tree, check) > 20


def test_rows_that_were_kept_stay(fail_each: FailEach) -> None:
    rows = {game: [np.array([game + 0.5, 1.0])] for game in range(3)}

    def work(folder: Path) -> None:
        cache = RowCache(folder / "cache", {"mind": "x"})
        for game, kept in rows.items():
            if cache.find(game, 0, [1]) is None:
                cache.keep(game, 0, [1], kept)

    def seen(folder: Path) -> list[list[list[float]]]:
        cache = RowCache(folder / "cache", {"mind": "x"})
        return [[row.tolist() for row in cache.find(game, 0, [1]) or []] for game in rows]

    assert fail_each(work, work, seen) > 5


def test_a_calibration_leaves_the_others_untouched(fail_each: FailEach, tree: Tree) -> None:
    one = Calibration((900.0,), ("a",), (1.0,), 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1500.0, 300.0, 400.0, 3000.0)

    def work(folder: Path) -> None:
        write_calibration(folder / "strength.json", "chess", "lichess", one, {})
        write_calibration(folder / "strength.json", "go", "ogs", one, {})

    def check(folder: Path) -> None:
        if (folder / "strength.json").exists():
            assert "lichess" in json.loads((folder / "strength.json").read_bytes())["chess"]

    assert fail_each(work, work, tree, check) > 8
