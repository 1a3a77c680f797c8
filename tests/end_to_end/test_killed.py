"""A command that is ended leaves nothing running: its workers, and the engines that those started, end with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from hitonami.dataset.shards import read_records, shards_in
from hitonami.records import write_record

HITONAMI = [sys.executable, "-m", "hitonami"]
ENVIRONMENT = os.environ | {"PYTHONWARNINGS": "error", "HITONAMI_THREADS": "1", "OMP_NUM_THREADS": "1"}
DEADLINE_SECONDS = 120.0
SLOW = 'kind = "uci"\ncommand = "stockfish"\nnodes = 3000000\ntimeout_seconds = 3600\n'


def descendants(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended has no children
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    return found


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def words_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


@pytest.fixture
def start() -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Start a command; what is left of it at the end of a test that failed is ended."""
    started: list[subprocess.Popen[str]] = []
    known: list[int] = []

    def begin(*arguments: str | Path) -> "subprocess.Popen[str]":
        command = [*HITONAMI, *map(str, arguments)]
        process = subprocess.Popen(command, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        started.append(process)
        return process

    yield begin
    for process in started:
        known += descendants(process.pid) if process.poll() is None else []
        process.kill()
        process.communicate()
    for pid in filter(is_running, known):
        os.kill(pid, signal.SIGKILL)


def end_alone(process: "subprocess.Popen[str]", how: signal.Signals) -> tuple[int, str]:
    """Signal that process and no other, and wait until nothing of it is left. Its exit code and complaints."""
    family = descendants(process.pid)
    assert family
    process.send_signal(how)
    try:
        complaints = process.communicate(timeout=DEADLINE_SECONDS)[1]
        wait_for(lambda: not any(map(is_running, family)), f"left running: {[words_of(pid) for pid in family]}")
    finally:
        for pid in filter(is_running, family):
            os.kill(pid, signal.SIGKILL)
    return process.returncode, complaints


@pytest.fixture(scope="module")
def pgn(write_games: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough blocks that workers are busy when the end comes."""
    path = tmp_path_factory.mktemp("records") / "games.pgn"
    shard = shards_in(write_games("chess", 200))[0]
    path.write_text("\n".join(write_record(record, "pgn") for record in read_records(shard)) * 150, encoding="utf-8")
    return path


ENDS = [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]


@pytest.mark.parametrize(("how", "code"), ENDS)
def test_no_worker_of_an_ingest_survives_it(
    pgn: Path, tmp_path: Path, start: Callable[..., "subprocess.Popen[str]"], how: signal.Signals, code: int
) -> None:
    out = tmp_path / "out"
    process = start("ingest", "chess", pgn, "--out", out, "--jobs", "2", "--keep-names")
    wait_for(lambda: bool(list((out / "unfinished").glob("0*.json"))), "the ingest has not begun")
    ended, complaints = end_alone(process, how)
    assert ended == code, complaints
    assert not (out / "manifest.json").exists(), "it was over before it could be ended: make the input larger"
    if how != signal.SIGKILL:
        assert complaints.strip().splitlines()[-1] == "hitonami: interrupted"
        assert "Traceback" not in complaints


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)])
def test_no_engine_of_a_tournament_survives_it(
    tmp_path: Path,
    start: Callable[..., "subprocess.Popen[str]"],
    need_program: Callable[[str], str],
    how: signal.Signals,
    code: int,
    *,
    jobs: str,
) -> None:
    """The engines are in the midst of a search; each belongs to a worker where there are two."""
    engine = tmp_path / "slow.toml"
    need_program("stockfish")
    engine.write_text(SLOW)
    process = start(
        "tournament", "chess", "--player", f"{engine}@", "--player", "uniform@", "--games", "4", "--jobs", jobs,
        "--openings", "none",
    )  # fmt: skip

    def is_thinking() -> bool:
        assert process.poll() is None, process.communicate()[1]
        return sum(words_of(pid).endswith("stockfish ") for pid in descendants(process.pid)) == int(jobs)

    wait_for(is_thinking, "no engine was started")
    ended, complaints = end_alone(process, how)
    assert ended == code, complaints
    assert "Traceback" not in complaints
