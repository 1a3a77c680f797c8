"""Loss per move: how much expected score people give away, and agents on the same positions, by a judge.

The loss of a move is the judge's chance of the best move less its chance of that move. For people it is the loss of the
move they played. For an agent it is the exact mean over the moves that it may draw: those that its mind
gives at least `levels.least_drawn` (an agent of a level never draws the others), each with its probability to the power
ρ, scaled to sum to 1. So there is no chance in it, and one pass of the judge serves every ρ.

Figures by rating group and by phase, with intervals from resampling games: mean loss, share of blunders (losses above
0.1 and 0.2), and the comparison with the person at the same position: difference of the means (paired), mean squared
difference, and how often the agent loses more than 0.05 more, or less, than the person.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.agent import level_style
from hitonami.core import Effort, Mind, Position
from hitonami.customs import customs_of
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Asked, Columns, Facts, batches_of, opinions_of
from hitonami.evaluate.intervals import Interval, Part, resample_parts
from hitonami.evaluate.metrics import group_rows
from hitonami.evaluate.selection import Selected
from hitonami.judging.judge import Ask, Judge
from hitonami.judging.phases import PHASES, phase_of
from hitonami.levels import level_curve
from hitonami.progress import Report, unheard

Floats = NDArray[np.float64]
BLUNDERS: Final = (0.1, 0.2)
FAR: Final = 0.05
"""How much more or less than the person counts as different."""
LIKELIEST: Final = 1000.0
"""An exponent that leaves the likeliest move alone."""


@dataclass(frozen=True)
class Judged:
    """Decisions [n] and their judged moves [m], all decisions' moves after each other."""

    facts: Facts
    phase: NDArray[np.int8]
    """[n] places in PHASES."""
    begins: NDArray[np.int64]
    """[n + 1] where each decision's moves begin."""
    loss: Floats
    """[m] of each judged move."""
    person: Floats
    """[n] of the move that was played."""
    log_probs: Mapping[str, Floats]
    """For each mind, [m]; -inf where its agent never draws the move."""
    judge: str
    nodes: int | None
    best: Floats = field(default_factory=lambda: np.empty(0))
    """[n] the mover's chance after the best move."""

    @property
    def count(self) -> int:
        return len(self.person)


@dataclass(frozen=True)
class LossFigures:
    """People or an agent in one group of decisions. What compares is None for people."""

    loss: Interval
    blunders: tuple[Interval, ...]
    """Shares of moves that lose more than each of BLUNDERS."""
    difference: Interval | None = None
    """Mean loss less that of people, paired."""
    squared: float | None = None
    more: float | None = None
    less: float | None = None


@dataclass(frozen=True)
class LossRow:
    """One group, or one phase: people first, then the agents in their order."""

    name: str
    n: int
    games: int
    people: LossFigures
    agents: Mapping[str, LossFigures]


@dataclass(frozen=True)
class Losses:
    """All figures. The last of `groups` is "all"."""

    groups: tuple[LossRow, ...]
    phases: tuple[LossRow, ...]
    judge: str
    nodes: int | None


@dataclass(frozen=True)
class Choices:
    """What people played and what agents may draw, before it is judged: decisions [n] in the order of their games."""

    facts: Facts
    phases: Sequence[int]
    played: Sequence[int]
    asks: Sequence[Ask]
    """Each position with the moves to judge: the one played, then those that an agent may draw."""
    kept: Mapping[str, Sequence[Mapping[int, float]]]
    """For each mind and decision, the moves that its agent may draw with their log-probabilities."""


def ask_decisions(
    drawn: Selected, minds: Mapping[str, Mind], report: Callable[[int], None] = lambda done: None
) -> Choices:
    """Ask the minds about every decision. `report` is told how many are behind us."""
    columns, asks, phases, played = Columns(), list[Ask](), list[int](), list[int]()
    least = customs_of(drawn.plan.game).least_drawn
    kept: dict[str, list[dict[int, float]]] = {name: [] for name in minds}
    efforts = {name: Effort(np.random.default_rng([drawn.plan.seed, at])) for at, name in enumerate(minds)}
    for batch in batches_of(drawn):
        columns.add(batch)
        for name, mind in minds.items():
            kept[name] += _choices(batch, mind, efforts[name], least)
        for sample, _, _ in batch:
            at = len(asks)
            moves = dict.fromkeys([sample.move, *(move for held in kept.values() for move in held[at])])
            asks.append((sample.query.position, list(moves)))
            phases.append(PHASES.index(phase_of(sample.query.position)))
            played.append(sample.move)
        report(len(asks))
    if not asks:
        raise BadInput("no decision is left: the games drawn were over before it")
    return Choices(columns.facts(), phases, played, asks, kept)


def judge_choices(choices: Choices, judge: Judge, report: Report = unheard) -> Judged:
    """Ask the judge about every move. `report` is told of its progress."""
    asks, kept = choices.asks, choices.kept
    verdicts = judge(asks, report)
    begins = np.concatenate([[0], np.cumsum([len(moves or ()) for _, moves in asks])]).astype(np.int64)
    return Judged(
        choices.facts,
        np.array(choices.phases, dtype=np.int8),
        begins,
        np.array(
            [verdict.loss(move) for (_, moves), verdict in zip(asks, verdicts, strict=True) for move in moves or ()]
        ),
        np.array([verdict.loss(move) for move, verdict in zip(choices.played, verdicts, strict=True)]),
        {name: _aligned(asks, held) for name, held in kept.items()},
        judge.name,
        judge.nodes,
        np.array([verdict.best for verdict in verdicts]),
    )


