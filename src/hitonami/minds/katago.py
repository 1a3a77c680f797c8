"""KataGo's analysis engine as a mind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hitonami import dist
from hitonami.core import Effort, LogProbs, Mind, Opinion, Query, index_of
from hitonami.engines.katago import START_SECONDS, Analysis, KatagoEngine
from hitonami.games.go import GoPosition
from hitonami.knobs import Knob, check_knob, read_knob
from hitonami.minds._katago import boards_of, check_seconds, floored, judge_chances, share_engine
from hitonami.specs import Room


@dataclass(frozen=True)
class Katago:
    """KataGo's analysis engine: what its network would play, or what its search looked at.

    `command` starts it: `katago analysis -config FILE -model FILE`. With one visit a move's probability is the
    network's. With more it is its share of the visits, mixed with `prior` of the network's policy; `floor` is spread
    evenly over all legal moves. The result is KataGo's chance of winning; it knows no draws. `lines` is how many
    searched moves are told. The simulations of a call stand in for `visits`; the seconds are not heeded.

    The same question gets the same answer with one search thread and `nnRandomize = false` in its configuration.
    """

    command: str
    visits: int = 1
    lines: int = 10
    prior: Knob = 0.1
    floor: Knob = 0.001
    timeout_seconds: float = 60.0
    start_seconds: float = START_SECONDS

    GAMES: ClassVar[tuple[str, ...]] = ("go",)
    INEXACT: ClassVar[bool] = True
    """Unless its configuration says otherwise, it looks at a board in a random orientation."""
    EXAMPLES: ClassVar[tuple[dict[str, Any], ...]] = ()
    """None that every machine could run: it needs a network and a configuration."""

    def __post_init__(self) -> None:
        check_knob("visits", self.visits, 1)
        check_knob("lines", self.lines, 1)
        check_knob("prior", self.prior, 0.0, 1.0)
        check_knob("floor", self.floor, 0.0, 1.0)
        check_seconds(self)

    def open(self, room: Room) -> Mind:
        """Start the engine, or join in where an equal one runs already."""
        return _Analysing(self, share_engine(self, room))


@dataclass(frozen=True)
class _Analysing:
    """The mind over an engine that runs."""

    fields: Katago
    engine: KatagoEngine

    @property
    def origin(self) -> str:
        """Which program and version answers."""
        return self.engine.name

    def __call__(self, queries: Sequence[Query], effort: Effort) -> list[Opinion]:
        boards = boards_of(queries, self.fields.command)
        if not boards:
            return []
        priors, floors = (read_knob(knob, queries).tolist() for knob in (self.fields.prior, self.fields.floor))
        found = self.engine.analyse(boards, effort.simulations or self.fields.visits)
        return [self._judge(*each) for each in zip(boards, found, priors, floors, strict=True)]

    def _judge(self, position: GoPosition, found: Analysis, prior: float, floor: float) -> Opinion:
        log_probs = _spread(position, found, prior, floor)
        return Opinion(log_probs, judge_chances(found), found.lines[: self.fields.lines])


def _spread(position: GoPosition, found: Analysis, prior: float, floor: float) -> LogProbs:
    """(1 - prior) · visits + prior · policy, and the floor under all."""
    legal = position.legal
    policy = found.policy[legal]
    if policy.sum() <= 0.0:  # its rules allow none of the moves that ours do
        return dist.uniform(len(legal))
    shares = policy / policy.sum()
    if found.lines:
        visits = np.zeros(len(legal))
        for line in found.lines:
            visits[index_of(position, line.moves[0])] = line.visits or 0
        shares = (1.0 - prior) * visits / visits.sum() + prior * shares
    return floored(shares, floor)
