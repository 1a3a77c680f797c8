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

    The chances are those of people, calibrated as for `human`; `calibrated` false leaves the network's own.
    """

    calibrated: bool = True

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("expert")))
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({},)

    def open(self, room: Room) -> Mind:
        return EmbeddedMind(room, "expert", is_calibrated=self.calibrated)
