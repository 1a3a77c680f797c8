"""Fixtures of the tests of sources: real archives, made in memory."""

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Callable, Mapping

import py7zr
import pytest

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SQUEEZE: Mapping[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lambda data: lzma.compress(data, preset=0),
    ".zst": lambda data: zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1}),
}


@pytest.fixture(scope="session")
def squeeze() -> Callable[[str, bytes], bytes]:
    """Compress: squeeze(".xz", data). The suffix "" leaves the data as they are."""
    return lambda suffix, data: SQUEEZE[suffix](data) if suffix else data


@pytest.fixture(scope="session")
def pack(squeeze: Callable[[str, bytes], bytes]) -> Callable[..., bytes]:
    """An archive: pack(".tar.gz", {"a.pgn": b"…"}), with a password where the format has one."""

    def make(kind: str, members: Mapping[str, bytes], password: str | None = None) -> bytes:
        out = io.BytesIO()
        if kind == ".zip":
            with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
                for name, data in members.items():
                    archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
        elif kind == ".7z":
            quick = None if password else [{"id": py7zr.FILTER_LZMA2, "preset": 0}]
            with py7zr.SevenZipFile(
                out, "w", filters=quick, password=password, header_encryption=bool(password)
            ) as seven:
                seven.set_encoded_header_mode(bool(password))
                for name, data in members.items():
                    seven.writestr(data, name)
        else:
            with tarfile.open(fileobj=out, mode="w") as tar:
                for name, data in members.items():
                    entry = tarfile.TarInfo(name)
                    entry.size = len(data)
                    tar.addfile(entry, io.BytesIO(data))
        return squeeze(kind.removeprefix(".tar"), out.getvalue()) if kind.startswith(".tar") else out.getvalue()

    return make
