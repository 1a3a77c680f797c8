"""Reading compressed records: never slower than Python's own modules, and .7z members faster than py7zr extracts them.

The text is made of random moves, which compress about as well as real games do.
"""

import bz2
import gzip
import io
import lzma
import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import py7zr
from py7zr.io import BytesIOFactory

from _measure import Row, ratio_of, show
from hitonami.dataset._limits import Allowance
from hitonami.dataset._sevenzip import open_sevenzip
from hitonami.dataset._streams import CHUNK_BYTES, Decoded, buffered

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_OPEN: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".bz2": bz2.BZ2File,
    ".xz": lzma.LZMAFile,
    ".zst": zstd.ZstdFile,
}
_SQUEEZE: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd.compress,
}


def make_text(size: int) -> bytes:
    """Words of the length and variety of moves."""
    rng = random.Random(1)
    words = [f"{piece}{file}{rank} " for piece in ("", "N", "B", "Q") for file in "abcdefgh" for rank in range(1, 9)]
    return "".join(rng.choices(words, k=size // 4)).encode()[:size]


def drain(stream: IO[bytes]) -> int:
    size = 0
    while chunk := stream.read(CHUNK_BYTES):
        size += len(chunk)
    return size


def compare(suffix: str, text: bytes) -> Row:
    data = _SQUEEZE[suffix](text)
    # Equal code runs below both, so that the bar leaves room for nothing but the noise of a shared machine.
    return ratio_of(
        f"{suffix} against Python's module",
        lambda: drain(buffered(Decoded(suffix, io.BytesIO(data)))),
        lambda: drain(_OPEN[suffix](io.BytesIO(data))),
        at_least=0.9,
        rounds=9,
    )


def compare_sevenzip(path: Path) -> Row:
    def ours() -> int:
        with path.open("rb") as file:
            members = open_sevenzip(file, lambda name: True, Allowance(lambda: path.stat().st_size))
            return sum(len(member.stream.read()) > 0 for member in members)

    def reference() -> int:
        with py7zr.SevenZipFile(path) as archive:
            archive.extractall(factory=BytesIOFactory(1 << 20))
            return len(archive.files)

    return ratio_of("4,000 members of a .7z against py7zr", ours, reference, at_least=1.5)


def run() -> list[Row]:
    text = make_text(8 << 20)
    rows = [compare(suffix, text) for suffix in _OPEN]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.7z"
        with py7zr.SevenZipFile(path, "w") as archive:
            for number in range(4_000):
                archive.writestr(text[number * 1_200 : (number + 1) * 1_200], f"{number}.sgf")
        rows.append(compare_sevenzip(path))
    return rows


if __name__ == "__main__":
    show(run())
