"""A dataset's summary as text and as a page."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from hitonami.dataset.describe import LENGTH_BIN, Summary, rating_bin
from hitonami.report.page import page, plots, section, table
from hitonami.report.plots import bars, histogram

_MANY_GAMES = 20


def as_lines(summary: Summary) -> Iterator[str]:
    """Lines for a terminal."""
    yield f"{summary.games:,} games, {summary.moves:,} moves, {summary.with_clocks:,} games with clocks"
    yield "results (score of the first side): " + _inline(summary.results)
    for name, counts in summary.words.items():
        shown = Counter({word: count for word, count in counts.items() if word})
        if shown:
            yield f"{name}: {_inline(shown)}"
    for pool, ratings in sorted(summary.ratings.items()):
        yield f"ratings, {pool}:"
        yield from _bar_lines(ratings)
    yield "lengths in plies:"
    yield from _bar_lines(summary.lengths)
    many = [(name, count) for name, count in summary.players.most_common(_MANY_GAMES) if count > 1]
    if many:
        yield f"players: {len(summary.players):,}; most games: " + _inline(Counter(dict(many)))
    if summary.rejected:
        yield "left out at ingest: " + _inline(Counter(summary.rejected))


def as_json(summary: Summary) -> dict[str, Any]:
    """The counts; of the players how many they are, and who has most games."""
    most = dict(summary.players.most_common(_MANY_GAMES))
    return vars(summary) | {"players": len(summary.players), "most_games": most}


def _inline(counts: Counter[str]) -> str:
    return ", ".join(f"{word} {count:,}" for word, count in counts.most_common(12))


def _bar_lines(counts: Counter[int], width: int = 40) -> Iterator[str]:
    most = max(counts.values())
    for edge in sorted(counts):
        yield f"  {edge:>6} {counts[edge]:>9,} {'█' * max(1, round(width * counts[edge] / most))}"


def as_page(summary: Summary, title: str) -> str:
    """One self-contained HTML page."""
    rating_plots = [
        _histogram(f"Ratings, {pool}", counts, "rating") for pool, counts in sorted(summary.ratings.items())
    ]
    results = Counter({_RESULTS.get(name, name): count for name, count in summary.results.items()})
    word_plots = [
        bars(name.capitalize(), Counter(dict(shown.most_common(12))), "sides" if name in ("pool", "kind") else "games")
        for name, counts in summary.words.items()
        if (shown := Counter({word: count for word, count in counts.items() if word}))
    ]
    many = [[name, count] for name, count in summary.players.most_common(_MANY_GAMES) if count > 1]
    sections = [
        section("Ratings", plots(rating_plots) if rating_plots else "<p>No side has a rating.</p>"),
        section(
            "Games",
            plots([_histogram("Length", summary.lengths, "plies"), bars("Results", results, "games"), *word_plots]),
        ),
        section("Players with many games", table(["player", "games"], many)) if many else "",
        section("Left out at ingest", table(["reason", "games"], list(summary.rejected.items())))
        if summary.rejected
        else "",
    ]
    lead = f"{summary.games:,} games, {summary.moves:,} moves, {summary.with_clocks:,} games with clocks"
    return page(title, lead, *sections)


_RESULTS = {"1": "first side wins", "0": "second side wins", "0.5": "draw"}


def _histogram(title: str, counts: Counter[int], x_label: str) -> str:
    step, counted = (LENGTH_BIN, "games") if x_label == "plies" else (rating_bin(max(counts)), "sides")
    edges = list(range(min(counts), max(counts) + 2 * step, step))
    return histogram(title, [float(edge) for edge in edges], [counts[edge] for edge in edges[:-1]], x_label, counted)
