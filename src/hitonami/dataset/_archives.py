"""The members of .zip and .tar archives, one after another, never unpacked to disk.

A member is a name and a stream that is good until the next member is asked for. Names are labels only:
nothing is written, so `../` in a name does no harm. Links, devices and folders are not members.

The list of a .zip stands at its end, so that a truncated .zip is refused whole; a truncated .tar gives
its members up to the break.
"""

import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, BinaryIO, Final

from hitonami.dataset._limits import (
    CORRUPT,
    ENCRYPTED,
    MAX_LISTED_MEMBERS,
    MAX_TAR_HEADER_BYTES,
    TOO_LARGE,
    TRUNCATED,
    UNSUPPORTED,
    Allowance,
    Damage,
)
from hitonami.dataset._streams import CHUNK_BYTES, Flow, Span, buffered, failure_of

Wanted = Callable[[str], bool]
"""Whether the member of that name is worth opening. Asked once for each member, in their order."""
_BLOCK: Final = 512
_END: Final = bytes(_BLOCK)
_LONG_NAME: Final = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_PAX: Final = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)


@dataclass(slots=True)
class Member:
    """A file in an archive. `failure` stands where it could not be opened; then the stream is empty."""

    name: str
    stream: BinaryIO
    failure: Damage | None = None


def open_zip(file: BinaryIO, wanted: Wanted, total: Allowance) -> Iterator[Member]:
    """The wanted members of a .zip. A damaged member does not cost the others."""
    _check_list(file)
    try:
        archive = zipfile.ZipFile(file)  # NotImplementedError is its word for a version that it does not know
    except (zipfile.BadZipFile, zipfile.LargeZipFile, struct.error, ValueError, EOFError, NotImplementedError) as wrong:
        raise Damage(CORRUPT, f"damaged .zip list: {wrong}") from None
    with archive:
        for entry in archive.infolist():
            if not entry.filename.endswith("/") and wanted(entry.filename):  # is_dir() fails for a name of no length
                yield _open_entry(archive, entry, total)


