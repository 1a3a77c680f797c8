"""The ladder's table and plot say what was found, with signs that a reader expects."""

from ladder_figures import Choice, OneWeight, RungFigures, as_lines, as_svg

from hitonami.evaluate.intervals import Interval
from hitonami.evaluate.metrics import Difference, Figures


def figures(accuracy: float, cross_entropy: float) -> Figures:
    around = [Interval(value, value - 0.02, value + 0.02) for value in (accuracy, cross_entropy, 0.2)]
    return Figures("all", 2000, 600, around[0], around[1], around[2], 0, 3.0)


def rung(base: str, games: int, accuracy: float, gain: float) -> RungFigures:
    gained = Difference(Interval(gain, gain - 0.01, gain + 0.01), 0.001)
    nats = Difference(Interval(-0.25, -0.3, -0.2), 0.001)
    choice = Choice(Interval(0.4, 0.3, 0.5), figures(accuracy + gain, 1.8), gained, nats)
    return RungFigures(
        base, games, "meangirl", OneWeight(4000, figures(accuracy, 2.05), figures(0.3, 2.2), choice, choice)
    )


ROWS = [rung("lichess", 1000, 0.21, 0.1), rung("fide", 20_000, 0.26, 0.08), rung("fide", 1000, 0.2, 0.12)]


def test_rows_are_in_order_with_every_figure() -> None:
    head, rule, *rows = (line for line in as_lines(ROWS) if line.startswith("|"))
    assert head.count("|") == rule.count("|") == rows[0].count("|")
    assert [row.split(" | ")[:2] for row in rows] == [["| fide", "1,000"], ["| fide", "20,000"], ["| lichess", "1,000"]]
    assert "20.0% (18.0% … 22.0%) | 2.050 | meangirl | 0.40 (0.30 … 0.50) | +12.0 (+11.0 … +13.0)" in rows[0]


def test_less_cross_entropy_is_a_gain() -> None:
    assert next(line for line in as_lines(ROWS) if "lichess" in line).endswith("| +0.250 (+0.200 … +0.300) |")


def test_experts_alone_are_told_once_for_each_kind_of_players() -> None:
    told = [line for line in as_lines(ROWS) if line.startswith("-")]
    assert told == [
        f"- meangirl alone on {base}: 30.0% (28.0% … 32.0%), 2.200 nats (2,000 moves of 600 games)"
        for base in ("fide", "lichess")
    ]


def test_the_plot_names_players_sizes_and_minds() -> None:
    plot = as_svg(ROWS)
    assert plot == as_svg(ROWS)
    for text in ("fide", "lichess", "20,000", "network alone", "blended with meangirl", "training games"):
        assert text in plot
