"""Twins that visitors make on the page: records are sent in pieces, read in limits, learned from in a process apart.

A twin belongs to the visitor who made it: it lies in a folder of that visitor, and nobody else hears of it. On a
machine's own server the visitor is the user, and the twins are those of `hitonami twin`.
"""

from pathlib import Path
from typing import Final

from hitonami.twins.store import twins_store

TWIN: Final = "twin:"
"""How the style of a twin begins, and the text of its mind."""


def store_of(visitor: str) -> Path:
    """The folder of a visitor's twins, who is known by a random id; "" is the machine's own user."""
    return twins_store() / "visitors" / visitor if visitor else twins_store()


def all_visitors(shared: bool) -> list[str]:
    """Whose twins may be there."""
    if not shared:
        return [""]
    return sorted(folder.name for folder in (twins_store() / "visitors").glob("*") if folder.is_dir())
