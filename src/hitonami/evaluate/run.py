"""A whole measurement of predictions: draw the decisions, ask the minds, measure moves or results. Prints nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hitonami.errors import HitonamiError
from hitonami.evaluate.decisions import DecisionTable, ask
from hitonami.evaluate.level_matrix import LevelMatrix, level_matrices
from hitonami.evaluate.metrics import Measured, measure
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.evaluate.winrate import WinRates, measure_results
from hitonami.progress import Watching
from hitonami.specs import open_minds

Told = Callable[[Selected], None]
"""Hears what was drawn before anybody is asked."""


def _nobody(drawn: Selected) -> None: ...


@dataclass(frozen=True)
class Evaluation:
    """Everything that one run found."""

    drawn: Selected
    measured: Measured
    matrices: Sequence[LevelMatrix]
    failed: dict[str, HitonamiError]


@dataclass(frozen=True)
class WinRateRun:
    """Everything that one run found."""

    drawn: Selected
    found: WinRates
    failed: dict[str, HitonamiError]


def run_evaluation(  # noqa: PLR0913  (what, whom, of what, and two who listen)
    plan: Selection,
    texts: Mapping[str, str],
    arguments: Sequence[str],
    watch: Watching,
    told: Told = _nobody,
    *,
    level_matrix: bool = False,
) -> Evaluation:
    """How well the minds, by name and as texts, foretell the moves."""
    drawn, table = _ask_minds(plan, texts, arguments, watch, told, level_matrix=level_matrix)
    measured = measure(table, seed=plan.seed)
    return Evaluation(drawn, measured, level_matrices(table, seed=plan.seed), table.failed)


def run_win_rates(
    plan: Selection, texts: Mapping[str, str], arguments: Sequence[str], watch: Watching, told: Told = _nobody
) -> WinRateRun:
    """How well the minds foretell the results."""
    drawn, table = _ask_minds(plan, texts, arguments, watch, told)
    return WinRateRun(drawn, measure_results(table, seed=plan.seed), table.failed)


def _ask_minds(  # noqa: PLR0913
    plan: Selection,
    texts: Mapping[str, str],
    arguments: Sequence[str],
    watch: Watching,
    told: Told,
    *,
    level_matrix: bool = False,
) -> tuple[Selected, DecisionTable]:
    with open_minds(texts) as minds:
        drawn = select_with(watch, plan.open(arguments), plan)
        told(drawn)
        with watch(drawn.positions, "answers") as meter:
            return drawn, ask(drawn, minds, seed=plan.seed, level_matrix=level_matrix, report=meter.show)
