"""Engine protocols, one file each: line in, lines out, no I/O of their own.

`Uci(emit)` and its siblings are sessions: `receive` takes a line, `emit` is called with each answer.
"""

from typing import TYPE_CHECKING

from hitonami.errors import UnknownPart, alternatives, quote
from hitonami.parts import find_parts, load_part

if TYPE_CHECKING:
    from hitonami.protocols._session import Session


def protocol_of(game: str) -> "type[Session]":
    """The session class that speaks the engine protocol of a game. Raises UnknownPart."""
    sessions: dict[str, type[Session]] = {}
    for name in find_parts("protocols"):
        session = load_part("protocols", name)
        sessions[session.game] = session  # type: ignore[attr-defined]
    if game.lower() not in sessions:
        raise UnknownPart(f"no engine protocol for game {quote(game)}; {alternatives(game, sessions)}")
    return sessions[game.lower()]
