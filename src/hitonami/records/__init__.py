"""Records of games: what was played, by whom, how it ended. One file a format.

A format's file offers `read` and `write`. Reading never raises for a bad game: it yields a `Rejected`
with the reason, so that one bad game does not cost its neighbours.
"""

from dataclasses import dataclass
from importlib import import_module

from hitonami.core import Player, Setup
from hitonami.errors import BadRecord, alternatives, quote
from hitonami.parts import find_parts


@dataclass(frozen=True, slots=True)
class Record:
    """One game. `moves` are ids of the game's own; players are in the order of the game's sides."""

    game: str
    setup: Setup
    moves: tuple[int, ...]
    players: tuple[Player, Player] = (Player(), Player())
    score: float | None = None
    """0..1 for player 0, None where the record does not say."""
    termination: str = ""
    """As people say it: "checkmate", "resignation", "time"."""
    time_control: str = ""
    date: str = ""
    """ISO 8601, as far as it is known: "2026", "2026-11", "2026-11-15"."""
    event: str = ""
    clocks: tuple[float | None, ...] = ()
    """Seconds left after each move, as long as `moves` where recorded, else empty."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A game that could not be read, and why, in a few words that are the same for the same cause."""

    reason: str
    detail: str = ""


def write_record(record: Record, format_name: str) -> str:
    """The record as text in one of the formats in this folder. Raises BadRecord for the wrong game or format."""
    written_by = find_parts("records")
    if format_name not in written_by:
        raise BadRecord(f"cannot write {quote(format_name)}; {alternatives(format_name, written_by)}")
    module = import_module(f"hitonami.records.{format_name}")
    text: str = module.write(record)
    return text
