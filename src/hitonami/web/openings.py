"""Openings and handicaps that a game can begin with, by the names that its customs give them."""

from dataclasses import fields, replace

from hitonami.core import Setup
from hitonami.customs import customs_of
from hitonami.errors import BadInput, alternatives, quote


def with_handicap(game: str, setup: Setup, name: str) -> Setup:
    """The setup with a named handicap; as it was for "". Raises BadInput."""
    if not name:
        return setup
    known = {handicap.name: handicap.setup for handicap in customs_of(game).handicaps}
    if name not in known:
        raise BadInput(f"{game} has no handicap {quote(name)} here; {alternatives(name, known)}")
    if setup.start:
        raise BadInput("a game begins from a position or with a handicap, not both")
    given = {each.name: getattr(known[name], each.name) for each in fields(Setup)}
    return replace(setup, **{field: value for field, value in given.items() if value})


def opening_moves(game: str, size: int, name: str) -> str:
    """The moves of a named opening, none for "". Raises BadInput."""
    if not name:
        return ""
    fitting = {opening.name: opening.moves for opening in customs_of(game).openings if opening.size in (0, size)}
    if name not in fitting:
        raise BadInput(f"no opening {quote(name)} for this board; {alternatives(name, fitting)}")
    return fitting[name]
