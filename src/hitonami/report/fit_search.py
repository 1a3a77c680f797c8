"""A fit of a search as tables for the terminal, as JSON, and as one self-contained page. Computes nothing."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from hitonami.fits.search import SearchFit, Trail, curves_of
from hitonami.fits.search_noise import NoiseFit
from hitonami.fits.search_run import SearchRun
from hitonami.fits.theta import KNOBS, Theta
from hitonami.report.evaluation import paired_json
from hitonami.report.fits import paired_row
from hitonami.report.page import all_sections, made_by, page, paragraph, plots, section
from hitonami.report.plots import ACCENT, INK, SECOND, draw_axes, mark_interval, to_svg
from hitonami.report.review import level_text
from hitonami.report.text import Table, all_titled, nats_text, signed, spanned

_SIGNS: Final = {"tau": "τ", "prior_temperature": "t", "c_puct": "c_puct"}
_METHOD: Final = (
    "The loss is the cross-entropy of the move played under the root's visits N^(1/τ), with a floor of the prior. "
    "Descent: finite differences, one perturbed run a knob; simplex: Nelder–Mead over t and c_puct, τ worked out. The "
    "best Θ of all that were tried is kept; its interval (95%) is that of the best one over 2,000 resamples of games. "
    "“Policy alone” is the searched mind at its best temperature, without any search: where the search gains nothing "
    "over it, looking ahead says nothing about people of this level. Held out: other games, paired against the mind as "
    "it is."
)


def as_json(run: SearchRun) -> dict[str, Any]:
    """The documented JSON (docs/search.md)."""
    plan = run.drawn.plan
    return {
        **plan.asked,
        "method": "search",
        "mind": run.origin,
        "simulations": run.wish.simulations,
        "levels": [_level_json(level) for level in run.levels],
        "curves": {name: [list(point) for point in curve.points] for name, curve in curves_of(run.levels).items()},
    }


def _level_json(level: SearchFit) -> dict[str, Any]:
    pairs = [] if level.held_out is None else level.held_out.pairs[0].groups
    return {
        "rating": level.rating,
        "band": [level.low, level.high],
        "pool": level.pool,
        "n": level.n,
        "games": level.games,
        "theta": {name: vars(each) for name, each in zip(KNOBS, level.intervals, strict=True)},
        "at_edge": list(level.at_edge),
        "loss": vars(level.loss),
        "first_mind": level.plain_loss,
        "policy_alone": {"prior_temperature": level.alone[0], "loss": level.alone[1]},
        "gain": vars(level.gain),
        "steps": [vars(theta) | {"loss": loss} for theta, loss in level.steps],
        "descent": _trail_json(level.descent),
        "simplex": _trail_json(level.simplex),
        "profiles": {name: [list(row) for row in rows] for name, rows in zip(KNOBS[1:], level.profiles, strict=True)},
        "noise": None if level.noise is None else _noise_json(level.noise),
        "held_out": [paired_json(each) for each in pairs[-1:]],
    }


def _noise_json(found: NoiseFit) -> dict[str, Any]:
    return vars(found.theta) | {
        "share": found.noise.share,
        "concentration": found.noise.concentration,
        "loss": found.loss,
        "gain": vars(found.gain),
        "tried": found.tried,
    }


def _trail_json(trail: Trail) -> dict[str, Any]:
    return vars(trail.theta) | {"loss": trail.loss, "searches": trail.searches, "best_after": list(trail.best_after)}


def as_lines(run: SearchRun) -> Iterator[str]:
    """Tables for a terminal."""
    yield lead_of(run)
    yield from all_titled(_tables(run.levels))
    for level in run.levels:
        if level.at_edge:
            yield f"  level {level_text(level.low)}: at the end of its range: {', '.join(level.at_edge)}"


def _tables(levels: Sequence[SearchFit]) -> Iterator[Table]:
    yield "by level", _level_rows(levels)
    yield "how it was found: Θ (τ, t, c_puct), loss, searches of all decisions", _method_rows(levels)
    if len(noise := _noise_rows(levels)) > 1:
        yield "with noise at the root: Θ (τ, t, c_puct), share, concentration, nats gained where it was fitted", noise
    if len(held_out := _held_out_rows(levels)) > 1:
        yield "held out: the search minus the searched mind (accuracy in points, cross-entropy in nats)", held_out


def lead_of(run: SearchRun) -> str:
    """What was fitted on what, in one line."""
    plan = run.drawn.plan
    return f"{plan.game}: Θ of a search with {run.wish.simulations} simulations over {run.origin} ({plan.told})"


def _level_rows(levels: Sequence[SearchFit]) -> list[list[str]]:
    head = ["level", "n", "games", "τ", "t", "c_puct", "loss", "policy alone", "gain of the search", "as it is"]
    return [head, *(_level_row(level) for level in levels)]


def _level_row(level: SearchFit) -> list[str]:
    return [
        f"{level.pool} {_band_text(level)}".strip(),
        f"{level.n:,}",
        f"{level.games:,}",
        *(spanned(each, ".2f") for each in level.intervals),
        nats_text(level.loss),
        f"{level.alone[1]:.3f} (t {level.alone[0]:.2f})",
        signed(level.gain),
        f"{level.plain_loss:.3f}",
    ]


def _band_text(level: SearchFit) -> str:
    """A band of ratings, or one rank."""
    is_rank = level.high - level.low <= 1
    return level_text(level.low) if is_rank else f"{level.low:g}–{level.high:g}"


def _method_rows(levels: Sequence[SearchFit]) -> list[list[str]]:
    rows = [
        [level_text(level.low), f"{len(level.steps) - 1}", _trail_text(level.descent), _trail_text(level.simplex)]
        for level in levels
    ]
    return [["level", "steps", "descent", "simplex"], *rows]


def _noise_rows(levels: Sequence[SearchFit]) -> list[list[str]]:
    rows = [
        [level_text(level.low), _theta_text(each.theta), f"{each.noise.share:.2f}", f"{each.noise.concentration:.1f}",
         signed(each.gain)]
        for level in levels
        if (each := level.noise) is not None
    ]  # fmt: skip
    return [["level", "Θ", "share", "concentration", "gain"], *rows]


def _trail_text(trail: Trail) -> str:
    return f"{_theta_text(trail.theta)} {trail.loss:.4f}, {trail.searches}"


def _theta_text(theta: Theta) -> str:
    return f"({theta.tau:.2f}, {theta.prior_temperature:.2f}, {theta.c_puct:.2f})"


def _held_out_rows(levels: Sequence[SearchFit]) -> list[list[str]]:
    rows = [
        [level_text(level.low), *paired_row(level.held_out.pairs[0].all, level.held_out.minds[0].groups[-1])]
        for level in levels
        if level.held_out is not None
    ]
    return [["level", "n", "accuracy", "cross-entropy", "accuracy", "cross-entropy"], *rows]


def as_page(run: SearchRun, command: str = "") -> str:
    """The whole document. `command` is shown as the record of how it was made."""
    sections = [
        *all_sections(_tables(run.levels)),
        section("Over rating", plots([_knob_plot(run.levels, at) for at in range(len(KNOBS))])),
        section("Loss while descending", plots([_loss_plot(level) for level in run.levels])),
        section("Loss around the best place", plots([_profile_plot(run.levels, at) for at in (0, 1)])),
        section("How it was fitted", paragraph(_METHOD)),
    ]
    return page(f"Fit: {run.drawn.plan.game} search", lead_of(run), *sections, footer=made_by(command))


def _knob_plot(levels: Sequence[SearchFit], knob: int) -> str:
    """A knob over rating, with its intervals, on a scale of ratios."""
    sign = _SIGNS[KNOBS[knob]]
    figure, axes = draw_axes(sign, "rating", sign)
    ordered = sorted(levels, key=lambda level: level.rating)
    axes.plot([x.rating for x in ordered], [x.intervals[knob].value for x in ordered], color=INK, linewidth=1.4)
    for level in ordered:
        mark_interval(axes, level.rating, level.intervals[knob])
    axes.set_yscale("log")
    return to_svg(figure)


def _loss_plot(level: SearchFit) -> str:
    """The loss after each step, beside that of the policy alone."""
    figure, axes = draw_axes(f"{_band_text(level)} (n = {level.n:,})", "step", "cross-entropy, nats")
    axes.step(range(len(level.steps)), [loss for _, loss in level.steps], where="post", color=ACCENT, linewidth=1.8)
    axes.axhline(level.alone[1], color=SECOND, linewidth=1.2, linestyle="--")
    axes.annotate("policy alone", (0, level.alone[1]), color=SECOND, fontsize=8, va="bottom")
    return to_svg(figure)


def _profile_plot(levels: Sequence[SearchFit], at: int) -> str:
    """How much worse than the best, for each level, against t or c_puct."""
    sign = _SIGNS[KNOBS[at + 1]]
    figure, axes = draw_axes(f"{sign}, the other held, τ at its best", sign, "nats above the best")
    for level in levels:
        values, losses = zip(*level.profiles[at], strict=True)
        axes.plot(
            values, [loss - min(losses) for loss in losses], marker="o", markersize=3, label=level_text(level.low)
        )
    axes.set_xscale("log")
    axes.legend(frameon=False, fontsize=8)
    return to_svg(figure)
