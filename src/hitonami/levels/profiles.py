"""Profiles: what was fitted over a base that people bring, such as a public network.

A base is named as users name it: a model of the stores, a file of one, or the text of a mind. Its profile is a folder
of that name with the files that this package's folder has for the packaged networks: `GAME.json` and
`foresight-GAME.json`, and `strength.json` of `hitonami rate`. The user's own come before those that ship with the
package; a base without a profile has nothing fitted.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import environ
from pathlib import Path
from typing import Final

from hitonami import disk
from hitonami.errors import BadInput, quote
from hitonami.parts import find_parts

PACKAGED: Final = Path(__file__).parent / "profiles"
_ENDINGS: Final = re.compile(r"(\.(pb|bin|txt))?\.(gz|onnx|toml|pb)$")
_elsewhere: ContextVar[Path | None] = ContextVar("_elsewhere", default=None)
"""The folder that a fit writes to: what it found in one step counts in the next."""


def profile_of(base: str) -> str:
    """The name of a base's profile; "" for "", the packaged networks."""
    if not base:
        return ""
    kind, colon, _ = base.partition(":")
    if colon and kind in find_parts("minds"):
        return kind
    name = re.sub(r"[^a-z0-9._-]+", "-", _ENDINGS.sub("", Path(base).name.lower())).strip("._-")
    if not name:
        raise BadInput(f"{quote(base)} cannot be a base: the name of a model, its file, or a mind")
    return name


def user_profiles() -> Path:
    """The folder of the user's own. It need not exist."""
    if given := environ.get("HITONAMI_PROFILES"):
        return Path(given).expanduser()
    return disk.user_folder() / "profiles"


def profile_folder(profile: str) -> Path:
    """Where a profile lies, or would lie."""
    places = [place for place in (_elsewhere.get(), user_profiles(), PACKAGED) if place is not None]
    return next((place / profile for place in places if (place / profile).is_dir()), places[0] / profile)


@contextmanager
def profiles_in(folder: Path) -> Iterator[None]:
    """Profiles of this folder come first for the length of a `with` block."""
    token = _elsewhere.set(folder)
    try:
        yield
    finally:
        _elsewhere.reset(token)
