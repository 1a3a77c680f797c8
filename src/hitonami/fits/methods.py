"""`fit METHOD`: the run of each method from what was asked. Prints nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from hitonami.dataset.groups import Split
from hitonami.errors import BadInput
from hitonami.evaluate.selection import Selection
from hitonami.fits.balance import BALANCE_FILTER
from hitonami.fits.calibration_run import (
    RESULT_FILTER,
    BalanceRun,
    CalibrationRun,
    CalibrationWish,
    run_balance,
    run_calibration,
)
from hitonami.fits.foresight import ForesightRun, ForesightWish, run_foresight
from hitonami.fits.knobs import Aim
from hitonami.fits.level_run import LevelRun, LevelWish, run_level
from hitonami.fits.run import FitRun, Method, WeightsRun, Wish, run_fit
from hitonami.fits.search_run import SearchRun, SearchWish, run_search
from hitonami.fits.utilities_run import WorthRun, WorthWish, run_worth
from hitonami.judging.run import JudgeWish
from hitonami.progress import Watching

AnyRun = FitRun | WeightsRun | SearchRun | LevelRun | ForesightRun | CalibrationRun | BalanceRun | WorthRun
AnyMethod = Method | Literal["search", "level", "calibration", "foresight", "utilities", "features"]
_MOST_MINDS: Final = {"foresight": 1, "level": 1, "search": 1, "utilities": 2, "features": 1}


@dataclass(frozen=True)
class MethodWish:
    """What is asked for besides the moves to draw; a method refuses what it does not take."""

    method: AnyMethod
    minds: tuple[str, ...] = ()
    means: tuple[str, ...] = ()
    aim: Aim = "likelihood"
    held_out: Split | Literal["none"] = "test"
    ratings: tuple[float, ...] = ()
    simulations: int = 64
    steps: int = 30
    noise: bool = False
    work: Path | None = None
    judge: str | None = None
    nodes: int | None = None
    cache: Path | None = None
    jobs: int = 1
    balance: bool = False
    out: Path | None = None
    default_pool: str = ""
    actor: str | None = None

    def __post_init__(self) -> None:
        knobs = self.method in ("blend", "softmax", "distance", "restrict")
        wrong = [
            *(["more than one --mind"] if len(self.minds) > _MOST_MINDS.get(self.method, len(self.minds)) else []),
            *(["--mean"] if self.means and not knobs else []),
            *(["--rating"] if self.ratings and self.method != "search" else []),
            *(["--noise"] if self.noise and self.method != "search" else []),
            *(["--actor"] if self.actor and self.method not in ("utilities", "features") else []),
        ]
        if wrong:
            raise BadInput(f"fit {self.method} does not take {' or '.join(wrong)}: see docs/fitting.md")
        if self.method == "calibration" and self.default_pool:
            raise BadInput("fit calibration does not take --default-pool: see docs/winrate.md")


def run_method(
    plan: Selection, wish: MethodWish, data: Sequence[str], watch: Watching, *, own_filter: bool = True
) -> AnyRun:
    """Do all of it. Without `own_filter` a calibration draws by the filter for results: the plan's suits moves."""
    mind, kept = wish.minds[0] if wish.minds else None, (wish.out, wish.default_pool)
    match wish.method:
        case "calibration":
            drawn_by = BALANCE_FILTER if wish.balance else RESULT_FILTER
            return _run_calibration(plan if own_filter else replace(plan, filter_text=drawn_by), wish, data, watch)
        case "foresight":
            return run_foresight(plan, ForesightWish(mind, wish.held_out, *kept), data, watch)
        case "level":
            judged_by = JudgeWish(wish.judge, wish.nodes, wish.cache, wish.jobs)
            level = LevelWish(mind or "human", judged_by, wish.held_out, *kept)
            return run_level(plan, level, plan.open(data), watch)
        case "search":
            budget = wish.simulations, wish.steps
            theta = SearchWish(mind or "expert", wish.ratings, *budget, wish.held_out, wish.work, *kept, wish.noise)
            return run_search(plan, theta, data, watch)
        case "utilities" | "features":
            worth = WorthWish(wish.method, wish.minds, wish.held_out, wish.actor, *kept)
            return run_worth(plan, worth, data, watch)
        case _:
            knob = Wish(wish.method, wish.minds, wish.means, wish.aim, wish.held_out, *kept)
            return run_fit(plan, knob, data, watch)


def _run_calibration(
    plan: Selection, wish: MethodWish, data: Sequence[str], watch: Watching
) -> CalibrationRun | BalanceRun:
    minds = wish.minds or ("human",)
    if wish.balance:
        return run_balance(plan, minds[0], wish.out, data, watch)
    return run_calibration(plan, CalibrationWish(minds, wish.held_out, wish.out), data, watch)
