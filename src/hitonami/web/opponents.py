"""Whom a visitor can play: the styles that this installation really has, and the scale of levels of each game.

A style is a name from a short list, never a spec: a browser cannot name a file or a program. Whoever starts the server
can add opponents by name; of their specs a browser hears only the kind, since a command may tell of this machine. What
stands behind a style is said openly, and a style that does not follow the level says so.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

from hitonami.core import Position
from hitonami.customs import games_offered
from hitonami.errors import BadInput, alternatives, quote
from hitonami.intuition.knowledge import measured_ladder
from hitonami.levels import levels_of
from hitonami.minds import known_engine
from hitonami.models.self_played import expert_sees, packaged_ladder
from hitonami.models.shipped import shipped_models
from hitonami.scales import levels_of_people
from hitonami.specs import mind_spec
from hitonami.web.styles import Style
from hitonami.web.twins import TWIN
from hitonami.web.twins.styles import find_twin_style

_NAMED: Final = re.compile(r"([a-z0-9:_-]+):([^=:]+)=(.+)", re.DOTALL)
_NAME: Final = re.compile(r"[^\W_][\w .+-]{0,29}")
PLAYOUT: Final = "playout"
_STRENGTHS: Final = 8
_USUAL_STRENGTH: Final = 4


def _playout(strength: int) -> Style:
    """Twice as many simulations with each step: 8 for the weakest, 1024 for the strongest."""
    return Style(f"{PLAYOUT}-{strength}", f"{PLAYOUT}:{4 << strength}", follows_level=False)


@cache
def styles_of(game: str) -> tuple[Style, ...]:
    """The styles that work here, the default first. There is always one: any legal move at random."""
    styles = []
    if game in shipped_models("human"):
        styles.append(Style("human", "human", follows_level=levels_of_people(game) is not None))
    if game in shipped_models("expert"):
        if "weight" in levels_of(game).get("blend", {}):
            styles.append(Style("blend", "blend", follows_level=True))
        if "c_puct" in levels_of(game).get("search", {}):
            styles.append(Style("search", "search", follows_level=True))
        styles.append(Style("expert", "expert", follows_level=packaged_ladder(game) is not None))
    elif measured_ladder(game) is not None:
        styles.append(Style("dual", "dual", follows_level=True))
    if game not in shipped_models("human"):
        usual = _playout(_USUAL_STRENGTH)
        styles.append(replace(usual, name=PLAYOUT, strengths=_STRENGTHS, usual_strength=_USUAL_STRENGTH))
    if engine := known_engine(game):
        styles.append(Style("engine", engine, follows_level=False))
    styles.append(Style("random", "uniform", follows_level=False))
    return tuple(styles)


def judge_for(position: Position) -> Style | None:
    """Who can say what players do on this board: people; else the first style that follows the level and knows it.

    None where there is nobody.
    """
    speaking = (style for style in styles_of(position.game.name) if style.name == "human" or style.follows_level)
    return next((style for style in speaking if style.mind != "expert" or expert_sees(position)), None)


@dataclass(frozen=True)
class Roster:
    """Who can be played on one server: the styles of this installation, and opponents that were named at its start."""

    named: dict[str, tuple[Style, ...]] = field(default_factory=dict)

    def styles(self, game: str) -> tuple[Style, ...]:
        return styles_of(game) + self.named.get(game, ())

    def style(self, game: str, name: str, visitor: str | None = None) -> Style:
        """The style of that name, the default one for ""; a twin where it is that visitor's. Raises BadInput."""
        if visitor is not None and name.startswith(TWIN):
            return find_twin_style(game, name, visitor)
        styles = {style.name: style for style in self.styles(game)}
        if not name:
            return styles_of(game)[0]
        if PLAYOUT in styles:
            styles |= {f"{PLAYOUT}-{strength}": _playout(strength) for strength in range(1, _STRENGTHS + 1)}
        if name not in styles:
            raise BadInput(f"{game} has no style {quote(name)} here; {alternatives(name, styles)}")
        return styles[name]


def read_roster(texts: Iterable[str]) -> Roster:
    """Opponents as they are named at the start: GAME:NAME=MIND. Raises BadInput."""
    named: dict[str, tuple[Style, ...]] = {}
    for text in texts:
        parts = _NAMED.fullmatch(text)
        if parts is None or parts[1] not in games_offered():
            games = ", ".join(games_offered())
            raise BadInput(f"an opponent is GAME:NAME=MIND with a game of {games}, got {quote(text)}")
        game, name, mind = parts[1], parts[2].strip(), parts[3].strip()
        taken = {style.name.casefold() for style in (*styles_of(game), *named.get(game, ()))}
        if not _NAME.fullmatch(name) or name.casefold() in taken:
            raise BadInput(
                f"{quote(name)} cannot be an opponent's name: letters, digits and . + -, and not a taken one"
            )
        style = Style(name, mind, follows_level=_follows_level(mind), named=True)
        named[game] = (*named.get(game, ()), style)
    return Roster(named)


def _follows_level(mind: str) -> bool:
    """Whether the spec says that the mind reads the player's rating. Raises BadSpec."""
    spec = mind_spec(mind)
    return spec.kind in ("human", "blend", "search") or spec.as_dict().get("limit_strength") is True
