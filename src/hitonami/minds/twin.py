"""One person's moves: a base mind with what was learned from that person's games (`hitonami twin`)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.errors import BadSpec, quote
from hitonami.specs import Room
from hitonami.twins.store import SUFFIX, find_twin
from hitonami.twins.twin import Twin as Learned

_HARMLESS: Final = ("human", "blend", "expert", "playout", "uniform")


@dataclass(frozen=True)
class Twin:
    """The twin of that name (`hitonami twin list`), or in a `.twin` file, over `mind`.

    Without a mind it is over the one that it was made with. The twin's own rating and pool are told to it, whatever a
    query says of the mover.
    """

    name: str
    mind: Mind | None = None

    GAMES: ClassVar[tuple[str, ...]] = ("chess",)
    """Of the sample twin, for the contract tests; a twin's own game is in its file."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"name": str(Path(__file__).with_name("_sample.twin")), "mind": "uniform"},
    )

    def open(self, room: Room) -> Mind:
        learned = find_twin(self.name)
        if self.mind is not None:
            return TwinMind(learned, self.mind)
        base = str(learned.provenance.get("mind", ""))
        if self.name.endswith(SUFFIX) and base not in _HARMLESS:  # a file of somebody else must not start programs
            raise BadSpec(f"{self.name} was made over {quote(base)}: say which mind it shall be over")
        return TwinMind(learned, room.open(base))


@dataclass(frozen=True)
class TwinMind:
    """A twin over a mind that is open."""

    twin: Learned
    mind: Mind

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        told = [self.twin.told(query) for query in queries]
        return self.twin.adapt(told, self.mind(told, effort))
