"""`hitonami label` through real processes: killed with -9 and resumed it writes the same bytes; bad input in a line."""

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.dataset.labels import labels_of

HITONAMI = [sys.executable, "-m", "hitonami"]


@pytest.fixture(scope="module")
def games(write_games: Callable[..., Path]) -> Path:
    return write_games("chess", 60)


@pytest.fixture(scope="module")
def undisturbed(games: Path, tmp_path_factory: pytest.TempPathFactory, need_program: Callable[[str], str]) -> Path:
    need_program("stockfish")
    out = tmp_path_factory.mktemp("undisturbed") / "out"
    done = run(words(games, out))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "labelled 300 positions of 50 games, 0 failed"
    return out


def words(games: Path, out: Path, *more: str) -> list[str]:
    asked = ["--mind", "uci:stockfish", "--nodes", "300", "--lines", "2", "--per-game", "6", "--positions", "300"]
    return [*HITONAMI, "label", "chess", str(games), "--out", str(out), *asked, *more]


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=1200)


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def descendants(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in map(int, (task / "children").read_text().split()):
            found += [child, *descendants(child)]
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_and_resumed_it_writes_what_an_undisturbed_run_writes(
    games: Path, undisturbed: Path, tmp_path: Path, jobs: str
) -> None:
    out = tmp_path / "out"
    started: list[int] = []
    for parts, more in ((1, ()), (3, ("--resume",))):
        process = subprocess.Popen(
            words(games, out, "--jobs", jobs, *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        deadline = time.monotonic() + 500
        while len(list((out / "unfinished").glob("0*.json"))) < parts:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.005)
        started += descendants(process.pid)
        process.kill()
        process.wait()
        assert not (out / "manifest.json").exists()
    done = run(words(games, out, "--jobs", jobs, "--resume"))
    assert done.returncode == 0, done.stderr
    assert hashes(out) == hashes(undisturbed)
    deadline = time.monotonic() + 100
    while any(map(is_running, started)):
        assert time.monotonic() < deadline, "a killed run left processes behind"
        time.sleep(0.05)


def test_the_labels_are_read_by_game_and_ply(undisturbed: Path) -> None:
    found = labels_of(undisturbed)
    assert len(found) == 300
    assert all(len(found.plies_of(content)) == 6 for content in {content for content, _ in found})


def test_a_second_run_does_nothing(games: Path, undisturbed: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in undisturbed.iterdir()}
    assert run(words(games, undisturbed)).stdout.splitlines()[-1].startswith("labelled 300")
    assert {path: path.stat().st_mtime_ns for path in undisturbed.iterdir()} == before


def test_bad_input_is_told_in_a_line(games: Path, tmp_path: Path) -> None:
    base = [*HITONAMI, "label", "chess", str(games), "--out", str(tmp_path / "out")]
    cases = [
        ([*base, "--mind", "unifrom"], "uniform"),
        ([*base, "--mind", "uniform", "--nodes", "3", "--simulations", "4"], "two names for one budget"),
        ([*base, "--mind", "uniform", "--lines", "3"], "no variations"),
        ([*base, "--mind", "uniform", "--filter", "pliez:3"], "plies"),
        ([*base, "--mind", "uniform", "--resume"], "no labels to go on with"),
        ([*base[:3], str(tmp_path / "none"), *base[4:], "--mind", "uniform"], "none"),
        ([*base, "--mind", "uci:no-such-engine"], "no-such-engine"),
    ]
    for command, message in cases:
        done = run(command)
        assert done.returncode == 2, done.stderr
        assert message in done.stderr
        assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
