"""What the answers of a Turing test say: how human each opponent seemed, with intervals.

An answer is one judge's view of one game: was it a person, how human-like from 0 to 100, and scales of style. Shares of
"a person" have exact binomial intervals (Clopper and Pearson 1934), as if answers were independent; every mean, and the
share once more, has an interval by bootstrap over judges, who give several answers each. What one judge alone has said
has no such interval: how far judges differ cannot be known from one. Opponents that are people are the yardstick: each
other opponent's mean is compared with theirs, again resampling judges.

Nothing here knows how the games were shown; an answer that was not given is not an answer.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hitonami.errors import BadInput
from hitonami.evaluate.intervals import LEVEL, Floats, Interval, Sums, interval_of, resample_means, sum_by_game

SCALES: Final = ("aggressive", "careful", "consistent", "strong")
"""Style, each from 0 (not at all) to 100 (very)."""
HIGHEST: Final = 100.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One judge on one game. `likeness` is None, and `scales` lacks, what the judge left out."""

    opponent: str
    judge: str
    called_human: bool
    likeness: float | None = None
    scales: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = {} if self.likeness is None else {"likeness": self.likeness}
        for name, value in {**given, **self.scales}.items():
            if not 0.0 <= value <= HIGHEST:
                raise BadInput(f"{name} lies between 0 and {HIGHEST:g}, got {value:g}")
        if unknown := set(self.scales) - set(SCALES):
            raise BadInput(f"unknown scale {sorted(unknown)[0]!r}; known: {', '.join(SCALES)}")


@dataclass(frozen=True)
class Mean:
    """A mean over answers, and where it lies with 95% confidence; None where one judge alone has given it."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Seeming:
    """How one opponent seemed. `called_human` has the binomial interval, `called_human_by_judge` the bootstrap's."""

    opponent: str
    is_human: bool
    answers: int
    judges: int
    called_human: Interval
    called_human_by_judge: Mean
    p_value: float
    """Two-sided exact binomial test against coin tossing."""
    likeness: Mean | None
    """None where every judge left it out; a scale is lacking then."""
    scales: dict[str, Mean]
    likeness_against_people: Mean | None
    """Mean likeness minus that of the people in the test; None for them, and where there are none."""


def summarise(answers: Sequence[Answer], humans: frozenset[str] = frozenset(), seed: int = 0) -> list[Seeming]:
    """One row an opponent, the most human-like first. `humans` names the opponents that are people."""
    if not answers:
        return []
    panel = _Panel({name: at for at, name in enumerate(dict.fromkeys(answer.judge for answer in answers))}, seed)
    people = [answer for answer in answers if answer.opponent in humans]
    rows = [
        _seeming(panel, [each for each in answers if each.opponent == name], [] if name in humans else people, humans)
        for name in dict.fromkeys(answer.opponent for answer in answers)
    ]
    return sorted(rows, key=lambda row: (row.likeness is None, -(row.likeness.value if row.likeness else 0.0)))


@dataclass(frozen=True)
class _Panel:
    """All judges of a test. They are resampled with all their answers, and alike for every figure."""

    places: Mapping[str, int]
    seed: int

    def mean(self, answers: Sequence[Answer], read: Callable[[Answer], float | None]) -> Mean | None:
        """The mean of what was answered; None where nothing was."""
        part = self._sums(answers, read)
        if part is None:
            return None
        [draws] = resample_means([part], len(self.places), self.seed)
        return _mean(float(part.means[0]), draws[:, 0], len(part.games))

    def difference(
        self, own: Sequence[Answer], other: Sequence[Answer], read: Callable[[Answer], float | None]
    ) -> Mean | None:
        mine, theirs = self._sums(own, read), self._sums(other, read)
        if mine is None or theirs is None:
            return None
        draws, others = resample_means([mine, theirs], len(self.places), self.seed)
        judges = min(len(mine.games), len(theirs.games))
        return _mean(float(mine.means[0] - theirs.means[0]), draws[:, 0] - others[:, 0], judges)

    def _sums(self, answers: Sequence[Answer], read: Callable[[Answer], float | None]) -> Sums | None:
        given = [(self.places[answer.judge], value) for answer in answers if (value := read(answer)) is not None]
        if not given:
            return None
        places = np.array([place for place, _ in given], dtype=np.int64)
        return sum_by_game(places, np.array([[value] for _, value in given]))


def _mean(value: float, draws: Floats, judges: int) -> Mean:
    if judges < 2:
        return Mean(value, None, None)
    found = interval_of(value, draws)
    return Mean(value, found.low, found.high)


def _seeming(panel: _Panel, own: Sequence[Answer], people: Sequence[Answer], humans: frozenset[str]) -> Seeming:
    called = sum(answer.called_human for answer in own)
    name = own[0].opponent
    by_judge = panel.mean(own, lambda answer: float(answer.called_human))
    assert by_judge is not None  # every answer says this much
    means = {scale: panel.mean(own, _reader(scale)) for scale in SCALES}
    return Seeming(
        opponent=name,
        is_human=name in humans,
        answers=len(own),
        judges=len({answer.judge for answer in own}),
        called_human=binomial_interval(called, len(own)),
        called_human_by_judge=by_judge,
        p_value=binomial_test(called, len(own)),
        likeness=panel.mean(own, _likeness),
        scales={scale: mean for scale, mean in means.items() if mean is not None},
        likeness_against_people=panel.difference(own, people, _likeness),
    )


def _likeness(answer: Answer) -> float | None:
    return answer.likeness


def _reader(scale: str) -> Callable[[Answer], float | None]:
    return lambda answer: answer.scales.get(scale)


def binomial_interval(successes: int, trials: int) -> Interval:
    """Clopper and Pearson's exact interval: bounds at which a tail holds half of what is left outside."""
    if not 0 <= successes <= trials or trials == 0:
        raise BadInput(f"{successes} of {trials} is no share")
    tail = (1 - LEVEL) / 2
    low = 0.0 if successes == 0 else _solve(lambda p: _upper_tail(successes, trials, p), tail)
    high = (
        1.0 if successes == trials else _solve(lambda p: 1 - _upper_tail(successes + 1, trials, p), tail, falling=True)
    )
    return Interval(successes / trials, low, high)


def binomial_test(successes: int, trials: int) -> float:
    """Two-sided exact p-value against one half."""
    extreme = max(successes, trials - successes)
    return min(1.0, 2 * _upper_tail(extreme, trials, 0.5)) if 2 * extreme != trials else 1.0


def _upper_tail(successes: int, trials: int, chance: float) -> float:
    """P(X ≥ successes). Terms by logarithms: a product of thousands of factors would vanish."""
    if successes <= 0:
        return 1.0
    log_yes, log_no = math.log(chance), math.log1p(-chance)
    base = math.lgamma(trials + 1)
    return math.fsum(
        math.exp(base - math.lgamma(k + 1) - math.lgamma(trials - k + 1) + k * log_yes + (trials - k) * log_no)
        for k in range(successes, trials + 1)
    )


def _solve(tail_at: Callable[[float], float], tail: float, falling: bool = False) -> float:
    """Where a monotone function of a chance crosses `tail`, by halving."""
    low, high = 1e-15, 1 - 1e-15
    for _ in range(60):
        middle = (low + high) / 2
        if (tail_at(middle) < tail) != falling:
            low = middle
        else:
            high = middle
    return (low + high) / 2
