"""What people of a level would think better of: their own likely moves, weighed by a short look ahead.

P · exp(Q / λ), with P and the values Q below each move from one mind that knows people (piKL, docs/search.md). Beside
`human` it is what strong players add to a first impression; `blend` mixes the two by what was fitted for a rating.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.knobs import Knob
from hitonami.minds.puct import Puct
from hitonami.minds.search import own_budget
from hitonami.specs import Room


@dataclass(frozen=True)
class Ahead:
    """A short search over the packaged `human`, or over `mind`, read by its values.

    `simulations` are spent whatever the clock says: a longer search would be another player. A large `c_puct` looks at
    many moves, a small one further along a few. The smaller `kl_lambda`, the more values count against the first
    impression. A move that was not looked at is neither blamed nor praised.
    """

    mind: Mind | None = None
    simulations: int = 64
    c_puct: Knob = 5.0
    kl_lambda: Knob = 0.1

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ({"mind": "uniform", "simulations": 8},)

    def open(self, room: Room) -> Mind:
        """One view of a board is enough where many positions are asked about."""
        mind = room.open({"kind": "human", "symmetries": 1}) if self.mind is None else self.mind
        return _Looking(self.search(mind))

    def search(self, mind: Mind) -> Puct:
        """The search that it is."""
        return Puct(
            mind,
            simulations=self.simulations,
            c_puct=self.c_puct,
            root_force=0.0,
            kl="root",
            kl_lambda=self.kl_lambda,
            kl_untried="parent",
            reuse="never",
        )


@dataclass(frozen=True)
class _Looking:
    """The mind that is open."""

    search: Puct

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        return self.search(queries, own_budget(effort))
