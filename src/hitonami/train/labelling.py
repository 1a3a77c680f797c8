"""From a block of drawn positions to labels: ask the mind, and again about the played moves where that is wanted."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Line, Mind, Opinion, Query
from hitonami.dataset.labels import Candidate, Key, Label
from hitonami.dataset.picking import Block
from hitonami.dataset.samples import Sample, samples_at
from hitonami.dataset.shards import records_of
from hitonami.errors import EngineFailed, NoOpinion


@dataclass(frozen=True)
class Asking:
    """How the mind is asked, and what is kept of its answers."""

    simulations: int | None = None
    """Nodes, playouts or visits for each position; None leaves the mind its own limits."""
    policy: bool = False
    """Keep the distribution over the legal moves beside the candidates; without candidates it is always kept."""
    played: bool = False
    """Also have the played move judged where it is no candidate, by the position after it."""
    seed: int = 0


@dataclass(frozen=True)
class Judged:
    """The labels of a block, and why the first position without one has none."""

    labels: tuple[tuple[Key, Label], ...]
    failed: int = 0
    reason: str = ""


def judge_block(block: Block, mind: Mind, asking: Asking) -> Judged:
    """Label a block. A position that the engine fails on is left out; the others are labelled all the same."""
    keys: list[Key] = []
    samples: list[Sample] = []
    contents = block.games["content"].to_pylist()
    for content, record, plies in zip(contents, records_of(block.games), block.plies, strict=True):
        for sample in samples_at(record, plies):
            keys.append((content, sample.query.position.ply))
            samples.append(sample)
    asked = _Asked(mind, asking, block.number)
    opinions = asked.about([sample.query for sample in samples])
    labels = [
        None if opinion is None else _label_of(sample, opinion, asking)
        for sample, opinion in zip(samples, opinions, strict=True)
    ]
    if asking.played:
        _judge_played(samples, labels, asked)
    kept = tuple((key, label) for key, label in zip(keys, labels, strict=True) if label is not None)
    return Judged(kept, len(labels) - len(kept), asked.reason)


class _Asked:
    """A mind with its budget. Chance depends on the block alone, not on the process that works on it."""

    def __init__(self, mind: Mind, asking: Asking, block: int) -> None:
        self._mind, self._asking, self._block, self._calls = mind, asking, block, 0
        self.reason = ""

    def about(self, queries: Sequence[Query]) -> list[Opinion | None]:
        """One opinion a query, None where the engine failed on it."""
        if not queries:
            return []
        try:
            return list(self._mind(queries, self._effort()))
        except (EngineFailed, NoOpinion) as wrong:
            if len(queries) == 1:
                self.reason = self.reason or str(wrong)
                return [None]
        return [self.about([query])[0] for query in queries]

    def _effort(self) -> Effort:
        self._calls += 1
        rng = np.random.default_rng([self._asking.seed, 3, self._block, self._calls])
        return Effort(rng, simulations=self._asking.simulations)


def _label_of(sample: Sample, opinion: Opinion, asking: Asking) -> Label:
    candidates = tuple(map(_candidate, opinion.lines))
    policy = None
    if asking.policy or not candidates:
        policy = np.exp(opinion.log_probs.astype(np.float64)).astype(np.float16)
    own = next((each for each in candidates if each.move == sample.move), None)
    return Label(sample.move, opinion.wdl, candidates, policy, own)


def _candidate(line: Line) -> Candidate:
    expected = None if line.wdl is None else dist.expected_score(line.wdl)
    return Candidate(line.moves[0], expected, line.centipawns, line.mate_in, line.visits, line.moves)


def _judge_played(samples: Sequence[Sample], labels: list[Label | None], asked: _Asked) -> None:
    """Fill in the played moves that are no candidates."""
    missing = [at for at, label in enumerate(labels) if label is not None and label.own is None]
    after = {at: samples[at].query.after(samples[at].move) for at in missing}
    going_on = [at for at in missing if len(after[at].position.legal)]
    opinions = dict(zip(going_on, asked.about([after[at] for at in going_on]), strict=True))
    for at in missing:
        label, sample = labels[at], samples[at]
        assert label is not None
        goes_on = at in opinions
        own = _seen_from_before(sample, after[at], opinions[at]) if goes_on else _known_end(sample, after[at])
        labels[at] = dataclasses.replace(label, own=own)


def _seen_from_before(sample: Sample, after: Query, opinion: Opinion | None) -> Candidate | None:
    """What an opinion on the position after a move says of the move."""
    if opinion is None or opinion.wdl is None:
        return None
    best = opinion.lines[0] if opinion.lines else None
    expected, centipawns = dist.expected_score(opinion.wdl), None if best is None else best.centipawns
    mate_in = None if best is None else best.mate_in
    if after.position.to_move != sample.query.position.to_move:
        expected, centipawns = 1.0 - expected, None if centipawns is None else -centipawns
        mate_in = None if mate_in is None else (-mate_in if mate_in > 0 else 1 - mate_in)
    return Candidate(sample.move, expected, centipawns, mate_in, line=(sample.move,))


def _known_end(sample: Sample, after: Query) -> Candidate | None:
    score, side = after.position.score, sample.query.position.to_move
    if score is None:
        return None
    return Candidate(sample.move, score if side == 0 else 1.0 - score, line=(sample.move,))


def origins_of(mind: Any) -> list[str]:
    """Which programs and networks answer, with their versions, where the parts of a mind say so (`origin`)."""
    found = getattr(mind, "origin", None)
    if isinstance(found, str):
        return [found]
    if isinstance(mind, tuple | list):
        return [each for part in mind for each in origins_of(part)]
    if dataclasses.is_dataclass(mind) and not isinstance(mind, type):
        return [each for item in dataclasses.fields(mind) for each in origins_of(getattr(mind, item.name))]
    return []
