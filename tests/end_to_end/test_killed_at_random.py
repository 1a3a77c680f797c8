"""Long commands killed with -9 at any moment, again and again: they end as undisturbed ones, and nothing runs on."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hitonami.dataset.shards import read_records, shards_in
from hitonami.records import write_record

HITONAMI = [sys.executable, "-m", "hitonami"]
ENVIRONMENT = os.environ | {"HITONAMI_THREADS": "1", "OMP_NUM_THREADS": "1"}
KILLS = 8
pytestmark = pytest.mark.slow


def ingest(folder: Path, games: Path, out: Path, again: bool) -> list[str]:
    pgn = folder / "games.pgn"
    if not pgn.exists():
        texts = [write_record(record, "pgn") for record in read_records(shards_in(games)[0])]
        pgn.write_text("\n".join(texts) * 60, encoding="utf-8")
    return ["ingest", "chess", str(pgn), "--out", str(out), "--jobs", "2", "--keep-names"]


def tournament(folder: Path, games: Path, out: Path, again: bool) -> list[str]:
    players = ["--player", "uniform@1500", "--player", "uniform@1400", "--player", "uniform@1300"]
    more = ["--resume"] if again else []
    return [
        "tournament",
        "chess",
        *players,
        "--games",
        "64",
        "--max-plies",
        "60",
        "--jobs",
        "2",
        "--out",
        str(out),
        *more,
    ]


def train(folder: Path, games: Path, out: Path, again: bool) -> list[str]:
    more = ["--resume"] if again else []
    return ["train", str(folder / "small.toml"), "--data", f"GAMES={games}", "--out", str(out), *more]


def label(folder: Path, games: Path, out: Path, again: bool) -> list[str]:
    more = ["--resume"] if again else []
    return ["label", "chess", str(games), "--mind", "uniform", "--jobs", "2", "--out", str(out), *more]


COMMANDS: dict[str, tuple[Callable[[Path, Path, Path, bool], list[str]], str, str]] = {
    "ingest": (ingest, "nothing", "*.parquet"),
    "tournament": (tournament, "run.json", "games/*"),
    "train": (train, "run.json", "model/*"),
    "label": (label, "unfinished/about.json", "*.parquet"),
}


def members(group: int) -> list[int]:
    """Of a session: all that a command started, engines aside."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[3]) == group and fields[0] != "Z":
            found.append(int(path.name))
    return found


def start(words: list[str]) -> "subprocess.Popen[bytes]":
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*HITONAMI, *words], env=ENVIRONMENT, start_new_session=True, **quiet)  # type: ignore[call-overload]


@pytest.mark.parametrize("name", list(COMMANDS))
def test_killed_again_and_again_it_ends_as_undisturbed(
    name: str, tmp_path: Path, write_games: Callable[..., Path], write_recipe: Callable[..., Path]
) -> None:
    write_recipe(steps=30, save_every=2, validate_every=5)
    words_of, begun, results = COMMANDS[name]
    games, whole, out, rng = write_games("chess", 160), tmp_path / "whole", tmp_path / "out", random.Random(7)
    began = time.monotonic()
    assert start(words_of(tmp_path, games, whole, False)).wait() == 0
    seconds = time.monotonic() - began
    for _ in range(KILLS):
        with start(words_of(tmp_path, games, out, (out / begun).exists())) as process:
            try:
                process.wait(rng.uniform(0.2, 0.9) * seconds)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 120
        while left := members(process.pid):
            assert time.monotonic() < deadline, f"left running: {left}"
            time.sleep(0.05)
    last = subprocess.run(
        [*HITONAMI, *words_of(tmp_path, games, out, (out / begun).exists())],
        env=ENVIRONMENT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert last.returncode == 0, last.stderr
    held = [{str(path.relative_to(each)): path.read_bytes() for path in each.glob(results)} for each in (whole, out)]
    assert held[0]
    assert held[0] == held[1]
    assert not list(out.rglob("*.partial"))
    assert not (out / "unfinished").exists()
