"""A quick opinion, for what lies below the first position of a search: much is asked there, and little is lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec
from hitonami.models.shipped import shipped_models
from hitonami.specs import Room


@dataclass(frozen=True)
class Glance:
    """The packaged network that was made for looking ahead, in games that have one.

    It is quicker than `human`. `ahead` and agents that look further ask it about all positions below the first one.
    """

    GAMES: ClassVar[tuple[str, ...]] = tuple(sorted(shipped_models("human", "ahead")))
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({},)

    def open(self, room: Room) -> Mind:
        return _Glancing(room)


@dataclass(frozen=True)
class _Glancing:
    """The mind that is open. Networks are loaded at the first query that needs them."""

    room: Room

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions: dict[int, Opinion] = {}
        for game in dict.fromkeys(query.position.game.name for query in queries):
            rows = [at for at, query in enumerate(queries) if query.position.game.name == game]
            asked = self._network(game)([queries[at] for at in rows], effort)
            opinions.update(zip(rows, asked, strict=True))
        return [opinions[at] for at in range(len(queries))]

    def _network(self, game: str) -> Mind:
        if game not in Glance.GAMES:
            raise BadSpec(
                f"no network for glances at {game} comes with this version; there are: {', '.join(Glance.GAMES)}"
            )
        return self.room.open({"kind": "neural", "model": str(shipped_models("human", "ahead")[game])})
