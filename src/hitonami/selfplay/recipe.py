"""Recipes of self-play: TOML with all that is needed to learn a game again from its rules. Unknown keys are refused.

docs/selfplay.md explains every key.
"""

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from hitonami.errors import BadSpec, alternatives, quote
from hitonami.models.card import NAME_PATTERN
from hitonami.models.spec import NetSpec
from hitonami.selfplay.forest import Looking
from hitonami.specs import read_toml


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class PlaySpec(_Part):
    """How the games of a generation are played."""

    games: int = Field(default=128, ge=1)
    """Of a generation, all in lockstep."""
    parts: int = Field(default=1, ge=1)
    """In how many parts a generation is played, each in lockstep, by as many processes as there are."""
    simulations: int = Field(default=64, ge=2, le=100_000)
    root: Literal["puct", "gumbel"] = "puct"
    considered: int = Field(default=16, ge=2)
    """Moves that a Gumbel root looks at."""
    c_puct: float = Field(default=1.5, gt=0)
    fpu: float = Field(default=0.25, ge=0)
    contempt: float = Field(default=0.0, ge=0, lt=0.5)
    """How much less than half a win a draw by the rules is worth to the side that looks for a move."""
    again_drawn: bool = False
    """Whether a position that has stood before is a draw to the search, so that none who has better goes in circles."""
    noise_share: float = Field(default=0.25, ge=0, le=1)
    noise_concentration: float = Field(default=10.0, gt=0)
    """Of the Dirichlet noise, shared by the legal moves of a root."""
    temperature: float = Field(default=1.0, gt=0)
    temperature_plies: int = Field(default=12, ge=0)
    """After so many the best move is played."""
    opening_plies: int = Field(default=0, ge=0)
    """Each game begins after up to so many moves at random, so that the network also sees what it would never play."""
    most_plies: int = Field(default=400, ge=1)
    """Then a game is drawn."""
    counted: int = Field(default=0, ge=0)
    """In so many first generations such a game is scored by the pieces on the board: where beginners never come to an
    end, there is nothing else to learn from."""
    counted_worth: float = Field(default=0.45, ge=0, lt=0.5)
    """What pieces alone may be worth then, above and below a draw."""
    thinned: float = Field(default=0.0, ge=0, lt=1)
    """Games begin without up to this share of the men, so that ends come into sight."""
    thinned_games: float = Field(default=1.0, ge=0, le=1)
    """The share of games that may begin so."""
    resign_below: float = Field(default=0.0, ge=0, lt=0.5)
    """Expected score at which a side gives up; 0 never does. Lowered where it would throw too much away."""
    played_out: float = Field(default=0.1, ge=0, le=1)
    """The share of games that nobody gives up, to know what giving up would have thrown away."""
    thrown_away: float = Field(default=0.05, gt=0, lt=1)
    """The share of those who did not lose that may have come below what is given up."""
    reuse: bool = True
    """Go on from the tree of the move before. A Gumbel root begins anew."""

    @model_validator(mode="after")
    def _shared(self) -> "PlaySpec":
        if self.games % self.parts:
            raise ValueError(f"{self.games} games cannot be played in {self.parts} equal parts")
        return self

    def looking(self) -> Looking:
        considered = self.considered if self.root == "gumbel" else 0
        return Looking(
            self.simulations, self.c_puct, self.fpu, considered, contempt=self.contempt, again_drawn=self.again_drawn
        )


class LearnSpec(_Part):
    """How the network learns from the games."""

    generations: int = Field(ge=1)
    steps: int = Field(default=100, ge=1)
    """Of a generation."""
    batch_size: int = Field(default=256, ge=2)
    window: int = Field(default=10, ge=1)
    """Generations that are learned from."""
    rate: float = Field(default=2e-3, gt=0)
    warm_up: int = Field(default=50, ge=0)
    floor: float = Field(default=0.05, ge=0, le=1)
    """The rate falls to this share by the last generation."""
    weight_decay: float = Field(default=1e-4, ge=0)
    average: float = Field(default=0.99, ge=0, lt=1)
    """How much of averaged weights stays at each step. They are what plays."""
    wdl: float = Field(default=1.0, ge=0)
    search_value: float = Field(default=0.0, ge=0, le=1)
    """How much of the result to learn is what the search expected; the rest is how the game ended."""
    discount: float = Field(default=1.0, gt=0, le=1)
    """What each ply to the end leaves of a result; the rest is a draw. Below 1 an early win is worth more."""
    begin: str = ""
    """A model of the same network to go on from, by name or folder; else weights are drawn."""
    turned: bool = True
    """See positions in all symmetric ways of the game, at random."""


class GateSpec(_Part):
    """Whether a new network has to beat the one that plays."""

    every: int = Field(default=0, ge=0)
    """Generations between gates; 0: the newest network always plays."""
    games: int = Field(default=128, ge=2)
    """At most."""
    simulations: int = Field(default=32, ge=2)
    opening_plies: int = Field(default=4, ge=0)
    """Moves at random, the same for both games of a pair."""
    elo0: float = 0.0
    elo1: float = 40.0

    @model_validator(mode="after")
    def _rising(self) -> "GateSpec":
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be less than elo1, got {self.elo0:g} and {self.elo1:g}")
        return self


class ModelSpec(_Part):
    """What the model's card cannot know by itself."""

    bits: Literal[32, 16, 8] = 16
    licence: str = "GPL-3.0-or-later"
    notes: str = ""
    symmetries: int = Field(default=1, ge=1)


class Recipe(_Part):
    """A whole recipe."""

    name: str = Field(pattern=NAME_PATTERN)
    seed: int = Field(default=0, ge=0)
    threads: int = Field(default=1, ge=1)
    network: NetSpec
    play: PlaySpec = PlaySpec()
    learn: LearnSpec
    gate: GateSpec = GateSpec()
    model: ModelSpec = ModelSpec()

    @model_validator(mode="after")
    def _alone(self) -> "Recipe":
        network = self.network
        if network.condition is not None or network.expert or network.groups > 1:
            raise ValueError("a network of self-play has one trunk, one head, and nobody to imitate")
        return self

    def as_dict(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_none=True)


def read_recipe(path: Path) -> Recipe:
    """The recipe in a file. Raises BadSpec that names the file, the key and what is wrong."""
    try:
        return Recipe(**read_toml(path))
    except ValidationError as wrong:
        problem = wrong.errors()[0]
        where = ".".join(map(str, problem["loc"])) or "recipe"
        if problem["type"] == "extra_forbidden":
            known = _keys_at(problem["loc"][:-1])
            key = str(problem["loc"][-1])
            raise BadSpec(f"{path}: unknown key {quote(where)}; {alternatives(key, known)}") from None
        raise BadSpec(f"{path}: {where}: {problem['msg'].removeprefix('Value error, ')}") from None


def _keys_at(steps: tuple[int | str, ...]) -> list[str]:
    here: type[BaseModel] = Recipe
    for step in steps:
        kind = here.model_fields[str(step)].annotation if str(step) in here.model_fields else None
        here = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else here
    return list(here.model_fields)
