"""Estimated ratings as a table, as JSON and as a page with a picture of each. Computes nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from hitonami.dataset.reading import Tally
from hitonami.evaluate.intervals import Interval
from hitonami.report.page import made_by, page, section, table, wide
from hitonami.report.plots import ACCENT, INK, draw_axes, to_svg
from hitonami.report.review import level_text
from hitonami.report.text import aligned, signed
from hitonami.strength.fit import Band, Measured
from hitonami.strength.rating_of import Rated

_DRAWN: Final = 24
"""Players whose posterior is drawn."""


def as_lines(rated: Sequence[Rated]) -> Iterator[str]:
    """One line a player."""
    yield from aligned(_rows(rated))


def _rows(rated: Sequence[Rated]) -> list[tuple[str, ...]]:
    head = ("player", "pool", "games", "moves", "opponents", "rating", "95% between", "recorded", "")
    return [head, *(_row(each) for each in rated)]


def as_page(game: str, rated: Sequence[Rated], command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    head, *rows = _rows(rated)
    known = [each for each in rated if each.estimate is not None and each.estimate.posterior]
    lead = f"{len(rated):,} players, from their moves" + _heard(rated)
    drawn = section("How likely each rating is", wide(_ridges(known[:_DRAWN]))) if known else ""
    return page(f"Ratings: {game}", lead, section("Players", table(head, rows)), drawn, footer=made_by(command))


def _heard(rated: Sequence[Rated]) -> str:
    heard = sum(each.estimate.opponents for each in rated if each.estimate is not None)
    return f" and from {heard:,} games with opponents of known rating." if heard else "."


def _ridges(rated: Sequence[Rated]) -> str:
    """A ridge a player: the posterior, the guess, and the recorded rating where there is one."""
    tall = 1.2 + 0.75 * len(rated)
    figure, axes = draw_axes("", "rating", "", wide=9.6, high=tall)
    for place, each in enumerate(reversed(rated)):
        found = each.estimate
        assert found is not None
        xs, ys = zip(*found.posterior, strict=True)
        axes.fill_between(xs, place, [place + 0.8 * y for y in ys], color=ACCENT, alpha=0.35, linewidth=0)
        axes.plot([found.low, found.high], [place, place], color=INK, linewidth=1.2)
        axes.plot([found.rating], [place], "o", color=ACCENT, markersize=6)
        if each.recorded is not None:
            axes.plot([each.recorded], [place], "|", color=INK, markersize=13, markeredgewidth=2)
    axes.set_yticks(range(len(rated)), [each.name for each in reversed(rated)])
    axes.set_title("filled: how likely; dot: the rating; line: 95%; bar: recorded", fontsize=9, loc="left")
    return to_svg(figure)


def _row(rated: Rated) -> tuple[str, ...]:
    found = rated.estimate
    recorded = level_text(rated.recorded)
    if found is None:
        return (rated.name, "", str(rated.games), "0", "0", "–", "–", recorded, "no move to ask about")
    span = f"{level_text(found.low)} … {level_text(found.high)}"
    open_to = [side for side, is_open in (("below", found.open_below), ("above", found.open_above)) if is_open]
    used = f"{found.games}" if found.games == rated.games else f"{found.games} of {rated.games:,}"
    note = f"not bounded {' or '.join(open_to)} by the moves" if open_to else ""
    note = note if found.calibrated else "not calibrated"
    counts = used, str(found.moves), str(found.opponents)
    return (rated.name, found.pool, *counts, level_text(found.rating), span, recorded, note)


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
