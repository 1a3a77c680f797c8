"""What the browser sends and gets about twins."""

from typing import Literal

from pydantic import BaseModel, Field

from hitonami.web.schemas import GameName, Sent


class SentPiece(Sent):
    """Which bytes a request holds: a file of the draft by its number, from where on."""

    file: int = Field(0, ge=0, le=1_000)
    name: str = Field("", max_length=200)
    offset: int = Field(0, ge=0)
    game: GameName | None = None
    """Where neither the name nor the looks of the first file tell."""


class ShownDraft(BaseModel):
    id: str
    most_bytes: int
    most_files: int


class HeldPiece(BaseModel):
    held: int
    """How many bytes of the file are here."""


class FoundPerson(BaseModel):
    name: str
    games: int


class FoundPeople(BaseModel):
    """Who played the games that were sent, those in most of them first."""

    game: str
    games: int
    unread: int
    people: list[FoundPerson]
    likely: str
    """Whose games these are, by all looks; "" where they may be several people's."""


class NewTwin(Sent):
    """A twin to make from what was sent. Without consent none is made."""

    draft: str = Field(max_length=20)
    name: str = Field(max_length=40)
    player: str = Field(max_length=200)
    consent: bool


class ShownTwin(BaseModel):
    """A twin of the visitor's, or how far it is."""

    name: str
    style: str
    """As whom it is played and asked."""
    game: str
    state: Literal["waiting", "working", "stopped", "failed", "done"]
    stage: str = ""
    """What is counted: games, decisions, fits."""
    done: int = 0
    total: int = 0
    ahead: int = 0
    """How many are made before it."""
    error: str = ""
    code: str = ""
    values: dict[str, str | int | float] = {}
    rating: float | None = None
    pool: str = ""
    games: int = 0
    decisions: int = 0
    size_bytes: int = 0
    points: list[float] = []
    """What it finds more of a hundred moves than its base, on games held back, and 95% of its chance error."""
    is_base: bool = False
    """Nothing helped: it is its base."""
