"""Plots of ratings: dots with intervals, and what was expected against what came."""

from collections.abc import Sequence

from hitonami.report.plots import ACCENT, GRID, INK, SECOND, draw_axes, to_svg


def rating_dots(
    title: str, rows: Sequence[tuple[str, float, float, float]], given: Sequence[float | None], x_label: str
) -> str:
    """One row a player, the first on top: name, rating, and its interval. Given ratings are hollow squares."""
    figure, axes = draw_axes(title, x_label, "", high=max(1.6, 0.8 + 0.32 * len(rows)))
    for at, (_, value, low, high) in enumerate(rows):
        axes.plot([low, high], [at, at], color=ACCENT, linewidth=2, solid_capstyle="round")
        axes.plot([value], [at], "o", color=ACCENT, markersize=6)
        if (told := given[at]) is not None:
            axes.plot([told], [at], "s", color=SECOND, markersize=7, fillstyle="none")
    axes.set_yticks(range(len(rows)), [name for name, *_ in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    return to_svg(figure)


def expected_against_actual(title: str, points: Sequence[tuple[float, float, float, float]]) -> str:
    """Expected score, actual score, and the actual one's interval; on the line they are equal."""
    figure, axes = draw_axes(title, "expected score", "actual score", wide=4.6, high=4.2)
    axes.plot([0, 1], [0, 1], color=INK, linewidth=1, linestyle=":")
    for expected, actual, low, high in points:
        axes.plot([expected, expected], [low, high], color=ACCENT, linewidth=1.5, alpha=0.7)
        axes.plot([expected], [actual], "o", color=ACCENT, markersize=6)
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    return to_svg(figure)
