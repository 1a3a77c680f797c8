"""A dial set by games, from beginning to end: agents of known strength stand in for the networks."""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from hitonami import levels
from hitonami.cli.fit import command
from hitonami.core import Setup
from hitonami.errors import BadInput
from hitonami.fits import games_run
from hitonami.fits.games_run import GamesWish, run_games
from hitonami.fits.looks_run import run_looks
from hitonami.knobs import Curve
from hitonami.levels import read_levels
from hitonami.matches import tournament
from hitonami.matches.block import Played
from hitonami.matches.elo import outcome_chances
from hitonami.matches.entrants import Entrant
from hitonami.matches.pairing import Block, Schedule
from hitonami.report import fit_looks
from hitonami.report.fit_games import as_json, as_lines

FITTED = Curve(((824.5, 0.78), (1280.1, 1.05), (1735.8, 1.43), (2191.4, 2.43), (2647.0, 3.29)))
LEVELS = (800.0, 1100.0, 1400.0, 1700.0, 2000.0, 2300.0)


def strength(entrant: Entrant) -> float:
    """A dial that is three quarters as wide as told with the draws that were fitted before."""
    assert entrant.rating is not None
    usual = float(FITTED(np.array([entrant.rating]))[0])
    rho, looked = entrant.rho or usual, 90.0 * math.log2(entrant.looks or 1)
    return 0.75 * (entrant.rating - 1500.0) + 1600.0 * (rho / (1 + rho) - usual / (1 + usual)) + looked


class Stand:
    """Plays blocks by chance and by strength, and notes them."""

    def __init__(self) -> None:
        self.played: list[str] = []

    def __call__(self, plan: Schedule, block: Block) -> list[Played]:
        self.played.append(f"{plan.seed} {block.name}")
        rng, games = np.random.default_rng([plan.seed, *block.pair, block.begin]), []
        for number in range(block.begin, block.end):
            one, other = block.pair if number % 2 == 0 else block.pair[::-1]
            gap = strength(plan.entrants[one]) - strength(plan.entrants[other]) + 30.0
            score = (1.0, 0.5, 0.0)[int(rng.choice(3, p=outcome_chances(gap, 0.2)))]
            games.append(Played(one, other, number, score, "by chance", Setup(), (), 0))
        return games


class Shown:
    def show(self, done: int, units: int) -> None: ...


@contextmanager
def quiet(total: int, units: str) -> Iterator[Shown]:
    yield Shown()


@pytest.fixture
def stand(monkeypatch: pytest.MonkeyPatch) -> Stand:
    found = Stand()
    monkeypatch.setattr(tournament, "play_block", found)
    monkeypatch.setattr(games_run, "try_out", lambda plan: None)
    monkeypatch.setattr(games_run, "level_curve", lambda style, game, pool, size=0: FITTED)
    return found


WISH = GamesWish("chess", LEVELS, "lichess", games=64, before=320, check=320, seed=3)


def test_a_narrow_dial_is_set_right(stand: Stand, tmp_path: Path) -> None:
    out = tmp_path / "chess.json"
    run = run_games(replace(WISH, games=320, before=1920, check=1920, out=out), quiet)
    assert run.before.slope.value == pytest.approx(0.75, abs=0.05)  # 0.015 is its error
    assert run.check.slope.value == pytest.approx(1.0, abs=0.12)
    assert run.check.error < 0.7 * run.before.error
    assert run.is_better
    written = read_levels(out)["level"]["human"]["lichess"]
    assert written == run.curve
    assert written(np.array([1500.0]))[0] == pytest.approx(FITTED(np.array([1500.0]))[0], abs=1e-4)
    assert written(np.array([800.0]))[0] < FITTED(np.array([800.0]))[0]
    assert written(np.array([2300.0]))[0] > FITTED(np.array([2300.0]))[0]
    assert written(np.array([2800.0]))[0] >= written(np.array([2300.0]))[0]
    made = json.loads(out.read_text(encoding="utf-8"))["level"]["human"]["provenance"]["lichess"]
    assert made["aim"] == "differences by games"
    assert made["games"] == run.games == 5 * 1920 + 17 * 320 + 5 * 320
    assert made["check"]["slope"].startswith(f"{run.check.slope.value:.2f} (")
    assert made["check"]["steps"][0].startswith("800–1100: ")
    assert len(made["shape_sha256"]) == 64
    assert "mean error" in "\n".join(as_lines(run))
    assert math.isfinite(as_json(run)["check"]["mean_error"])


