"""All games of a server: actors for those in use, the store for the rest."""

from collections import OrderedDict
from typing import Final

from hitonami.errors import BadInput, WorkFailed
from hitonami.web.actors import Actor
from hitonami.web.crew import Crew
from hitonami.web.games_store import GamesStore, StoredGame
from hitonami.web.thinking import Thinkers

_MOST_ACTORS: Final = 500
_MOST_ENDED: Final = 20
"""Games that are over, for who looks back at one; it is read again where somebody looks later."""
_MOST_POSITIONS: Final = 20_000
"""Of all games together: a position of chess takes 6 KB with its moves, and a game keeps all of its own."""


class Hall:
    """Finds and wakes actors. Those that nobody waits for make room for others."""

    def __init__(self, store: GamesStore, thinkers: Thinkers, crew: Crew) -> None:
        self.store = store
        self.thinkers = thinkers
        self.crew = crew
        self._actors: OrderedDict[str, Actor] = OrderedDict()

    async def begin(self, stored: StoredGame) -> Actor:
        actor = await self._wake(stored)
        actor.stored = await self.crew.do("store", self.store.save, actor.as_stored())
        return self._seat(actor)

    async def find(self, game_id: str) -> Actor | None:
        """The actor of a game, woken from the store where it sleeps; None where there is no such game."""
        if game_id in self._actors:
            self._actors.move_to_end(game_id)
            return self._actors[game_id]
        stored = await self.crew.do("store", self.store.load, game_id)
        if stored is None:
            return None
        self.thinkers.roster.style(stored.game, stored.style, stored.visitor)  # one no longer offered is named
        try:
            return self._seat(await self._wake(stored))
        except BadInput as wrong:
            raise WorkFailed(f"this game is damaged in the database: {wrong}") from None

    async def close(self) -> None:
        """Let every change that has begun end."""
        for actor in self._actors.values():
            await actor.finish()

    async def _wake(self, stored: StoredGame) -> Actor:
        return await self.crew.do("reading", Actor, stored, self.store, self.thinkers, self.crew)

    def _seat(self, actor: Actor) -> Actor:
        """Of two that were woken at the same time, the first one stays."""
        seated = self._actors.setdefault(actor.stored.id, actor)
        self._make_room()
        return seated

    def _make_room(self) -> None:
        """Those that nobody waits for leave, the least recently used first; never the one that came last.

        Games that are over go before others. A clock that runs stands still while its actor sleeps: those go last.
        """
        idle = [(game_id, each) for game_id, each in list(self._actors.items())[:-1] if each.idle]
        over = [game_id for game_id, each in idle if each.over]
        still = [game_id for game_id, each in idle if not each.over and not each.timed]
        timed = [game_id for game_id, each in idle if each.timed]
        spare = max(0, len(over) - _MOST_ENDED)
        positions = sum(each.positions for each in self._actors.values())
        for at, game_id in enumerate([*over, *still, *timed]):
            if at >= spare and len(self._actors) <= _MOST_ACTORS and positions <= _MOST_POSITIONS:
                break
            positions -= self._actors.pop(game_id).positions
