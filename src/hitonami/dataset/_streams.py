"""Byte streams that decompress as they are read, in bounded memory, and never raise.

Who cuts a stream into games holds the last, unfinished piece. An exception in the middle would cost that
piece, so a stream that breaks simply ends, and `failure_of` tells afterwards why it ended.
"""

import bz2
import io
import lzma
import sys
import zlib
from abc import abstractmethod
from collections.abc import Callable
from typing import BinaryIO, Final, Protocol

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from hitonami.dataset._limits import (
    CORRUPT,
    EMPTY,
    MAX_DECODER_BYTES,
    TOO_LARGE,
    TRUNCATED,
    UNREADABLE,
    Allowance,
    Damage,
)

CHUNK_BYTES: Final = 1 << 20
"""What is asked of files at once, and the size up to which a file or member is simply held in memory."""
_STEP_BYTES: Final = 1 << 16


class Decoder(Protocol):
    """What lzma, bz2 and zstd have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class GzipDecoder:
    """One gzip member, with the interface of the other decoders."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        rest = self._inner.unconsumed_tail
        return self._inner.decompress(rest + data if rest else data, max_length)


def _xz() -> Decoder:
    return lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=MAX_DECODER_BYTES)


DECODERS: Final[dict[str, Callable[[], Decoder]]] = {
    ".gz": GzipDecoder,
    ".bz2": bz2.BZ2Decompressor,
    ".xz": _xz,
    ".zst": zstd.ZstdDecompressor,
}
MAGIC: Final = {
    b"\x1f\x8b": ".gz",
    b"BZh": ".bz2",
    b"\xfd7zXZ\x00": ".xz",
    b"\x28\xb5\x2f\xfd": ".zst",
    b"PK\x03\x04": ".zip",
    b"7z\xbc\xaf\x27\x1c": ".7z",
}
_DECODER_ERRORS = (zlib.error, lzma.LZMAError, zstd.ZstdError, OSError, EOFError, ValueError)


class Flow(io.RawIOBase):
    """A raw stream that ends instead of raising, and remembers why. Subclasses say what comes next."""

    failure: Damage | None = None

    @abstractmethod
    def pull(self, limit: int) -> bytes:
        """At most `limit` bytes, none at the end. May raise Damage."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # io.BufferedReader passes this kind
        if self.failure:
            return 0
        try:
            data = self.pull(len(buffer))
        except Damage as damage:
            self.failure = damage
            return 0
        buffer[: len(data)] = data
        return len(data)


def buffered(flow: Flow, size: int = CHUNK_BYTES) -> BinaryIO:
    """The stream to give to readers: `read(n)` returns n bytes unless the end comes first."""
    return io.BufferedReader(flow, size)


def failure_of(stream: BinaryIO) -> Damage | None:
    """Why the stream ended, None where it simply was its end."""
    return getattr(getattr(stream, "raw", None), "failure", None)


class Counted(Flow):
    """A file as it is, counting the bytes that were read. Seekable where the file is."""

    def __init__(self, file: BinaryIO, count: Callable[[int], None]) -> None:
        self._file = file
        self._count = count

    def pull(self, limit: int) -> bytes:
        try:
            data = self._file.read(limit)
        except OSError as wrong:
            raise Damage(UNREADABLE, wrong.strerror or str(wrong)) from None
        self._count(len(data))
        return data

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


class Decoded(Flow):
    """What a compressed stream holds: any number of compressed pieces one after another, as `cat` makes them."""

    def __init__(self, suffix: str, stream: BinaryIO, *allowances: Allowance) -> None:
        self._suffix = suffix
        self._stream = stream
        self._make = DECODERS[suffix]
        self._decoder: Decoder | None = None
        self._taken = 0
        self._allowances = (Allowance(lambda: self._taken), *allowances)

    def pull(self, limit: int) -> bytes:
        while True:
            data, exhausted = b"", False
            if self._decoder is None or self._decoder.eof:
                data = self._next_piece()
                if not data:
                    return b""
                self._decoder = self._make()
            elif self._decoder.needs_input:
                data = self._feed()
                exhausted = not data
            # A decoder that meets damage drops what it made in that call, so the calls stay small beside what is safe.
            step = max(_STEP_BYTES, self._allowances[0].given >> 2)
            out = self._decode(self._decoder, data, min(limit, step))
            if out:
                for allowance in self._allowances:
                    allowance.charge(len(out))
                return out
            if exhausted and not self._decoder.eof:
                raise failure_of(self._stream) or Damage(TRUNCATED, f"the {self._suffix} data end too early")

    def _feed(self) -> bytes:
        data = self._stream.read(_STEP_BYTES)
        self._taken += len(data)
        return data

    def _next_piece(self) -> bytes:
        """The beginning of the next compressed piece, nothing at the end. Zeros between pieces are padding."""
        if self._decoder is None:
            data = self._feed()
            if not data:
                raise failure_of(self._stream) or Damage(EMPTY, "no bytes at all")
            return data
        data = self._decoder.unused_data.lstrip(b"\0")
        while not data and (more := self._feed()):
            data = more.lstrip(b"\0")
        if not data and (failure := failure_of(self._stream)):
            raise failure
        return data

    def _decode(self, decoder: Decoder, data: bytes, limit: int) -> bytes:
        try:
            return decoder.decompress(data, limit)
        except (MemoryError, *_DECODER_ERRORS) as wrong:
            # lzma: "Memory usage limit exceeded"; zstd: "Frame requires too much memory"
            if isinstance(wrong, MemoryError) or "memory" in str(wrong).lower():
                raise Damage(TOO_LARGE, f"the {self._suffix} data need too much memory: unpack them first") from None
            raise Damage(CORRUPT, f"damaged {self._suffix} data") from None


class Span(Flow):
    """The next `size` bytes of a stream."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self.left = size

    def pull(self, limit: int) -> bytes:
        data = self._stream.read(min(limit, self.left))
        self.left -= len(data)
        if not data and self.left:
            raise failure_of(self._stream) or Damage(TRUNCATED, "the archive ends inside it")
        return data

    def skip(self) -> None:
        """Pass over what was not read. Raises Damage where the stream ends before."""
        while self.left:
            self.pull(CHUNK_BYTES)