def test_a_run_that_was_ended_goes_on(stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wish = replace(WISH, games=64, before=64, check=64, work=tmp_path)
    whole = run_games(wish, quiet)
    lost = sorted((tmp_path / "check" / "games").glob("*.json"))[1:3]
    for path in lost:
        path.unlink()
    stand.played.clear()
    assert as_json(run_games(wish, quiet)) == as_json(whole)
    assert [name.split()[1] for name in stand.played] == [path.stem for path in lost]
    assert as_json(run_games(replace(wish, work=None), quiet)) == as_json(whole)
    longer = run_games(replace(wish, check=128), quiet)
    assert longer.curve == whole.curve
    assert {each.games for each in longer.check.steps} == {128}


def test_a_curve_that_is_no_better_is_not_written(
    stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same strength whatever the draw, and spaced as told: nothing is left to mend."""
    monkeypatch.setattr(__name__ + ".strength", lambda entrant: entrant.rating + 30.0 * math.log(entrant.rho or 1.0))
    run = run_games(replace(WISH, games=32, out=tmp_path / "chess.json"), quiet)
    assert run.is_better == (tmp_path / "chess.json").exists()


def test_levels_that_cannot_be_reached_are_said(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly a knob, and the dial far too narrow."""

    def weak(entrant: Entrant) -> float:
        assert entrant.rating is not None
        return 0.3 * (entrant.rating - 1500.0) + 100.0 * math.log(entrant.rho or 1.0)

    monkeypatch.setattr(__name__ + ".strength", weak)
    run = run_games(WISH, quiet)
    assert run.held[0] > 800.0
    assert run.held[1] < 2300.0
    text = "\n".join(as_lines(run))
    assert "the dial is held from" in text
    assert "Elo too strong" in text
    assert "Elo too weak" in text


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"levels": (800.0, 1100.0)}, "three ratings or more"),
        ({"levels": (800.0, 1400.0, 1100.0)}, "rising"),
        ({"game": "go", "levels": (10.0, 20.0, 30.0), "pool": "kgs"}, "are ranks, .* known for --pool ogs"),
        ({"size": 9}, "boards of chess are of one size"),
        ({"game": "go", "levels": (10.0, 20.0, 30.0), "pool": "ogs", "size": 7}, "boards of go are 9, 13, 19"),
        ({"mind": "uniform"}, "packaged human, blend and search"),
        ({"default_pool": "fide"}, "games are played in one pool"),
    ],
)
def test_what_cannot_be_fitted_is_refused(fields: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        replace(WISH, **fields)


def test_ranks_are_as_far_apart_as_their_servers_points(
    stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OGS's own: 850 · exp(0.032 · rank). The curve is for the board on which games were played, and no other."""

    def by_rank(entrant: Entrant) -> float:
        assert entrant.rating is not None
        return 15.0 * entrant.rating + 800.0 * ((entrant.rho or 1.0) / (1.0 + (entrant.rho or 1.0)))

    monkeypatch.setattr(__name__ + ".strength", by_rank)
    monkeypatch.setattr(games_run, "level_curve", lambda style, game, pool, size=0: None)
    out, ranks = tmp_path / "go.json", (12.0, 16.0, 20.0, 24.0)
    wish = GamesWish("go", ranks, "ogs", games=640, before=640, check=2560, size=9, seed=1, out=out)
    run = run_games(wish, quiet)
    told = [850.0 * (math.exp(0.032 * high) - math.exp(0.032 * low)) for low, high in pairwise(ranks)]
    assert [each.told for each in run.check.steps] == pytest.approx(told)
    assert [each.elo.value for each in run.check.steps] == pytest.approx(told, abs=45.0)
    assert all(each.surely > 0.97 for each in run.check.steps)
    assert list(read_levels(out)["level"]["human"]) == ["ogs:9"]
    made = json.loads(out.read_text(encoding="utf-8"))["level"]["human"]["provenance"]["ogs:9"]
    assert "told" in made["check"]["steps"][0]


def test_an_anchor_outside_is_refused(stand: Stand) -> None:
    with pytest.raises(BadInput, match="the anchor 2500 is none of the ratings"):
        run_games(replace(WISH, anchor=2500.0), quiet)
    assert not stand.played


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["games", "data.pgn", "--levels", "800,1100,1400"], "no DATA"),
        (["games", "--levels", "800,weak"], "is no rating"),
        (["games"], "three ratings or more"),
        (["level"], "needs DATA"),
        (["level", "data.pgn", "--rounds", "2"], "--rounds is for"),
    ],
)
def test_the_command_refuses_what_it_does_not_take(words: list[str], wrong: str) -> None:
    told = CliRunner().invoke(command, ["chess", *words])
    assert told.exit_code != 0
    assert wrong in told.output + str(told.exception)


