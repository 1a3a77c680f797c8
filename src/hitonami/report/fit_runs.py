"""Any run of `hitonami fit` as lines, figures and a page."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hitonami.fits.calibration_run import BalanceRun, CalibrationRun
from hitonami.fits.foresight import ForesightRun
from hitonami.fits.level_run import LevelRun
from hitonami.fits.methods import AnyRun
from hitonami.fits.run import FitRun
from hitonami.fits.search_run import SearchRun
from hitonami.report import calibration, fit_foresight, fit_search, fit_weights, fits, losses


@dataclass(frozen=True)
class Drawn:
    """A run drawn. `page` takes the command line and is None where a run has no page."""

    lines: Iterable[str]
    figures: Any
    page: Callable[[str], str] | None


def draw_run(run: AnyRun) -> Drawn:
    """By the kind of the run."""
    match run:
        case FitRun():
            return Drawn(fits.as_lines(run), fits.as_json(run), lambda words: fits.as_page(run, words))
        case SearchRun():
            return Drawn(
                fit_search.as_lines(run), fit_search.as_json(run), lambda words: fit_search.as_page(run, words)
            )
        case LevelRun():
            return Drawn(losses.fit_lines(run), losses.fit_json(run), lambda words: losses.fit_page(run, words))
        case ForesightRun():
            return Drawn(
                fit_foresight.as_lines(run), fit_foresight.as_json(run), lambda words: fit_foresight.as_page(run, words)
            )
        case CalibrationRun():
            return Drawn(
                calibration.as_lines(run), calibration.as_json(run), lambda words: calibration.as_page(run, words)
            )
        case BalanceRun():
            return Drawn(calibration.balance_lines(run), calibration.balance_json(run), None)
        case _:
            return Drawn(
                fit_weights.as_lines(run), fit_weights.as_json(run), lambda words: fit_weights.as_page(run, words)
            )
