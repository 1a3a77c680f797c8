"""A game that was learned from its rules at every level that was measured: `expert` and `dual` at a rating."""

from collections.abc import Callable, Sequence
from typing import Any

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.levels.ladders import Ladder, Rung
from hitonami.minds.by_rating import ByRating
from hitonami.models import shipped
from hitonami.specs import Room


class Levelled:
    """As strong as the player where the game's levels were measured and the player has one; else `strongest`."""

    def __init__(self, room: Room, strongest: Mind, find_ladder: Callable[[str], Ladder | None]) -> None:
        self._room, self._strongest, self._find_ladder = room, strongest, find_ladder
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
            ladder = self._find_ladder(game) if game else None
            self._by_game[game] = self._strongest if ladder is None else self._open_ladder(ladder)
        return self._by_game[game]

    def _open_ladder(self, ladder: Ladder) -> Mind:
        return ByRating(tuple((rung.rating, self._room.open(_spec_of(rung))) for rung in ladder.rungs))


def _spec_of(rung: Rung) -> dict[str, Any] | str:
    """The mind of a rung."""
    if rung.mind is not None:
        return dict(rung.mind)
    if not rung.model:
        return "uniform"
    spec: dict[str, Any] = {"kind": "neural", "model": str(shipped.EMBEDDED / rung.model), "head": "expert"}
    if rung.simulations:
        spec = {"kind": "puct", "mind": spec, "simulations": rung.simulations}
        if rung.contempt:
            spec |= {"contempt": rung.contempt, "again_drawn": True}
    return spec if rung.rho == 1.0 else {"kind": "temper", "mind": spec, "rho": rung.rho}
