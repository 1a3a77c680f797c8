"""The members of a .7z archive, decompressed as they are read. Nothing is written to disk; names are labels only.

py7zr parses the archive and makes the decoders; its own extraction is not used. That one pushes into files
or memory, resolves every name against the working folder, asks the system for its free memory and reads
another megabyte of input for each member: for 18,000 small games twice the time, and the whole compressed
archive in memory.
"""

import io
import zlib
from collections.abc import Iterator
from typing import BinaryIO, Final, Protocol

import py7zr
from py7zr.exceptions import PasswordRequired, UnsupportedCompressionMethodError

from hitonami.dataset._archives import Member, Wanted
from hitonami.dataset._limits import (
    CORRUPT,
    ENCRYPTED,
    MAX_LISTED_MEMBERS,
    TOO_LARGE,
    TRUNCATED,
    UNSUPPORTED,
    Allowance,
    Damage,
)
from hitonami.dataset._streams import CHUNK_BYTES, Flow, buffered

_SIGNATURE: Final = b"7z\xbc\xaf\x27\x1c"
_HEADER_BYTES: Final = 32
_MOST_INPUT: Final = 1 << 15
_LEAST_INPUT: Final = 1 << 8


class _Decoder(Protocol):
    """The part of py7zr's decoder that is used here."""

    block_size: int

    def decompress(self, fp: BinaryIO, max_length: int) -> bytes | bytearray: ...


def open_sevenzip(file: BinaryIO, wanted: Wanted, total: Allowance) -> Iterator[Member]:
    """The wanted members of a .7z, in its order."""
    archive = _open_archive(file)
    entries = [entry for entry in archive.files if not entry.is_directory]
    special = {entry.id for entry in entries if entry.is_symlink or entry.is_junction or entry.is_socket}
    kept = {entry.id for entry in entries if entry.id not in special and wanted(entry.filename)}
    for entry in entries:
        if entry.emptystream and entry.id in kept:
            yield Member(entry.filename, io.BytesIO())
    if not any(entry.id in kept and not entry.emptystream for entry in entries):
        return
    streams = archive.header.main_streams
    for folder, begin, end in zip(
        streams.unpackinfo.folders, streams.packinfo.packpositions, streams.packinfo.packpositions[1:], strict=False
    ):
        members = list(folder.files or ())
        if not any(entry.id in kept for entry in members):
            continue
        file.seek(archive.afterheader + begin)
        shrink = max(1.0, sum(entry.uncompressed for entry in members) / max(1, end - begin))
        yield from _read_folder(_Folder(file, _decoder(folder, end - begin), shrink, total), members, kept)


def _read_folder(folder: "_Folder", members: list[py7zr.py7zr.ArchiveFile], kept: set[int]) -> Iterator[Member]:
    last = max(place for place, entry in enumerate(members) if entry.id in kept)
    for entry in members[: last + 1]:
        part = _Part(folder, entry.uncompressed, entry.crc32)
        if entry.id in kept:
            small = entry.uncompressed <= CHUNK_BYTES
            stream = buffered(part, min(CHUNK_BYTES, max(1, entry.uncompressed)))
            yield Member(entry.filename, io.BytesIO(stream.read()) if small else stream)
        part.skip()


class _Folder:
    """One compressed stream of the archive, which holds many members one after another."""

    def __init__(self, file: BinaryIO, decoder: _Decoder, shrink: float, total: Allowance) -> None:
        self._file = file
        self._decoder = decoder
        self._shrink = shrink
        self._total = total

    def read(self, limit: int, member_bytes: int) -> bytes | bytearray:
        """At most `limit` bytes, at least one. Raises Damage."""
        # py7zr feeds the decoder on every call. Half of what a member is likely to need keeps input that is
        # not used up from piling up there.
        likely = int(member_bytes / self._shrink / 2)
        self._decoder.block_size = min(_MOST_INPUT, max(_LEAST_INPUT, likely))
        while True:
            place = self._file.tell()
            try:
                data = self._decoder.decompress(self._file, limit)
            except Exception as wrong:  # whatever lzma, bz2, ppmd, brotli … raise
                raise _damage_of(wrong) from None
            if data:
                self._total.charge(len(data))
                return data
            if self._file.tell() == place:
                raise Damage(TRUNCATED, "the .7z data end too early")


class _Part(Flow):
    """The bytes of one member, checked against its sum."""

    def __init__(self, folder: _Folder, size: int, crc: int | None) -> None:
        self._folder = folder
        self._size = self._left = size
        self._crc = crc
        self._sum = 0

    def pull(self, limit: int) -> bytes:
        if self.failure:
            raise self.failure
        if not self._left:
            if self._crc is not None and self._crc != self._sum:  # its bytes are out: readers check every game
                raise Damage(CORRUPT, "damaged .7z data: wrong check sum")
            return b""
        data = self._folder.read(min(limit, self._left, CHUNK_BYTES), self._size)
        self._left -= len(data)
        self._sum = zlib.crc32(data, self._sum)
        return bytes(data)

    def skip(self) -> None:
        """Pass over what was not read: the next member begins behind it. Raises Damage."""
        while self.pull(CHUNK_BYTES):
            pass


def _open_archive(file: BinaryIO) -> py7zr.SevenZipFile:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    begin = file.read(_HEADER_BYTES)
    file.seek(0)
    if not begin.startswith(_SIGNATURE[: len(begin)]):
        raise Damage(CORRUPT, "not a .7z")
    list_end = int.from_bytes(begin[12:20], "little") + int.from_bytes(begin[20:28], "little")
    if len(begin) < _HEADER_BYTES or _HEADER_BYTES + list_end > size:
        raise Damage(TRUNCATED, "the list at the end of the .7z is missing")
    try:
        archive = py7zr.SevenZipFile(file)
        if not hasattr(archive, "files"):
            raise Damage(CORRUPT, "the .7z has no list")
        if archive.password_protected:
            raise Damage(ENCRYPTED)
    except Exception as wrong:  # py7zr lets through whatever its parser meets: struct.error, IndexError …
        raise _damage_of(wrong) from None
    if len(archive.files) > MAX_LISTED_MEMBERS:
        raise Damage(TOO_LARGE, f"more than {MAX_LISTED_MEMBERS:,} members: unpack it first")
    return archive


def _decoder(folder: py7zr.archiveinfo.Folder, packed_bytes: int) -> _Decoder:
    try:
        return folder.get_decompressor(packed_bytes)
    except Exception as wrong:
        raise _damage_of(wrong) from None


def _damage_of(wrong: Exception) -> Damage:
    if isinstance(wrong, Damage):
        return wrong
    if isinstance(wrong, PasswordRequired):
        return Damage(ENCRYPTED)
    if isinstance(wrong, UnsupportedCompressionMethodError):
        return Damage(UNSUPPORTED, "a .7z method that is not known here")
    if isinstance(wrong, MemoryError):
        return Damage(TOO_LARGE, "the .7z data need too much memory")
    return Damage(CORRUPT, "damaged .7z data")
