"""When people stop, how long they think, when they agree on a draw or repeat: fitted curves and how they are read.

One JSON file a game holds what was fitted, with where it came from. A game without a file has no manners of its own,
and whoever asks falls back on what the game's customs say.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from hitonami import disk
from hitonami.errors import BadSpec
from hitonami.manners.additive import read_additive, read_chance, read_number
from hitonami.manners.draws import Draws
from hitonami.manners.pace import ThinkTime, read_think_time
from hitonami.manners.repetition import Repeats
from hitonami.manners.resignation import MOST_SAVED, Resignation

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Manners:
    """What is known of a game's people; None where nothing was fitted."""

    resignation: Resignation | None = None
    think_time: ThinkTime | None = None
    draws: Draws | None = None
    repeats: Repeats | None = None


NONE: Final = Manners()


def read_manners(path: Path) -> Manners:
    """The curves in a file. Raises BadSpec that names the file and the place."""
    data: dict[str, Any] = disk.read_json(path)
    if not isinstance(data, dict):
        raise BadSpec(f"{path}: expected a table")
    resignation, think_time, draws, repeats = None, None, None, None
    if "resignation" in data:
        held, where = data["resignation"], f"{path}: resignation"
        if not isinstance(held, dict) or not {"gives_up", "saves"} <= set(held):
            raise BadSpec(f"{where}: expected gives_up and saves")
        gives_up, saves = read_additive(held["gives_up"], where), read_additive(held["saves"], where)
        bound = read_chance(held.get("most_saved", MOST_SAVED), where)
        haste = read_number(held.get("haste", 0.0), where)
        resignation = Resignation(gives_up, saves, bound, haste, bool(held.get("is_capped", True)))
    if "think_time" in data:
        think_time = read_think_time(data["think_time"], f"{path}: think_time")
    if "draws" in data:
        held = data["draws"]
        if not isinstance(held, dict) or "agrees" not in held:
            raise BadSpec(f"{path}: draws: expected agrees")
        draws = Draws(read_additive(held["agrees"], f"{path}: draws"))
    if "repeats" in data:
        held = data["repeats"]
        if not isinstance(held, dict) or "goes_back" not in held:
            raise BadSpec(f"{path}: repeats: expected goes_back")
        repeats = Repeats(read_additive(held["goes_back"], f"{path}: repeats"))
    return Manners(resignation, think_time, draws, repeats)


@cache
def manners_of(game: str) -> Manners:
    """What comes with the package for the game of that name."""
    path = FOLDER / f"{game}.json"
    return read_manners(path) if game.isidentifier() and path.is_file() else NONE
