"""Files are whole or not there, flushed before they take their name, one writer at a time; failures name the target."""

import contextlib
import errno
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hitonami import disk
from hitonami.errors import WorkFailed

FailEach = Callable[..., int]
HOLD = "import sys; from hitonami import disk\nwith disk.holding(disk.Path(sys.argv[1])): print(flush=True); input()"


def test_a_file_is_the_old_or_the_new(fail_each: FailEach) -> None:
    path, old, new = "file.txt", "old\n", "new, and longer\n"

    def work(folder: Path) -> None:
        (folder / path).write_text(old)
        disk.write_text(folder / path, new)

    def check(folder: Path) -> None:
        assert (folder / path).read_text() in (old, new)

    def seen(folder: Path) -> list[tuple[str, bytes]]:
        return [(each.name, each.read_bytes()) for each in folder.iterdir()]

    assert fail_each(work, work, seen, check) >= 5


def test_a_failed_addition_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    disk.add_text(path, "one\n")

    class Full:
        def __getattr__(self, name: str) -> Any:
            return getattr(os, name)

        @staticmethod
        def write(descriptor: int, data: memoryview) -> int:
            if len(data) > 2:
                return os.write(descriptor, data[:2])
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(disk, "os", Full())
        with pytest.raises(OSError, match="No space left") as caught:
            disk.add_text(path, "two\n")
    assert caught.value.filename == str(path)
    assert path.read_text() == "one\n"
    disk.add_text(path, "two\n")
    assert path.read_text() == "one\ntwo\n"


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    class Watched:
        def __getattr__(self, name: str) -> Any:
            real = getattr(os, name)

            def call(*arguments: Any) -> Any:
                is_folder = name == "fsync" and Path(f"/proc/self/fd/{arguments[0]}").is_dir()
                calls.append("fsync folder" if is_folder else name)
                return real(*arguments)

            return call if name in ("write", "fsync", "replace") else real

    monkeypatch.setattr(disk, "os", Watched())
    disk.write_text(tmp_path / "file", "text")
    assert calls == ["write", "fsync", "replace", "fsync folder"]


def test_what_a_library_makes_of_a_failure_is_told_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def __getattr__(self, name: str) -> Any:
            return getattr(os, name)

        @staticmethod
        def write(*_: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "shard.parquet"
    monkeypatch.setattr(disk, "os", Full())
    with pytest.raises(OSError, match="No space left on device") as caught, disk.replacing(path) as file:
        pq.write_table(pa.table({"x": np.arange(1 << 20)}), file, compression="none")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
    assert list(tmp_path.iterdir()) == []


def test_a_body_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with contextlib.suppress(KeyError), disk.replacing(path) as file:
        file.write(b"half of the new")
        raise KeyError
    with contextlib.suppress(KeyError), disk.building(tmp_path / "folder") as draft:
        disk.write_bytes(draft / "one", b"1")
        raise KeyError
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("file", b"old")]


def test_writers_of_one_file_take_turns(tmp_path: Path) -> None:
    path, texts = tmp_path / "file", [str(number) * 3_000_000 for number in range(6)]
    writers = [threading.Thread(target=disk.write_text, args=(path, text)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_file_is_written_as_it_is(tmp_path: Path) -> None:
    """`--json /dev/stdout` must not replace a device by a file, nor a link by what it points to."""
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    disk.write_text(link, "text")
    assert link.is_symlink()
    assert target.read_text() == "text"
    code = "from hitonami import disk; disk.write_text(disk.Path('/dev/stdout'), 'said')"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "said"
    disk.write_text(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()


def test_a_held_folder_is_refused_until_its_holder_is_gone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(WorkFailed, match="another process is at work there"), disk.holding(tmp_path):
            pass
        holder.kill()
        holder.wait()
    with disk.holding(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