def _check_list(file: BinaryIO) -> None:
    """Refuse before zipfile takes the whole list into memory."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - (1 << 16) - 22))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    file.seek(0)
    if at < 0 or len(tail) - at < 22:
        begin = file.read(4)
        if begin.startswith(b"PK"):
            raise Damage(TRUNCATED, "the list at the end of the .zip is missing")
        raise Damage(CORRUPT, "not a .zip") if size else Damage(TRUNCATED, "no bytes at all")
    list_bytes = int.from_bytes(tail[at + 12 : at + 16], "little")
    if list_bytes == 0xFFFFFFFF:  # zip64: the number is elsewhere, and the list cannot be longer than the file
        list_bytes = size
    if list_bytes > MAX_LISTED_MEMBERS * 46 and _count_entries(file, size, list_bytes) > MAX_LISTED_MEMBERS:
        raise Damage(TOO_LARGE, f"more than {MAX_LISTED_MEMBERS:,} members: unpack it first")


def _count_entries(file: BinaryIO, size: int, list_bytes: int) -> int:
    """How many entries the end of the file has room for: counted by their signature, in bounded memory."""
    file.seek(max(0, size - list_bytes))
    count, held = 0, b""
    while chunk := file.read(CHUNK_BYTES):
        held += chunk
        count += held.count(b"PK\x01\x02")
        held = held[-3:]
    return count


def _open_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, total: Allowance) -> Member:
    if entry.flag_bits & 1:
        return Member(entry.filename, io.BytesIO(), Damage(ENCRYPTED))
    try:
        stream = archive.open(entry)
    except NotImplementedError:  # zipfile's word for a compression method that it does not know
        return Member(entry.filename, io.BytesIO(), Damage(UNSUPPORTED, f"method {entry.compress_type}"))
    except (zipfile.BadZipFile, OSError, ValueError, struct.error) as wrong:
        return Member(entry.filename, io.BytesIO(), Damage(CORRUPT, str(wrong)))
    flow = _ZipEntry(stream, entry, total)
    return Member(entry.filename, buffered(flow, min(CHUNK_BYTES, max(entry.file_size, 1))))


class _ZipEntry(Flow):
    def __init__(self, stream: IO[bytes], entry: zipfile.ZipInfo, total: Allowance) -> None:
        self._stream = stream
        self._allowances = (Allowance(lambda: entry.compress_size), total)
        # zipfile bounds what comes out of one read for deflate alone. Of bzip2, 4 KiB may become 80 MB. The read
        # that ends with a wrong check sum gives nothing, so it should not be a large one.
        bounded = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        self._step = 1 << 16 if bounded else 1 << 12

    def pull(self, limit: int) -> bytes:
        try:
            data = self._stream.read(min(limit, self._step))
        except EOFError:
            raise Damage(TRUNCATED, "the .zip ends inside it") from None
        except (zipfile.BadZipFile, OSError, ValueError, zlib.error, MemoryError) as wrong:
            raise Damage(CORRUPT, str(wrong)) from None
        for allowance in self._allowances:
            allowance.charge(len(data))
        return data

    def close(self) -> None:
        if not self.closed:
            self._stream.close()
        super().close()


def open_tar(stream: BinaryIO, wanted: Wanted) -> Iterator[Member]:
    """The wanted members of a .tar: ustar, GNU and pax. Read forward only.

    Not `tarfile.open`: in a stream it takes a damaged header after the first for the end, without a word.
    """
    name, size = "", -1
    while (block := _read_block(stream)) != _END:
        try:
            entry = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        except (tarfile.TarError, ValueError):
            raise Damage(CORRUPT, "damaged .tar header") from None
        if entry.type in _LONG_NAME or entry.type in _PAX or entry.type == tarfile.XGLTYPE:
            header = _read_header(stream, entry.size)
            if entry.type == tarfile.GNUTYPE_LONGNAME:
                name = header.rstrip(b"\0").decode("utf-8", "surrogateescape")
            elif entry.type in _PAX:
                name, size = _read_pax(header)
            continue
        entry.name, entry.size = name or entry.name, size if size >= 0 else entry.size
        name, size = "", -1
        yield from _open_tar_entry(stream, entry, wanted)
    while stream.read(CHUNK_BYTES):  # padding; and the check sums of the compression around it
        pass
    if failure := failure_of(stream):
        raise failure


def _read_block(stream: BinaryIO) -> bytes:
    block = stream.read(_BLOCK)
    if len(block) < _BLOCK:
        raise failure_of(stream) or Damage(TRUNCATED, "the .tar has no end mark")
    return block


def _read_header(stream: BinaryIO, size: int) -> bytes:
    if size > MAX_TAR_HEADER_BYTES:
        raise Damage(CORRUPT, "a .tar header of that size is none")
    padded = -(-size // _BLOCK) * _BLOCK
    header = stream.read(padded)
    if len(header) < padded:
        raise failure_of(stream) or Damage(TRUNCATED, "the .tar ends inside a header")
    return header[:size]


def _read_pax(header: bytes) -> tuple[str, int]:
    """Name and size from lines such as `30 path=…`, "" and -1 where they are not said."""
    name, size = "", -1
    while header:
        length, _, _ = header.partition(b" ")
        if not length.isdigit() or not 0 < int(length) <= len(header):
            raise Damage(CORRUPT, "damaged .tar header")
        key, _, value = header[len(length) + 1 : int(length) - 1].partition(b"=")
        if key == b"path":
            name = value.decode("utf-8", "surrogateescape")
        elif key == b"size" and value.isdigit():
            size = int(value)
        header = header[int(length) :]
    return name, size


def _open_tar_entry(stream: BinaryIO, entry: tarfile.TarInfo, wanted: Wanted) -> Iterator[Member]:
    if entry.issparse():
        raise Damage(UNSUPPORTED, "a sparse file in a .tar")
    if not entry.isreg() and entry.type in tarfile.SUPPORTED_TYPES:
        return  # folders, links and devices have no bytes
    span = Span(stream, entry.size)
    if entry.isreg() and wanted(entry.name):
        if entry.size <= CHUNK_BYTES:
            data = stream.read(entry.size)
            span.left -= len(data)
            yield Member(entry.name, io.BytesIO(data))
        else:
            yield Member(entry.name, buffered(span))
    span.left += -entry.size % _BLOCK
    span.skip()
