"""How well programs are told from people, in words and as figures. Computes nothing."""

from collections.abc import Iterator
from typing import Any, Final

from hitonami.judging.unmask_run import UnmaskRun
from hitonami.report.text import aligned, percent_text, spanned, titled

_SHOWN: Final = 12


def as_lines(run: UnmaskRun) -> Iterator[str]:
    found, wish = run.found, run.wish
    yield (
        f"{wish.game}: {found.people:,} games of people, the first {wish.plies} moves, seen by {wish.mind}; each "
        "program is told by a classifier that learned from programs of other kinds"
    )
    yield ""
    rows = [
        [each.agent, f"{each.games:,}", spanned(each.auc, ".3f"), percent_text(each.accuracy)] for each in found.told
    ]
    yield from aligned([["program", "games", "AUC", "accuracy"], *rows])
    weights = [[name.replace("_", " "), f"{weight:+.2f}"] for name, weight in found.weights[:_SHOWN]]
    yield from titled("what speaks for a program (+) or a person (−), in spreads", [["what shows", "weight"], *weights])


def as_json(run: UnmaskRun) -> dict[str, Any]:
    """The documented JSON (docs/likeness.md)."""
    wish = run.wish
    return {
        "game": wish.game,
        "people": run.found.people,
        "plies": wish.plies,
        "mind": wish.mind,
        "seed": wish.seed,
        "agents": [
            {"agent": each.agent, "games": each.games, "auc": vars(each.auc), "accuracy": vars(each.accuracy)}
            for each in run.found.told
        ],
        "weights": dict(run.found.weights),
    }
