"""What games say of the level that somebody asks for."""

from hitonami.agent import level_style
from hitonami.levels.held import held_levels
from hitonami.ranks import write_rank
from hitonami.specs import MindSpec


def doubt_of(mind: MindSpec | str, game: str, pool: str, rating: float | None, size: int = 0) -> str:
    """What is to be said of a level that games say is not held; "" where there is nothing."""
    style = level_style(mind)
    held = held_levels(style, game, pool, size)
    if held is None or rating is None or held[0] <= rating <= held[1]:
        return ""
    end, more = (held[0], "weaker") if rating < held[0] else (held[1], "stronger")
    low, high, wanted, last = map(write_rank, (*held, rating, end))
    return f"Levels of {style} are right by games from {low} to {high}: {wanted} is hardly {more} than {last}."
