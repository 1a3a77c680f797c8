"""Between which ratings the levels of an opponent are right by games."""

from hitonami.agent import level_style
from hitonami.levels.held import held_levels
from hitonami.scales import scale_of
from hitonami.web.styles import Style


def held_by(style: Style, game: str) -> dict[str, tuple[float, float]]:
    """By pool, between which ratings the levels of a style are right by games, where that was measured."""
    if not style.follows_level or style.named:
        return {}
    found = {pool: held_levels(level_style(style.mind), game, pool) for pool in scale_of(game).pools}
    return {pool: held for pool, held in found.items() if held is not None}
