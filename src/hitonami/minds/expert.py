"""What strong players would play, by the networks that come with the package."""

from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Mind
from hitonami.knobs import check_knob
from hitonami.minds._embedded import EmbeddedMind
from hitonami.minds._levelled import Levelled
from hitonami.minds.puct import Puct
from hitonami.models.self_played import packaged_ladder
from hitonami.models.shipped import shipped_models
from hitonami.specs import Room


@dataclass(frozen=True)
class Expert:
    """The expert head of the packaged network of the game: what a strong player would do, and who wins.

    With `simulations` it looks so far ahead (`expert:200`), by the mind `puct` over itself; 0 is the network alone.
    The chances are those of people, calibrated as for `human`; `calibrated` false leaves the network's own. In Go
    several views of the board are averaged as there; `symmetries` 1 asks about the board as it is. Where the network
    learned by self-play (docs/selfplay.md) nobody's chances are meant but its own, and where its levels were measured
    it plays as strong as the player's rating says, unless `simulations` say how far to look.
    """

    simulations: int | None = None
    calibrated: bool = True
    symmetries: int = 0

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("expert")))
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({}, {"simulations": 4}, {"simulations": 0})

    def __post_init__(self) -> None:
        check_knob("simulations", self.simulations or 0, 0, 2**31 - 1)

    def open(self, room: Room) -> Mind:
        mind = EmbeddedMind(room, "expert", is_calibrated=self.calibrated, symmetries=self.symmetries)
        if self.simulations is None:
            return Levelled(room, mind, packaged_ladder)
        return Puct(mind, self.simulations) if self.simulations else mind
