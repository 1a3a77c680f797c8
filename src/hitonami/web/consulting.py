"""Deciding by a mind without holding a thread while it thinks."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hitonami.core import Effort, Mind, Opinion, Position, Query, lineage
from hitonami.web.crew import Crew
from hitonami.web.thinking import Thinkers

T = TypeVar("T")


class Counsel:
    """One mind, asked in the name of one asker."""

    def __init__(self, thinkers: Thinkers, crew: Crew, spec: str, asker: str) -> None:
        self._thinkers = thinkers
        self._crew = crew
        self._spec = spec
        self._asker = asker

    async def opinion(self, query: Query) -> Opinion:
        [opinion] = await self._thinkers.opinions(self._spec, [query], self._asker)
        return opinion

    async def decide(self, decide: Callable[[Mind], T]) -> T:
        """What `decide` makes of the mind. Each time it asks something new, that is asked and it is run again.

        So it must ask the same when it is told the same, and change nothing.
        """
        heard = _Heard()
        while True:
            try:
                return await self._crew.do("moves", decide, heard)
            except _Unheard as more:
                heard.learn(more.queries, await self._thinkers.opinions(self._spec, more.queries, self._asker))


class _Unheard(Exception):
    """Questions that no answer is there to yet."""

    def __init__(self, queries: Sequence[Query]) -> None:
        super().__init__()
        self.queries = queries


class _Heard:
    """A mind of what was said before. Raises _Unheard for anything else."""

    def __init__(self) -> None:
        self._said: list[tuple[Query, Opinion]] = []

    def learn(self, queries: Sequence[Query], opinions: Sequence[Opinion]) -> None:
        self._said += zip(queries, opinions, strict=True)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        found = [self._find(query) for query in queries]
        if any(opinion is None for opinion in found):
            raise _Unheard(queries)
        return [opinion for opinion in found if opinion is not None]

    def _find(self, query: Query) -> Opinion | None:
        def same(said: Query) -> bool:
            return (said.player, said.clock) == (query.player, query.clock) and _same(said.position, query.position)

        return next((opinion for said, opinion in self._said if same(said)), None)


def _same(one: Position, other: Position) -> bool:
    """Whether both were come to by the same moves: who looks ahead makes its positions anew each time it is run."""
    if one is other:
        return True
    return one.ply == other.ply and one.key == other.key and lineage(one)[1] == lineage(other)[1]
