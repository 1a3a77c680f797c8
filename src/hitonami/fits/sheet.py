"""What every mind answered to every decision, kept whole: the raw material of all fits.

The log-probabilities of all legal moves stand in one flat array a mind, decision after decision, so that a knob's
effect on thousands of decisions is a handful of array operations. A mind that fails ends the work: a fit needs all
of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import Effort, Mind, index_of
from hitonami.customs import customs_in
from hitonami.errors import BadInput, HitonamiError, WorkFailed
from hitonami.evaluate.decisions import (
    Answers,
    Asked,
    Columns,
    Facts,
    batches_of,
    explain_failures,
    judge,
    opinions_of,
    take_facts,
    take_spans,
)
from hitonami.evaluate.selection import Selected
from hitonami.minds.near import remi_distances
from hitonami.progress import Report, unheard

Floats = NDArray[np.float64]
_MOVES_AT_ONCE = 1 << 17


@dataclass(frozen=True)
class Sheet:
    """Decisions [n] and their legal moves [moves], all decisions' moves after each other."""

    facts: Facts
    begins: NDArray[np.int64]
    """[n + 1] where each decision's moves begin."""
    played: NDArray[np.int64]
    """[n] where the move that was played stands among all moves."""
    log_probs: NDArray[np.float32]
    """[minds, moves]"""
    distance: NDArray[np.float32] | None = None
    """[moves] to the last move, NaN where there is none; kept for fits that ask for it."""
    near: float = 0.0
    far: float = 0.0
    """Between which distances weights fall in this game."""

    @property
    def count(self) -> int:
        return len(self.played)

    def take(self, rows: NDArray[np.int64]) -> "Sheet":
        """Some of the decisions, in the given order."""
        begins, moves = take_spans(self.begins, rows)
        return replace(
            self,
            facts=take_facts(self.facts, rows),
            begins=begins,
            played=self.played[rows] - self.begins[rows] + begins[:-1],
            log_probs=self.log_probs[:, moves],
            distance=None if self.distance is None else self.distance[moves],
        )

    def parts(self) -> Iterator[tuple[slice, slice]]:
        """Decisions, and their moves, in parts that fit a processor's cache."""
        begin = 0
        while begin < self.count:
            end = int(np.searchsorted(self.begins, self.begins[begin] + _MOVES_AT_ONCE, side="right")) - 1
            end = min(max(end, begin + 1), self.count)
            yield slice(begin, end), slice(int(self.begins[begin]), int(self.begins[end]))
            begin = end


Family = Callable[[Sheet, slice, float | Floats], Floats]
"""What a knob does: the scores of the moves in a slice (log-probabilities but for a constant a decision), for one value
or one a move."""


def first_mind(sheet: Sheet, moves: slice, value: float | Floats) -> Floats:
    """The family without a knob: the first mind as it is."""
    return sheet.log_probs[0, moves].astype(np.float64)


def fill_sheet(
    drawn: Selected, minds: Mapping[str, Mind], *, seed: int = 0, distances: bool = False, report: Report = unheard
) -> Sheet:
    """Ask every mind about every decision once. `report` is told positions and answers so far."""
    columns, widths, places = Columns(), [], []
    heard: dict[str, list[NDArray[np.float32]]] = {name: [] for name in minds}
    apart: list[NDArray[np.float32]] = []
    efforts = {name: Effort(np.random.default_rng([seed, at])) for at, name in enumerate(minds)}
    reach: tuple[float, ...] = ()
    for batch in batches_of(drawn):
        columns.add(batch)
        positions = [sample.query.position for sample, _, _ in batch]
        widths += [len(position.legal) for position in positions]
        places += [index_of(position, sample.move) for position, (sample, _, _) in zip(positions, batch, strict=True)]
        for name, mind in minds.items():
            heard[name] += _answers(name, mind, batch, efforts[name])
        if distances:
            reach = customs_in(positions[0].game).reach
            apart += [remi_distances(position) for position in positions]
        report(len(widths), len(widths) * len(minds))
    if not widths:
        raise BadInput("no decision is left: the games drawn were over before it")
    begins = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    return Sheet(
        columns.facts(),
        begins,
        begins[:-1] + np.array(places),
        np.stack([np.concatenate(rows) for rows in heard.values()]),
        np.concatenate(apart) if apart else None,
        *reach,
    )


def _answers(name: str, mind: Mind, batch: Sequence[Asked], effort: Effort) -> list[NDArray[np.float32]]:
    try:
        return [opinion.log_probs for opinion in opinions_of(mind, [sample.query for sample, _, _ in batch], effort)]
    except HitonamiError as wrong:
        raise explain_failures({name: wrong}) from wrong
    except Exception as wrong:  # engines, ONNX Runtime and users' own minds raise what they like
        raise WorkFailed(f"mind {name!r} failed: {type(wrong).__name__}: {wrong}") from wrong


def judge_all(sheet: Sheet, family: Family, value: float | Floats) -> tuple[Floats, Floats]:
    """[n] log-probability of the move played, [n] hit (1/k of k moves alike at the top), for a value or one a decision.

    Where everything is excluded the log-probability is -inf and there is no hit.
    """
    log_prob, hit = np.empty(sheet.count), np.empty(sheet.count)
    for rows, moves in sheet.parts():
        begins = sheet.begins[rows] - moves.start
        widths = np.diff(np.append(begins, moves.stop - moves.start))
        own_value = np.repeat(value[rows], widths) if isinstance(value, np.ndarray) else value
        scores = family(sheet, moves, own_value)
        top = np.maximum.reduceat(scores, begins)
        none_left = np.isneginf(top)
        base = np.where(none_left, 0.0, top)
        own = scores[sheet.played[rows] - moves.start]
        alike = np.add.reduceat(scores == np.repeat(top, widths), begins, dtype=np.int64)
        hit[rows] = np.where((own == top) & ~none_left, 1.0 / alike, 0.0)
        with np.errstate(divide="ignore"):
            total = np.log(np.add.reduceat(np.exp(scores - np.repeat(base, widths)), begins))
        log_prob[rows] = np.where(none_left, -np.inf, own - base - np.where(none_left, 0.0, total))
    return log_prob, hit


def answers_at(sheet: Sheet, family: Family, values: Floats) -> Answers:
    """What a mind with the knob at these values [n] says, in full, as an evaluation would have it."""
    judged = []
    for at in range(sheet.count):
        moves = slice(int(sheet.begins[at]), int(sheet.begins[at + 1]))
        log_probs = dist.normalise(family(sheet, moves, float(values[at])))
        judged.append(judge(log_probs, int(sheet.played[at] - moves.start)))
    log_prob, rank, hit, top = np.array(judged, dtype=np.float64).reshape(-1, 4).T
    return Answers(log_prob, rank, hit, top, np.full((sheet.count, 3), np.nan))
