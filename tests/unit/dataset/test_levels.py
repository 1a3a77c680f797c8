"""Estimated levels put players in the order of their true strength, and leave alone what is known."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from hitonami.core import open_game
from hitonami.dataset.labels import Candidate, Label
from hitonami.dataset.levels import EstimatedLevels, Scale, estimate_levels, loss_of, with_levels
from hitonami.errors import BadInput

Losses = dict[str, dict[int, list[float]]]


def draw_losses(seed: int, counts: list[int]) -> tuple[Losses, dict[str, float]]:
    """Players with so many judged moves, ten a game; and their true means."""
    rng = np.random.default_rng(seed)
    true = {f"player {at}": float(mean) for at, mean in enumerate(rng.uniform(0.01, 0.10, len(counts)))}
    pairs = zip(true.items(), counts, strict=True)
    return {name: in_games(rng.exponential(mean, count).tolist()) for (name, mean), count in pairs}, true


def in_games(losses: list[float]) -> dict[int, list[float]]:
    return {begin: losses[begin : begin + 10] for begin in range(0, len(losses), 10)}


def test_levels_follow_strength() -> None:
    losses, true = draw_losses(1, [400] * 60)
    levels = estimate_levels(losses, Scale(20, 35))
    names = list(true)
    order = np.corrcoef([true[name] for name in names], [levels.by_name[name] for name in names])[0, 1]
    assert order < -0.95  # who loses more has the lower level
    assert levels.reliability > 0.9
    assert min(levels.by_name.values()) == pytest.approx(20 + 15 * 0.5 / 60)


def test_few_moves_say_little() -> None:
    losses, _ = draw_losses(2, [400] * 40)
    losses["lucky once"] = {0: [0.02] * 2}
    levels = estimate_levels(losses, Scale(0, 1, moves=2))
    sure = estimate_levels(losses | {"lucky once": in_games([0.02] * 3_000)}, Scale(0, 1, moves=2))
    assert 0.5 < levels.by_name["lucky once"] < sure.by_name["lucky once"]


def test_the_level_in_a_game_says_nothing_of_that_game() -> None:
    rng = np.random.default_rng(4)
    losses = {str(at): in_games(rng.exponential(rng.uniform(0.02, 0.08), 60).tolist()) for at in range(80)}
    plain = estimate_levels(losses, Scale(20, 35, moves=20))
    spoilt = {**losses, "7": {**losses["7"], 30: [0.5] * 10}}
    changed = estimate_levels(spoilt, Scale(20, 35, moves=20))
    # the spread of the players moves a little with one of them; his own place must not move with the game
    assert changed.in_game("7", 30) == pytest.approx(plain.in_game("7", 30), abs=0.4)
    assert changed.by_name["7"] < plain.by_name["7"] - 2
    other, before = changed.in_game("7", 0), plain.in_game("7", 0)
    assert other is not None
    assert before is not None
    assert other < before - 2


def test_who_has_too_few_moves_in_other_games_has_no_level() -> None:
    losses, _ = draw_losses(5, [100] * 20)
    losses["new"] = {1: [0.05] * 10, 2: [0.05] * 15}
    levels = estimate_levels(losses, Scale(20, 35, moves=15))
    assert levels.in_game("new", 1) is not None
    assert levels.in_game("new", 2) is None
    assert levels.in_game("new", 3) == levels.by_name["new"]  # a game without judged moves gives nothing away
    assert levels.in_game("nobody", 1) is None


def test_noise_has_no_levels_to_find() -> None:
    rng = np.random.default_rng(3)
    losses = {str(at): in_games(rng.exponential(0.05, 50).tolist()) for at in range(200)}
    assert estimate_levels(losses, Scale(0, 1)).reliability < 0.25


def test_too_few_judged_moves_are_an_error() -> None:
    with pytest.raises(BadInput, match="0 players have 30 judged moves"):
        estimate_levels({"a": {0: [0.1] * 3}}, Scale(0, 1))


def test_losses_of_labels() -> None:
    position = open_game("chess").start()
    best, own = Candidate(1, expected=0.6), Candidate(2, expected=0.5)
    assert loss_of(Label(2, candidates=(best,), own=own), position) == pytest.approx(0.1)
    lost = Label(2, candidates=(Candidate(1, expected=1.0),), own=Candidate(2, expected=0.0))
    assert loss_of(lost, position) == 0.5
    policy = np.full(len(position.legal), 0.01, dtype=np.float16)
    policy[3], policy[5] = 0.5, 0.25
    played = int(position.legal[5])
    assert loss_of(Label(played, policy=policy), position) == pytest.approx(np.log(2))
    assert loss_of(Label(played), position) is None


def run(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "hitonami", *map(str, words)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_from_games_to_levels_by_the_command_line(write_games: Callable[..., Path], tmp_path: Path) -> None:
    games, labels, out = write_games("chess", 40), tmp_path / "labels", tmp_path / "levels"
    made = run("label", "chess", games, "--out", labels, "--mind", "uniform", "--policy", "--per-game", "6")
    assert made.returncode == 0, made.stderr
    refused = run("data", "levels", games, labels, "--out", out)
    assert refused.returncode == 2
    assert "judged moves or more" in refused.stderr
    assert not out.exists()


def test_known_ratings_stay(write_games: Callable[..., Path]) -> None:
    (path,) = list(write_games("chess", 40).glob("shard-*.parquet"))[:1]
    table = pq.read_table(path)
    names = {name: 99.0 for side in (0, 1) for name in table[f"name_{side}"].to_pylist() if name}
    filled = with_levels(table, EstimatedLevels(names, {}, len(names), 0, 0.0))
    for side in (0, 1):
        for before, after, name in zip(
            table[f"rating_{side}"].to_pylist(),
            filled[f"rating_{side}"].to_pylist(),
            table[f"name_{side}"].to_pylist(),
            strict=True,
        ):
            assert after == (before if before is not None else names.get(name))
    assert json.dumps(filled.schema.names) == json.dumps(table.schema.names)
