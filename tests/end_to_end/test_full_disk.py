"""A disk that is full: one line, nothing lost, and the same command goes on when there is room again.

The disk is a small one in memory where we may mount it, else a limit on the size of files.
"""

import hashlib
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hitonami.dataset.shards import read_records, shards_in
from hitonami.records import write_record

HITONAMI = [sys.executable, "-m", "hitonami"]


class Disk:
    """A folder with room for so many kilobytes, until there is more."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._limit = folder, -1
        folder.mkdir()
        self._is_mounted = not self._mount("-t", "tmpfs", "-o", "size=40m", "tmpfs")

    def leave(self, kilobytes: int) -> None:
        if self._is_mounted:
            assert not self._mount("-o", f"remount,size={kilobytes}k")
        else:
            self._limit = kilobytes * 1024

    def run(self, *words: str | Path) -> "subprocess.CompletedProcess[str]":
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self._limit, self._limit))

        return subprocess.run(
            [*HITONAMI, *map(str, words)], capture_output=True, text=True, check=False, timeout=500, preexec_fn=limit
        )

    def close(self) -> None:
        if self._is_mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=True)

    def _mount(self, *words: str) -> int:
        return subprocess.run(["mount", *words, str(self.folder)], check=False, capture_output=True).returncode


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Disk]:
    disk = Disk(tmp_path / "disk")
    yield disk
    disk.close()


def hashes(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}


def check_full(done: "subprocess.CompletedProcess[str]", folder: Path) -> None:
    """One line, which names the file."""
    told = [line for line in done.stderr.splitlines() if line.startswith("hitonami: ")]
    assert done.returncode == 1, done.stderr
    assert len(told) == 1, done.stderr
    assert str(folder) in told[0]
    assert told[0].endswith(("No space left on device", "File too large"))
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ingest_goes_on_when_there_is_room(
    write_games: Callable[..., Path], tmp_path: Path, small_disk: Disk, jobs: str
) -> None:
    pgn = tmp_path / "games.pgn"
    texts = [write_record(record, "pgn") for record in read_records(shards_in(write_games("chess", 300))[0])]
    pgn.write_text("\n".join(texts) * 8, encoding="utf-8")
    words: list[str | Path] = ["ingest", "chess", pgn, "--keep-names", "--jobs", jobs, "--out"]
    assert small_disk.run(*words, tmp_path / "whole").returncode == 0
    out = small_disk.folder / "out"
    small_disk.leave(30)
    check_full(small_disk.run(*words, out), small_disk.folder)
    assert not (out / "manifest.json").exists()
    assert not list(out.rglob("*.partial"))
    small_disk.leave(40_000)
    done = small_disk.run(*words, out)
    assert done.returncode == 0, done.stderr
    assert hashes(out) == hashes(tmp_path / "whole")


def test_training_goes_on_when_there_is_room(
    write_games: Callable[..., Path], write_recipe: Callable[..., Path], tmp_path: Path, small_disk: Disk
) -> None:
    pytest.importorskip("torch", reason="an extra: hitonami[train]")
    recipe, games = write_recipe(steps=4, save_every=1, validate_every=2), write_games("chess", 200)
    words: list[str | Path] = ["train", recipe, "--data", f"GAMES={games}", "--out"]
    assert small_disk.run(*words, tmp_path / "whole").returncode == 0
    whole, out = hashes(tmp_path / "whole" / "model"), small_disk.folder / "run"
    room = (tmp_path / "whole" / "last.pt").stat().st_size // 1024
    small_disk.leave(room + room // 2)  # the first checkpoint; not the draft of the next beside it
    check_full(small_disk.run(*words, out), small_disk.folder)
    assert not list(out.rglob("*.partial"))
    small_disk.leave(40_000)
    done = small_disk.run(*words, out, "--resume")
    assert done.returncode == 0, done.stderr
    assert hashes(out / "model")["model.onnx"] == whole["model.onnx"]
