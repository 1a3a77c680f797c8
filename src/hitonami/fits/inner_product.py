"""The inner product against plain values: every policy with every value on the same positions, T by group, gains.

V_ip(s) = Σ π(a|s) · V(s·a). For several policies and values at once, each position after a move is asked about once for
each value, however many policies play it; what comes of it is what the mind `inner-product` says. T of each group is
found on one split (the dissertation's table C.1) and applied to that group's games of the other, and every V_ip stands
beside its plain V there: paired, one position a game. Prints nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.dataset.groups import SplitChoice
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Asked, Columns, Facts, batches_of, opinions_of
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.evaluate.winrate import WinRates, known_rows, measure_chances
from hitonami.fits.calibration import Calibration, fit_calibration
from hitonami.progress import Report, Watching, unheard
from hitonami.search.results import results_after, results_of
from hitonami.strength.row_cache import RowCache

Floats = NDArray[np.float64]
Chances = dict[str, Floats]
"""[n, 3] by name: a value's own, and a value's by each policy."""
AS_GIVEN: Final = "as given"
_AT_ONCE: Final = 32


@dataclass(frozen=True)
class Sides:
    """The policies and the values, by name. `folder` keeps what they said, so that a later run can go on from there."""

    policies: Mapping[str, Mind]
    values: Mapping[str, Mind]
    min_probability: float = 0.005
    folder: Path | None = None

    @property
    def names(self) -> list[str]:
        """Of all chances, in the order in which they are told."""
        inner = [(value, [name_inner(value, policy) for policy in self.policies]) for value in self.values]
        return [name for value, along in inner for name in (value, *along)]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Each inner product, and the plain value that it is compared with."""
        return [(name_inner(value, policy), value) for value in self.values for policy in self.policies]


def name_inner(value: str, policy: str) -> str:
    """What the inner product of a value along a policy is called."""
    return f"{value} by {policy}"


@dataclass(frozen=True)
class Fitting:
    """Where T comes from: a split ("none" fits nothing), and how many games of each group (None: as many as are
    measured)."""

    split: SplitChoice | Literal["none"] = "validation"
    positions: int | None = None


@dataclass(frozen=True)
class InnerRun:
    """Everything that one run found. `fits` by name of the chances, empty where nothing was fitted."""

    drawn: Selected
    fits: Mapping[str, Calibration]
    held_out: WinRates
    """`NAME` with its group's T (or as given, where nothing was fitted), and `NAME: as given`."""


def run_inner_product(
    plan: Selection, sides: Sides, fitting: Fitting, arguments: Sequence[str], watch: Watching
) -> InnerRun:
    """Fit T as is said, measure on the plan's split."""
    plan = replace(plan, most_of_a_game=1)
    if fitting.split == plan.split:
        raise BadInput(f"T would be measured on the games that it was fitted to: {plan.split}")
    data = plan.open(arguments)
    fits: dict[str, Calibration] = {}
    if fitting.split != "none":
        wanted = replace(plan, split=fitting.split, positions=fitting.positions or plan.positions)
        facts, chances = _ask(select_with(watch, data, wanted), sides, watch)
        fits = {name: fit_calibration(facts, wdl, seed=plan.seed) for name, wdl in chances.items()}
    drawn = select_with(watch, data, plan)
    facts, chances = _ask(drawn, sides, watch)
    return InnerRun(drawn, fits, _compare(facts, chances, fits, sides, plan.seed))


def _ask(drawn: Selected, sides: Sides, watch: Watching) -> tuple[Facts, Chances]:
    with watch(drawn.positions, "answers") as meter:
        return ask_values(drawn, sides, meter.show)


def _compare(facts: Facts, chances: Chances, fits: Mapping[str, Calibration], sides: Sides, seed: int) -> WinRates:
    if not len(known_rows(facts)):
        raise BadInput("not one of these games says who won")
    pairs = sides.pairs
    plain = list(sides.values)
    pairs += [(other, plain[0]) for other in plain[1:]]
    if not fits:
        return measure_chances(facts, chances, seed=seed, pairs=pairs)
    both = {name: fits[name].apply_by_group(facts, wdl) for name, wdl in chances.items()}
    both |= {_given(name): wdl for name, wdl in chances.items()}
    return measure_chances(facts, both, seed=seed, pairs=pairs + [(_given(a), _given(b)) for a, b in pairs])


def _given(name: str) -> str:
    return f"{name}: {AS_GIVEN}"


def ask_values(drawn: Selected, sides: Sides, report: Report = unheard) -> tuple[Facts, Chances]:
    """Every value of every decision, plain and along every policy. Raises BadInput for a value that has none."""
    columns, effort = Columns(), Effort.seeded(drawn.plan.seed)
    cache = RowCache(sides.folder, {"names": sides.names})
    rows: list[Floats] = []
    for batch in batches_of(drawn):
        for begin in range(0, len(batch), _AT_ONCE):
            part = batch[begin : begin + _AT_ONCE]
            columns.add(part)
            rows += _ask_part(part, sides, cache, effort)
            report(len(rows), len(rows))
    told = np.stack(rows)
    return columns.facts(), {name: told[:, at] for at, name in enumerate(sides.names)}


def _ask_part(part: Sequence[Asked], sides: Sides, cache: RowCache, effort: Effort) -> list[Floats]:
    """[names, 3] of each decision; only what is not kept yet is asked."""
    places = [(content, sample.query.position.to_move, [sample.query.position.ply]) for sample, _, content in part]
    kept = [cache.find(*place) for place in places]
    new = [at for at, rows in enumerate(kept) if rows is None]
    found = {at: np.stack(rows) for at, rows in enumerate(kept) if rows is not None}
    asked = [part[at][0].query for at in new]
    for at, rows in zip(new, np.stack(list(_values(asked, sides, effort)), axis=1) if new else [], strict=True):
        cache.keep(*places[at], list(rows))
        found[at] = rows
    return [found[at] for at in range(len(part))]


def _values(queries: Sequence[Query], sides: Sides, effort: Effort) -> Iterator[Floats]:
    """[B, 3] chances of the side to move, in the order of the names."""
    weights = {name: _weights(opinions_of(mind, queries, effort), sides) for name, mind in sides.policies.items()}
    played = [np.flatnonzero(np.any([own[at] > 0 for own in weights.values()], axis=0)) for at in range(len(queries))]
    for mind in sides.values.values():
        yield results_of(mind, queries, effort)
        told = results_after(mind, queries, played, effort)
        for own in weights.values():
            yield np.stack([own[at][places] @ told[at] for at, places in enumerate(played)])


def _weights(opinions: Sequence[Opinion], sides: Sides) -> list[Floats]:
    """[L] for each position: the probabilities that count."""
    return [np.exp(dist.restrict(each.log_probs, sides.min_probability).astype(np.float64)) for each in opinions]
