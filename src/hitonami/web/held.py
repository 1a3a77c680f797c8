"""Between which ratings the levels of an opponent are right by games."""

from hitonami.agent import level_style
from hitonami.customs import customs_of
from hitonami.levels import sized
from hitonami.levels.held import held_levels
from hitonami.scales import scale_of
from hitonami.web.styles import Style


def held_by(style: Style, game: str) -> dict[str, tuple[float, float]]:
    """Between which ratings the levels of a style are right by games, where that was measured: by pool, in games of
    several boards by "POOL:SIZE"."""
    if not style.follows_level or style.named:
        return {}
    mind = level_style(style.mind)
    found = {
        sized(pool, size) if size else pool: held_levels(mind, game, pool, size)
        for pool in scale_of(game).pools
        for size in customs_of(game).sizes or (0,)
    }
    return {place: held for place, held in found.items() if held is not None}
