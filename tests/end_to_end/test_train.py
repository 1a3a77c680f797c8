"""`hitonami train` through real processes: killed with -9 and resumed it ends as if nothing had happened."""

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from hitonami.train.checkpoints import load_checkpoint

HITONAMI = [sys.executable, "-m", "hitonami"]


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 160)


@pytest.fixture
def recipe(write_recipe: Callable[..., Path]) -> Path:
    return write_recipe(steps=40, save_every=3, validate_every=20)


def words(recipe: Path, games: Path, out: Path, *more: str) -> list[str]:
    return [*HITONAMI, "train", str(recipe), "--data", f"GAMES={games}", "--out", str(out), *more]


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def start(command: list[str], log: Path, lines: int) -> subprocess.Popen[str]:
    """Start it, and come back when the log has so many lines."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    deadline = time.monotonic() + 120
    while not (log.exists() and len(log.read_text(encoding="utf-8").splitlines()) > lines):
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.005)
    return process


def descendants(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(each) for task in tasks for each in (task / "children").read_text().split()]


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def curve(out: Path) -> list[tuple[str, str, str]]:
    with (out / "log.csv").open(newline="", encoding="utf-8") as file:
        return [(row["step"], row["loss"], row["validation_cross_entropy"]) for row in csv.DictReader(file)]


def test_killed_and_resumed_it_ends_as_if_undisturbed(recipe: Path, games: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    done = run(words(recipe, games, whole))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"finished: {whole / 'model'}"
    workers: list[int] = []
    for lines, more in ((8, ()), (17, ("--resume",))):
        process = start(words(recipe, games, killed, *more), killed / "log.csv", lines)
        workers += descendants(process.pid)
        process.kill()
        process.communicate()
    resumed = run(words(recipe, games, killed, "--resume"))
    assert resumed.returncode == 0, resumed.stderr
    assert curve(killed) == curve(whole)
    one, other = (load_checkpoint(out / "last.pt").model for out in (whole, killed))
    assert all(torch.equal(one[name], other[name]) for name in one)
    assert (whole / "model" / "model.onnx").read_bytes() == (killed / "model" / "model.onnx").read_bytes()
    deadline = time.monotonic() + 60
    while any(map(is_running, workers)):
        assert time.monotonic() < deadline, "a killed training left processes behind"
        time.sleep(0.05)


def test_it_can_be_interrupted_and_its_model_plays(recipe: Path, games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = start(words(recipe, games, out), out / "log.csv", 2)
    os.kill(process.pid, signal.SIGINT)
    told = process.communicate(timeout=120)[0]
    assert process.returncode == 1, told
    assert "--resume" in told
    again = run(words(recipe, games, out))
    assert again.returncode == 2
    assert "holds a run already" in again.stderr
    done = run(words(recipe, games, out, "--resume"))
    assert done.returncode == 0, done.stderr
    assert "finished already" in run(words(recipe, games, out, "--resume")).stdout
    predicted = run(
        [*HITONAMI, "predict", "chess", "startpos", "--rating", "1500", "--mind", str(out / "model"), "--json"]
    )
    assert predicted.returncode == 0, predicted.stderr


def test_bad_input_is_told_in_a_line(recipe: Path, games: Path, tmp_path: Path) -> None:
    cases = [
        (words(tmp_path / "none.toml", games, tmp_path / "a"), "No such file"),
        ([*HITONAMI, "train", str(recipe)], "--data GAMES=PATH"),
        (words(recipe, games, tmp_path / "b", "--resume"), "no run to go on with"),
        (words(recipe, games, tmp_path / "b", "--data", "X"), "NAME=PATH"),
    ]
    for command, message in cases:
        done = run(command)
        assert done.returncode == 2, done.stderr
        assert message in done.stderr
        assert "Traceback" not in done.stderr


def test_what_a_model_could_not_say_of_its_origin_is_told_before_training(recipe: Path, games: Path) -> None:
    """An earlier run that began with a run that is gone: it would be found out at the export, hours later."""
    earlier = recipe.parent / "earlier"
    earlier.mkdir()
    (earlier / "best.pt").write_bytes(b"weights")
    (earlier / "run.json").write_text('{"recipe": {"name": "small", "warm_start": ["$RUNS/gone"]}, "data": {}}')
    recipe.write_text('warm_start = ["$RUNS/earlier"]' + recipe.read_text(encoding="utf-8"), encoding="utf-8")
    out = recipe.parent / "out"
    done = run(words(recipe, games, out, "--data", f"RUNS={recipe.parent}"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "gone" in done.stderr.strip().splitlines()[-1]
    assert not (out / "log.csv").exists()
