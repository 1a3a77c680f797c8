"""Whom a visitor can play: the styles that this installation really has, and the scale of levels of each game.

A style is a name from a short list, never a spec: a browser cannot name a file or a program. What stands behind a style
is said openly, and a style that does not follow the level says so.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from hitonami.errors import BadInput, alternatives, quote
from hitonami.levels import levels_of
from hitonami.minds import known_engines
from hitonami.models.card import Card, read_card
from hitonami.models.shipped import shipped_models

GAMES: Final = ("chess", "shogi", "go")
SIZES: Final = {"chess": (), "shogi": (), "go": (9, 13, 19)}
CONTROLS: Final = {
    "chess": ("180+2", "300+3", "600+5", "900+10", "1800+20"),
    "shogi": ("300+10", "600+0", "600+30/1", "900+60/1"),
    "go": ("300+20/1", "600+30/1", "1200+30/1"),
}
FORMATS: Final = {"chess": ("pgn",), "shogi": ("kif", "csa"), "go": ("sgf",)}


@dataclass(frozen=True)
class Scale:
    """What levels are counted in. Ranks: 29 is 1 kyu, 30 is 1 dan (records/_ranks.py)."""

    kind: Literal["rating", "rank"]
    pools: tuple[str, ...]
    low: float
    high: float
    step: float
    default: float


@dataclass(frozen=True)
class Style:
    """A way to play: `mind` is the spec behind it."""

    name: str
    mind: str
    follows_level: bool


_NINTH_DAN, _FIRST_PROFESSIONAL = 38.0, 40.0
_USUAL: Final = {
    "chess": Scale("rating", ("lichess",), 600, 2600, 50, 1500),
    "shogi": Scale("rank", ("shogiwars",), 20, 38, 1, 27),
    "go": Scale("rank", ("ogs",), 5, 38, 1, 20),
}


@cache
def scale_of(game: str) -> Scale:
    """The scale of the packaged human network, else the usual one of the game."""
    usual = _USUAL[game]
    card = _human_card(game)
    if card is None:
        return usual
    pools = tuple(str(pool) for pool in card.encoder.fields.get("pools", ())) or usual.pools
    low, high = card.rating_range or (usual.low, usual.high)
    if usual.kind == "rank" and _NINTH_DAN < high < _FIRST_PROFESSIONAL:  # no such rank
        high = _NINTH_DAN
    return Scale(usual.kind, pools, low, high, usual.step, min(max(usual.default, low), high))


def _human_card(game: str) -> Card | None:
    folder = shipped_models("human").get(game)
    return None if folder is None else read_card((folder / "card.json").read_bytes())


@cache
def styles_of(game: str) -> tuple[Style, ...]:
    """The styles that work here, the default first. There is always one: any legal move at random."""
    styles = []
    if game in shipped_models("human"):
        styles.append(Style("human", "human", follows_level=True))
        if game in shipped_models("expert"):
            if "weight" in levels_of(game).get("blend", {}):
                styles.append(Style("blend", "blend", follows_level=True))
            if "c_puct" in levels_of(game).get("search", {}):
                styles.append(Style("search", "search", follows_level=True))
            styles.append(Style("expert", "expert", follows_level=False))
    if engine := known_engines().get(game):
        styles.append(Style("engine", engine, follows_level=False))
    styles.append(Style("random", "uniform", follows_level=False))
    return tuple(styles)


def level_style_of(game: str) -> Style | None:
    """The first style that follows the level: it can say what players of a level do. None where there is none."""
    return next((style for style in styles_of(game) if style.follows_level), None)


def style_of(game: str, name: str) -> Style:
    """The style of that name, the default one for "". Raises BadInput."""
    styles = {style.name: style for style in styles_of(game)}
    if not name:
        return styles_of(game)[0]
    if name not in styles:
        raise BadInput(f"{game} has no style {quote(name)} here; {alternatives(name, styles)}")
    return styles[name]
