"""A whole calibration: draw one position of each game, ask, fit, check on games that it never saw, keep the curves.

The packaged minds are asked for what their networks say, before any calibration: fitting on top of an earlier fit would
hide it. Prints nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, Final, Literal

import numpy as np

from hitonami.core import Mind
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import DecisionTable, ask, explain_failures
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.evaluate.winrate import WinRates, known_rows, measure_chances
from hitonami.fits.balance import Balance, ask_pairs, fit_balance
from hitonami.fits.calibration import Calibration, fit_calibration
from hitonami.fits.compare import compare_on, is_available
from hitonami.fits.curves import LEAST
from hitonami.fits.store import digest_of, mind_origin, update_knobs
from hitonami.levels import read_levels, sized
from hitonami.progress import Watching
from hitonami.search.results import METHOD, NEUTRAL
from hitonami.specs import MindSpec, Room, mind_spec

RESULT_FILTER: Final = "results"
"""Games of people with a known result, from an even start, any size."""
AS_GIVEN: Final = "as given"


@dataclass(frozen=True)
class CalibrationWish:
    """What is asked for. `out` takes the calibration of the first mind."""

    minds: tuple[str, ...] = ("human",)
    held_out: Split | Literal["none"] = "test"
    out: Path | None = None


@dataclass(frozen=True)
class CalibrationRun:
    """Everything that one run found."""

    drawn: Selected
    minds: Mapping[str, str]
    """Names, and what they are."""
    fits: Mapping[str, Calibration]
    held_out: WinRates | None
    """`NAME: as given`, `NAME: temperature`, `NAME: calibrated`, and the others that were compared."""


def run_calibration(
    plan: Selection, wish: CalibrationWish, arguments: Sequence[str], watch: Watching
) -> CalibrationRun:
    """Do all of it. Input that cannot be used is refused before anything is asked."""
    plan = replace(plan, most_of_a_game=1)
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    with Room() as room:
        labels = _labels(wish.minds)
        minds = {labels[name]: room.open(raw_spec(name)) for name in wish.minds}
        origins = {labels[name]: mind_origin(name, plan.game, minds[labels[name]]) for name in wish.minds}
        data = plan.open(arguments)
        drawn, table = _ask(data, plan, minds, watch)
        fits = {name: fit_calibration(table.facts, table.answers[name].wdl, seed=plan.seed) for name in minds}
        if wish.out is not None:
            first = labels[wish.minds[0]]
            if len(known_rows(table.facts)) < LEAST:
                raise BadInput(
                    f"{len(known_rows(table.facts))} games are too few to write a calibration: {LEAST} at least"
                )
            keep_calibration(wish.out, fits[first], _provenance(drawn, table, origins[first]))
        other = plan.unseen(wish.held_out)
        unseen = None if other is None else _ask(data, other, minds, watch)[1]
    return CalibrationRun(drawn, origins, fits, None if unseen is None else _check(table, unseen, fits, plan.seed))


@dataclass(frozen=True)
class BalanceRun:
    """What a run that fits the lean alone found."""

    drawn: Selected
    origin: str
    pools: Sequence[Balance]


def run_balance(plan: Selection, mind: str, out: Path | None, arguments: Sequence[str], watch: Watching) -> BalanceRun:
    """Fit the lean of pools whose results teach nothing. With `out`, it is written beside what is there.

    A plan for one board size gives leans for that size alone.
    """
    with Room() as room:
        opened = room.open(raw_spec(mind))
        origin = mind_origin(mind, plan.game, opened)
        drawn = select_with(watch, plan.open(arguments), plan)
        with watch(drawn.positions, "answers") as meter:
            pools = fit_balance(ask_pairs(drawn, opened, report=meter.show))
    if out is not None:
        about = {"minds": [origin], **plan.drawn_from}
        names = {each.pool: each.pool if plan.size is None else sized(each.pool, plan.size) for each in pools}
        made = {names[each.pool]: {**about, "aim": "balance", "decisions": each.n} for each in pools}
        update_knobs(out, METHOD, {"lean": {names[each.pool]: each.lean for each in pools}}, made)
    return BalanceRun(drawn, origin, pools)


def _labels(names: Sequence[str]) -> dict[str, str]:
    """What minds are called in figures: a path by its last part, where that tells them apart."""
    short = {name: PurePath(name).name if "/" in name and " " not in name else name for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}


def raw_spec(name: str) -> MindSpec:
    """The mind of this name; a packaged one with the results that its network gives."""
    spec = mind_spec(name)
    if spec.kind == "human" and "base" in dict(spec.fields):
        return mind_spec(spec.as_dict() | {"calibrated": False, "foresight": False, "openings": False})
    if spec.kind in ("human", "expert"):
        return mind_spec({"kind": spec.kind, "calibrated": False})
    if spec.kind == "blend" and not spec.fields:
        return mind_spec({"kind": "pair", "policy": "blend", "value": {"kind": "human", "calibrated": False}})
    return spec


def _ask(data: Data, plan: Selection, minds: Mapping[str, Mind], watch: Watching) -> tuple[Selected, DecisionTable]:
    drawn = select_with(watch, data, plan)
    with watch(drawn.positions, "answers") as meter:
        table = ask(drawn, minds, seed=plan.seed, report=meter.show)
    if table.failed:
        raise explain_failures(table.failed)
    silent = [name for name, answers in table.answers.items() if np.isnan(answers.wdl).any()]
    if silent:
        raise BadInput(f"these minds say nothing about results: {', '.join(silent)}")
    return drawn, table


def _check(table: DecisionTable, unseen: DecisionTable, fits: Mapping[str, Calibration], seed: int) -> WinRates:
    chances = {}
    for name, fit in fits.items():
        raw = unseen.answers[name].wdl
        chances[f"{name}: {AS_GIVEN}"] = raw
        chances[f"{name}: temperature"] = fit.apply_temperature(unseen.facts, raw)
        chances[f"{name}: calibrated"] = fit.apply(unseen.facts, raw)
        if is_available():
            others = compare_on((table.facts, table.answers[name].wdl), (unseen.facts, raw))
            chances |= {f"{name}: {method}": each for method, each in others.items()}
    first, *rest = fits
    pairs = [(f"{name}: calibrated", f"{name}: {AS_GIVEN}") for name in fits]
    pairs += [(f"{name}: calibrated", f"{first}: calibrated") for name in rest]
    return measure_chances(unseen.facts, chances, seed=seed, pairs=pairs)


def keep_calibration(path: Path, fit: Calibration, provenance: Mapping[str, Any]) -> None:
    """Write the three knobs of every pool to a file of levels, beside what it has."""
    knobs = {knob: {each.pool: getattr(each, knob) for each in fit.pools} for knob in NEUTRAL}
    update_knobs(path, METHOD, knobs, {each.pool: {**provenance, "games": each.n} for each in fit.pools})


def _provenance(drawn: Selected, table: DecisionTable, origin: str) -> dict[str, Any]:
    digest = digest_of(table.facts, known_rows(table.facts))
    return {"minds": [origin], **drawn.plan.drawn_from, "positions_sha256": digest}
