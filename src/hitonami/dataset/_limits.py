"""What can be wrong with a file or an archive, and how far one is trusted before it is called a bomb.

The reasons are a fixed vocabulary, so that they can be counted; the particulars travel beside them. No
limit applies to files that are not compressed: whoever unpacks a refused file by hand has judged it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

TRUNCATED: Final = "truncated"
CORRUPT: Final = "corrupt"
ENCRYPTED: Final = "password-protected"
BOMB: Final = "expands too much"
TOO_LARGE: Final = "too large"
NESTED: Final = "an archive inside an archive"
EMPTY: Final = "empty"
NO_RECORDS: Final = "no records"
UNREADABLE: Final = "not readable"
UNSUPPORTED: Final = "unsupported compression"

MAX_RATIO: Final = 300
"""Records shrink 4 to 20 times. Beyond this, and BOMB_FLOOR_BYTES, a file is taken for a decompression bomb."""
BOMB_FLOOR_BYTES: Final = 16 << 20
"""Small files of one repeated game may shrink more than MAX_RATIO and do no harm."""
MAX_LISTED_MEMBERS: Final = 500_000
"""Of .zip and .7z, whose lists of members are held in memory at about 1 KB each. A .tar has no list and no limit."""
MAX_DECODER_BYTES: Final = 256 << 20
"""The memory that an .xz may ask for its dictionary: 65 MiB at `xz -9`. For .zst it is the format's own 128 MiB."""
MAX_TAR_HEADER_BYTES: Final = 1 << 20
"""A long name or a pax header in a .tar."""


class Damage(Exception):
    """A file or a member cannot be read (further). Never leaves this package: it becomes a counted value."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason: Final = reason
        self.detail: Final = detail


@dataclass(slots=True)
class Allowance:
    """How much may still come out for what went in. One is kept for each layer, and one for the whole file."""

    taken: Callable[[], int]
    """Compressed bytes that went in so far."""
    given: int = 0

    def charge(self, size: int) -> None:
        """Account for decompressed bytes. Raises Damage where they are too many."""
        self.given += size
        if self.given > BOMB_FLOOR_BYTES and self.given > MAX_RATIO * self.taken():
            raise Damage(BOMB, f"more than {MAX_RATIO} times its size: if you trust it, unpack it first")
