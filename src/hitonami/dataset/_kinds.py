"""What a file is: by its name, and where the name does not tell, by its first bytes.

A name such as `games.pgn.zst` has a wrapping (`.zst`) around a suffix (`.pgn`) that a record format is known
by. Several games may share a suffix: the game that is asked for chooses.
"""

import re
from dataclasses import dataclass
from typing import Final

from hitonami.dataset._streams import DECODERS, MAGIC
from hitonami.errors import BadData, alternatives, quote
from hitonami.parts import find_parts
from hitonami.records import Format, declared_formats, open_format

_SHORT: Final = {
    ".tgz": ".tar.gz",
    ".tbz": ".tar.bz2",
    ".tbz2": ".tar.bz2",
    ".txz": ".tar.xz",
    ".tzst": ".tar.zst",
    ".gzip": ".gz",
    ".zstd": ".zst",
}
ARCHIVES: Final = (".tar", ".zip", ".7z")
_CSA: Final = re.compile(rb"(?:'[^\n]*\n)*(?:V[23]|N[+-]|P[I1]|\$[A-Z]+:)")
_PGN: Final = re.compile(rb"(?:[%;][^\n]*\n|\s)*\[\w+\s+\"")
_KIF: Final = tuple(text.encode(charset) for text in ("手合割", "手数--") for charset in ("utf-8", "cp932"))
_KI2: Final = tuple(text.encode(charset) for text in ("▲", "△") for charset in ("utf-8", "cp932"))
_SFEN: Final = re.compile(rb"(?:position\s+)?(?:startpos|sfen)\s")
SNIFF_BYTES: Final = 1 << 12


@dataclass(frozen=True, slots=True)
class Kind:
    """What a name says. `archive` and `compression` are "" where there is none."""

    suffix: str
    compression: str
    archive: str

    @property
    def shown(self) -> str:
        """As people would name it in a list of what was found."""
        return f"{self.suffix}{self.archive}{self.compression}" or "no suffix"


def kind_of(name: str) -> Kind:
    """Take a name apart: `Kind(".pgn", ".gz", "")`, `Kind("", ".xz", ".tar")`."""
    base = name.replace("\\", "/").rpartition("/")[2].lower()
    for short, long in _SHORT.items():
        base = base.removesuffix(short) + long if base.endswith(short) else base
    compression = next((each for each in DECODERS if base.endswith(each)), "")
    base = base.removesuffix(compression)
    archive = next((each for each in ARCHIVES if base.endswith(each)), "")
    if archive:
        return Kind("", compression, archive)
    stem, dot, suffix = base.rpartition(".")
    return Kind(f".{suffix}" if stem and dot else "", compression, "")


class Formats:
    """The record formats of one game. Raises BadData where nobody writes that game down."""

    def __init__(self, game: str) -> None:
        self.game: Final = game
        every = declared_formats()
        self.by_suffix: Final = {
            suffix: name for name, form in every.items() if form.game in ("", game) for suffix in form.suffixes
        }
        self.foreign: Final = {suffix for form in every.values() for suffix in form.suffixes} - set(self.by_suffix)
        games = {form.game for form in every.values() if form.game} | set(find_parts("games"))
        if game.partition(":")[0] not in games:
            raise BadData(f"there is no record format for the game {quote(game)}; {alternatives(game, games)}")

    def open(self, name: str) -> Format:
        return open_format(name)


def sniff(head: bytes) -> str:
    """The suffix that a file with these first bytes should have had; "" where they say nothing."""
    for magic, suffix in MAGIC.items():
        if head.startswith(magic):
            return suffix
    if head[257:262] == b"ustar":
        return ".tar"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if _PGN.match(text):
        return ".pgn"
    if _CSA.match(text):
        return ".csa"
    if re.match(rb"\(\s*;", text):
        return ".sgf"
    if _SFEN.match(text):
        return ".sfen"
    if text.startswith(b"game:"):
        return ".plain"
    if text.startswith(b"{"):
        return ".jsonl"
    if any(mark in text for mark in _KIF):
        return ".kif"
    return ".ki2" if any(mark in text for mark in _KI2) else ""
