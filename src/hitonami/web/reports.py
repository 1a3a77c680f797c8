"""The folder of studies that a server was started with: reports that other commands have written (HTML, JSON).

Files are listed and asked for by an id that is made from their place in the folder; no text of a request ever becomes a
path. Links that lead out of the folder are not followed, and what is too large is not shown.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Final, Literal

from hitonami.errors import BadInput, WorkFailed

REPORT_ID: Final = "^[0-9a-f]{16}$"
_KINDS: Final[dict[str, Literal["page", "data"]]] = {".html": "page", ".json": "data"}
SAMPLES: Final = Path(__file__).with_name("samples")
"""Reports of our own commands; recipes/samples.py makes them."""
_MOST_REPORTS: Final = 500
_DEEPEST: Final = 3
_LARGEST_BYTES: Final = 8 << 20
_HEAD_BYTES: Final = 4096
_TITLE: Final = re.compile(r"<title>([^<]{1,200})</title>")


@dataclass(frozen=True)
class Report:
    """One file of the folder."""

    id: str
    name: str
    """Its place in the folder, with slashes."""
    title: str
    kind: Literal["page", "data"]
    changed_at: float
    sample: bool = False
    """It came with the package."""


class ReportShelf:
    """The reports of one folder; where none is given, the samples of the package, which are named so."""

    def __init__(self, folder: Path | None) -> None:
        if folder is not None and not folder.is_dir():
            raise BadInput(f"there is no folder of studies at {folder}")
        self._folder = (folder or SAMPLES).resolve()
        self._samples = folder is None

    def reports(self) -> list[Report]:
        """Latest first."""
        found = []
        for path, name in self._files():
            with suppress(OSError):  # one that cannot be read, or went meanwhile, costs the others nothing
                found.append(_describe(path, name, self._samples))
        return sorted(found, key=lambda report: -report.changed_at)

    def read_page(self, report_id: str) -> bytes | None:
        """A report's HTML; None where there is no such page."""
        path = self._find(report_id, "page")
        return None if path is None else path.read_bytes()

    def read_data(self, report_id: str) -> bytes | None:
        """A report's JSON; None where there is no such file. Raises WorkFailed where it is none."""
        path = self._find(report_id, "data")
        if path is None:
            return None
        text = path.read_bytes()
        try:
            json.loads(text, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise WorkFailed(f"{_printable(path.name)} is no JSON, or too deep") from None
        return text

    def _find(self, report_id: str, kind: str) -> Path | None:
        return next(
            (path for path, name in self._files() if _id_of(name) == report_id and _KINDS[path.suffix] == kind), None
        )

    def _files(self) -> Iterator[tuple[Path, str]]:
        count = 0
        for path in sorted(self._folder.rglob("*")):
            name = path.relative_to(self._folder).as_posix()
            hidden = any(part.startswith(".") for part in name.split("/"))
            if path.suffix not in _KINDS or hidden or name.count("/") >= _DEEPEST or not self._is_safe(path):
                continue
            count += 1
            if count > _MOST_REPORTS:
                return
            yield path, name

    def _is_safe(self, path: Path) -> bool:
        try:
            real = path.resolve()
            return real.is_file() and real.is_relative_to(self._folder) and real.stat().st_size <= _LARGEST_BYTES
        except (OSError, RuntimeError):  # gone meanwhile, or a link to itself
            return False


def _id_of(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def _printable(name: str) -> str:
    """A file's name for people: bytes that are no text are replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _refuse(constant: str) -> None:
    """Python reads and writes NaN and Infinity; JSON has neither, and a browser stops at them."""
    raise ValueError(constant)


def _describe(path: Path, name: str, sample: bool) -> Report:
    kind = _KINDS[path.suffix]
    title = shown = _printable(name)
    if kind == "page":
        with path.open("rb") as file:
            found = _TITLE.search(file.read(_HEAD_BYTES).decode("utf-8", "replace"))
        title = _printable(unescape(found[1]).strip()) if found else shown
    return Report(_id_of(name), shown, title, kind, path.stat().st_mtime, sample)
