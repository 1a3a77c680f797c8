"""Which levels games hold."""

from hitonami.customs import customs_of
from hitonami.levels import read_provenance, sized


def held_levels(style: str, game: str, pool: str, size: int = 0) -> tuple[float, float] | None:
    """From which rating to which the levels of a style are as far apart by games as told; None where nobody looked.

    `size` is that of the board, 0 for the usual one; what holds on one board is not believed of another. Above what
    the draw of a level reaches, how far agents look may hold more of them.
    """
    kind, _, base = style.partition(":")
    told = read_provenance(game, base)
    usual = size in {0, customs_of(game).usual_size}
    pools = (pool, "") if usual else (sized(pool, size),)
    drawn, looked = (
        next((told[key] for each in pools if (key := (method, kind, each)) in told), {}).get("held")
        for method in ("level", "looks")
    )
    if drawn is None:
        return None
    low, high = map(float, drawn)
    return low, high if looked is None else max(high, float(looked[1]))
