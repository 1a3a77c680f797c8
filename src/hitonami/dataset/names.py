"""Pseudonyms: the same person keeps the same mark within one user's datasets, and nobody can tell who it is.

A name becomes a keyed hash. The key is made on first use and stays in the user's own configuration folder;
without it the marks cannot be turned back, not even by trying names.
"""

import hashlib
import os
import re
import secrets
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hitonami import disk
from hitonami.core import Player
from hitonami.errors import BadInput

_KEY_BYTES = 32


def default_key_path() -> Path:
    """Where this user's key lives."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "hitonami" / "pseudonym.key"


def load_key(path: Path | None = None) -> bytes:
    """The user's key; made, readable by its owner only, where there is none yet."""
    place = path or default_key_path()
    try:
        if not place.exists():
            disk.make_folder(place.parent)
            disk.create(place, secrets.token_bytes(_KEY_BYTES), 0o600)
        key = place.read_bytes()
    except OSError as wrong:
        raise BadInput(f"cannot keep the key for pseudonyms in {place}: {wrong.strerror}") from None
    if len(key) < 16:
        raise BadInput(f"{place}: a key for pseudonyms has at least 16 bytes, this has {len(key)}")
    return key[:64]


def key_mark(key: bytes) -> str:
    """A short mark of the key itself, so that two runs can be seen to use the same one."""
    return hashlib.blake2b(b"which key is this", key=key, digest_size=6).hexdigest()


def pseudonym(name: str, pool: str, key: bytes) -> str:
    """Sixteen hex digits. Case and surrounding space do not matter; the pool does."""
    text = f"{pool}\0{name.strip().casefold()}".encode()
    return hashlib.blake2b(text, key=key, digest_size=8).hexdigest()


def hidden_place(source: str, key: bytes) -> str:
    """A source without names of files, folders and archives: they are often called after the players.

    Two keyed hashes: of what the user typed, and of what was found inside it, with the mark between them (`/` for a
    folder, `!` for an archive). Games of one argument can be told from those of another, and by nobody else.
    """
    own, *rest = re.split("([/!])", source, maxsplit=1)
    return _hash_place(own, key) + (rest[0] + _hash_place(rest[1], key) if rest else "")


def _hash_place(text: str, key: bytes) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), key=key, digest_size=8).hexdigest()


def is_same_person(player: Player, handle: str) -> bool:
    """Whether a player is called that: in a record, or by this user's key in a dataset. Case and commas are nothing."""
    if not player.name:
        return False
    return _plain(player.name) == _plain(handle) or player.name in _hidden_names(handle, player.pool)


def _plain(name: str) -> str:
    return " ".join(name.replace(",", " ").casefold().split())


@lru_cache(maxsize=256)
def _hidden_names(handle: str, pool: str) -> tuple[str, ...]:
    """The mark that this user's datasets have for a name; none where nothing was ever hidden."""
    place = default_key_path()
    return (pseudonym(handle, pool, load_key(place)),) if place.is_file() else ()


@dataclass(frozen=True)
class Names:
    """What a dataset calls people: pseudonyms where there is a key, else their names."""

    key: bytes | None = None

    @property
    def hides(self) -> bool:
        return self.key is not None

    def __call__(self, player: Player) -> str | None:
        if not player.name or self.key is None:
            return player.name
        return _pseudonym_again(player.name, player.pool, self.key)

    def source(self, name: str) -> str:
        """What a dataset calls a file, or a member of an archive."""
        return name if self.key is None else _hidden_again(name, self.key)


_pseudonym_again = lru_cache(maxsize=100_000)(pseudonym)  # people play more than once
_hidden_again = lru_cache(maxsize=1_000)(hidden_place)  # a file has many games
