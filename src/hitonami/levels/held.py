"""Which levels games hold."""

from hitonami.levels import read_provenance


def held_levels(style: str, game: str, pool: str) -> tuple[float, float] | None:
    """From which rating to which the levels of a style are as far apart by games as told; None where nobody looked.

    Above what the draw of a level reaches, how far agents look may hold more of them.
    """
    kind, _, base = style.partition(":")
    told = read_provenance(game, base)
    drawn, looked = (
        told.get((method, kind, pool), told.get((method, kind, ""), {})).get("held") for method in ("level", "looks")
    )
    if drawn is None:
        return None
    low, high = map(float, drawn)
    return low, high if looked is None else max(high, float(looked[1]))
