"""Files that matter, written whole or not at all: the one place through which they reach the disk.

A draft beside the target is written, flushed to the disk and renamed, and then the folder is flushed. Whatever fails,
and whenever the process or the machine ends, the target is what it was or what it was to be. A failure removes the
draft; one that a kill left is written over by the next run. Two processes that write one file take turns.

Every call of the system goes by this module's `os`, so that tests can fail each of them. Failures are OSErrors that
name the target, whatever a library that wrote through us made of them.
"""

import contextlib
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from hitonami.errors import BadInput, BadSpec, WorkFailed

DRAFT_SUFFIX: Final = ".partial"
_BUFFER_BYTES: Final = 1 << 20


def user_folder() -> Path:
    """The platform's folder for what a user of ours keeps. It need not exist."""
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    elif os.name == "nt":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "hitonami"


class _Raw(io.FileIO):
    """Remembers the first failure: libraries tell theirs in other words, or hide them."""

    failure: OSError | None = None

    def write(self, data: Any) -> int:
        try:
            return os.write(self.fileno(), data)
        except OSError as wrong:
            self.failure = self.failure or wrong
            raise


@contextmanager
def replacing(path: Path, mode: int = 0o666) -> Iterator[IO[bytes]]:
    """A file that takes the place of `path` at the end of the block; after an error `path` is as it was.

    What is no regular file (a terminal, a pipe) is written as it is.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as file:
            yield file
        return
    path = Path(os.path.realpath(path))  # a link stays one
    _refuse_read_only(path)
    draft = _draft_of(path)
    with _named(path), _alone(lambda: os.open(draft, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, mode), draft) as descriptor:
        os.ftruncate(descriptor, 0)
        raw = _Raw(descriptor, "wb", closefd=False)
        file = io.BufferedWriter(raw, _BUFFER_BYTES)
        try:
            yield file
            file.flush()
            os.fsync(descriptor)
            os.replace(draft, path)
        except BaseException as wrong:
            with contextlib.suppress(OSError):
                os.unlink(draft)
            if raw.failure is not None and raw.failure is not wrong:
                raise raw.failure from None
            raise
        finally:
            with contextlib.suppress(OSError):  # it flushes once more; what failed was told
                file.close()
        _sync_folder(path.parent)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole, or leave what is there."""
    with replacing(path) as file:
        file.write(data)


def write_text(path: Path, text: str) -> None:
    """Write a file whole, or leave what is there."""
    write_bytes(path, text.encode())


def create(path: Path, data: bytes, mode: int) -> None:
    """Write a file whole, unless there is one: whoever comes first wins."""
    draft = path.with_name(f".{path.name}.{os.getpid()}{DRAFT_SUFFIX}")
    with replacing(draft, mode) as file:
        file.write(data)
    try:
        with _named(path), contextlib.suppress(FileExistsError):
            os.link(draft, path)
            _sync_folder(path.parent)
    finally:
        draft.unlink()


def add_text(path: Path, text: str, *, synced: bool = True) -> None:
    """Add to a file's end; after an error the file is as it was. Only a kill can leave a part of the text.

    `synced` also sees it onto the disk, which takes milliseconds.
    """
    with _named(path), _opened(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)) as file:
        before = os.fstat(file).st_size
        try:
            rest = memoryview(text.encode())
            while rest:
                rest = rest[os.write(file, rest) :]
            if synced:
                os.fsync(file)
        except BaseException:
            with contextlib.suppress(OSError):
                os.ftruncate(file, before)
            raise


@contextmanager
def building(folder: Path) -> Iterator[Path]:
    """A folder under another name, which takes its own at the end of the block; after an error it is gone.

    `folder` must not be there, or be empty. The files in it are written by this module too.
    """
    folder = Path(os.path.realpath(folder))
    make_folder(folder.parent)
    draft = folder.with_name(f".{folder.name}{DRAFT_SUFFIX}")
    with _named(folder), _alone(lambda: _open_folder(draft), draft):
        _empty(draft)  # of what a run that was killed left
        try:
            yield draft
            os.replace(draft, folder)
        except BaseException:
            with contextlib.suppress(OSError):
                remove_tree(draft)
            raise
        _sync_folder(folder.parent)


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it, so that they are there after a crash too."""
    if folder.is_dir():
        return
    if folder != folder.parent:
        make_folder(folder.parent)
    with _named(folder), contextlib.suppress(FileExistsError):
        os.mkdir(folder)
        _sync_folder(folder.parent)
    if not folder.is_dir():
        raise NotADirectoryError(20, "Not a directory", str(folder))


def make_chosen_folder(folder: Path, chosen: Path | None = None) -> None:
    """Make a folder that somebody chose, or one inside it. Raises BadInput that names what was chosen."""
    try:
        make_folder(folder)
    except OSError as wrong:
        raise BadInput(f"{chosen or folder}: cannot be made: {wrong.strerror}") from None


def read_json(path: Path) -> Any:
    """What a file of fitted values holds. Raises BadSpec that names the file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as wrong:
        raise BadSpec(f"{path}: {wrong.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as wrong:
        raise BadSpec(f"{path}: not JSON: {wrong}") from None


def remove_tree(folder: Path) -> None:
    """Remove a folder and all that is in it."""
    _empty(folder)
    os.rmdir(folder)


def forget_tree(folder: Path) -> None:
    """The same where it is there: what finished work was made from, of this run or of one that was ended just then."""
    if folder.exists():
        remove_tree(folder)


def _empty(folder: Path) -> None:
    for above, folders, files in os.walk(folder, topdown=False):
        for name in files:
            os.unlink(os.path.join(above, name))
        for name in folders:
            os.rmdir(os.path.join(above, name))


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """A folder for this process alone, until it ends, however it ends. Raises WorkFailed where another holds it."""
    with _opened(os.open(folder, os.O_RDONLY | os.O_CLOEXEC)) as descriptor:
        if not _lock(descriptor, wait=False):
            raise WorkFailed(f"{folder}: another process is at work there; wait for its end, or choose another folder")
        yield


def _draft_of(path: Path) -> Path:
    return path.with_name(path.name + DRAFT_SUFFIX)


def _refuse_read_only(path: Path) -> None:
    """A rename would replace it all the same."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(13, "Permission denied", str(path))


def _open_folder(folder: Path) -> int:
    with contextlib.suppress(FileExistsError):
        os.mkdir(folder)
    return os.open(folder, os.O_RDONLY | os.O_CLOEXEC)


def _sync_folder(folder: Path) -> None:
    """See names onto the disk, where folders can be flushed."""
    if os.name != "nt":
        with _opened(os.open(folder, os.O_RDONLY | os.O_CLOEXEC)) as descriptor:
            os.fsync(descriptor)


@contextmanager
def _opened(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _alone(opening: Callable[[], int], path: Path) -> Iterator[int]:
    """An open draft that is this process's own until it is closed or renamed; others wait for it."""
    while True:
        with _opened(opening()) as descriptor:
            _lock(descriptor, wait=True)
            if not _is_still(path, descriptor):  # another has renamed or removed it while we waited
                continue
            yield descriptor
            return


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lock(descriptor: int, *, wait: bool) -> bool:
    """Whether it is ours now. File systems and platforms without such locks let everybody in."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors of the system that name no file, or a draft, name the target."""
    try:
        yield
    except OSError as wrong:
        if wrong.filename is None or str(wrong.filename).endswith(DRAFT_SUFFIX):
            wrong.filename, wrong.filename2 = str(path), None
        raise
