"""Where files lie: folders and files of this machine, and anything that fsspec reaches by a URL.

Folders are walked in sorted order, links included, each folder once, so that a loop of links ends. What is
neither a file nor a folder (pipes, sockets, devices) is never opened: reading it could wait for ever.
"""

import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from hitonami.dataset._limits import UNREADABLE, Damage
from hitonami.errors import BadData

_CHANGED: Final = ("ETag", "etag", "mtime", "LastModified", "last_modified", "updated", "created")
_SPECIAL: Final = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A file, before anything is known of what it holds."""

    location: str
    """A path or a URL, to be opened with `open_place`."""
    name: str
    """Relative to the argument that led to it, beginning with that argument's own last part."""
    size: int | None
    changed: str
    """Whatever the file system says of the time or version of its last change."""
    identity: object
    """Equal for two ways to the same file."""
    given: bool
    """Named by the user, not found in a folder."""


@dataclass(frozen=True, slots=True)
class Unfit:
    """Something in a folder that cannot be read."""

    name: str
    reason: str
    detail: str


def is_url(argument: str) -> bool:
    """Whether fsspec is needed. `file://` is, with its own rules for names."""
    return "://" in argument


def find_places(argument: str) -> Iterator[Place | Unfit]:
    """The file, or every file of the folder, in the order of their names. Raises BadData where there is nothing."""
    return _find_remote(argument) if is_url(argument) else _find_local(argument)


def _find_local(argument: str) -> Iterator[Place | Unfit]:
    path = Path(argument)
    try:
        status = path.stat()
    except (OSError, ValueError) as wrong:
        reason = "no such file or folder" if isinstance(wrong, FileNotFoundError) else getattr(wrong, "strerror", "")
        raise BadData(f"{argument}: {reason or 'not a path'}") from None
    base = path.name if path.name not in ("", "..") else path.resolve().name or "root"
    if stat.S_ISDIR(status.st_mode):
        yield from _walk(path, base, {(status.st_dev, status.st_ino)}, top=argument)
    elif stat.S_ISREG(status.st_mode):
        if not os.access(path, os.R_OK):
            raise BadData(f"{argument}: not readable")
        yield _local_place(path, base, status, given=True)
    else:
        raise BadData(f"{argument}: {_SPECIAL.get(stat.S_IFMT(status.st_mode), 'special')}, not a file or folder")


def _local_place(path: Path, name: str, status: os.stat_result, given: bool) -> Place:
    identity = (status.st_dev, status.st_ino)
    return Place(str(path), name, status.st_size, str(status.st_mtime_ns), identity, given)


def _walk(folder: Path, name: str, seen: set[tuple[int, int]], top: str = "") -> Iterator[Place | Unfit]:
    try:
        entries = sorted(folder.iterdir())
    except OSError as wrong:
        if top:
            raise BadData(f"{top}: {wrong.strerror}") from None
        yield Unfit(name, UNREADABLE, wrong.strerror or "")
        return
    for path in entries:
        inner = f"{name}/{path.name}"
        try:
            status = path.stat()
        except OSError as wrong:
            yield Unfit(inner, UNREADABLE, "a link to nowhere" if path.is_symlink() else wrong.strerror or "")
            continue
        if stat.S_ISDIR(status.st_mode):
            mark = (status.st_dev, status.st_ino)
            if mark not in seen:
                seen.add(mark)
                yield from _walk(path, inner, seen)
        elif stat.S_ISREG(status.st_mode):
            yield _local_place(path, inner, status, given=False)
        else:
            yield Unfit(inner, UNREADABLE, f"{_SPECIAL.get(stat.S_IFMT(status.st_mode), 'special')}, not a file")


def _reach(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    from fsspec.core import url_to_fs  # half a second that local files need not wait for

    try:
        file_system, path = url_to_fs(url)
    except (ImportError, ValueError) as wrong:  # "Install s3fs to access S3"; "Protocol not known: foo"
        raise BadData(f"{url}: {wrong}") from None
    return file_system, path


def _find_remote(url: str) -> Iterator[Place | Unfit]:
    file_system, path = _reach(url)
    try:
        pattern = any(mark in path for mark in "*?[")
        if pattern:
            found = file_system.glob(path, detail=True)
        elif file_system.isdir(path):
            found = file_system.find(path, detail=True)
        else:
            found = {path: file_system.info(path)}
    except FileNotFoundError:
        raise BadData(f"{url}: no such file or folder") from None
    except Exception as wrong:  # each store has its own: botocore's, aiohttp's …
        raise BadData(f"{url}: {_one_line(wrong)}") from None
    given = list(found) == [path]
    root = path.rstrip("/") if not pattern else path[: min(path.index(mark) for mark in "*?[" if mark in path)]
    parent = root.rpartition("/")[0]
    for inner, info in sorted(found.items()):
        if info.get("type") != "directory":
            changed = next((str(info[key]) for key in _CHANGED if info.get(key)), "")
            location = file_system.unstrip_protocol(inner)
            name = inner[len(parent) :].lstrip("/") if inner.startswith(parent) else inner
            yield Place(location, name, info.get("size"), changed, location, given)


def open_place(location: str) -> BinaryIO:
    """The file, unbuffered where it is local. Raises Damage."""
    try:
        if not is_url(location):
            return io.FileIO(location, "rb")
        file_system, path = _reach(location)
        return file_system.open(path, "rb")
    except FileNotFoundError:
        raise Damage(UNREADABLE, "it is gone") from None
    except Exception as wrong:
        raise Damage(UNREADABLE, _one_line(wrong)) from None


def _one_line(wrong: Exception) -> str:
    text = getattr(wrong, "strerror", None) or str(wrong) or type(wrong).__name__
    return " ".join(text.split())[:200]
