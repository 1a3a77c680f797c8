"""What people play, by the networks that come with the package, or over a base that people bring."""

from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.bases import BaseMind, open_base
from hitonami.core import Mind
from hitonami.levels.profiles import profile_of
from hitonami.levels.rankers import METHOD
from hitonami.minds._embedded import EmbeddedMind, is_fitted_to
from hitonami.minds.foresight import FittedForesight
from hitonami.minds.opening import Opening
from hitonami.models.shipped import shipped_models
from hitonami.specs import Room


@dataclass(frozen=True)
class Human:
    """The packaged human network of the game: what a player of the query's rating and pool would do, and who wins.

    The chances are calibrated by what was fitted for the pool and rating; `calibrated` false leaves the network's own.
    The first moves follow counts of people's games where the package has them (the mind `opening`); `openings` false
    leaves them to the network. In chess and shogi, what the board shows of each move is weighed as it was fitted to
    people by pool and rating (the mind `foresight`); `foresight` false leaves that out. In Go the network's answers
    about several views of the board are averaged; `symmetries` 1 asks about the board as it is, for less time.
    `base` names another network, its file or a mind to stand on (`human:maia3-5m`); what was fitted over it is read
    from its profile.
    """

    base: str = ""
    calibrated: bool = True
    openings: bool = True
    foresight: bool = True
    symmetries: int = 0

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("human")))
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({},)

    def open(self, room: Room) -> Mind:
        if self.base:
            return self._open_base(room)
        mind: Mind = EmbeddedMind(room, "human", is_calibrated=self.calibrated, symmetries=self.symmetries)
        shipped = shipped_models("human")
        ranked = frozenset(game for game, model in shipped.items() if is_fitted_to(model, game, METHOD))
        if self.foresight and ranked:
            mind = FittedForesight(mind, ranked.__contains__)
        return Opening(mind) if self.openings else mind

    def _open_base(self, room: Room) -> Mind:
        base = BaseMind(open_base(room, self.base, self.symmetries), self.base, is_calibrated=self.calibrated)
        mind: Mind = FittedForesight(base, base.is_ranked, profile_of(self.base)) if self.foresight else base
        return Opening(mind, base=profile_of(self.base)) if self.openings else mind
