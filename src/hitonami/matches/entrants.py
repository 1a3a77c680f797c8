"""Who plays: `M@R`, a mind and the rating that it is to play at, and how it draws its moves.

    >>> read_entrant("uniform@1500")
    Entrant(name='uniform@1500', mind=uniform(), rating=1500.0, pool='', draw='sample', rho=None, looks=None)
    >>> read_entrant("uci:stockfish@").rating is None
    True
    >>> read_entrant("uniform@1500,best").draw
    'best'
    >>> read_entrant("human@3k").rating
    27.0
    >>> read_entrant("human@800,rho=0.5").rho
    0.5
    >>> read_entrant("human@2300,rho=5,looks=16").looks
    16

An engine plays the move it likes best; other minds draw by chance, as people vary. `,best` and `,sample` after the
rating say otherwise. `,rho=X` bends the chances by another exponent than the one that was fitted for the rating, and
`,looks=N` has it look at N positions before each move.
"""

from dataclasses import dataclass
from typing import Any, Literal

from hitonami.agent import Agent, level_style, open_leaves
from hitonami.core import Mind, Player
from hitonami.errors import BadInput, quote
from hitonami.ranks import read_rating
from hitonami.specs import MindSpec, Room, base_spec, mind_spec, schema_of

Draw = Literal["sample", "best"]
MOST_RHO = 100.0
"""Beyond it nothing but the likeliest move is drawn."""
MOST_LOOKS = 10_000


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
    looks: int | None = None
    """Positions that are looked at before a move; None likewise."""

    @property
    def asked_as(self) -> Player:
        """Whom the mind is to play like."""
        return Player(self.rating, self.pool, kind="human")

    def agent(self, mind: Mind, room: Room, game: str) -> Agent:
        """Who plays for it, with its mind opened. Matches decide for themselves when somebody gives up."""
        style, leaves = level_style(self.mind), open_leaves(room.open, self.mind, game)
        return Agent(mind, self.draw, None, style=style, rho=self.rho, looks=self.looks, leaves=leaves)

    @property
    def recorded_as(self) -> Player:
        return Player(self.rating, self.pool, self.name, "bot")


def read_entrant(text: str, pool: str = "", game: str = "") -> Entrant:
    """An entrant from its text. Raises BadInput for a mind that is none, or a rating that the game does not have."""
    mind, at, tail = text.rpartition("@")
    if not at:
        mind, tail = text, ""
    rating, *said = tail.split(",")
    draw, rho, looks = "", None, None
    for word in said:
        if word.startswith("rho="):
            rho = _read_number(text, word, 0.0, MOST_RHO)
        elif word.startswith("looks="):
            looks = round(_read_number(text, word, 0.0, MOST_LOOKS))
        elif word in ("sample", "best") and not draw:
            draw = word
        else:
            raise BadInput(
                f"player {quote(text)}: after the rating stands ,best or ,sample or ,rho=X or ,looks=N or nothing"
            )
    spec = mind_spec(mind)
    value = _read_rating(text, rating, game)
    best = draw == "best" or (not said and is_engine(spec))
    return Entrant(text, spec, value, pool, "best" if best else "sample", rho, looks)


def _read_number(text: str, word: str, low: float, high: float) -> float:
    name, _, told = word.partition("=")
    try:
        number = float(told)
    except ValueError:
        number = low
    if not low < number <= high:
        raise BadInput(f"player {quote(text)}: {name} is a number above {low:g}, at most {high:g}")
    return number


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
