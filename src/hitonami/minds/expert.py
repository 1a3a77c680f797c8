"""What strong players would play, by the networks that come with the package."""

from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Mind
from hitonami.minds._embedded import EmbeddedMind
from hitonami.models.shipped import shipped_models
from hitonami.specs import Room


@dataclass(frozen=True)
class Expert:
    """The expert head of the packaged network of the game: what a strong player would do, and who wins.

    The chances are those of people, calibrated as for `human`; `calibrated` false leaves the network's own. In Go
    several views of the board are averaged as there; `symmetries` 1 asks about the board as it is.
    """

    calibrated: bool = True
    symmetries: int = 0

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("expert")))
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({},)

    def open(self, room: Room) -> Mind:
        return EmbeddedMind(room, "expert", is_calibrated=self.calibrated, symmetries=self.symmetries)
