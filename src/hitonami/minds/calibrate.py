"""Calibration of the expected result: one temperature, and where it is needed a lean and a share of draws.

Human win rate (dissertation of 2026, section 6): V_cal = V^(1/T) / (V^(1/T) + (1-V)^(1/T)), T fitted on games that the
network did not learn from (`hitonami fit GAME calibration`). Moves are left as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hitonami.core import Effort, Mind, Opinion, Query
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.search.results import calibrated


@dataclass(frozen=True)
class Calibrate:
    """Temper the expected result: a temperature above 1 draws it towards even chances, below 1 away from them.

    All three chances are tempered alike. `lean` is added to the log-odds of winning against losing (of the side to
    move), `draws` to those of a draw: for a network that learned from games with another share of either.
    """

    mind: Mind
    temperature: Knob = 1.0
    lean: Knob = 0.0
    draws: Knob = 0.0

    def __post_init__(self) -> None:
        check_knob("temperature", self.temperature, 0.05, 100.0)
        check_knob("lean", self.lean, -20.0, 20.0)
        check_knob("draws", self.draws, -20.0, 20.0)

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        knobs = (read_knob(knob, queries) for knob in (self.temperature, self.lean, self.draws))
        return calibrated(self.mind(queries, effort), *knobs)
