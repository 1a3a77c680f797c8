"""Think time and resignation as tables for the terminal, as JSON, and as one self-contained page. Computes nothing."""

from collections.abc import Iterator
from dataclasses import asdict
from html import escape
from typing import Any

from hitonami.evaluate.intervals import Interval
from hitonami.fits.clocked import OwnPace
from hitonami.fits.haste import OwnLength
from hitonami.fits.manners_run import PaceRun
from hitonami.fits.pace import GroupPace
from hitonami.fits.prices import Price
from hitonami.fits.published import Published
from hitonami.fits.resign import Rule
from hitonami.fits.resign_run import ResignFit, ResignRun
from hitonami.fits.resign_verdict import Verdict, Worth
from hitonami.manners.additive import Additive
from hitonami.report.page import made_by, page, plots, section, table, wide
from hitonami.report.plots import ACCENT, INK, draw_axes, to_svg
from hitonami.report.text import aligned, nats_text, points_text, spanned

_PACE_HEAD = ["level", "turns", "r", "under 1 s", "model", "over 30 s", "model"]
_OWN_HEAD = ["level", "games", "under 1 s", "over 30 s", "flags fall", "given up", "plies"]
_LENGTH_HEAD = ["level", "games", "given up", "plies", "giving up wherever people do"]
_RULE_HEAD = ["rule", "FPR", "TPR", "ends of lost games", "would have been saved"]
_PRICE_HEAD = ["most saved", "given up", "ends of lost sides", "gives up where people do", "would have been saved"]
_PUBLISHED_HEAD = ["level", "games", "clean", "best", "bound", "B", "D", "D after", "v", "v after", "saved"]
_MEANT = {
    "hope": "log-odds of the expected score", "fall": "their change since the last two own turns",
    "lasting": "the best of three own turns", "balance": "what the side has more", "swing": "what it has just won",
    "ply": "ply", "level": "level", "level_hope": "level × hope", "hope_ply": "hope × log of the ply over 80",
    "edge": "how far the players are apart",
    "clock": "log of seconds left", "doubt": "entropy of the moves, nats", "choices": "good moves",
    "rare": "−log chance of the chosen move", "only": "an only move", "captures": "takes", "recaptures": "takes back",
    "tense": "how open the result is", "budget": "log of the budget",
    "points": "points ahead, as the board looks", "peril": "how near to a mate that cannot be parried",
    "increment": "log of the increment", "left": "log of seconds left", "ahead": "log of own time over the other's",
    "breadth": "log of the number of legal moves", "taken": "what the opponent has just taken",
    "spent": "log of what the own last move took", "answered": "log of what the opponent's last move took",
    "lead": "log-odds of the expected score, whoever's", "drawish": "log-odds of a draw",
    "uneven": "what one side has more", "usual": "log of what own moves took so far",
    "doubt_budget": "doubt × budget", "level_doubt": "level × doubt",
}  # fmt: skip


def pace_lines(run: PaceRun) -> Iterator[str]:
    """How well times are foretold, people beside the model, and how agents' own games go on clocks."""
    yield from _pace_told(run)
    if run.own:
        yield "agents' own games on the clocks and at the levels of unseen ones, people | agents:"
        yield from aligned([_OWN_HEAD, *(_own_row(name, each) for name, each in run.own)])


def _own_row(name: str, each: OwnPace) -> list[str]:
    shares = ((each.quick, each.own_quick), (each.long, each.own_long), (each.flags, each.own_flags),
              (each.resigned, each.own_resigned))  # fmt: skip
    told = [f"{_percent(people)} | {_percent(own)}" for people, own in shares]
    return [name, f"{each.games:,}", *told, f"{spanned(each.plies, '.0f')} | {spanned(each.own_plies, '.0f')}"]


