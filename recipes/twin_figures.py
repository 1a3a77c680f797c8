"""Pictures of what twins are worth: python recipes/twin_figures.py OUT --queries FILE --reference GAMES:FILE … [--tuning FILE]

FILEs are outcomes of recipes/twins.py and recipes/fine_tuning.py. Writes OUT/twins.svg (by own games, and by reference
games, after figures 5.4 and 5.5 of S0) and OUT/fine-tuning.svg (the published ways, and one trait of each person and
model, after figure 5.6).
"""  # noqa: E501

import argparse
import json
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hitonami import disk
from hitonami.report.plots import ACCENT, GRID, INK, SECOND, dress, to_svg

WAYS = {"similar, then own": ACCENT, "prior of many": SECOND, "prior, similar, then own": "#4c9a6a"}
TUNED = ("Transfer", "SGFT-F", "SGFT-F, one trait", "one stage", "prototype")
TRAIT = "control"


def panels(titles: list[tuple[str, str, str]], high: float = 3.2) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(9.6, high), layout="constrained")
    axes = list(figure.subplots(1, len(titles)))
    for each, labels in zip(axes, titles, strict=True):
        dress(each, *labels)
    return figure, axes


def line(axes: Axes, xs: list[float], found: list[list[float]], colour: str, label: str) -> None:
    """Values with their intervals."""
    values, lows, highs = zip(*found, strict=True)
    axes.plot(xs, values, "o-", color=colour, markersize=4, linewidth=1.6, label=label)
    axes.fill_between(xs, lows, highs, color=colour, alpha=0.15, linewidth=0)


def draw_twins(queries: Path, references: list[tuple[int, Path]]) -> Figure:
    figure, (left, right) = panels(
        [
            ("By games of one's own", "own games", "nats below the base"),
            ("By games of others", "reference games", "nats below own games alone"),
        ]
    )
    rows = [row for row in json.loads(queries.read_text("utf-8")) if row["twin"] == "own games alone"]
    for plies, colour in (("all plies", ACCENT), ("from ply 10 on", SECOND)):
        chosen = [row for row in rows if row["plies"] == plies]
        line(left, [row["games"] for row in chosen], [_below(row["nats"]) for row in chosen], colour, plies)
    left.set_xscale("log")
    left.set_xticks([20, 50, 100, 250, 500], ["20", "50", "100", "250", "500"])
    left.minorticks_off()
    held = [(count, json.loads(path.read_text("utf-8"))) for count, path in references]
    for way, colour in WAYS.items():
        found = [(count, row) for count, each in held for row in each
                 if row.get("against") and row["twin"] == way and row["plies"] == "all plies"]  # fmt: skip
        line(right, [count for count, _ in found], [_below(row["nats"]) for _, row in found], colour, way)
    right.axhline(0.0, color=INK, linewidth=0.8)
    right.set_xscale("log")
    right.set_xticks([count for count, _ in references], [f"{count:,}" for count, _ in references])
    right.minorticks_off()
    for axes in (left, right):
        axes.legend(frameon=False, fontsize=9)
    return figure


def _below(nats: list[float]) -> list[float]:
    value, low, high = nats
    return [-value, -high, -low]


def draw_tuning(path: Path) -> Figure:
    held: dict[str, Any] = json.loads(path.read_text("utf-8"))
    figure, (left, right) = panels(
        [
            ("Fine-tuned on 100 games", "", "nats below the base"),
            (f"{TRAIT}: people and models", "the person's own", "the model's"),
        ]
    )
    ways = [way for way in TUNED if way in held]
    for at, way in enumerate(ways):
        value, low, high = _below(held[way]["nats beyond base"])
        left.errorbar([at], [value], yerr=[[value - low], [high - value]], fmt="o", color=ACCENT)
    left.axhline(0.0, color=INK, linewidth=0.8)
    left.set_xticks(range(len(ways)), [way.replace(", ", ",\n") for way in ways], fontsize=8)
    for way, colour in (("base", GRID), ("Transfer", SECOND), ("SGFT-F", ACCENT)):
        own, model = held[way]["people"][TRAIT]
        right.plot(own, model, "o", color=colour, label=way, markersize=6)
    ends = [min(held["base"]["people"][TRAIT][0]), max(held["base"]["people"][TRAIT][0])]
    right.plot(ends, ends, color=INK, linewidth=0.8)
    right.legend(frameon=False, fontsize=9)
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--reference", action="append", default=[], help="GAMES:FILE")
    parser.add_argument("--tuning", type=Path)
    asked = parser.parse_args()
    if asked.queries is not None:
        references = [(int(count), Path(path)) for count, _, path in (each.partition(":") for each in asked.reference)]
        disk.write_text(asked.out / "twins.svg", to_svg(draw_twins(asked.queries, references)))
    if asked.tuning is not None:
        disk.write_text(asked.out / "fine-tuning.svg", to_svg(draw_tuning(asked.tuning)))


if __name__ == "__main__":
    main()
