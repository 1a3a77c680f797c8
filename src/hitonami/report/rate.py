"""Estimated ratings as a table and as JSON. Computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from hitonami.dataset.reading import Tally
from hitonami.evaluate.intervals import Interval
from hitonami.report.review import level_text
from hitonami.report.text import aligned, signed
from hitonami.strength.fit import Band, Measured
from hitonami.strength.rating_of import Rated


def as_lines(rated: Sequence[Rated]) -> Iterator[str]:
    """One line a player."""
    rows: list[tuple[str, ...]] = [("player", "pool", "games", "moves", "rating", "95% between", "recorded", "")]
    rows += [_row(each) for each in rated]
    yield from aligned(rows)


def _row(rated: Rated) -> tuple[str, ...]:
    found = rated.estimate
    recorded = level_text(rated.recorded)
    if found is None:
        return (rated.name, "", str(rated.games), "0", "–", "–", recorded, "no move to ask about")
    span = f"{level_text(found.low)} … {level_text(found.high)}"
    open_to = [side for side, is_open in (("below", found.open_below), ("above", found.open_above)) if is_open]
    used = f"{found.games}" if found.games == rated.games else f"{found.games} of {rated.games:,}"
    note = f"not bounded {' or '.join(open_to)} by the moves" if open_to else ""
    note = note if found.calibrated else "not calibrated"
    return (rated.name, found.pool, used, str(found.moves), level_text(found.rating), span, recorded, note)


def as_json(game: str, mind: str, rated: Sequence[Rated], tally: Tally) -> dict[str, Any]:
    """The documented JSON (docs/review.md)."""
    return {
        "game": game,
        "mind": mind,
        "games_read": tally.games,
        "rejected": dict(tally.rejected),
        "broken": list(tally.broken),
        "players": [asdict(each) for each in rated],
    }


def measured_lines(measured: Sequence[Measured]) -> Iterator[str]:
    """How far estimates were from the recorded ratings, by number of games."""
    rows: list[tuple[str, ...]] = [
        ("games", "players", "moves of each", "mean error", "guess of the mean", "less by", "within 95%", "correlation")
    ]
    for each in measured:
        inside = signed(each.coverage, ".0%")
        numbers = str(each.games), str(each.players), f"{each.moves:.0f}"
        errors = (_interval(found) for found in (each.error, each.guess, each.gain))
        rows.append((*numbers, *errors, inside, f"{each.correlation:.2f}"))
    yield from aligned(rows)
    yield ""
    parts: list[tuple[str, ...]] = [
        ("games", "rated from", "players", "mean error", "bias", "within 95%", "open above")
    ]
    parts += [_band(str(each.games), band) for each in measured for band in each.bands]
    yield from aligned(parts)


def _band(games: str, band: Band) -> tuple[str, ...]:
    digits = 0 if band.error >= 20 else 1
    errors = f"{band.error:.{digits}f}", f"{band.bias:+.{digits}f}"
    return (games, band.name, str(band.players), *errors, f"{band.coverage:.0%}", f"{band.open_above:.0%}")


def measured_json(game: str, pool: str, split: str, measured: Sequence[Measured]) -> dict[str, Any]:
    """The documented JSON of `--measure` (docs/review.md)."""
    return {"game": game, "pool": pool, "split": split, "measured": [asdict(each) for each in measured]}


def _interval(found: Interval) -> str:
    digits = 0 if max(abs(found.low), abs(found.high)) >= 20 else 1
    return signed(found, f".{digits}f")
