"""Learn what a person does otherwise than a base thinks, and take only what helps on games that were held back.

Leanings are a choice model over the base's own: likelihood with a prior that pulls every weight to nothing. How strong
the prior is, how far memories are believed, and whether a part is there at all, is decided by cross-entropy on the
person's own games, a fifth of them held back in turn; a part that does not help beyond its own chance error is left
out, so that with little to learn from the twin is the base.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.errors import BadInput
from hitonami.progress import Report, unheard
from hitonami.sights import log_sums
from hitonami.style.decisions import Decisions, Played
from hitonami.style.descent import minimise
from hitonami.twins.twin import Counts, Leanings, Memory, Named, standardised

Floats = NDArray[np.float64]
Short = NDArray[np.float32]
Whole = NDArray[np.int64]
FOLDS: Final = 5
PULLS: Final = (3.0, 1.0, 0.3)
"""Strengths of the prior that are tried."""
ROUND: Final = FOLDS * len(PULLS)
"""Fits of one prior."""
_PULL: Final = 300.0
_PULL_OF_KINDS: Final = 30.0
DOUBTS: Final = (60.0, 30.0, 12.0, 5.0, 2.0, 1.0)
_LEAST_SPREAD: Final = 0.02
_LOWEST: Final = -12.0
_SURE: Final = 0.5
"""Chance errors by which a part must help."""
MOST_SCENES: Final = 20_000


@dataclass(frozen=True)
class Learned:
    """What a twin is made of, and what it was worth on the games held back."""

    leanings: Leanings | None
    memories: dict[str, Memory]
    scenes: tuple[str, ...]
    """All sorts of scenes, the broadest first."""
    gained: Floats
    """[n] nats that the whole gained on each decision when its game was held back."""
    hits: Floats
    """[n, 2] whether base and twin found the move."""
    chosen: dict[str, float]
    """The strength of the prior, and the doubt of each memory, where they are there."""


@dataclass(frozen=True)
class Prior:
    """What is known of a person before their games are: weights that others have, and how far people lie from them."""

    shift: Short
    scale: Short
    centre: Floats
    """[W] for what is seen, then kind by kind."""
    pull: Floats
    """[W] one over the variance among people."""

    def moved(self, centre: Floats) -> "Prior":
        return Prior(self.shift, self.scale, centre, self.pull)


def plain_prior(held: Decisions, sizes: Sequence[int]) -> Prior:
    """Of who knows nobody else: every weight is pulled to nothing."""
    shift, spread = held.columns.mean(axis=0), held.columns.std(axis=0)
    scale = np.where(spread < _LEAST_SPREAD, 1.0, spread).astype(np.float32)
    wide = held.columns.shape[1]
    pull = np.repeat([_PULL, *[_PULL_OF_KINDS] * len(sizes)], [wide, *sizes])
    return Prior(shift, scale, np.zeros(len(pull)), pull)


class Choices:
    """Decisions laid out for the fit."""

    def __init__(self, held: Decisions, prior: Prior, sizes: Sequence[int]) -> None:
        self.held = held
        self.begins, self.legal_begins = held.begins, held.legal_begins
        self.row = np.repeat(np.arange(len(held)), held.widths)
        self.at = self.legal_begins[:-1][self.row] + held.places
        self.inner = held.log_probs[self.at].astype(np.float64)
        self.seen = standardised(held.columns, prior.shift, prior.scale).astype(np.float64)
        found = np.flatnonzero(held.places == held.played[self.row])
        self.own = np.full(len(held), -1)
        self.own[self.row[found]] = found
        self.sizes = tuple(sizes)
        self.firsts = np.cumsum([self.seen.shape[1], *sizes])
        self.prior = prior

    def fit(self, rows: Whole, pull: float) -> Floats:
        """The weights that these decisions are likeliest by."""
        rows = rows[self.own[rows] >= 0]
        widths = self.held.widths[rows]
        begins = np.concatenate([[0], np.cumsum(widths)])
        at = np.repeat(self.begins[rows] - begins[:-1], widths) + np.arange(begins[-1])
        seen, inner, kinds = self.seen[at], self.inner[at], self.held.kinds[at]
        own, wide = self.own[rows] - self.begins[rows] + begins[:-1], self.seen.shape[1]
        prior, centre = pull * self.prior.pull, self.prior.centre

        def loss(weights: Floats) -> tuple[float, Floats]:
            scores = inner + seen @ weights[:wide]
            for way, first in enumerate(self.firsts[:-1]):
                scores += weights[first + kinds[:, way]]
            total = log_sums(scores, begins[:-1], widths)
            off = np.exp(scores - np.repeat(total, widths))
            away = weights - centre
            value = float((total - scores[own]).sum() + (prior * away * away).sum() / 2)
            off[own] -= 1
            slope = prior * away
            slope[:wide] += seen.T @ off
            for way, (first, size) in enumerate(zip(self.firsts[:-1], self.sizes, strict=True)):
                slope[first : first + size] += np.bincount(kinds[:, way], off, size)
            return value, slope

        return minimise(loss, centre.copy()) if len(rows) else centre.copy()

    def curvature(self, weights: Floats) -> Floats:
        """[W] how sharply the likelihood of all decisions bends in each weight: the variance of what is seen."""
        widths, begins = self.held.widths, self.begins[:-1]
        shares = np.exp(self.lean(weights)[self.at])
        shares /= np.repeat(np.add.reduceat(shares, begins), widths)
        mean = np.add.reduceat(shares[:, None] * self.seen, begins)
        seen = (shares[:, None] * self.seen**2).sum(axis=0) - (mean**2).sum(axis=0)
        parts = [seen]
        for way, size in enumerate(self.sizes):
            kinds = self.held.kinds[:, way]
            together, at = np.unique(self.row * size + kinds, return_inverse=True)
            by_kind = np.bincount(at, shares)
            parts.append(np.bincount(together % size, by_kind * (1 - by_kind), size))
        return np.concatenate(parts)

    def lean(self, weights: Floats) -> Floats:
        """[L] log-probabilities with these leanings."""
        scores = self.inner + self.seen @ weights[: self.seen.shape[1]]
        for way, first in enumerate(self.firsts[:-1]):
            scores += weights[first + self.held.kinds[:, way]]
        widths, begins = self.held.widths, self.begins[:-1]
        shares = log_sums(scores, begins, widths) - log_sums(self.inner, begins, widths)
        found = self.held.log_probs.astype(np.float64)
        found[self.at] = scores - np.repeat(shares, widths)
        return found

    def nats(self, log_probs: Floats) -> Floats:
        """[n] cross-entropy of the moves that were played."""
        own: Floats = -np.maximum(log_probs[self.legal_begins[:-1] + self.held.played], _LOWEST)
        return own

    def hits(self, log_probs: Floats) -> Floats:
        """[n] 1 where the likeliest move was played, 1/k for each of k that are alike."""
        begins = self.legal_begins[:-1]
        top = np.maximum.reduceat(log_probs, begins)
        alike = np.add.reduceat(log_probs == np.repeat(top, self.held.legal_widths), begins, dtype=np.float64)
        return np.asarray((log_probs[begins + self.held.played] == top) / alike, dtype=np.float64)


class Recollections:
    """What was played in the scenes of one sort, seen from each decision without the games of its own fold."""

    def __init__(self, choices: Choices, played: Sequence[Played], way: int, folds: Whole) -> None:
        held = choices.held
        every, apart = Counter[tuple[str, int]](), Counter[tuple[int, str, int]]()
        moves: dict[str, set[int]] = {}
        for game, mark, move in played:
            every[mark, move] += 1
            apart[int(folds[game]) if game < len(folds) else -1, mark, move] += 1
            moves.setdefault(mark, set()).add(move)
        self._spans: list[tuple[slice, Named]] = []
        for at, mark in enumerate(held.scenes[:, way]):
            if mark not in moves:
                continue
            span = slice(choices.legal_begins[at], choices.legal_begins[at + 1])
            fold = int(folds[held.game[at]])
            left = {str(move): every[mark, move] - apart[fold, mark, move] for move in moves[mark]}
            told = Named.of(held.names[span, way], left)
            if told.counts.any():
                self._spans.append((span, told))

    def recall(self, log_probs: Floats, doubt: float) -> Floats:
        """[L] the same with what is remembered."""
        found = log_probs.copy()
        for span, told in self._spans:
            found[span] = told.recall(found[span], doubt)
        return found


def learn(  # noqa: PLR0913
    held: Decisions,
    played: Mapping[str, Sequence[Played]],
    columns: tuple[str, ...],
    kinds: Sequence[tuple[str, int]],
    report: Report = unheard,
    *,
    priors: Sequence[Prior] = (),
) -> Learned:
    """All of it. `played` is by sort of scene, the broadest first. Raises BadInput where there are too few games.

    Of several priors the one is taken that helps most on games held back; without any it is the plain one.
    """
    games = np.unique(held.game)
    if len(games) < FOLDS:
        raise BadInput(f"a twin needs decisions of {FOLDS} games at least, got {len(games)}")
    folds = np.zeros(int(games.max()) + 1, dtype=np.int64)
    folds[games] = np.arange(len(games)) % FOLDS
    sizes = [size for _, size in kinds]
    tried = priors or (plain_prior(held, sizes),)
    leaning = held.log_probs.astype(np.float64)
    choices, pull = Choices(held, tried[0], sizes), None
    for at, prior in enumerate(tried):
        other = Choices(held, prior, sizes)
        found, leaning = _choose_pull(other, folds, leaning, report, at * ROUND)
        if found is not None:
            choices, pull = other, found
    chosen = {} if pull is None else {"pull": pull}
    memories: dict[str, Memory] = {}
    for way, (scene, moves) in enumerate(played.items()):
        recollections = Recollections(choices, moves, way, folds)
        doubt, leaning = _choose_doubt(choices, recollections, leaning)
        if doubt is not None:
            chosen[scene] = doubt
            memories[scene] = Memory(count_scenes(moves, MOST_SCENES // len(played)), doubt)
    leanings = None
    if pull is not None:
        weights = choices.fit(np.arange(len(held)), pull).astype(np.float32)
        parts = np.split(weights, choices.firsts)
        named = {name: part for (name, _), part in zip(kinds, parts[1:-1], strict=True)}
        leanings = Leanings(columns, choices.prior.shift, choices.prior.scale, parts[0], named)
    report(len(tried) * ROUND + 1, len(tried) * ROUND + 1)
    base = held.log_probs.astype(np.float64)
    hits = np.stack([choices.hits(base), choices.hits(leaning)], axis=1)
    return Learned(leanings, memories, tuple(played), choices.nats(base) - choices.nats(leaning), hits, chosen)


def _choose_pull(
    choices: Choices, folds: Whole, before: Floats, report: Report, fits: int
) -> tuple[float | None, Floats]:
    """The strength of the prior that helps most on games held back, and what came of it there; None where none does."""
    base = choices.held.log_probs.astype(np.float64)
    best, found, least = None, before, choices.nats(before)
    fold = folds[choices.held.game]
    legal_fold = np.repeat(fold, choices.held.legal_widths)
    for pull in PULLS:
        leaning = base.copy()
        for out in range(FOLDS):
            weights = choices.fit(np.flatnonzero(fold != out), pull)
            leaning[legal_fold == out] = choices.lean(weights)[legal_fold == out]
            fits += 1
            report(fits, fits)
        nats = choices.nats(leaning)
        if _helps(least - nats, choices.held.game):
            best, found, least = pull, leaning, nats
        elif best is not None:
            break
    return best, found


def _choose_doubt(choices: Choices, memory: Recollections, before: Floats) -> tuple[float | None, Floats]:
    best, found, least = None, before, choices.nats(before)
    for doubt in DOUBTS:
        recalled = memory.recall(before, doubt)
        nats = choices.nats(recalled)
        if _helps(least - nats, choices.held.game):
            best, found, least = doubt, recalled, nats
        elif best is not None:
            break
    return best, found


def _helps(gained: Floats, games: Whole) -> bool:
    """Whether a change gains more than its chance error over games."""
    if not gained.any():
        return False
    by_game = np.bincount(games, gained)
    error = float(np.sqrt(np.square(by_game).sum()))
    return bool(by_game.sum() > _SURE * error)


def count_scenes(played: Sequence[Played], most: int) -> Counts:
    """How often each move was played in each scene; of too many, those that came most often and earliest."""
    counts: Counts = {}
    for _, mark, move in played:
        own = counts.setdefault(mark, {})
        own[str(move)] = own.get(str(move), 0) + 1
    if len(counts) <= most:
        return counts
    order = sorted(counts, key=lambda mark: -sum(counts[mark].values()))[:most]
    kept = set(order)
    return {mark: moves for mark, moves in counts.items() if mark in kept}
