"""Minds, one file each: the file's name is the mind's kind, its dataclass fields are its schema.

`hitonami minds` lists them with their fields. docs/adding-a-mind.md shows how to add one.
"""

import os
import shutil

from hitonami.models.shipped import shipped_models

_ENGINES = {
    "chess": ("stockfish", "uci:stockfish"),
    "shogi": ("gpsusi", "usi:gpsusi"),
    "go": ("gnugo", "gtp:gnugo --mode gtp --positional-superko"),
}
_ENGINE_PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])  # Debian keeps engines there


def known_engines() -> dict[str, str | None]:
    """For each game with a usual engine: its mind where the engine is installed, else None."""
    return {
        game: spec if shutil.which(program, path=_ENGINE_PATH) else None for game, (program, spec) in _ENGINES.items()
    }


def default_mind(game: str) -> str:
    """What plays where the user names no mind.

    `human` where a human network for the game comes with the package, else an engine known for the game where one is
    installed, else `uniform`. Callers say which it is; nothing stronger or weaker is put in its place unseen.
    """
    if game in shipped_models("human"):
        return "human"
    return known_engines().get(game) or "uniform"
