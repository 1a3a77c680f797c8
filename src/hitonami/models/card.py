"""A model's card: what the network is, what it takes and gives, where it comes from, how good it is.

`card.json` lies beside `model.onnx`. Unknown keys are refused by name, and so is a card of a later layout: a card
that is read in part would let a network be fed wrongly.
"""

import json
import re
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from hitonami.errors import BadModel, UnknownPart, alternatives, quote
from hitonami.models.encoders import Encoder
from hitonami.parts import load_part

LAYOUT: Final = 1
NAME_PATTERN: Final = r"^[a-z0-9][a-z0-9._-]{0,63}$"
Head = Literal["human", "expert"]
Serves = Literal["moves", "ahead"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EncoderRef(_Part):
    """Which encoder feeds the network, and the fields that it is made with (such as its pools)."""

    name: str
    fields: dict[str, Any] = Field(default_factory=dict)


class Heads(_Part):
    """The network's outputs by what they mean. A head that is left out does not exist."""

    human: str | None = None
    """Move logits [N, head size]: what a person would play."""
    expert: str | None = None
    """Move logits [N, head size]: what a strong player would play."""
    wdl: str | None = None
    """Chances [N, 3] of win, draw and loss of the side to move; each row sums to 1."""

    @model_validator(mode="after")
    def _some_moves(self) -> "Heads":
        if self.human is None and self.expert is None:
            raise ValueError("a model needs a human or an expert head")
        return self


class Source(_Part):
    """One thing that the network was made from, in plain words. No person's name or handle."""

    what: str
    sha256: str | None = None
    licence: str | None = None


class Metric(_Part):
    """A measured figure with its interval."""

    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None


class Card(_Part):
    """card.json."""

    layout: int = LAYOUT
    name: str = Field(pattern=NAME_PATTERN)
    game: str
    encoder: EncoderRef
    inputs: tuple[str, ...]
    """The names of the network's inputs; the encoder makes an array for each."""
    heads: Heads
    rating_range: tuple[float, float] | None = None
    """What ratings it learned from; None where it does not ask for one."""
    symmetries: int = Field(default=1, ge=1)
    """Over how many views of a position its answers are best averaged (Go's boards have eight); each costs a pass."""
    serves: Serves = "moves"
    """"ahead": no player, but what a look ahead asks below its first position."""
    licence: str
    provenance: tuple[Source, ...] = ()
    metrics: dict[str, Metric] = Field(default_factory=dict)
    recipe: str = ""
    """The recipe that makes it again, by name or as text."""
    commit: str = ""
    notes: str = ""
    model_sha256: str = Field(pattern="^[0-9a-f]{64}$")

    def open_encoder(self) -> Encoder:
        """The encoder, made with the card's fields. Raises BadModel where there is none such."""
        try:
            kind = load_part("models/encoders", self.encoder.name)
            fields = {name: tuple(v) if isinstance(v, list) else v for name, v in self.encoder.fields.items()}
            encoder: Encoder = kind(**fields)
        except (UnknownPart, TypeError) as wrong:
            raise BadModel(f"model {self.name}: its encoder cannot be made: {wrong}") from None
        if encoder.game != self.game:
            raise BadModel(f"model {self.name} is for {self.game}, its encoder {self.encoder.name} for {encoder.game}")
        return encoder

    def output_of(self, head: Head | None) -> str:
        """The output with the move logits of a head; without one, human before expert."""
        if head is None:
            return self.heads.human or self.heads.expert or ""
        output = self.heads.human if head == "human" else self.heads.expert
        if output is None:
            there = ", ".join(name for name in ("human", "expert") if getattr(self.heads, name))
            raise BadModel(f"model {self.name} has no {head} head; it has: {there}")
        return output

    def as_stored(self) -> dict[str, Any]:
        """What is written into card.json."""
        return self.model_dump(mode="json", exclude_none=True)

    def to_json(self) -> str:
        return json.dumps(self.as_stored(), indent=2, ensure_ascii=False) + "\n"


def read_card(data: bytes) -> Card:
    """The card in a file's bytes. Raises BadModel with the reason; the caller names the file."""
    try:
        given = json.loads(data)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as wrong:
        raise BadModel(f"card.json is not JSON: {wrong}") from None
    if not isinstance(given, dict):
        raise BadModel("card.json holds no table")
    layout = given.get("layout")
    if isinstance(layout, int) and layout > LAYOUT:
        raise BadModel(f"card.json has layout {layout}, this version reads up to {LAYOUT}: a newer hitonami made it")
    if layout != LAYOUT or isinstance(layout, bool):
        raise BadModel(f"card.json has layout {layout!r}; known: {LAYOUT}")
    for key in given:
        if key not in Card.model_fields:
            raise BadModel(f"card.json: unknown key {quote(key)}; {alternatives(key, Card.model_fields)}")
    try:
        return Card(**given)
    except ValidationError as wrong:
        problem = wrong.errors()[0]
        where = ".".join(str(step) for step in problem["loc"]) or "card"
        raise BadModel(f"card.json: {where}: {problem['msg']}") from None


def name_from(path: Path) -> str:
    """A model's name from a file's or folder's: lower case, without its endings."""
    stem = path.name.lower()
    for ending in (".gz", ".pb", ".bin", ".txt", ".onnx"):
        stem = stem.removesuffix(ending)
    return re.sub(r"[^a-z0-9._-]+", "-", stem).strip("._-")[:64] or "model"


def name_origin(network: str, sha256: str) -> str:
    """How provenance names a network. A calibration belongs to one network: another one leans another way."""
    return f"network {network}, sha256 {sha256}"
