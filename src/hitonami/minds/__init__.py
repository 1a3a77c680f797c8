"""Minds, one file each: the file's name is the mind's kind, its dataclass fields are its schema.

`hitonami minds` lists them with their fields. docs/adding-a-mind.md shows how to add one.
"""

import os
import shutil

from hitonami.customs import customs_of
from hitonami.models.shipped import shipped_models

_ENGINE_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])  # Debian keeps engines there


def known_engine(game: str) -> str | None:
    """The mind of the game's usual engine; None where it has none, or it is not installed."""
    engine = customs_of(game).engine
    return engine.mind if engine is not None and shutil.which(engine.program, path=_ENGINE_PATH) else None


def default_mind(game: str) -> str:
    """What plays where the user names no mind.

    `human` where a human network for the game comes with the package, else `expert` where the game was learned by
    self-play, else an engine known for the game where one is installed, else `playout`, which needs the rules alone.
    Callers say which it is; nothing stronger or weaker is put in its place unseen.
    """
    if game in shipped_models("human"):
        return "human"
    if game in shipped_models("expert"):
        return "expert"
    return known_engine(game) or "playout"