def _pace_told(run: PaceRun) -> Iterator[str]:
    fit = run.fit
    if run.packaged is not None:
        every = run.packaged.groups[-1]
        yield (
            f"{run.wish.game}: think time, the packaged curves on {every.turns:,} turns ({run.split}): "
            f"r {nats_text(every.r)}, quantiles off by {run.packaged.quantile_error:.1%} on average"
        )
    if fit is None:
        yield f"nothing was learned: {run.refused}"
        return
    figures = fit.figures
    yield (
        f"{run.wish.game}: think time, learned from {fit.learned:,} turns ({fit.asked:,} asked about), measured on "
        f"{figures.groups[-1].turns:,} of other people's ({run.split})"
    )
    yield from aligned([_PACE_HEAD, *(_pace_row(each) for each in figures.groups)])
    yield "turns in each tenth of the model's distribution: " + " ".join(f"{share:.1%}" for share in figures.pit)
    if _known(figures.forfeits) is None:
        yield "flags: these records do not tell clocks"
        return
    yield (
        f"flags a thousand turns: people {figures.forfeits:.2f}, model {figures.model_forfeits:.2f} "
        f"(ratio {figures.forfeit_ratio:.2f})"
    )


def _pace_row(each: GroupPace) -> list[str]:
    shares = [_percent(each.quick), f"{each.model_quick:.1%}", _percent(each.long), f"{each.model_long:.1%}"]
    return [each.group, f"{each.turns:,}", nats_text(each.r), *shares]


def _percent(found: Interval) -> str:
    return spanned(found, ".1%")


def pace_json(run: PaceRun) -> dict[str, Any]:
    """The documented JSON (docs/manners.md)."""
    measured = run.packaged or (run.fit.figures if run.fit else None)
    assert measured is not None, "a run without either is refused"
    every = measured.groups[-1]
    told: dict[str, Any] = {
        "game": run.wish.game,
        "split": run.split,
        "curves": "learned" if run.packaged is None else "packaged",
        "log_correlation": every.r.value,
        "n": every.turns,
        "quantile_error": measured.quantile_error,
        "log_correlation_interval": asdict(every.r),
    }
    if run.own:
        told["own"] = [{"group": name, **asdict(each)} for name, each in run.own]
    if run.fit is None:
        return told | {"refused": run.refused}
    figures = run.fit.figures
    flags = {
        "forfeits": figures.forfeits,
        "model_forfeits": figures.model_forfeits,
        "forfeit_ratio": figures.forfeit_ratio,
    }
    return told | {
        "learned": run.fit.learned,
        "asked": run.fit.asked,
        "figures": asdict(figures) | {name: _known(value) for name, value in flags.items()},
        "model": run.fit.model.as_data(),
    }


def _known(value: float) -> float | None:
    return None if value != value else value  # noqa: PLR0124  (JSON has no NaN)


