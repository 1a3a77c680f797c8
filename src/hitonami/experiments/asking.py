"""Steps that ask minds about people's decisions: evaluate, fit, foresight, calibration, winrate."""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal

from hitonami.dataset.groups import Split
from hitonami.errors import HitonamiError, WorkFailed
from hitonami.evaluate.decisions import explain_failures
from hitonami.evaluate.run import run_evaluation, run_win_rates
from hitonami.experiments.fit_figures import fit_figures, held_out_figures
from hitonami.experiments.step import FITTED, HELD_OUT, DrawingStep, Found, Work, figure, grid_of, in_part
from hitonami.fits.calibration_run import CalibrationWish, run_calibration
from hitonami.fits.foresight import ForesightWish, run_foresight
from hitonami.fits.run import FitRun, Wish, run_fit
from hitonami.outcomes import Figure, Grid
from hitonami.report import calibration, evaluation, fit_foresight, fit_weights, fits, winrate


def _refuse_holes(failed: dict[str, HitonamiError]) -> None:
    """Raises WorkFailed where a mind failed: a table with a hole is no result."""
    if failed:
        raise WorkFailed(str(explain_failures(failed)))


class Evaluate(DrawingStep):
    """How well minds predict moves; with `level_matrix`, also when they are told the wrong level."""

    do: Literal["evaluate"]
    level_matrix: bool = False

    def run(self, work: Work) -> Found:
        found = run_evaluation(self.plan, work.asked, work.data, work.watch, level_matrix=self.level_matrix)
        _refuse_holes(found.failed)
        return evaluation.as_json(found)

    def figures(self, found: Found) -> Iterator[Figure]:
        for mind in found["minds"]:
            for row in mind["groups"]:
                yield from figure(row, "accuracy", "accuracy", mind["mind"], "share")
                yield from figure(row, "cross_entropy", "cross-entropy", mind["mind"], "nats")
        for pair in found["paired"]:
            for row in pair["groups"]:
                series = f"{pair['a']} − {pair['b']}"
                yield from figure(row, "accuracy_difference", "accuracy", series, "points")
                yield from figure(row, "cross_entropy_difference", "cross-entropy", series, "nats more")
        for matrix in found["level_matrices"]:
            yield from _matrix_figures(matrix)

    def grids(self, found: Found) -> Iterator[Grid]:
        yield from map(grid_of, found["level_matrices"])


def _matrix_figures(matrix: Found) -> Iterator[Figure]:
    """How often the true level is the best one to tell, and what the levels next to it and at the far end cost."""
    names = [each["group"] for each in matrix["levels"]]
    cells = {(each["told"], each["true"]): each for each in matrix["cells"]}
    for at, name in enumerate(names):
        far = names[0] if at >= len(names) / 2 else names[-1]
        row = {"group": name, "n": cells[name, name]["n"], "far": cells[far, name]["cross_entropy_gain_of_truth"]}
        row["best"] = float(
            all(cells[name, name]["cross_entropy"] <= cells[told, name]["cross_entropy"] for told in names)
        )
        yield from figure(row, "best", "own level predicts best (1: yes)", matrix["mind"])
        if far != name:
            yield from figure(row, "far", "nats saved against the farthest level", matrix["mind"], "nats")


class FittingStep(DrawingStep):
    """A step that fits something, and measures it on other games."""

    split: Literal["train", "validation", "test", "all"] = "validation"
    held_out: Split | Literal["none"] = "test"


class Fit(FittingStep):
    """A knob fitted on one split and judged on another."""

    VERSION: ClassVar[int] = 2
    do: Literal["fit"]
    method: Literal["blend", "softmax", "distance", "restrict"]
    means: tuple[str, ...] = ()
    aim: Literal["likelihood", "accuracy", "distance"] = "likelihood"

    def run(self, work: Work) -> Found:
        wish = Wish(self.method, tuple(work.minds.values()), self.means, self.aim, self.held_out)
        found = run_fit(self.plan, wish, work.data, work.watch)
        return fits.as_json(found) if isinstance(found, FitRun) else fit_weights.as_json(found)

    def figures(self, found: Found) -> Iterator[Figure]:
        yield from fit_figures(found, list(self.minds))


class Foresight(FittingStep):
    """The ranker of foresight fitted on one split and judged on another."""

    do: Literal["foresight"]

    def run(self, work: Work) -> Found:
        wish = ForesightWish(next(iter(work.minds.values()), None), self.held_out)
        return fit_foresight.as_json(run_foresight(self.plan, wish, work.data, work.watch))

    def figures(self, found: Found) -> Iterator[Figure]:
        yield from held_out_figures(found["held_out"])


class CalibrationStep(FittingStep):
    """The temperature of chances by group, fitted on one split; all calibrations judged on another."""

    do: Literal["calibration"]
    filter: str = "results"

    def run(self, work: Work) -> Found:
        wish = CalibrationWish(tuple(work.minds.values()) or ("human",), self.held_out)
        return calibration.as_json(run_calibration(self.plan, wish, work.data, work.watch))

    def figures(self, found: Found) -> Iterator[Figure]:
        for mind in found["minds"]:
            for row in mind["groups"]:
                yield from in_part(FITTED, figure(row, "temperature", "T", mind["mind"]))
        if found["held_out"] is not None:
            yield from in_part(HELD_OUT, _result_figures(found["held_out"], only_all=True))


class WinRate(DrawingStep):
    """How well minds foretell results: one position of each game."""

    do: Literal["winrate"]
    filter: str = "results"

    def run(self, work: Work) -> Found:
        plan = replace(self.plan, most_of_a_game=1)
        found = run_win_rates(plan, work.asked, work.data, work.watch)
        _refuse_holes(found.failed)
        return winrate.as_json(found)

    def figures(self, found: Found) -> Iterator[Figure]:
        yield from _result_figures(found, only_all=False)


def _result_figures(found: Found, *, only_all: bool) -> Iterator[Figure]:
    for mind in found["minds"]:
        for row in mind["groups"][-1:] if only_all else mind["groups"]:
            yield from figure(row, "accuracy", "result accuracy", mind["mind"], "share")
            yield from figure(row, "cross_entropy", "cross-entropy of results", mind["mind"], "nats")
            yield from figure(row, "ece_excess", "ECE less its expectation", mind["mind"], "more")
    for pair in found["paired"]:
        sizes = {row["group"]: row["n"] for row in found["minds"][0]["groups"]}
        for row in pair["groups"][-1:] if only_all else pair["groups"]:
            known = row | {"n": sizes[row["group"]]}
            series = f"{pair['a']} − {pair['b']}"
            yield from figure(known, "accuracy", "result accuracy", series, "points")
            yield from figure(known, "cross_entropy", "cross-entropy of results", series, "nats more")
