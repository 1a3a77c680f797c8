"""A rating from puzzles as text and as JSON."""

import math
from collections.abc import Iterator
from typing import Any

from hitonami.strength.item_response import Estimate, chance_right
from hitonami.strength.puzzle_run import PuzzleRun

_BAND = 200


def as_lines(report: PuzzleRun) -> Iterator[str]:
    """Solved shares by band of difficulty, then the ratings."""
    right = report.answers.right
    yield f"{report.who}: {len(right):,} puzzles, {right.mean():.1%} solved"
    yield f"{'puzzles':>12}  {'n':>6}  {'solved':>7}  {'by IRT':>7}"
    for begin, count, share, expected in _bands(report):
        fitted = "–" if expected is None else f"{expected:.1%}"
        yield f"{f'{begin}–{begin + _BAND - 1}':>12}  {count:>6,}  {share:>7.1%}  {fitted:>7}"
    yield f"IRT     {_estimate(report.irt)}, slope {report.irt.slope:.2f}, chance of guessing {report.guess:g}"
    yield f"Glicko  {_estimate(report.glicko)}"
    yield "on the scale of the puzzles' ratings"
    for reason, count in sorted(report.left_out.items()):
        yield f"left out: {count:,} {reason}"


def _bands(report: PuzzleRun) -> Iterator[tuple[int, int, float, float | None]]:
    """Where each band begins, its puzzles, the share solved, and the share that the fit expects."""
    answers, irt = report.answers, report.irt
    places = (answers.ratings // _BAND).astype(int)
    expected = chance_right(answers, irt.rating, irt.slope, report.guess) if math.isfinite(irt.rating) else None
    for place in sorted(set(places.tolist())):
        inside = places == place
        fitted = None if expected is None else float(expected[inside].mean())
        yield place * _BAND, int(inside.sum()), float(answers.right[inside].mean()), fitted


def _estimate(found: Estimate) -> str:
    return f"{found.rating:.0f} ({found.low:.0f} … {found.high:.0f})"


def as_json(report: PuzzleRun) -> dict[str, Any]:
    """The documented JSON (docs/tournaments.md)."""
    bands = [
        {"from": begin, "n": count, "solved": share, "expected": expected}
        for begin, count, share, expected in _bands(report)
    ]
    return {
        "who": report.who,
        "puzzles": len(report.answers.right),
        "solved": float(report.answers.right.mean()),
        "irt": _interval(report.irt) | {"slope": report.irt.slope, "guess": report.guess},
        "glicko": _interval(report.glicko),
        "bands": bands,
        "left_out": report.left_out,
    }


def _interval(found: Estimate) -> dict[str, float | None]:
    """JSON has no infinity: an end that nothing bounds is null."""
    parts = {"value": found.rating, "low": found.low, "high": found.high}
    return {name: value if math.isfinite(value) else None for name, value in parts.items()}
