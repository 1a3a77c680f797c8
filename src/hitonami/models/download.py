"""Fetch a network by URL, whole or not at all, and add it to the user's store.

`https://` and `file://`; plain `http://` only from this machine, where nobody can change it on the way. A redirect to
another scheme is refused, and so is what is larger than the limit, by its announced size or by what comes. What was
fetched is checked and tried out as any file is; nothing stays behind of what is refused.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPMessage
from pathlib import Path
from typing import IO, Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, unquote, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from hitonami import __version__, disk
from hitonami.errors import BadModel, WorkFailed, quote
from hitonami.models.store import CARD_FILE, Listed, add_model, user_store

LARGEST_BYTES: Final = 1 << 31
_CHUNK_BYTES: Final = 1 << 18
_DRAFT: Final = ".fetching-"
_HERE: Final = ("127.0.0.1", "::1", "localhost")

Report = Callable[[int, int], None]
"""Bytes that came, and bytes announced (0 where the server does not say)."""


@dataclass(frozen=True)
class Limits:
    """How much may come, and how long a server may say nothing."""

    largest_bytes: int = LARGEST_BYTES
    timeout_seconds: float = 30.0


@dataclass(frozen=True)
class Download:
    """What came: a file, and the SHA-256 of its bytes."""

    path: Path
    sha256: str
    size_bytes: int


def add_from_url(
    url: str,
    name: str = "",
    sha256: str = "",
    report: Report | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
) -> tuple[Listed, Download]:
    """Fetch a network and add it as `add_model` does. With a `sha256`, nothing else is taken."""
    with fetch(url, user_store(), report, limits) as came:
        if sha256 and came.sha256 != sha256.strip().lower():
            raise BadModel(f"{quote(url)}: its sha256 is {came.sha256}, not {sha256}: damaged, or another file")
        try:
            return add_model(came.path, name), came
        except BadModel as wrong:
            raise BadModel(str(wrong).replace(str(came.path), url).replace(str(came.path.parent), url)) from None


@contextmanager
def fetch(url: str, folder: Path, report: Report | None = None, limits: Limits = Limits()) -> Iterator[Download]:  # noqa: B008  (frozen)
    """The file at a URL, in a folder of its own below `folder`, for the length of a `with` block.

    An ONNX file brings the `card.json` beside it, where there is one. Raises BadModel for a URL that cannot be used,
    WorkFailed where the fetching fails.
    """
    name = _check_url(url)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _clear(folder)
        draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=folder))
    except OSError as wrong:
        raise WorkFailed(f"{folder}: {wrong.strerror}") from None
    with disk.holding(draft):
        try:
            if name.endswith(".onnx"):
                _fetch_card(urljoin(url, CARD_FILE), draft / CARD_FILE, limits)
            yield _fetch_file(url, draft / name, report, limits)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _clear(folder: Path) -> None:
    """Remove what a process that was killed left; a folder that somebody holds is being filled."""
    for left in folder.glob(f"{_DRAFT}*"):
        with suppress(WorkFailed, OSError), disk.holding(left):
            disk.remove_tree(left)


def _check_url(url: str) -> str:
    """The name of the file that a URL is for."""
    parts = _split(url)
    if parts.scheme not in ("https", "http", "file"):
        raise BadModel(f"{quote(url)}: networks are fetched from https:// or file://, not {parts.scheme}://")
    if parts.scheme == "http" and parts.hostname not in _HERE:
        raise BadModel(f"{quote(url)}: plain http can be changed on the way; use https")
    if parts.scheme == "file" and parts.hostname not in (None, "localhost"):
        raise BadModel(f"{quote(url)}: a file on another machine; one on this is file:///PATH")
    name = Path(unquote(parts.path)).name
    if not name or "\0" in name or len(name.encode()) > 200:
        raise BadModel(f"{quote(url)}: it does not end in the name of a file")
    return name


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.hostname, parts.port  # these are what is checked
    except ValueError as wrong:
        raise BadModel(f"{quote(url)}: not a URL: {wrong}") from None
    return parts


class _SameScheme(HTTPRedirectHandler):
    """Follows redirects within a scheme: never out of encryption, never to this machine's files."""

    def http_error_302(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage) -> Any:
        target = urljoin(req.full_url, headers.get("location") or headers.get("uri") or "")
        before, after = _split(req.full_url).scheme, _split(target).scheme
        if before != after:
            raise BadModel(f"{quote(req.full_url)} redirects from {before} to {after}: refused")
        _check_url(target)
        return super().http_error_302(req, fp, code, msg, headers)

    http_error_301 = http_error_303 = http_error_307 = http_error_308 = http_error_302


def _open(url: str, limits: Limits) -> Any:
    direct = _split(url).hostname in _HERE
    opener = build_opener(_SameScheme, *([ProxyHandler({})] if direct else []))
    return opener.open(Request(url, headers={"User-Agent": f"hitonami/{__version__}"}), timeout=limits.timeout_seconds)


def _fetch_card(url: str, path: Path, limits: Limits) -> None:
    """The card, unless there is none there: a foreign network may be known without one."""
    try:
        _fetch_file(url, path, None, limits)
    except _NotThere:
        path.unlink(missing_ok=True)


class _NotThere(BadModel):
    """The URL is in order, and nothing is there."""


def _fetch_file(url: str, path: Path, report: Report | None, limits: Limits) -> Download:
    try:
        with _open(url, limits) as stream, path.open("wb") as file:
            return _copy(url, stream, file, report, limits)
    except HTTPError as wrong:
        with wrong:
            kind = _NotThere if 400 <= wrong.code < 500 else WorkFailed
            raise kind(f"{quote(url)}: the server answers {wrong.code} {wrong.reason}") from None
    except URLError as wrong:
        missing = _split(url).scheme == "file"
        reason = getattr(wrong.reason, "strerror", None) or wrong.reason
        raise (_NotThere if missing else WorkFailed)(f"{quote(url)}: {reason}") from None
    except TimeoutError:
        raise WorkFailed(f"{quote(url)}: no answer for {limits.timeout_seconds:g} s") from None
    except (OSError, HTTPException, ValueError) as wrong:
        if isinstance(wrong, BadModel):
            raise
        raise WorkFailed(f"{quote(url)}: {wrong or type(wrong).__name__}") from None


def _copy(url: str, stream: Any, file: IO[bytes], report: Report | None, limits: Limits) -> Download:
    digest, came, largest = hashlib.sha256(), 0, limits.largest_bytes
    announced = int(stream.headers.get("Content-Length") or 0)
    if announced > largest:
        raise BadModel(f"{quote(url)}: {announced:,} bytes, more than {largest:,}")
    while chunk := stream.read(_CHUNK_BYTES):
        came += len(chunk)
        if came > largest:
            raise BadModel(f"{quote(url)}: more than {largest:,} bytes")
        digest.update(chunk)
        file.write(chunk)
        if report is not None:
            report(came, announced)
    if announced and came != announced:
        raise WorkFailed(f"{quote(url)}: cut off after {came:,} of {announced:,} bytes")
    return Download(Path(file.name), digest.hexdigest(), came)
