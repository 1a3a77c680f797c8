"""Kinds of players: in words, as figures, and as a page with a picture. Computes nothing."""

from collections.abc import Iterator
from typing import Any, Final

from hitonami.report.interval_plots import COLOURS
from hitonami.report.page import headed, made_by, page, paragraph, plots, section
from hitonami.report.plots import INK, draw_axes, to_svg
from hitonami.report.text import aligned, percent_text, spanned, titled
from hitonami.style.clusters import Cluster, Clusters

_SHOWN: Final = 4
_DRAWN: Final = 6
_METHOD: Final = (
    "Each person's games were cut in two by chance. Groups are of the first half: means of traits, less what rating "
    "and pool explain, in spreads of people, along a few uncorrelated directions, divided by a Gaussian mixture; their "
    "number is the one with the least BIC. Told of the other half, which made nothing: how often a person's unseen "
    "games fall into the person's own group. Stability is the adjusted Rand index between these groups and those of "
    "resampled people: 1 is the same, 0 what chance would have."
)


def as_lines(found: Clusters) -> Iterator[str]:
    yield lead_of(found)
    yield from found.remarks
    yield ""
    yield from aligned(_rows(found))
    yield from titled("how many groups", _bic_rows(found))
    yield ""
    yield _worth(found)


def lead_of(found: Clusters) -> str:
    return (
        f"{found.wish.game}: {found.people:,} people with {found.wish.least_games} games or more ({found.games:,} in "
        f"all), {len(found.clusters)} kinds of players by {len(found.used)} traits"
    )


def _worth(found: Clusters) -> str:
    return (
        f"unseen games fall into their player's own group: {percent_text(found.agreement)}, by chance "
        f"{100 * found.chance:.1f}% (p = {found.p_value:.4f}); stability {spanned(found.stability, '.2f')}"
    )


def _rows(found: Clusters) -> list[list[str]]:
    rows = [
        [f"{at + 1}", f"{each.people:,}", _rating(each), "; ".join(_telling(each))]
        for at, each in enumerate(found.clusters)
    ]
    return [["group", "people", "rating", "beside the others, in spreads"], *rows]


def _rating(each: Cluster) -> str:
    return "" if each.rating is None else f"{each.rating:.0f}"


def _telling(each: Cluster) -> list[str]:
    return [f"{trait.words} {off:+.1f}" for trait, off in each.traits[:_SHOWN]]


def _bic_rows(found: Clusters) -> list[list[str]]:
    least = min(found.bic)
    return [["groups", "BIC above the least"], *([f"{at + 1}", f"{b - least:.0f}"] for at, b in enumerate(found.bic))]


def as_json(found: Clusters) -> dict[str, Any]:
    """The documented JSON (docs/style.md)."""
    return {
        "game": found.wish.game,
        "people": found.people,
        "games": found.games,
        "traits": [trait.name for trait in found.used],
        "bic": list(found.bic),
        "stability": vars(found.stability),
        "unseen": {"agreement": vars(found.agreement), "chance": found.chance, "p": found.p_value},
        "clusters": [_cluster_json(each) for each in found.clusters],
        "members": [
            {"name": name, "cluster": int(label) + 1} for name, label in zip(found.names, found.labels, strict=True)
        ],
    }


def _cluster_json(each: Cluster) -> dict[str, Any]:
    named = {"name": each.name, "people": each.people, "rating": each.rating}
    return named | {"spreads": {trait.name: off for trait, off in each.traits}}


def as_page(found: Clusters, command: str = "") -> str:
    """The whole document."""
    return page(
        f"Kinds of players: {found.wish.game}",
        lead_of(found),
        section("Groups", headed(_rows(found)), plots([_map(found), _profile(found)])),
        section("What they are worth", paragraph(_worth(found)), headed(_bic_rows(found))),
        section("How it was found", paragraph(_METHOD)),
        footer=made_by(command),
    )


def _map(found: Clusters) -> str:
    """Everybody along the two widest directions."""
    figure, axes = draw_axes("people", "widest direction", "second", wide=6.4, high=4.2)
    for at, each in enumerate(found.clusters):
        own = found.places[found.labels == at]
        axes.scatter(own[:, 0], own[:, 1], s=14, color=_colour(at), alpha=0.75, label=f"{at + 1}: {each.people:,}")
    axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="best")
    return to_svg(figure)


def _profile(found: Clusters) -> str:
    """The traits that tell groups apart most, a point for each group."""
    telling = {trait.name: trait for each in found.clusters for trait, _ in each.traits[:_DRAWN]}
    names = [trait.words for trait in telling.values()]
    figure, axes = draw_axes("what sets them apart", "spreads from the others", "", 8.6, 0.9 + 0.26 * len(names))
    for at, each in enumerate(found.clusters):
        off = {trait.name: value for trait, value in each.traits}
        axes.plot([off[name] for name in telling], names, "o", color=_colour(at), label=f"{at + 1}")
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="best")
    return to_svg(figure)


def _colour(at: int) -> str:
    return COLOURS[at % len(COLOURS)]
