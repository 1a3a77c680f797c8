"""A whole fit: draw, ask, fit, check on games that the fit never saw, keep the curves. Prints nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Final, Literal

from hitonami.bases import open_base, origin_of, origin_of_base, over_base
from hitonami.core import Mind
from hitonami.dataset.groups import Split
from hitonami.dataset.reading import Data
from hitonami.errors import BadInput
from hitonami.evaluate.metrics import Measured
from hitonami.evaluate.selection import Selected, Selection, select_with
from hitonami.fits.blend import blend_knob, exponent_of
from hitonami.fits.distance import Aimed, Distances, aim_at_distance, distance_knob, measure_distances, with_aim
from hitonami.fits.held_out import best_values, curve_values, group_values, measure_gain
from hitonami.fits.knobs import Aim, Fitted, Knob, fit_knob
from hitonami.fits.restrict import Tail, measure_tails, restrict_knob
from hitonami.fits.sheet import Sheet, fill_sheet
from hitonami.fits.softmax import softmax_knob
from hitonami.fits.store import provenance_of, update_levels
from hitonami.fits.weights import WeightsFit, fit_weights, measure_weights
from hitonami.levels import read_levels
from hitonami.progress import Watching
from hitonami.specs import Room

Method = Literal["blend", "softmax", "distance", "restrict"]
_KNOBS: Final[dict[Method, Callable[[], Knob]]] = {
    "softmax": softmax_knob,
    "distance": distance_knob,
    "restrict": restrict_knob,
}
_TITLES: Final[dict[Method, str]] = {
    "softmax": "exponent of",
    "distance": "distance correction of",
    "restrict": "least probability of",
}


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
    base: str = ""
    """What human, blend and ahead stand on."""

    def __post_init__(self) -> None:
        given = len(self.names)
        if self.method == "blend" and given < 2:
            raise BadInput(f"fit blend needs two or more minds, got {given}: {', '.join(self.names)}")
        if self.method != "blend" and given != 1:
            raise BadInput(f"fit {self.method} takes one mind, got {given}: {', '.join(self.names)}")
        if given > 2 and (self.out is not None or len(self.means) > 1):
            raise BadInput(
                "three or more minds have weights by group and no curve: leave out --out and a second --mean"
            )
        if self.means and self.method != "blend":
            raise BadInput(f"fit {self.method} has no mean: --mean is for blend")
        if self.aim == "distance" and self.method != "distance":
            raise BadInput(f"the aim distance is for fit distance, not for fit {self.method}")
        if self.method in ("softmax", "restrict") and self.aim == "accuracy":
            raise BadInput(f"{self.method} cannot change which move is likeliest: it is fitted by likelihood")
        if self.out is not None and self.means and exponent_of(self.means[0]):
            raise BadInput("a file of levels holds the weights of the geometric mean: leave out --mean or --out")

    @property
    def names(self) -> tuple[str, ...]:
        return self.minds or (("human", "expert") if self.method == "blend" else ("human",))


@dataclass(frozen=True)
class FitRun:
    """Everything that one run found."""

    drawn: Selected
    minds: Mapping[str, str]
    """Names as given, and what they are."""
    title: str
    fitted: Fitted
    others: Mapping[str, Fitted] = field(default_factory=dict)
    """Further means, by name."""
    held_out: Measured | None = None
    """By the curve over rating."""
    own: Mapping[str, Measured] = field(default_factory=dict)
    """Held out by the best value of each group, for each mean that was fitted."""
    distances: Sequence[Distances] = ()
    aimed: Sequence[Aimed] = ()
    tails: Sequence[Tail] = ()


@dataclass(frozen=True)
class WeightsRun:
    """What a run with three or more minds found."""

    drawn: Selected
    minds: Mapping[str, str]
    title: str
    groups: Sequence[WeightsFit]
    held_out: Measured | None = None


@dataclass(frozen=True)
class _Inquiry:
    """Data, and the minds that are asked about them."""

    data: Data
    plan: Selection
    wish: Wish
    minds: Mapping[str, Mind]
    watch: Watching
    network: str
    """The base, as provenance names it; "" for the packaged networks."""

    def ask(self, plan: Selection) -> tuple[Selected, Sheet]:
        drawn = select_with(self.watch, self.data, plan)
        with self.watch(drawn.positions * len(self.minds), "answers") as meter:
            return drawn, fill_sheet(
                drawn,
                self.minds,
                seed=plan.seed,
                distances=self.wish.method == "distance",
                report=lambda _, answers: meter.show(answers, answers),
            )

    def ask_unseen(self) -> Sheet | None:
        """Decisions of the other split, where one is asked for and differs."""
        other = self.plan.unseen(self.wish.held_out)
        return None if other is None else self.ask(other)[1]


def run_fit(plan: Selection, wish: Wish, arguments: Sequence[str], watch: Watching) -> FitRun | WeightsRun:
    """Do all of it. Input that cannot be used is refused before anything is asked."""
    knobs = _knobs(wish)
    if wish.out is not None and wish.out.exists():
        read_levels(wish.out)
    with Room() as room:  # one for all: two heads of a network share it
        minds = {name: room.open(over_base(name, wish.base)) for name in wish.names}
        network = origin_of_base(open_base(room, wish.base), wish.base) if wish.base else ""
        data = plan.open(arguments)
        inquiry = _Inquiry(data, plan, wish, minds, watch, network)
        return _run_weights(inquiry) if len(minds) > 2 else _run_knobs(inquiry, knobs)


def _knobs(wish: Wish) -> dict[str, Knob]:
    """By the name of the mean; the first is the one that counts."""
    if wish.method == "blend":
        return {mean: blend_knob(exponent_of(mean)) for mean in wish.means or ("geometric",)}
    return {"": _KNOBS[wish.method]()}


def _run_knobs(inquiry: _Inquiry, knobs: Mapping[str, Knob]) -> FitRun:
    plan, wish, fits = inquiry.plan, inquiry.wish, {}
    drawn, sheet = inquiry.ask(plan)
    for name, knob in knobs.items():
        with inquiry.watch(len(knob.grid), "values") as meter:
            fits[name] = fit_knob(sheet, knob, aim=wish.aim, seed=plan.seed, report=meter.show)
    (first, fitted), *others = fits.items()
    aimed = aim_at_distance(sheet, seed=plan.seed) if wish.method == "distance" else []
    if wish.aim == "distance":
        fits[first] = fitted = with_aim(fitted, aimed)
    origins = _origins(inquiry.minds)
    if wish.out is not None:
        update_levels(
            wish.out, fitted, provenance_of(fitted, drawn, sheet, origins, inquiry.network), wish.default_pool
        )
    tails = measure_tails(sheet, seed=plan.seed) if wish.method == "restrict" else ()
    run = FitRun(drawn, origins, _title(wish), fitted, dict(others), aimed=aimed, tails=tails)
    unseen = inquiry.ask_unseen() if fitted.curves else None
    if unseen is None:
        return run
    values = curve_values(fitted, unseen)
    return replace(
        run,
        held_out=measure_gain(fitted, unseen, values, seed=plan.seed),
        own=_own_gains(fits, aimed if wish.aim == "distance" else (), unseen, plan.seed),
        distances=[] if unseen.distance is None else measure_distances(unseen, values, seed=plan.seed),
    )


def _own_gains(fits: Mapping[str, Fitted], aimed: Sequence[Aimed], unseen: Sheet, seed: int) -> dict[str, Measured]:
    """Held out, each group by its own best value."""
    by_distance = {each.group: each.m.value for each in aimed}
    found = {}
    for name, fitted in fits.items():
        values = group_values(unseen, by_distance or best_values(fitted))
        gain = measure_gain(fitted, unseen, values, seed=seed)
        if gain is not None:
            found[name] = gain
    return found


def _run_weights(inquiry: _Inquiry) -> WeightsRun:
    plan, wish = inquiry.plan, inquiry.wish
    exponent = exponent_of(wish.means[0] if wish.means else "geometric")
    drawn, sheet = inquiry.ask(plan)
    with inquiry.watch(len(sheet.facts.groups) + 1, "groups") as meter:
        fits = fit_weights(sheet, exponent, wish.aim, meter.show)
    run = WeightsRun(drawn, _origins(inquiry.minds), _title(wish), fits)
    unseen = inquiry.ask_unseen()
    return run if unseen is None else replace(run, held_out=measure_weights(fits, exponent, unseen, seed=plan.seed))


def _origins(minds: Mapping[str, Mind]) -> dict[str, str]:
    return {name: origin_of(mind, PurePath(name).name) for name, mind in minds.items()}


def _title(wish: Wish) -> str:
    short = [PurePath(name).name for name in wish.names]
    if wish.method == "blend":
        mean = wish.means[0] if wish.means else "geometric"
        what = f"weight of {short[0]} against {short[1]}" if len(short) == 2 else f"weights of {', '.join(short)}"
        return f"{what} ({mean} mean)"
    return f"{_TITLES[wish.method]} {short[0]}"
