"""What holds of packaged networks that learned by self-play: the boards they know, and their measured levels."""

import json
from functools import cache
from pathlib import Path

from hitonami.core import Player, Position, Query
from hitonami.errors import BadInput
from hitonami.levels.ladders import Ladder, ladder_of
from hitonami.models import shipped
from hitonami.models.card import read_card
from hitonami.models.encoders import Encoder
from hitonami.models.shipped import shipped_models


def expert_sees(position: Position) -> bool:
    """Whether a packaged expert can be asked about a board such as this: one of self-play knows its own alone."""
    model, nobody = shipped_models("expert").get(position.game.name), Player()
    if model is None:
        return False
    try:
        _encoder_of(model).encode([Query(position, nobody, nobody)])
    except BadInput:
        return False
    return True


@cache
def _encoder_of(model: Path) -> Encoder:
    """Of a packaged network; every prediction on the page asks for it."""
    return read_card((model / "card.json").read_bytes()).open_encoder()


def packaged_ladder(game: str) -> Ladder | None:
    """The measured levels of a game's expert; None where there are none, or where other networks were measured."""
    ladder = ladder_of(game)
    if ladder is None or ladder.intuition or any(_hash_of(name) != held for name, held in ladder.networks.items()):
        return None
    return ladder


def _hash_of(name: str) -> str:
    path = shipped.EMBEDDED / name / "card.json"
    return str(json.loads(path.read_bytes())["model_sha256"]) if path.is_file() else ""
