"""What strong players would play, by the networks that come with the package."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.knobs import check_knob
from hitonami.levels.ladders import Ladder, Rung
from hitonami.minds._embedded import EmbeddedMind
from hitonami.minds.by_rating import ByRating
from hitonami.minds.puct import Puct
from hitonami.models.fitted import packaged_ladder
from hitonami.models.shipped import EMBEDDED, shipped_models
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
            return _Levelled(room, mind)
        return Puct(mind, self.simulations) if self.simulations else mind


class _Levelled:
    """As strong as the player where the game's levels were measured and the player has one; else the network alone."""

    def __init__(self, room: Room, strongest: Mind) -> None:
        self._room, self._strongest = room, strongest
        self._by_game: dict[str, Mind] = {}

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions: dict[int, Opinion] = {}
        places: dict[str, list[int]] = {}
        for at, query in enumerate(queries):
            game = query.position.game.name
            places.setdefault("" if query.player.rating is None else game, []).append(at)
        for game, rows in places.items():
            told = self._mind(game)([queries[at] for at in rows], effort)
            opinions.update(zip(rows, told, strict=True))
        return [opinions[at] for at in range(len(queries))]

    def _mind(self, game: str) -> Mind:
        if game not in self._by_game:
            ladder = packaged_ladder(game)
            self._by_game[game] = self._strongest if ladder is None else self._open_ladder(ladder)
        return self._by_game[game]

    def _open_ladder(self, ladder: Ladder) -> Mind:
        return ByRating(tuple((rung.rating, self._room.open(rung_spec(rung))) for rung in ladder.rungs))


def rung_spec(rung: Rung) -> dict[str, Any] | str:
    """The mind of a rung."""
    if not rung.model:
        return "uniform"
    spec: dict[str, Any] = {"kind": "neural", "model": str(EMBEDDED / rung.model), "head": "expert"}
    if rung.simulations:
        spec = {"kind": "puct", "mind": spec, "simulations": rung.simulations}
    return spec if rung.rho == 1.0 else {"kind": "temper", "mind": spec, "rho": rung.rho}