def test_the_command_tells_and_writes(stand: Stand, tmp_path: Path) -> None:
    out = tmp_path / "chess.json"
    words = [
        "--pool",
        "lichess",
        "--levels",
        "800,1100,1400,1700,2000,2300",
        "--games",
        "64",
        "--before",
        "256",
        "--check",
        "256",
    ]
    told = CliRunner().invoke(command, ["chess", "games", *words, "--out", str(out), "--work", str(tmp_path / "w")])
    assert told.exit_code == 0, told.output
    assert "after, in games that no fit saw" in told.output
    assert f"wrote {out}" in told.output
    levels.forget()


def test_looks_widen_a_narrow_dial(stand: Stand, tmp_path: Path) -> None:
    """Each step of 300 is worth 225 by itself, and 90 more for twice the looks of the level above."""
    out = tmp_path / "chess.json"
    wish = replace(WISH, levels=(1700.0, 2000.0, 2300.0), games=640, before=640, check=1280, out=out)
    run = run_looks(wish, (2, 8), quiet)
    assert [each.looks.value for each in run.found] == pytest.approx([2 ** (75 / 90), 2 ** (165 / 90)], abs=1.0)
    assert all(each.reached and each.looks.low <= each.looks.value <= each.looks.high for each in run.found)
    assert run.is_better
    assert run.held == (1700.0, 2300.0)
    assert read_levels(out)["looks"]["human"]["lichess"] == run.curve
    assert run.curve(np.array([1500.0]))[0] == 1.0
    made = json.loads(out.read_text(encoding="utf-8"))["looks"]["human"]["provenance"]["lichess"]
    assert made["games"] == run.games == 5 * 640  # 2000's games without looks count, too
    assert made["held"] == [1700.0, 2300.0]
    assert "looks (95%)" in "\n".join(fit_looks.as_lines(run))
    assert math.isfinite(fit_looks.as_json(run)["check"]["mean_error"])


def test_a_level_that_is_far_enough_above_the_one_below_does_not_look(
    stand: Stand, monkeypatch: pytest.MonkeyPatch
) -> None:
    def even(entrant: Entrant) -> float:
        return (
            (entrant.rating or 0.0)
            - (200.0 if entrant.rating == 2300.0 else 0.0)
            + 50.0 * math.log2(entrant.looks or 1)
        )

    monkeypatch.setattr(__name__ + ".strength", even)
    run = run_looks(replace(WISH, levels=(1700.0, 2000.0, 2300.0), games=320, before=640, check=640), (8, 32), quiet)
    assert run.found[0].looks.value == pytest.approx(1.0, abs=0.5)
    assert run.found[1].looks.value == pytest.approx(16.0, abs=8.0)


def test_looks_that_do_not_help_are_said_to_be_too_few(stand: Stand, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(__name__ + ".strength", lambda entrant: 0.2 * entrant.rating)
    run = run_looks(replace(WISH, levels=(1700.0, 2000.0, 2300.0)), (8, 24), quiet)
    assert not any(each.reached for each in run.found)
    assert run.held == (1700.0, 1700.0)
    assert "not reached" in "\n".join(fit_looks.as_lines(run))


@pytest.mark.parametrize("tried", [(8,), (24, 8), (1, 8)])
def test_numbers_of_looks_that_tell_nothing_are_refused(stand: Stand, tried: tuple[int, ...]) -> None:
    with pytest.raises(BadInput, match="--looks are two numbers"):
        run_looks(WISH, tried, quiet)
    assert not stand.played


def test_the_command_fits_looks(stand: Stand, tmp_path: Path) -> None:
    out = tmp_path / "chess.json"
    words = [
        "--pool",
        "lichess",
        "--levels",
        "1700,2000,2300",
        "--games",
        "64",
        "--before",
        "256",
        "--check",
        "256",
        "--looks",
    ]
    told = CliRunner().invoke(command, ["chess", "looks", *words, "2,8", "--out", str(out)])
    assert told.exit_code == 0, told.output
    assert "after, in games that no fit saw" in told.output
    told = CliRunner().invoke(command, ["chess", "looks", *words, "few"])
    assert "whole numbers with commas between" in told.output + str(told.exception)
