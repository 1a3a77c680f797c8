"""Any run of `hitonami fit` as lines, figures and a page."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from hitonami.fits.calibration_run import BalanceRun, CalibrationRun
from hitonami.fits.foresight import ForesightRun
from hitonami.fits.level_run import LevelRun
from hitonami.fits.methods import AnyRun
from hitonami.fits.run import FitRun, WeightsRun
from hitonami.fits.search_run import SearchRun
from hitonami.fits.utilities_run import WorthRun
from hitonami.report import calibration, fit_foresight, fit_level, fit_search, fit_weights, fit_worth, fits

_REPORTS: Final[dict[type[AnyRun], Any]] = {
    FitRun: fits,
    WeightsRun: fit_weights,
    SearchRun: fit_search,
    LevelRun: fit_level,
    ForesightRun: fit_foresight,
    CalibrationRun: calibration,
    WorthRun: fit_worth,
}


@dataclass(frozen=True)
class Drawn:
    """A run drawn. `page` takes the command line and is None where a run has no page."""

    lines: Iterable[str]
    figures: Any
    page: Callable[[str], str] | None


def draw_run(run: AnyRun) -> Drawn:
    """By the kind of the run."""
    if isinstance(run, BalanceRun):
        return Drawn(calibration.balance_lines(run), calibration.balance_json(run), None)
    report = _REPORTS[type(run)]
    return Drawn(report.as_lines(run), report.as_json(run), partial(report.as_page, run))