def pace_page(run: PaceRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    lead, *rest = pace_lines(run)
    title, fit = f"Think time: {run.wish.game}", run.fit
    if fit is None:
        return page(title, lead, section("What was learned", f"<p>{escape(rest[-1])}</p>"), footer=made_by(command))
    rows = [_pace_row(each) for each in fit.figures.groups]
    return page(
        title, lead,
        section("People beside the model", table(_PACE_HEAD, rows), f"<p>{escape(rest[-1])}</p>"),
        section("Tenths of the model's distribution", wide(_pit(fit.figures.pit))),
        section("What counts", plots(curves_of(fit.model.expected))),
        section("What makes an answer at once", plots(curves_of(fit.model.quick))),
        section("What makes a long thought", plots(curves_of(fit.model.long))),
        section("When flags fall", plots(curves_of(fit.model.flags))),
        footer=made_by(command),
    )  # fmt: skip


def resign_lines(run: ResignRun) -> Iterator[str]:
    """The packaged curves, then the fitted rule beside thresholds, at one FPR."""
    fit = run.fit
    if run.packaged is not None:
        yield f"{run.wish.game}: resignation, the packaged curves on {_worth_text(run.packaged)}"
    if fit is None:
        yield f"nothing was learned: {run.refused}"
    else:
        yield from _fit_lines(run.wish.game, fit)
    for name, each in run.played_out:
        yield (
            f"played out, {name}, {each.games} games: saved {_percent(each.saved)}; "
            f"given up {each.blind_ends:.0%} blind, "
            f"{each.aware_ends:.0%} opponent-aware, of that saved {_percent(each.blind_saved)} and "
            f"{_percent(each.aware_saved)}; half-points thrown away a game "
            f"{nats_text(each.blind_lost)} blind, {nats_text(each.aware_lost)} opponent-aware, {nats_text(each.fewer)} "
            f"fewer; {each.later.value:.1f} ({each.later.low:.1f}–{each.later.high:.1f}) plies later"
        )
    if run.own:
        yield "agents' own games at the levels of unseen ones, people | agents:"
        yield from aligned([_LENGTH_HEAD, *(_length_row(each) for each in run.own)])
    if fit is not None and fit.published:
        yield "the published way: a threshold a level from losers' best chances in games without gross errors"
        yield from aligned([_PUBLISHED_HEAD, *(_published_row(each) for each in fit.published)])


def _length_row(each: OwnLength) -> list[str]:
    given_up, plies = f"{_percent(each.resigned)} | {_percent(each.own_resigned)}", spanned(each.plies, ".0f")
    own, free = spanned(each.own_plies, ".0f"), spanned(each.free_plies, ".0f")
    return [each.group, f"{each.games:,}", given_up, f"{plies} | {own}", free]


def _worth_text(worth: Worth) -> str:
    ours, other = worth.curves, worth.baseline
    return (
        f"{worth.turns:,} turns ({worth.resigned:,} given up) of {worth.games:,} unseen games: TPR at FPR 0.1% "
        f"{_percent(ours.tpr)}, AUC {ours.auc:.3f}; {other.name} {_percent(other.tpr)}, {other.auc:.3f}; "
        f"{points_text(worth.gain)} points more; calibration error less its expectation {worth.ece_excess:+.4f}"
    )


def _fit_lines(game: str, fit: ResignFit) -> Iterator[str]:
    found = fit.figures
    yield (
        f"{game}: resignation, learned from {fit.learned:,} turns ({fit.resigned:,} given up), measured on "
        f"{found.turns:,} turns ({found.resigned:,} given up) of {found.games:,} unseen games"
    )
    yield from aligned([_RULE_HEAD, *(_rule_row(each) for each in found.rules)])
    for fpr, gain in found.gains:
        yield f"fitted over the best threshold at {fpr:.1%}: {points_text(gain)} points of TPR, paired by games"
    for rule in found.crossed:
        yield (
            f"all {rule.turns:,} turns ({rule.resigned:,} given up), each quarter of the games by curves of the rest, "
            f"at {rule.fpr:.1%}: {_percent(rule.fitted)}, best threshold {_percent(rule.threshold)}, "
            f"{points_text(rule.gain)} points"
        )
    yield f"calibration error less its expectation: {found.ece_excess:+.4f}"
    yield f"people's own resignations, by the fitted chance to save: {_percent(found.saved_by_people)}"
    yield "the agent's own draw, by the bound on the chance to save under which it may give up"
    yield from aligned([_PRICE_HEAD, *(_price_row(each) for each in found.prices)])
    for name, people, ours in found.lengths:
        held = f"{people.value:.0f} plies ({people.low:.0f}–{people.high:.0f})"
        yield f"length at {name}: people {held}, fitted {ours:.0f}"


def _published_row(each: Published) -> list[str]:
    return [
        each.group, f"{each.games}", f"{each.clean}", f"{each.best:.3f}", f"{each.bound:.3f}", f"{each.breadth:.1f}",
        f"{each.length:.1f}", f"{each.length_after:.1f}", f"{each.v:.3f}", f"{each.v_after:.3f}",
        f"{each.saved} of {each.given_up}",
    ]  # fmt: skip


def _rule_row(each: Rule) -> list[str]:
    return [each.name, f"{each.fpr:.1%}", _percent(each.tpr), f"{each.gives_up:.0%}", _percent(each.saved)]


def _price_row(each: Price) -> list[str]:
    shares = [_percent(found) for found in (each.ends, each.finds, each.saved)]
    return [f"{each.bound:.0%}", f"{each.given_up:.1f}", *shares]


def resign_json(run: ResignRun) -> dict[str, Any]:
    """The documented JSON (docs/manners.md)."""
    worth = run.packaged or (run.fit.worth if run.fit else None)
    assert worth is not None, "a run without either is refused"
    told = {
        "game": run.wish.game,
        "curves": "learned" if run.packaged is None else "packaged",
        **_verdict(worth.curves),
        "ece_excess": worth.ece_excess,
        "n": worth.turns,
        "given_up": worth.resigned,
        "games": worth.games,
        "baseline": {"rule": worth.baseline.name, **_verdict(worth.baseline)},
        "tpr_difference": asdict(worth.gain),
        "played_out": [{"who": name, **asdict(each)} for name, each in run.played_out],
        "own": [asdict(each) for each in run.own],
    }
    if run.fit is None:
        return told | {"refused": run.refused}
    fit = run.fit
    levels = [asdict(each) | {"v": each.v, "v_after": each.v_after} for each in fit.published]
    told |= {"learned": fit.learned, "resigned": fit.resigned, "figures": asdict(fit.figures)}
    return told | {"published": levels, "model": fit.model.as_data()}


def _verdict(verdict: Verdict) -> dict[str, Any]:
    tpr = verdict.tpr
    return {"tpr_at_fpr_0.001": tpr.value, "tpr_interval": asdict(tpr), "auc": verdict.auc}


def resign_page(run: ResignRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    lead, *rest = resign_lines(run)
    told = [line for line in rest if not line.startswith("  ")]
    title, fit = f"Resignation: {run.wish.game}", run.fit
    if fit is None:
        words = (f"<p>{escape(line)}</p>" for line in told)
        return page(title, lead, section("What was learned", *words), footer=made_by(command))
    rows = [_rule_row(each) for each in fit.figures.rules]
    return page(
        title, lead,
        section("Rules at one FPR", table(_RULE_HEAD, rows), *(f"<p>{escape(line)}</p>" for line in told)),
        section("The price by bound", table(_PRICE_HEAD, [_price_row(each) for each in fit.figures.prices])),
        section("The published way", table(_PUBLISHED_HEAD, [_published_row(each) for each in fit.published])),
        section("What makes people give up", plots(curves_of(fit.model.gives_up))),
        section("What saves games", plots(curves_of(fit.model.saves))),
        footer=made_by(command),
    )  # fmt: skip


def _pit(shares: tuple[float, ...]) -> str:
    figure, axes = draw_axes(
        "Turns in each tenth", "share of people who would have taken less", "share of turns", wide=9.6
    )
    axes.bar([at / 10 + 0.05 for at in range(10)], shares, width=0.095, color=ACCENT)
    axes.axhline(0.1, color=INK, linewidth=1, linestyle=":")
    return to_svg(figure)


def curves_of(model: Additive) -> list[str]:
    """One picture a term."""
    drawn = []
    for name, curve in model.terms.items():
        figure, axes = draw_axes(_MEANT.get(name, name), "", "adds", wide=5.2, high=2.2)
        xs, ys = zip(*curve.points, strict=True)
        axes.plot(xs, ys, "o-", color=ACCENT, linewidth=1.8, markersize=3.5)
        axes.axhline(0, color=INK, linewidth=0.8)
        drawn.append(to_svg(figure))
    return drawn
