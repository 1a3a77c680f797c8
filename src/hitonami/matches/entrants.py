"""Who plays: `M@R`, a mind and the rating that it is to play at, and how it draws its moves.

    >>> read_entrant("uniform@1500")
    Entrant(name='uniform@1500', mind=uniform(), rating=1500.0, pool='', draw='sample', rho=None)
    >>> read_entrant("uci:stockfish@").rating is None
    True
    >>> read_entrant("uniform@1500,best").draw
    'best'
    >>> read_entrant("human@3k").rating
    27.0
    >>> read_entrant("human@800,rho=0.5").rho
    0.5

An engine plays the move it likes best; other minds draw by chance, as people vary. `,best` and `,sample` after the
rating say otherwise. `,rho=X` bends the chances by another exponent than the one that was fitted for the rating.
"""

from dataclasses import dataclass
from typing import Any, Literal

from hitonami.core import Player
from hitonami.errors import BadInput, quote
from hitonami.ranks import read_rating
from hitonami.specs import MindSpec, base_spec, mind_spec, schema_of

Draw = Literal["sample", "best"]
MOST_RHO = 100.0
"""Beyond it nothing but the likeliest move is drawn."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament. `name` is how it was written, and its name in every table and record."""

    name: str
    mind: MindSpec
    rating: float | None = None
    pool: str = ""
    draw: Draw = "sample"
    rho: float | None = None
    """The exponent that chances are bent by; None for what was fitted for the rating, where anything was."""

    @property
    def asked_as(self) -> Player:
        """Whom the mind is to play like."""
        return Player(self.rating, self.pool, kind="human")

    @property
    def recorded_as(self) -> Player:
        return Player(self.rating, self.pool, self.name, "bot")


def read_entrant(text: str, pool: str = "", game: str = "") -> Entrant:
    """An entrant from its text. Raises BadInput for a mind that is none, or a rating that the game does not have."""
    mind, at, tail = text.rpartition("@")
    if not at:
        mind, tail = text, ""
    rating, _, draw = tail.partition(",")
    rho = _read_exponent(text, draw) if draw.startswith("rho=") else None
    if draw not in ("", "sample", "best") and rho is None:
        raise BadInput(f"player {quote(text)}: after the rating stands ,best or ,sample or ,rho=X or nothing")
    spec = mind_spec(mind)
    value = _read_rating(text, rating, game)
    best = draw == "best" or (not draw and is_engine(spec))
    return Entrant(text, spec, value, pool, "best" if best else "sample", rho)


def _read_exponent(text: str, draw: str) -> float:
    try:
        rho = float(draw.removeprefix("rho="))
    except ValueError:
        rho = 0.0
    if not 0.0 < rho <= MOST_RHO:
        raise BadInput(f"player {quote(text)}: rho is a number above 0, at most {MOST_RHO:g}")
    return rho


def _read_rating(text: str, rating: str, game: str) -> float | None:
    if not rating:
        return None
    try:
        return read_rating(rating, game)
    except BadInput as wrong:
        raise BadInput(f"player {quote(text)}: a player is written as MIND@RATING; {wrong}") from None


def is_engine(spec: MindSpec) -> bool:
    """Whether the mind itself is an external program."""
    return "command" in schema_of(spec.kind).model_fields


def uses_engine(value: Any) -> bool:
    """Whether an external program answers, or a mind inside this one does. Such minds gain nothing from batches."""
    match value:
        case MindSpec():
            inner = [base_spec(each) if name == "base" else each for name, each in value.fields]
            return is_engine(value) or any(uses_engine(each) for each in inner)
        case tuple():
            return any(uses_engine(each) for each in value)
        case _:
            return False


def read_entrants(texts: tuple[str, ...], pool: str = "", game: str = "") -> tuple[Entrant, ...]:
    """At least two, each of another name."""
    if len(texts) < 2:
        raise BadInput(f"a tournament needs at least two players (--player M@R), got {len(texts)}")
    for at, text in enumerate(texts):
        if text in texts[:at]:
            raise BadInput(f"player {quote(text)} is named twice")
    return tuple(read_entrant(text, pool, game) for text in texts)
