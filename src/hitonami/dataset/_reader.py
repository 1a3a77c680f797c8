"""One file to its documents, layer by layer: file, compression, archive, compression of the member, format.

A file that breaks in the middle gives its documents up to there. What is wrong is reported to `Progress`
and never raised.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO, Final

from hitonami.dataset._archives import Member, open_tar, open_zip
from hitonami.dataset._kinds import Formats, Kind, kind_of
from hitonami.dataset._limits import EMPTY, NESTED, NO_RECORDS, TOO_LARGE, UNSUPPORTED, Allowance, Damage
from hitonami.dataset._places import is_url, open_place
from hitonami.dataset._sevenzip import open_sevenzip
from hitonami.dataset._streams import CHUNK_BYTES, Counted, Decoded, buffered, failure_of
from hitonami.errors import BadInput
from hitonami.records import Document

_MARK_BYTES: Final = 1 << 16
_BROKEN_KEPT: Final = 100


@dataclass(frozen=True, slots=True)
class Broken:
    """A file, or a member of one, that could not be read, or not to its end."""

    source: str
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}" + (f": {self.detail}" if self.detail else "")


@dataclass
class Progress:
    """What has been read so far. `bytes_read` counts compressed bytes, against `Sources.bytes_total`."""

    bytes_read: int = 0
    documents: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Members of archives that are no records of the game, by suffix."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How many files and members were broken, by reason."""
    broken: list[Broken] = field(default_factory=list)
    """The first of them."""

    def report(self, broken: Broken) -> None:
        self.reasons[broken.reason] += 1
        if len(self.broken) < _BROKEN_KEPT:
            self.broken.append(broken)


@dataclass(frozen=True, slots=True)
class Source:
    """One file to read. Picklable: another process can read it."""

    name: str
    """Stable between runs: relative to the argument, beginning with the argument's own last part."""
    location: str
    size: int | None
    changed: str
    kind: Kind

    def fingerprint(self) -> str:
        """Changes when the file does. Cheap: size, time of change, and for local files the first and last 64 KiB."""
        digest = hashlib.blake2b(
            f"{self.name}\0{self.size}\0{self.changed}\0".encode("utf-8", "replace"), digest_size=16
        )
        if not is_url(self.location):
            try:
                with open_place(self.location) as file:
                    digest.update(file.read(_MARK_BYTES))
                    if self.size and self.size > _MARK_BYTES:
                        file.seek(max(_MARK_BYTES, self.size - _MARK_BYTES))
                        digest.update(file.read(_MARK_BYTES))
            except (Damage, OSError):
                digest.update(b"unreadable")  # reading it will say so
        return digest.hexdigest()


def printable(name: str) -> str:
    """Names are labels in messages and tables: bytes that are no text, and control characters, are replaced."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)


def read_source(source: Source, formats: Formats, progress: Progress) -> Iterator[tuple[str, Document]]:
    """The documents of one file. What is wrong with it goes to `progress`; nothing is raised."""
    begin = progress.bytes_read
    reader = _Reader(source, formats, progress)
    try:
        yield from reader.read()
    except Damage as damage:
        progress.report(Broken(source.name, damage.reason, damage.detail))
    progress.bytes_read = begin + (reader.bytes_read if source.size is None else source.size)


class _Reader:
    """Reads one source, layer by layer."""

    def __init__(self, source: Source, formats: Formats, progress: Progress) -> None:
        self._source = source
        self._formats = formats
        self._progress = progress
        self.bytes_read = 0
        self._total = Allowance(lambda: self.bytes_read)
        self._nested: list[str] = []
        self._missed: Counter[str] = Counter()

    def _count(self, size: int) -> None:
        """Bytes that are read again (the list of a zip) are not counted twice."""
        most = self._source.size
        fresh = size if most is None else min(size, most - self.bytes_read)
        self.bytes_read += fresh
        self._progress.bytes_read += fresh

    def read(self) -> Iterator[tuple[str, Document]]:
        kind, size = self._source.kind, self._source.size
        if size == 0:
            raise Damage(EMPTY, "no bytes at all")
        # A buffer for each of many small files would cost more than reading them.
        room = CHUNK_BYTES if size is None else min(CHUNK_BYTES, size)
        with buffered(Counted(open_place(self._source.location), self._count), room) as file:
            if kind.archive:
                yield from self._read_archive(kind, file)
            else:
                stream = buffered(Decoded(kind.compression, file, self._total)) if kind.compression else file
                yield from self._cut(self._source.name, self._formats.by_suffix[kind.suffix], stream)

    def _read_archive(self, kind: Kind, file: BinaryIO) -> Iterator[tuple[str, Document]]:
        members = 0
        for member in self._members(kind, file):
            members += 1
            inner = kind_of(member.name)
            name = f"{self._source.name}!{printable(member.name)}"
            if member.failure:
                self._progress.report(Broken(name, member.failure.reason, member.failure.detail))
                continue
            stream = member.stream
            if inner.compression:
                stream = buffered(Decoded(inner.compression, stream, self._total))
            yield from self._cut(name, self._formats.by_suffix[inner.suffix], stream)
        for nested in self._nested:
            self._progress.report(Broken(f"{self._source.name}!{printable(nested)}", NESTED, "unpack it first"))
        self._progress.skipped += self._missed
        if not members and not self._nested:
            if not self._missed:
                raise Damage(EMPTY, "an archive without members")
            raise Damage(NO_RECORDS, f"none of {self._formats.game}; {list_found(self._missed)}")

    def _members(self, kind: Kind, file: BinaryIO) -> Iterator[Member]:
        if kind.archive == ".tar":
            stream = buffered(Decoded(kind.compression, file, self._total)) if kind.compression else file
            return open_tar(stream, self._wants)
        if kind.compression:
            raise Damage(UNSUPPORTED, f"{kind.archive} inside {kind.compression}: unpack it first")
        if not file.seekable():
            raise Damage(UNSUPPORTED, f"a {kind.archive} must be read from a place that can be read in any order")
        return (open_zip if kind.archive == ".zip" else open_sevenzip)(file, self._wants, self._total)

    def _wants(self, name: str) -> bool:
        kind = kind_of(name)
        if kind.archive:
            self._nested.append(name)
        elif is_junk(name) or kind.suffix not in self._formats.by_suffix:
            self._missed[kind.shown] += 1
        else:
            return True
        return False

    def _cut(self, name: str, format_name: str, stream: BinaryIO) -> Iterator[tuple[str, Document]]:
        """The documents of a stream, and then the reason why it ended early."""
        before = self._progress.documents
        try:
            for document in self._formats.open(format_name).documents(name, stream):
                self._progress.documents += 1
                yield format_name, document
        except BadInput as wrong:
            self._progress.report(Broken(name, TOO_LARGE, str(wrong).removeprefix(f"{name}: ")))
            return
        if failure := failure_of(stream):
            self._progress.report(Broken(name, failure.reason, failure.detail))
        elif self._progress.documents == before:
            self._progress.report(Broken(name, EMPTY, "no bytes at all"))


def is_junk(name: str) -> bool:
    """What macOS leaves beside real files: same suffix, no record."""
    return "__MACOSX/" in name or name.rpartition("/")[2].startswith("._")


def list_found(missed: Counter[str]) -> str:
    """For a message: what was there instead of records."""
    found = ", ".join(f"{count:,} {suffix}" for suffix, count in missed.most_common(5))
    return f"found {found}" if found else "it is empty"
