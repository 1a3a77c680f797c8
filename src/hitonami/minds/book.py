"""An opening book in front of another mind."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query, index_of
from hitonami.errors import BadSpec, quote
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.minds._books import BookReader, open_book
from hitonami.specs import Room


@dataclass(frozen=True)
class Book:
    """In book, moves by how often they were played (count^(1/temperature)); out of book, `mind`.

    `path` is a Polyglot `.bin` (chess), or JSON for any game: a table of positions (their text without move
    counters), each a table of moves and counts. From ply `max_ply` on the book is not asked; moves
    with a count below `min_count` are left out. In book the other moves are excluded and there is no result.
    """

    path: str
    mind: Mind
    max_ply: int = 30
    min_count: int = 1
    temperature: Knob = 1.0

    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = (
        {"path": str(Path(__file__).with_name("_sample_book.json")), "mind": "uniform"},
    )

    def __post_init__(self) -> None:
        check_knob("temperature", self.temperature, 0.01)
        if self.max_ply < 0 or self.min_count < 1:
            raise BadSpec(f"max_ply must be at least 0 and min_count at least 1, got {self.max_ply}, {self.min_count}")

    def open(self, room: Room) -> Mind:
        """Read the book, once for all minds that use it. Raises BadSpec."""
        if "\0" in self.path:
            raise BadSpec(f"book {quote(self.path)}: a NUL is in no file's name")
        return _Reading(self, room.share(("book", self.path), partial(open_book, self.path)))


@dataclass(frozen=True)
class _Reading:
    """The mind over a book that is open."""

    fields: Book
    book: BookReader

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        heats = read_knob(self.fields.temperature, queries).tolist()
        known = [self._look_up(query, heat) for query, heat in zip(queries, heats, strict=True)]
        unknown = [query for query, opinion in zip(queries, known, strict=True) if opinion is None]
        asked = iter(self.fields.mind(unknown, effort) if unknown else [])
        return [next(asked) if opinion is None else opinion for opinion in known]

    def _look_up(self, query: Query, temperature: float) -> Opinion | None:
        position = query.position
        if position.ply >= self.fields.max_ply:
            return None
        counts = {move: count for move, count in self.book.find(position).items() if count >= self.fields.min_count}
        if not counts:
            return None
        logits = np.full(len(position.legal), -np.inf)
        for move, count in counts.items():
            logits[index_of(position, move)] = np.log(count) / temperature
        return Opinion(dist.normalise(logits))
