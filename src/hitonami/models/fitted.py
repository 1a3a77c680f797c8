"""Which of the package's fitted curves belong to the networks that come with it, and which to others.

A curve belongs to what it was fitted to: a network, by its name and hash, and the draw of a level also to the curves
that shape the mind it draws from (foresight, the weight of a blend, the knobs of a search). A network may be replaced
sooner than all its curves are fitted again. What becomes of those that are left over depends on what they do:

- `result` and `foresight` are left out: a network's own chances are nearer the truth than what corrects another's;
- `search` is refused by its mind: without its knobs there is no search of a level;
- all others (`blend`, `level` …) are used: another network of the same game lacks the same, and the neutral value
  would be further off.

`hitonami doctor` and `hitonami models show` tell which they are. Nothing is fitted or repaired here.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hitonami.levels import read_provenance, shape_of
from hitonami.models.card import Card, name_origin
from hitonami.models.shipped import shipped_models

Belonging = Literal["here", "another network", "another shape", "not told"]
_FATES: Final = {"result": "left out", "foresight": "left out", "search": "refused"}
"""What becomes of curves of another network, by method; the others are used."""
_OF_THE_EXPERT: Final = ("expert", "search")
_WORDS: Final[dict[Belonging, str]] = {
    "another network": "fitted to another network",
    "another shape": "fitted before foresight, blend or search changed",
    "not told": "not told what they were fitted to",
}


@dataclass(frozen=True)
class FittedCurve:
    """One curve of a game's file, and whether it belongs to the packaged network."""

    method: str
    knob: str
    pool: str
    belonging: Belonging


def origin_of(model: Path) -> str:
    """A model's folder, as provenance names its network."""
    card = json.loads((model / "card.json").read_bytes())
    return name_origin(card["name"], card["model_sha256"])


def packaged_origin(game: str, style: str = "human") -> str:
    """The packaged network that a style stands on: `search` is one over the expert, all others begin with the human."""
    return origin_of(shipped_models("expert" if style in _OF_THE_EXPERT else "human")[game])


def fitted_curves(game: str) -> list[FittedCurve]:
    """Every curve that the package holds for a game with a network of its own."""
    found = []
    for (method, knob, pool), made in read_provenance(game).items():
        here = packaged_origin(game, knob if method == "level" else method)
        named = map(str, (*made.get("minds", ()), made.get("network", "")))
        told = [each for each in named if each.startswith("network ")]
        belonging: Belonging = "here" if here in told else "another network" if told else "not told"
        if belonging == "here" and method == "level":
            shape = shape_of(game, knob, str(made.get("pool", pool)))
            told_shape = made.get("shape_sha256", "")
            belonging = "here" if told_shape == shape else "another shape" if told_shape else "not told"
        found.append(FittedCurve(method, knob, pool, belonging))
    return found


def curves_of_model(card: Card) -> list[FittedCurve]:
    """The curves of its game for a network that comes with the package, none for another."""
    if card.game not in shipped_models("human"):
        return []
    own = name_origin(card.name, card.model_sha256)
    return fitted_curves(card.game) if own == packaged_origin(card.game) else []


def describe_curves(curves: Sequence[FittedCurve]) -> list[str]:
    """In words: how many belong here, then those that do not, by the reason, with what becomes of them."""
    at_home = sum(each.belonging == "here" for each in curves)
    told = [f"{at_home} of {len(curves)} fitted curves belong to this network"]
    for belonging, words in _WORDS.items():
        pools: dict[str, list[str]] = {}
        for each in curves:
            if each.belonging == belonging:
                pools.setdefault(each.method, []).append(each.pool or "other pools")
        if pools:
            told.append(f"{words}: {'; '.join(_tell(*each, belonging) for each in pools.items())}")
    return told


def _tell(method: str, pools: Sequence[str], belonging: Belonging) -> str:
    fate = "used as it is" if belonging == "another shape" else _FATES.get(method, "used as it is")
    return f"{method} of {', '.join(dict.fromkeys(pools))} ({fate})"
