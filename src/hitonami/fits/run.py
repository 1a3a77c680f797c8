"""A whole fit: draw, ask, fit, check on games that the fit never saw, keep the curves. Prints nothing."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Literal, Protocol

from hitonami.core import Mind
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data, open_data
from hitonami.errors import BadInput
from hitonami.evaluate.drawing import Drawn, Plan, draw
from hitonami.evaluate.metrics import Measured
from hitonami.fits.blend import blend_knob, exponent_of
from hitonami.fits.distance import Distances, distance_knob, measure_distances
from hitonami.fits.held_out import curve_values, measure_gain
from hitonami.fits.knobs import Aim, Fitted, Knob, fit_knob
from hitonami.fits.sheet import Sheet, fill_sheet
from hitonami.fits.softmax import softmax_knob
from hitonami.fits.store import provenance_of, update_levels
from hitonami.levels import read_levels
from hitonami.specs import Room

Method = Literal["blend", "softmax", "distance"]
_PACKAGED: dict[Method, tuple[str, ...]] = {"blend": ("human", "expert"), "softmax": ("human",), "distance": ("human",)}


@dataclass(frozen=True)
class Wish:
    """What is asked for. Minds default to those that come with the package."""

    method: Method
    minds: tuple[str, ...] = ()
    means: tuple[str, ...] = ()
    """Blends: the first is fitted, the others are compared with it."""
    aim: Aim = "likelihood"
    held_out: Split | Literal["none"] = "test"
    out: Path | None = None
    default_pool: str = ""

    def __post_init__(self) -> None:
        wanted = len(_PACKAGED[self.method])
        if len(self.names) != wanted:
            raise BadInput(f"fit {self.method} needs {wanted} minds, got {len(self.names)}: {', '.join(self.names)}")
        if self.means and self.method != "blend":
            raise BadInput(f"fit {self.method} has no mean: --mean is for blend")
        if self.method == "softmax" and self.aim == "accuracy":
            raise BadInput("an exponent cannot change which move is likeliest: softmax is fitted by likelihood")
        if self.out is not None and self.means and exponent_of(self.means[0]):
            raise BadInput("a file of levels holds the weights of the geometric mean: leave out --mean or --out")

    @property
    def names(self) -> tuple[str, ...]:
        return self.minds or _PACKAGED[self.method]


class Progress(Protocol):
    """Shows how far the work is."""

    def show(self, done: int, units: int) -> None: ...


Watch = Callable[[int, str], AbstractContextManager[Progress]]
"""A new progress from the total and the name of the units."""


@dataclass(frozen=True)
class FitRun:
    """Everything that one run found."""

    drawn: Drawn
    minds: Mapping[str, str]
    """Names as given, and what they are."""
    title: str
    fitted: Fitted
    others: Mapping[str, Fitted] = field(default_factory=dict)
    """Further means, by name."""
    held_out: Measured | None = None
    distances: Sequence[Distances] = ()


def run_fit(plan: Plan, wish: Wish, arguments: Sequence[str], watch: Watch) -> FitRun:
    """Do all of it. Input that cannot be used is refused before anything is asked."""
    knobs = _knobs(wish)
    plan.rules  # noqa: B018  a bad filter is told before the data are read
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    room = Room()  # one for all: two heads of a network share it
    try:
        minds = {name: room.open(name) for name in wish.names}
        origins = {name: _origin(name, mind) for name, mind in minds.items()}
        data = open_data(arguments, plan.game)
        drawn, sheet = _ask(data, plan, minds, wish, watch)
        fits = {name: _fit(sheet, knob, wish, plan, watch) for name, knob in knobs.items()}
        (_, fitted), *others = fits.items()
        run = FitRun(drawn, origins, _title(wish), fitted, dict(others))
        if wish.out is not None:
            update_levels(wish.out, fitted, provenance_of(fitted, drawn, sheet, origins), wish.default_pool)
        if wish.held_out == "none" or plan.split in ("all", wish.held_out) or not fitted.curves:
            return run
        _, unseen = _ask(data, replace(plan, split=wish.held_out), minds, wish, watch)
    finally:
        room.close()
    return _with_gain(run, unseen, plan.seed)


def _knobs(wish: Wish) -> dict[str, Knob]:
    """By the name of the mean; the first is the one that counts."""
    if wish.method == "blend":
        return {mean: blend_knob(exponent_of(mean)) for mean in wish.means or ("geometric",)}
    return {"": softmax_knob() if wish.method == "softmax" else distance_knob()}


def _ask(data: Data, plan: Plan, minds: Mapping[str, Mind], wish: Wish, watch: Watch) -> tuple[Drawn, Sheet]:
    with watch(data.bytes_total, "games") as meter:
        drawn = draw(data, plan, meter.show)
    with watch(drawn.positions, "answers") as meter:
        distances = wish.method == "distance"
        return drawn, fill_sheet(drawn, minds, seed=plan.seed, distances=distances, report=meter.show)


def _fit(sheet: Sheet, knob: Knob, wish: Wish, plan: Plan, watch: Watch) -> Fitted:
    with watch(len(knob.grid), "values") as meter:
        return fit_knob(sheet, knob, aim=wish.aim, seed=plan.seed, report=meter.show)


def _with_gain(run: FitRun, unseen: Sheet, seed: int) -> FitRun:
    distances: Sequence[Distances] = ()
    if unseen.distance is not None:
        distances = measure_distances(unseen, curve_values(run.fitted, unseen), seed=seed)
    return replace(run, held_out=measure_gain(run.fitted, unseen, seed=seed), distances=distances)


def _origin(name: str, mind: Mind) -> str:
    """What a mind is, without a path of this machine."""
    known = getattr(mind, "origin", None)
    return known if isinstance(known, str) else PurePath(name).name


def _title(wish: Wish) -> str:
    short = [PurePath(name).name for name in wish.names]
    if wish.method == "blend":
        mean = wish.means[0] if wish.means else "geometric"
        return f"weight of {short[0]} against {short[1]} ({mean} mean)"
    return f"exponent of {short[0]}" if wish.method == "softmax" else f"distance correction of {short[0]}"
