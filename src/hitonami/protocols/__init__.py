"""Engine protocols, one file each: line in, lines out, no I/O of their own.

`Uci(emit)` and its siblings are sessions: `receive` takes a line, `emit` is called with each answer.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from hitonami.errors import UnknownPart, alternatives, quote
from hitonami.parts import find_parts, load_part

if TYPE_CHECKING:
    from hitonami.protocols._session import Session as Session


def protocol_of(game: str) -> "Callable[..., Session]":
    """What opens a session of the game's own engine protocol, else of the plain one. Raises UnknownPart."""
    known, plain = find_parts("games"), load_part("protocols", "plain")
    if game.partition(":")[0].lower() not in known:
        raise UnknownPart(f"there is no game {quote(game)}; {alternatives(game, known)}")
    for name in find_parts("protocols"):
        session = load_part("protocols", name)
        if getattr(session, "game", "") == game.lower():
            return session
    return partial(plain, game=game)
