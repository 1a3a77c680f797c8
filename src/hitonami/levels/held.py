"""Which levels games hold."""

from hitonami.levels import read_provenance


def held_levels(style: str, game: str, pool: str) -> tuple[float, float] | None:
    """From which rating to which the levels of a style are as far apart by games as told; None where nobody looked."""
    kind, _, base = style.partition(":")
    told = read_provenance(game, base)
    held = told.get(("level", kind, pool), told.get(("level", kind, ""), {})).get("held")
    return None if held is None else (float(held[0]), float(held[1]))
