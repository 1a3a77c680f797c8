"""What a network of ours is made of, as plain data: in a recipe, and through it in a model's card. No torch.

A network is one trunk, or K parallel trunks (`groups`) whose opinions a gate mixes by the player's rating (NetSpec),
or it is grown onto a network that exists (GraftSpec). The encoder decides the shape of the input.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from hitonami.core import Query
from hitonami.errors import BadInput, BadSpec, alternatives, quote
from hitonami.models.card import EncoderRef
from hitonami.models.encoders import Encoder, start_for
from hitonami.parts import load_part

PolicyKind = Literal["lc0", "planes", "points", "squares", "flat"]
POLICY_PLANES: Final[dict[str, int]] = {"lc0": 80, "planes": 27, "points": 1}
"""Of the kinds whose number of planes is fixed; `squares` has as many as the encoder's moves need."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ConditionSpec(_Part):
    """How the network is told who is playing.

    Ratings act smoothly within `low` … `high` and less and less beyond: a player rated far outside is taken for one at
    the edge, because nothing was learned about what lies beyond it. An unknown rating is a case of its own.
    """

    low: float
    high: float
    hidden: int = Field(default=64, ge=1)
    bumps: int = Field(default=8, ge=2)
    """In how many places along the range the network can bend."""
    pool_size: int = Field(default=8, ge=1)
    """Numbers that describe a pool."""
    ranges: dict[str, tuple[float, float]] = Field(default_factory=dict)
    """Pools with a scale of their own: which of its ratings are to be taken for `low` and for `high`."""

    @model_validator(mode="after")
    def _rising(self) -> "ConditionSpec":
        for pool, (low, high) in self.ranges.items():
            if not low < high:
                raise ValueError(f"the range of {pool} must rise, got {low:g} and {high:g}")
        if not self.low < self.high:
            raise ValueError(f"low must be less than high, got {self.low:g} and {self.high:g}")
        return self


class GateSpec(_Part):
    """How K trunks are mixed before any training: by a bell curve of `width` around each trunk's rating.

    The mover's rating, plus his pool's offset, is kept within the trunks' range, as ConditionSpec does it.
    """

    ratings: tuple[float, ...]
    width: float = Field(default=220.0, gt=0)
    offsets: dict[str, float] = Field(default_factory=dict)
    """What to add to a pool's ratings to reach the trunks' scale; learned from there on."""

    @model_validator(mode="after")
    def _rising(self) -> "GateSpec":
        if len(self.ratings) < 2 or any(a >= b for a, b in pairwise(self.ratings)):
            raise ValueError(f"the trunks' ratings must rise and be two or more, got {list(self.ratings)}")
        return self


class JointSpec(_Part):
    """A stage that reads all trunks at once. What it says is added to their mixture, and starts at nothing."""

    channels: int = Field(default=96, ge=1)
    blocks: int = Field(default=2, ge=0)
    norm: Literal["none", "batch"] = "batch"


class _Network(_Part):
    """What every network has: an encoder, perhaps players to be told of, perhaps boards of several sizes."""

    encoder: EncoderRef
    mask_plane: int | None = None
    """The input plane that says which points are on the board, where sizes are mixed."""
    condition: ConditionSpec | None = None

    @property
    def pools(self) -> tuple[str, ...]:
        return tuple(self.encoder.fields.get("pools", ()))

    @model_validator(mode="after")
    def _known_ranges(self) -> Self:
        for pool in () if self.condition is None else self.condition.ranges:
            if pool not in self.pools:
                raise ValueError(f"a range for pool {pool!r}, which the encoder does not name: {list(self.pools)}")
        return self

    def open_encoder(self) -> Encoder:
        """The encoder that feeds the network. Raises BadSpec where it cannot be made."""
        fields = {name: tuple(v) if isinstance(v, list) else v for name, v in self.encoder.fields.items()}
        try:
            encoder: Encoder = load_part("models/encoders", self.encoder.name)(**fields)
        except (BadInput, TypeError) as wrong:
            raise BadSpec(f"encoder {self.encoder.name}: {wrong}") from None
        return encoder


class GraftSpec(_Network):
    """A network grown onto one that exists: its move head learns to be human, told who is playing.

    The base is the recipe's `warm_start`, any model with an ONNX graph. Names are those of tensors in that graph.
    """

    kind: Literal["graft"]
    condition: ConditionSpec
    divisor: float = Field(default=1.0, gt=0)
    """What the encoder's planes are divided by to be what the base expects: whole numbers travel as bytes."""
    moves: str
    """The base's logits of moves, in the order of the encoder's head."""
    features: str
    """What the result is read from: [N, channels, H, W]."""
    stem: str | None = None
    """The base up to this tensor stays as it is, and is shared by the human and the expert. None: nothing is."""
    film: tuple[str, ...] = Field(min_length=1)
    """Patterns of the tensors, after the stem, that who is playing scales and shifts."""
    expert: bool = True
    """Keep the base's own opinion as the expert head."""
    value_hidden: int = Field(default=64, ge=1)