def _choices(batch: Sequence[Asked], mind: Mind, effort: Effort, least: float) -> list[dict[int, float]]:
    """For each decision the moves that the agent may draw, with their log-probabilities."""
    opinions = opinions_of(mind, [sample.query for sample, _, _ in batch], effort)
    found = []
    for (sample, _, _), opinion in zip(batch, opinions, strict=True):
        may = ~np.isneginf(dist.restrict(opinion.log_probs, least))
        legal = sample.query.position.legal
        found.append(dict(zip(legal[may].tolist(), opinion.log_probs[may].tolist(), strict=True)))
    return found


def _aligned(asks: Sequence[tuple[Position, Sequence[int] | None]], held: Sequence[Mapping[int, float]]) -> Floats:
    return np.array(
        [own.get(move, -np.inf) for (_, moves), own in zip(asks, held, strict=True) for move in moves or ()]
    )


def draw_weights(judged: Judged, mind: str, rho: Floats | float) -> Floats:
    """[m] the probability that the agent draws each judged move; `rho` is one value, or [n]."""
    widths = np.diff(judged.begins)
    power = np.repeat(np.broadcast_to(np.asarray(rho, dtype=np.float64), (judged.count,)), widths)
    own = judged.log_probs[mind]
    top = np.repeat(np.maximum.reduceat(own, judged.begins[:-1]), widths)
    drawn = ~np.isneginf(own)
    mass = np.where(drawn, np.exp(power * (np.where(drawn, own, top) - top)), 0.0)
    return mass / np.repeat(np.add.reduceat(mass, judged.begins[:-1]), widths)


def expected_losses(judged: Judged, mind: str, rho: Floats | float) -> Floats:
    """[n] the mean loss of the agent's draws in each decision."""
    return np.add.reduceat(draw_weights(judged, mind, rho) * judged.loss, judged.begins[:-1])


def agents_of(judged: Judged, game: str, minds: Mapping[str, str]) -> dict[str, tuple[str, Floats | float]]:
    """For each mind its plain draw, the draw fitted for the level where every decision has one, its likeliest move.

    `minds` are names and the texts of their specs, which say what was fitted for them.
    """
    found: dict[str, tuple[str, Floats | float]] = {}
    for mind, text in minds.items():
        found[f"{mind}, plain draw"] = mind, 1.0
        style = level_style(text)
        values = level_exponents(judged, game, style) if style else None
        if values is not None:
            found[f"{mind}, level"] = mind, values
        found[f"{mind}, likeliest"] = mind, LIKELIEST
    return found


def level_exponents(judged: Judged, game: str, style: str) -> Floats | None:
    """[n] the fitted ρ for each decision, None where one of them has none."""
    values = np.full(judged.count, np.nan)
    pools = np.array(judged.facts.pool, dtype=object)
    for pool in set(judged.facts.pool):
        curve = level_curve(style, game, pool)
        if curve is None:
            return None
        rows = np.flatnonzero(pools == pool)
        values[rows] = curve(judged.facts.rating[rows])
    return None if np.isnan(values).any() else values


def measure_losses(judged: Judged, agents: Mapping[str, tuple[str, Floats | float]], *, seed: int = 0) -> Losses:
    """Figures of people and of agents, each a mind's name and its exponent ρ (one value, or one a decision)."""
    columns = [_people_columns(judged), *(_agent_columns(judged, mind, rho) for mind, rho in agents.values())]
    groups = group_rows(judged.facts)
    phases = [(name, np.flatnonzero(judged.phase == at)) for at, name in enumerate(PHASES)]
    named = [*groups, *((name, rows) for name, rows in phases if len(rows))]
    parts = resample_parts(judged.facts.game, np.hstack(columns), [rows for _, rows in named], seed)
    found = tuple(_row(name, part, list(agents)) for (name, _), part in zip(named, parts, strict=True))
    return Losses(found[: len(groups)], found[len(groups) :], judged.judge, judged.nodes)


def _people_columns(judged: Judged) -> Floats:
    return np.column_stack([judged.person, *(judged.person > limit for limit in BLUNDERS)]).astype(np.float64)


def _agent_columns(judged: Judged, mind: str, rho: Floats | float) -> Floats:
    weights, begins = draw_weights(judged, mind, rho), judged.begins[:-1]
    apart = judged.loss - np.repeat(judged.person, np.diff(judged.begins))
    each = [judged.loss, *(judged.loss > limit for limit in BLUNDERS), apart, apart**2, apart > FAR, apart < -FAR]
    return np.column_stack([np.add.reduceat(weights * np.asarray(column, np.float64), begins) for column in each])


def _row(name: str, part: Part, agents: Sequence[str]) -> LossRow:
    told, first = part.intervals, 1 + len(BLUNDERS)
    people = LossFigures(told[0], tuple(told[1:first]))
    found = {}
    for at, agent in enumerate(agents):
        own = first + at * (first + 4)
        found[agent] = LossFigures(
            told[own],
            tuple(told[own + 1 : own + first]),
            told[own + first],
            *(each.value for each in told[own + first + 1 : own + first + 4]),
        )
    return LossRow(name, len(part.rows), part.games, people, found)
