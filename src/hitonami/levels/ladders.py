"""The levels of a game that was learned from its rules: rungs of measured strength, as data, one `ladder-GAME.json` a game.

A rung is a way to play: a network, how far it looks ahead, and how sharply it draws its moves; or, where no network is
packaged, a mind over the game's intuition. Its rating is Elo as it was measured in games between rungs; moves at random are
0. There are no people behind these figures.

    {"rungs": [{"rating": 0, "low": 0, "high": 0, "model": "", "simulations": 0, "rho": 1}, …], "provenance": {…}}

`model` names a packaged network, "" for moves at random; `networks` in the provenance says which files were measured.
`mind` is a mind's spec where there is no network, and `intuition` in the provenance the hash of the patterns it goes by.
"""  # noqa: E501

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from hitonami import disk
from hitonami.errors import BadSpec

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Rung:
    """A way to play, and how strong it is."""

    rating: float
    low: float
    high: float
    """Of the 95% interval."""
    model: str = ""
    simulations: int = 0
    rho: float = 1.0
    contempt: float = 0.0
    """How much less than half a win draws are worth to its search; with any it takes what stood before for a draw."""
    mind: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Ladder:
    """Rungs, the weakest first."""

    rungs: tuple[Rung, ...]
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def networks(self) -> Mapping[str, str]:
        """The hash of each network that was measured, by its name."""
        held: Mapping[str, str] = self.provenance.get("networks", {})
        return held

    @property
    def intuition(self) -> str:
        """The hash of the packaged intuition that was measured; "" where networks were."""
        return str(self.provenance.get("intuition", ""))


@cache
def ladder_of(game: str) -> Ladder | None:
    """What was measured for a game; None where nothing was."""
    path = FOLDER / f"ladder-{game.replace(':', '-')}.json"
    return read_ladder(path) if path.is_file() else None


def read_ladder(path: Path) -> Ladder:
    """The ladder in a file. Raises BadSpec that names the file."""
    held = disk.read_json(path)
    try:
        rungs = tuple(Rung(**rung) for rung in held["rungs"])
        ladder = Ladder(rungs, held["provenance"])
    except (KeyError, TypeError) as wrong:
        raise BadSpec(f"{path}: not a ladder: {wrong}") from None
    if len(rungs) < 2 or any(below.rating >= above.rating for below, above in pairwise(rungs)):
        raise BadSpec(f"{path}: a ladder needs two rungs or more with rising ratings")
    return ladder


def write_ladder(ladder: Ladder, path: Path) -> None:
    """As `read_ladder` reads it."""
    rungs = [{key: value for key, value in asdict(rung).items() if value is not None} for rung in ladder.rungs]
    held = {"rungs": rungs, "provenance": dict(ladder.provenance)}
    disk.write_text(path, json.dumps(held, indent=1, ensure_ascii=False) + "\n")
