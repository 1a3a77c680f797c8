"""The figures of a fit's JSON: the best value of each group, what it costs to miss it, what it is worth held out."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hitonami.experiments.step import FITTED, HELD_OUT, Found, figure, in_part
from hitonami.outcomes import Figure

_AROUND: Final = 0.1
"""How far from the best weight its cost is told: the dissertation's own."""
_OWN: Final = "On games that the fit never saw, each group by its own best value"
_DISTANCES: Final = "Distance to the last move"


def fit_figures(found: Found, minds: Sequence[str]) -> Iterator[Figure]:
    """Of a knob, or of the weights of three or more minds."""
    for row in found["groups"]:
        yield from in_part(FITTED, _weights(row, minds) if found["knob"] == "weights" else _best(row, found))
    for row in found.get("aimed", ()):
        yield from in_part(FITTED, figure(row, "m", "m by distance"))
    yield from in_part(HELD_OUT, held_out_figures(found["held_out"]))
    means = found.get("held_out_own", {})
    for mean, rows in means.items():
        for row in rows:
            yield from in_part(_OWN, _own(row, f"{mean} mean" if len(means) > 1 else ""))
    for row in found.get("distances", ()):
        for key, series in (("human", "people"), ("plain", "mind"), ("corrected", "mind corrected")):
            yield from in_part(_DISTANCES, figure(row, key, "distance", series))
    for row in found.get("tails", ()):
        for series in ("people", "mind"):
            yield from figure(row, series, f"moves below {row['below']:.1%}", series, "share")


def held_out_figures(rows: list[Found]) -> Iterator[Figure]:
    """What a fit gains on games that it never saw."""
    for row in rows:
        yield from figure(row, "accuracy_difference", "gain held out", "", "points")
        yield from figure(row, "cross_entropy_difference", "cross-entropy held out", "", "nats more")


def _best(row: dict[str, Any], found: Found) -> Iterator[Figure]:
    plain = {"group": row["group"], "n": row["n"]} | row["first_mind"]
    yield from figure(plain, "accuracy", "first mind alone", "", "share")
    yield from figure(row, "by_accuracy", f"{found['knob']} by accuracy")
    yield from figure(row, "by_likelihood", f"{found['knob']} by likelihood")
    if found["method"] == "blend":
        yield from figure(row | {"cost": _cost_of_missing(row, found["grid"])}, "cost", "cost of 0.1", "", "points")


def _cost_of_missing(row: dict[str, Any], grid: list[float]) -> float | None:
    """The accuracy lost where the fit was made by a weight 0.1 beside the most accurate, the mean of both sides."""
    best = round(row["by_accuracy"]["value"], 2)
    held = {round(value, 2): each["value"] for value, each in zip(grid, row["accuracy"], strict=True)}
    beside = [held[at] for side in (-_AROUND, _AROUND) if (at := round(best + side, 2)) in held]
    return held[best] - sum(beside) / len(beside) if beside else None


def _weights(row: dict[str, Any], minds: Sequence[str]) -> Iterator[Figure]:
    for name, weight in zip(minds, row["weights"], strict=True):
        yield from figure(row | {"weight": weight}, "weight", f"weight of {name}")


def _own(row: dict[str, Any], series: str) -> Iterator[Figure]:
    yield from figure(row, "first_accuracy", "first mind", series, "share")
    yield from figure(row, "accuracy", "with its own value", series, "share")
    yield from figure(row, "accuracy_difference", "gain", series, "points")
    yield from figure(row, "cross_entropy_difference", "cross-entropy added", series, "nats more")