class NetSpec(_Network):
    """The network. `channels` and the sizes of heads are those of one trunk."""

    kind: Literal["residual"] = "residual"
    channels: int = Field(default=64, ge=1)
    blocks: int = Field(default=6, ge=1)
    groups: int = Field(default=1, ge=1)
    asked: int | None = Field(default=None, ge=1)
    """How many trunks a position asks: those with the largest shares, and none of the others is run. None is all."""
    linked: bool | None = None
    """Trunks that read each other: each layer of each reads all of them. Begun from files they say what the trunks say
    side by side, since what links them begins as nothing."""
    squeeze: int = Field(default=8, ge=1)
    """The width of the narrow layer of squeeze-excite, in one trunk."""
    norm: Literal["none", "batch"] = "none"
    """Batch normalisation. Without it, the second convolution of each block starts at zero."""
    policy: PolicyKind
    """lc0: 80 planes to 1858 moves; planes: 27 planes of shogi moves; points: a board's points, and passing; squares:
    as many planes as the encoder's moves have; flat: every move reads every square."""
    policy_channels: int = Field(default=64, ge=1)
    expert: bool = False
    """A second policy head, for what a strong player would play. It reads all trunks."""
    value: Literal["flat", "pooled"] = "flat"
    """The result from every square, or from means and maxima, which any board size has."""
    value_channels: int = Field(default=32, ge=1)
    value_hidden: int = Field(default=128, ge=1)
    shared_value: bool = False
    """One result head for all trunks instead of one a trunk: four times fewer numbers for four trunks."""
    gate: GateSpec | None = None
    joint: JointSpec | None = None
    """With it, the trunks are told nothing of the players (a step through frozen trunks needs no way back), and the
    expert and the result are read from this stage. The expert's head adds to what the last trunk, the strongest, says.
    """

    @model_validator(mode="after")
    def _fits(self) -> "NetSpec":
        if (self.groups > 1) != (self.gate is not None):
            raise ValueError("several groups need a gate, and one needs none")
        apart = self.norm == "none" and self.joint is None and not (self.expert or self.shared_value)
        if self.asked is not None and not (apart and self.policy != "points" and self.asked < self.groups):
            raise ValueError(
                "asked is less than groups, for boards of one size and trunks that have nothing in common: "
                'norm = "none", and no joint stage, expert head or shared result head'
            )
        if self.linked and (self.groups == 1 or self.asked is not None):
            raise ValueError("linked is for several groups that are all asked")
        if self.gate is not None and len(self.gate.ratings) != self.groups:
            raise ValueError(f"{self.groups} groups need as many ratings in the gate, got {len(self.gate.ratings)}")
        if self.gate is not None and self.condition is None:
            raise ValueError("a gate needs a condition: it mixes by rating")
        if self.policy == "points" and self.value == "flat":
            raise ValueError('policy "points" is for boards of any size: value must be "pooled"')
        if self.gate is not None:
            for pool in self.gate.offsets:
                if pool not in self.pools:
                    raise ValueError(f"offset for pool {pool!r}, which the encoder does not name: {list(self.pools)}")
        return self

    @property
    def films(self) -> list[int]:
        """The channels of the layers that are told who is playing."""
        if self.joint is not None:
            return [self.joint.channels] * (self.joint.blocks + 1)
        return [self.width] * (self.blocks + 1)

    @property
    def width(self) -> int:
        """Channels of all trunks together."""
        return self.groups * self.channels


@dataclass(frozen=True)
class InputShape:
    """What an encoder makes for one position. A size of 0: it makes no such array."""

    planes: int
    scalars: int
    player: int
    board: tuple[int, int]
    names: tuple[str, ...]
    moves: int = 0
    """Logits of the head."""


def shape_of(spec: NetSpec | GraftSpec) -> InputShape:
    """The encoder's shapes, asked of the encoder itself. Raises BadSpec where the network could not use them."""
    encoder = spec.open_encoder()
    start = start_for(encoder)
    arrays = encoder.encode([Query(start)])
    moves = encoder.head_size([start])
    if spec.condition is not None and "player" not in arrays:
        named = alternatives(
            spec.encoder.name, ["lc0-rated", "compact-chess", "miniosl-rated", "katago-rated", "cells"]
        )
        raise BadSpec(
            f"encoder {quote(spec.encoder.name)} says nothing of the players, and there is a condition; {named}"
        )
    planes = arrays["planes"]
    if spec.mask_plane is not None and not 0 <= spec.mask_plane < planes.shape[1]:
        raise BadSpec(f"mask_plane {spec.mask_plane}: the encoder makes {planes.shape[1]} planes")
    used = ["planes", "scalars"] + (["player", "pool"] if spec.condition is not None else [])
    return InputShape(
        planes=planes.shape[1],
        scalars=arrays["scalars"].shape[1] if "scalars" in arrays else 0,
        player=arrays["player"].shape[1] if spec.condition is not None else 0,
        board=(planes.shape[2], planes.shape[3]),
        names=tuple(name for name in used if name in arrays),
        moves=moves,
    )


def planes_of(spec: NetSpec, shape: InputShape) -> int:
    """The planes of a policy head. Raises BadSpec where moves are not told by squares."""
    if spec.policy != "squares":
        return POLICY_PLANES[spec.policy]
    points = shape.board[0] * shape.board[1]
    if shape.moves % points:
        raise BadSpec(f"policy squares: {shape.moves} moves are no planes of {points} squares; policy flat takes them")
    return shape.moves // points
