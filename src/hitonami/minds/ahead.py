"""What people of a level would think better of: their own likely moves, weighed by a short look ahead.

P · exp(Q / λ), with P and the values Q below each move from one mind that knows people (piKL, docs/search.md). Beside
`human` it is what strong players add to a first impression; `blend` mixes the two by what was fitted for a rating.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.knobs import Knob
from hitonami.minds.glance import Glance
from hitonami.minds.puct import Puct
from hitonami.minds.search import own_budget
from hitonami.specs import Room

_USUAL: Final = 64
_QUICKLY: Final = 128
"""As good as the usual number with the whole mind at every leaf, at less than half of its time."""


@dataclass(frozen=True)
class Ahead:
    """A short search over the packaged `human`, or over `mind`, read by its values.

    `simulations` are spent whatever the clock says: a longer search would be another player. Without a number they are
    64, and 128 where leaves are asked of a quicker mind. A large `c_puct` looks at many moves, a small one further
    along a few. The smaller `kl_lambda`, the more values count against the first impression. A move that was not looked
    at is neither blamed nor praised. `leaves` is a quicker mind for what lies below the first position: much is asked
    there, and little would be gained by a whole first impression of each. Where no mind is named it is the packaged
    network for it, in games that have one.
    """

    mind: Mind | None = None
    simulations: int | None = None
    c_puct: Knob = 5.0
    kl_lambda: Knob = 0.1
    leaves: Mind | None = None

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"mind": "uniform", "simulations": 8},)

    def open(self, room: Room) -> Mind:
        """One view of a board is enough where many positions are asked about."""
        if self.mind is not None:
            given = self.search(self.mind)
            return _Looking(lambda game: given)
        human = room.open({"kind": "human", "symmetries": 1})

        def search(game: str) -> Puct:
            if self.leaves is not None or game not in Glance.GAMES:
                return self.search(human)
            return replace(self, leaves=room.open("glance")).search(human)

        return _Looking(search)

    def search(self, mind: Mind) -> Puct:
        """The search that it is."""
        usual = _USUAL if self.leaves is None else _QUICKLY
        return Puct(
            mind,
            simulations=usual if self.simulations is None else self.simulations,
            c_puct=self.c_puct,
            root_force=0.0,
            kl="root",
            kl_lambda=self.kl_lambda,
            kl_untried="parent",
            reuse="never",
            leaves=self.leaves,
        )


@dataclass(frozen=True)
class _Looking:
    """The mind that is open: a search for each game."""

    search: Callable[[str], Puct]

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        opinions: dict[int, Opinion] = {}
        for game in dict.fromkeys(query.position.game.name for query in queries):
            rows = [at for at, query in enumerate(queries) if query.position.game.name == game]
            asked = self.search(game)([queries[at] for at in rows], own_budget(effort))
            opinions.update(zip(rows, asked, strict=True))
        return [opinions[at] for at in range(len(queries))]
