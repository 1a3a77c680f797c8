"""Opponents over a base that people bring."""

from typing import Any

from hitonami.levels import levels_of
from hitonami.levels.profiles import profile_of
from hitonami.models.store import load_model
from hitonami.parts import load_part
from hitonami.specs import base_spec


def opponents_on(base: str) -> tuple[str, ...]:
    """GAME:NAME=MIND of the styles over a base: `human`, and `blend` where its weight was fitted. Raises BadSpec."""
    spec, profile = base_spec(base), profile_of(base)
    part: Any = load_part("minds", spec.kind)
    games = (load_model(base).card.game,) if spec.kind == "neural" else part.GAMES
    found = []
    for game in games:
        found.append(f"{game}:{profile}=human:{base}")
        if "weight" in levels_of(game, profile).get("blend", {}):
            found.append(f"{game}:{profile} blend=blend:{base}")
    return tuple(found)
