"""Which levels games hold."""

from typing import Final

from hitonami.levels import read_provenance

METHODS: Final = "level", "looks"
"""What was fitted by games: the draw, and above its reach how far agents look."""


def held_levels(style: str, game: str, pool: str) -> tuple[float, float] | None:
    """From which rating to which the levels of a style are as far apart by games as told; None where nobody looked."""
    kind, _, base = style.partition(":")
    told = read_provenance(game, base)
    spans = [told.get((method, kind, pool), told.get((method, kind, ""), {})).get("held") for method in METHODS]
    ends = [float(end) for span in spans if span is not None for end in span]
    return (min(ends), max(ends)) if ends else None
