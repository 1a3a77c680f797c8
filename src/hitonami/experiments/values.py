"""The step that sets inner products beside plain values: T by group, held-out figures with it, paired gains."""

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Literal

from pydantic import Field, model_validator

from hitonami.dataset.groups import SplitChoice
from hitonami.experiments.step import FITTED, HELD_OUT, DrawingStep, Found, Work, figure, in_part
from hitonami.fits.inner_product import AS_GIVEN, Fitting, Sides, run_inner_product
from hitonami.outcomes import Figure
from hitonami.report.calibration import groups_json
from hitonami.report.winrate import results_json
from hitonami.specs import open_minds

_GAINS: Final = "Gains"


class InnerProductStep(DrawingStep):
    """Policies and values on the same positions, one a game. `values` are the minds that are asked who wins."""

    VERSION: ClassVar[int] = 2
    do: Literal["inner-product"]
    filter: str = "results"
    values: tuple[str, ...] = Field(min_length=1)
    min_probability: float = Field(default=0.005, ge=0.0, le=1.0)
    fit_on: SplitChoice | Literal["none"] = "validation"
    fit_positions: int | None = Field(default=None, ge=1)

    @model_validator(mode="after")
    def _has_both(self) -> "InnerProductStep":
        unknown = [name for name in self.values if name not in self.minds]
        if unknown:
            raise ValueError(f"values: {', '.join(unknown)}: not among the minds")
        if len(self.values) == len(self.minds):
            raise ValueError("values: at least one of the minds must be a policy")
        return self

    def run(self, work: Work) -> Found:
        with open_minds(work.asked) as minds:
            policies = {name: mind for name, mind in minds.items() if name not in self.values}
            sides = Sides(policies, {name: minds[name] for name in self.values}, self.min_probability, work.folder)
            fitting = Fitting(self.fit_on, self.fit_positions)
            run = run_inner_product(self.plan, sides, fitting, work.data, work.watch)
        return {
            "game": self.game,
            "pairs": [list(pair) for pair in sides.pairs],
            "fits": [{"mind": name, "groups": groups_json(fit)} for name, fit in run.fits.items()],
            "held_out": results_json(run.held_out),
        }

    def figures(self, found: Found) -> Iterator[Figure]:
        for fit in found["fits"]:
            for row in fit["groups"]:
                yield from in_part(FITTED, figure(row, "temperature", "T", f"{fit['mind']}, where fitted"))
        sizes = {row["group"]: row["n"] for row in found["held_out"]["minds"][0]["groups"]}
        for mind in found["held_out"]["minds"]:
            for row in _rows_of(mind["groups"], mind["mind"]):
                yield from in_part(HELD_OUT, _own_figures(row, mind["mind"]))
        for pair in found["held_out"]["paired"]:
            series = _pair_name(pair["a"], pair["b"])
            for row in _rows_of(pair["groups"], pair["a"]):
                yield from in_part(_GAINS, _gains(row | {"n": sizes[row["group"]]}, series))


def _own_figures(row: dict[str, Any], mind: str) -> Iterator[Figure]:
    yield from figure(row, "accuracy", "result accuracy", mind, "share")
    yield from figure(row, "cross_entropy", "cross-entropy", mind, "nats")
    yield from figure(row, "ece", "ECE", mind, "nats")
    yield from figure(row, "ece_excess", "ECE less its expectation", mind, "nats more")


def _gains(row: dict[str, Any], series: str) -> Iterator[Figure]:
    yield from figure(row, "accuracy", "gain in accuracy", series, "points")
    yield from figure(row, "cross_entropy", "cross-entropy added", series, "nats more")
    yield from figure(row, "ece", "ECE added", series, "nats more")


def _pair_name(a: str, b: str) -> str:
    """`V by policy − V`, as given or not."""
    suffix = f": {AS_GIVEN}"
    if a.endswith(suffix):
        return f"{a.removesuffix(suffix)} − {b.removesuffix(suffix)}{suffix}"
    return f"{a} − {b}"


def _rows_of(rows: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """By group; what is shown for comparison only, all games together."""
    return rows[-1:] if name.endswith(AS_GIVEN) else rows
