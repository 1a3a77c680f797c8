"""A person's style in words and as figures."""

from collections.abc import Iterator
from typing import Any, Final

from hitonami.evaluate.intervals import Interval
from hitonami.style.portrait import Portrait, Row
from hitonami.style.reference import PROBABILITIES
from hitonami.traits import Trait

_SHOWN: Final = 15


def as_lines(found: Portrait) -> Iterator[str]:
    """The most unusual traits."""
    yield who(found)
    yield from found.remarks
    if not found.rows:
        yield "nothing to compare: the games say too little"
        return
    yield f"{'trait':<58} {'this person':>24} {'80% of the level':>18}  spreads (95%), people passed"
    for row in found.rows[:_SHOWN]:
        low, high = (row.quantiles[PROBABILITIES.index(each)] for each in (0.1, 0.9))
        level = f"{figure(row.trait, low)} … {figure(row.trait, high)}"
        yield f"{row.trait.words:<58} {_interval(row):>24} {level:>18}  {place(row.place)}  {standing(row)}"
    if len(found.rows) > _SHOWN:
        yield f"… and {len(found.rows) - _SHOWN} more that are less unusual (--html, --json)"


def who(found: Portrait) -> str:
    """Whose games, and beside whom."""
    rated = "" if found.player.rating is None else f", {found.player.rating:.0f} {found.player.pool}".rstrip()
    beside = f"{found.level.people:,} people of {found.pool or 'one pool'}"
    if found.level.rating is not None:
        beside += f" about {found.level.rating:.0f}"
    return f"{found.game}: {found.games:,} games of one person{rated}, beside {beside}"


def figure(trait: Trait, value: float) -> str:
    return f"{100 * value:.1f}%" if trait.share else f"{value:.3g}"


def _interval(row: Row) -> str:
    told = (figure(row.trait, each) for each in (row.value.value, row.value.low, row.value.high))
    return "{} ({} … {})".format(*told)


def place(each: Interval) -> str:
    return f"{each.value:+.1f} ({each.low:+.1f} … {each.high:+.1f})"


def standing(row: Row) -> str:
    """Where the person stands among people of the level."""
    if row.share_below >= 0.5:
        return f"above {100 * row.share_below:.0f}%{' or more' * (row.share_below >= PROBABILITIES[-1])}"
    return f"below {100 * (1 - row.share_below):.0f}%{' or more' * (row.share_below <= PROBABILITIES[0])}"


def as_json(found: Portrait) -> dict[str, Any]:
    return {
        "game": found.game,
        "games": found.games,
        "games_of_others": found.person.others,
        "rating": found.player.rating,
        "pool": found.player.pool,
        "beside": {"pool": found.pool, "rating": found.level.rating, "people": found.level.people},
        "traits": [_row_json(row) for row in found.rows],
    }


def _row_json(row: Row) -> dict[str, Any]:
    return {
        "name": row.trait.name,
        "words": row.trait.words,
        "games": row.games,
        "value": _figures(row.value),
        "level": dict(zip(map(str, PROBABILITIES), row.quantiles, strict=True)),
        "spreads": _figures(row.place),
        "share_below": row.share_below,
    }


def _figures(each: Interval) -> dict[str, float]:
    return {"value": each.value, "low": each.low, "high": each.high}
