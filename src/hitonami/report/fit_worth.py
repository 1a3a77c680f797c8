"""What people play for, as tables for the terminal, as JSON and as a page. Computes nothing."""

from collections.abc import Iterator
from typing import Any, Final

from hitonami.fits.utilities import Utilities, Weights
from hitonami.fits.utilities_run import WorthRun
from hitonami.report.interval_plots import over_groups
from hitonami.report.page import headed, made_by, page, paragraph, plots, section
from hitonami.report.text import aligned, signed, spanned, titled

_METHOD: Final = (
    "People choose a with a probability proportional to prior(a) · exp(β · (W(a) + d · D(a))): W and D are the chances "
    "of a win and of a draw after the move, a win is worth 1, a loss 0 and a draw d. β says how much they act on it. "
    "Both are fitted by likelihood; intervals (95%) are of resampled games."
)
_FEATURES: Final = (
    "People choose a with a probability proportional to prior(a) · exp(w · what the board shows of a). Weights are of "
    "spreads, fitted by likelihood with the prior of a twin, which pulls each to nothing; intervals (95%) are of "
    "resampled games."
)
_SHOWN: Final = 15


def as_json(run: WorthRun) -> dict[str, Any]:
    """The documented JSON (docs/rewards.md)."""
    plan = run.drawn.plan
    told = {
        **plan.asked,
        "method": run.wish.method,
        "prior": run.prior,
        "actor": run.wish.actor,
        "came_to_mind": run.came_to_mind,
        "held_out": [{"group": name, "n": n, "gain": vars(gain)} for name, n, gain in run.held_out],
    }
    if run.utilities:
        return told | {"groups": [_utilities_json(each) for each in run.utilities]}
    return told | {"groups": [_weights_json(each, run.columns) for each in run.weights]}


def _utilities_json(each: Utilities) -> dict[str, Any]:
    known = {"group": each.name, "n": each.n, "games": each.games, "rating": each.rating}
    return known | {"beta": vars(each.beta), "draw": vars(each.draw), "gain": vars(each.gain)}


def _weights_json(each: Weights, columns: tuple[str, ...]) -> dict[str, Any]:
    weights = {name: vars(each.interval(at)) for at, name in enumerate(columns)}
    return {"group": each.name, "n": each.n, "games": each.games, "gain": vars(each.gain), "weights": weights}


def as_lines(run: WorthRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    yield ""
    if run.utilities:
        yield from aligned(_utility_rows(run))
    else:
        yield from aligned(_gain_rows(run))
        rows = _weight_rows(run)
        yield from titled("weights of all, by how sure they are", rows[: _SHOWN + 1])
        yield f"  … and {len(rows) - _SHOWN - 1} more that are less sure (--html, --json)"
    if run.held_out:
        yield from titled("held out: nats a move gained over the prior", _held_out_rows(run))


def lead_of(run: WorthRun) -> str:
    plan, every = run.drawn.plan, run.weights[-1]
    what = "what results are worth" if run.utilities else "what the board shows and people go by"
    whose = f", moves drawn by {run.wish.actor}" if run.wish.actor else ""
    return (
        f"{plan.game}: {what}, over {run.prior}{whose}; {every.n:,} decisions of {every.games:,} games ({plan.told}); "
        f"{run.came_to_mind:.1%} of the moves were looked at"
    )


def _utility_rows(run: WorthRun) -> list[list[str]]:
    head = ["group", "n", "games", "β", "draw (win 1, loss 0)", "gain, nats"]
    return [
        head,
        *(
            [
                each.name,
                f"{each.n:,}",
                f"{each.games:,}",
                spanned(each.beta, ".2f"),
                signed(each.draw, "+.2f"),
                signed(each.gain),
            ]
            for each in run.utilities
        ),
    ]


def _gain_rows(run: WorthRun) -> list[list[str]]:
    rows = [[each.name, f"{each.n:,}", f"{each.games:,}", signed(each.gain)] for each in run.weights]
    return [["group", "n", "games", "gain, nats"], *rows]


def _weight_rows(run: WorthRun) -> list[list[str]]:
    """The columns that are surely not nothing first."""
    every = run.weights[-1]
    told = [(name, every.interval(at)) for at, name in enumerate(run.columns)]
    told.sort(key=lambda each: -min(abs(each[1].low), abs(each[1].high)) * (each[1].low * each[1].high > 0))
    return [["what is seen", "weight"], *([name.replace("_", " "), signed(each, "+.2f")] for name, each in told)]


def _held_out_rows(run: WorthRun) -> list[list[str]]:
    return [["group", "n", "gain, nats"], *([name, f"{n:,}", signed(gain)] for name, n, gain in run.held_out)]


def as_page(run: WorthRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    if run.utilities:
        tables = [section("By group", headed(_utility_rows(run))), section("In a picture", plots(_plots(run)))]
    else:
        tables = [section("By group", headed(_gain_rows(run))), section("Weights of all", headed(_weight_rows(run)))]
    held_out = section("Held out", headed(_held_out_rows(run))) if run.held_out else ""
    how = section("How it was fitted", paragraph(_METHOD if run.utilities else _FEATURES))
    title = f"Fit: {run.drawn.plan.game} {run.wish.method}"
    return page(title, lead_of(run), *tables, held_out, how, footer=made_by(command))


def _plots(run: WorthRun) -> list[str]:
    groups = [each.name for each in run.utilities]
    draws = over_groups("what a draw is worth", groups, [("draw", [each.draw for each in run.utilities])], "utility")
    return [
        draws,
        over_groups("how much people act on it", groups, [("β", [each.beta for each in run.utilities])], "β"),
    ]
