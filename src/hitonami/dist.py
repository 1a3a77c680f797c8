"""Pure functions on log-probability vectors aligned with the legal moves.

Every function returns a new normalised float32 vector; none changes its input. Computation is in
float64: products of many small probabilities must not underflow.
"""

from collections.abc import Sequence
from math import exp, isfinite, log

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hitonami.core import LogProbs, Wdl
from hitonami.errors import BadInput, NoOpinion

_SHORT = 64
_FEW = 4
_LEAST_CHANCES = (1e-6, 0.0, 1e-6)


def normalise(logits: ArrayLike) -> LogProbs:
    """Log-softmax. -inf stays excluded; a vector with nothing left raises NoOpinion."""
    values = np.asarray(logits, dtype=np.float64)
    if 0 < values.size <= _SHORT:  # after a pass the caches are cold, and eight calls of numpy cost more than the sum
        return _normalise_short(values.tolist())
    top = float(np.maximum.reduce(values)) if values.size else np.nan
    _check_total(top)
    return (values - (top + log(np.add.reduce(np.exp(values - top))))).astype(np.float32)


def normalise_rows(logits: NDArray[np.float32], places: Sequence[NDArray[np.int32]]) -> list[LogProbs]:
    """Log-softmax of each row [B, M] at its places, all rows at once."""
    if len(places) <= _FEW or not all(len(place) for place in places):
        return [normalise(row.take(place)) for row, place in zip(logits, places, strict=True)]
    counts = np.array([len(place) for place in places])
    ends = np.cumsum(counts)
    values = logits[np.repeat(np.arange(len(places)), counts), np.concatenate(places)].astype(np.float64)
    begins = ends - counts
    top = np.maximum.reduceat(values, begins)
    for each in top[~np.isfinite(top)].tolist():
        _check_total(each)
    total = top + np.log(np.add.reduceat(np.exp(values - np.repeat(top, counts)), begins))
    flat = (values - np.repeat(total, counts)).astype(np.float32)
    return [flat[begin:end] for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]


def _normalise_short(values: list[float]) -> LogProbs:
    top = max(values)
    _check_total(top)
    total = top + log(sum([exp(value - top) for value in values]))
    _check_total(total)  # `max` may overlook what is not a number
    return np.array([value - total for value in values], dtype=np.float32)


def _check_total(total: float) -> None:
    if total == -np.inf:
        raise NoOpinion("every legal move is excluded")
    if not isfinite(total):
        raise NoOpinion("no legal move, or a score that is not a number")


def uniform(count: int) -> LogProbs:
    """Every move alike."""
    return np.full(count, -np.log(count), dtype=np.float32)


def temper(log_probs: LogProbs, rho: float) -> LogProbs:
    """P^rho: rho > 1 sharpens, rho < 1 flattens, 0 is uniform over what is not excluded."""
    with np.errstate(invalid="ignore"):
        powered = np.where(np.isneginf(log_probs), -np.inf, np.float64(rho) * log_probs)
    return normalise(powered)


def mix(parts: Sequence[LogProbs], weights: Sequence[float], exponent: float = 0.0) -> LogProbs:
    """Weighted power mean of distributions: 0 geometric, 1 arithmetic, any other exponent between and beyond.

    Weights are scaled to sum to 1. A part of weight 0 has no say, not even by exclusion. With an
    exponent of 0 or less a move that any part excludes stays excluded.
    """
    scale = np.asarray(weights, dtype=np.float64)
    if len(parts) != len(scale) or not len(parts):
        raise BadInput(f"{len(parts)} distributions need as many weights, got {len(scale)}")
    if (scale < 0).any() or not np.isfinite(scale).all() or scale.sum() <= 0:
        raise BadInput(f"weights must be at least 0 and not all 0, got {list(weights)}")
    keep = scale > 0
    scale = scale[keep] / scale.sum()
    stack = np.stack([np.asarray(part, dtype=np.float64) for part, kept in zip(parts, keep, strict=True) if kept])
    if exponent == 0.0:
        mixed = scale @ np.where(np.isneginf(stack), 0.0, stack)
        mixed[np.isneginf(stack).any(axis=0)] = -np.inf
    else:
        mixed = _power_mean(stack, scale, exponent)
    return normalise(mixed)


def mean_result(results: Sequence[Wdl | None], weights: Sequence[float]) -> Wdl | None:
    """The weighted mean of those that say who wins; None where nobody does."""
    known = [(wdl, weight) for wdl, weight in zip(results, weights, strict=True) if wdl is not None and weight > 0]
    if not known:
        return None
    total = sum(weight for _, weight in known)
    return np.sum([wdl * (weight / total) for wdl, weight in known], axis=0).astype(np.float32)


def _power_mean(stack: NDArray[np.float64], scale: NDArray[np.float64], exponent: float) -> NDArray[np.float64]:
    excluded = np.isneginf(stack)
    terms = np.where(excluded, -np.inf if exponent > 0 else 0.0, exponent * np.where(excluded, 0.0, stack))
    terms = terms + np.log(scale)[:, None]
    top = terms.max(axis=0)
    safe = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        mean = (safe + np.log(np.exp(terms - safe).sum(axis=0))) / exponent
    lost = excluded.any(axis=0) if exponent < 0 else excluded.all(axis=0)
    mean[lost] = -np.inf
    return mean


def restrict(
    log_probs: LogProbs, min_probability: float = 0.0, top_p: float = 1.0, top_k: int | None = None
) -> LogProbs:
    """Exclude unlikely moves; the likeliest always stays.

    `top_p` keeps the smallest set of likeliest moves that holds at least that mass, so the move that
    crosses the boundary is kept. Ties are broken by move order.
    """
    order = np.argsort(-log_probs, kind="stable")
    probs = np.exp(log_probs[order].astype(np.float64))
    mass_before = np.cumsum(probs) - probs
    keep = (probs >= min_probability) & (probs > 0)
    if top_p < 1.0:
        keep &= mass_before < top_p - 1e-7
    if top_k is not None:
        keep &= np.arange(len(order)) < top_k
    keep[0] = True
    kept = np.full(log_probs.shape, -np.inf)
    kept[order[keep]] = log_probs[order[keep]]
    return normalise(kept)


def floor(log_probs: LogProbs, share: float) -> LogProbs:
    """Give every legal move an equal part of `share`; the distribution keeps the rest."""
    return mix([log_probs, uniform(len(log_probs))], [1.0 - share, share], exponent=1.0)


def sample(log_probs: LogProbs, rng: np.random.Generator) -> int:
    """Draw an index. An excluded move is never drawn."""
    totals = np.exp(log_probs, dtype=np.float64).cumsum()
    drawn = int(totals.searchsorted(rng.random() * totals[-1], side="right"))
    last = int(totals.searchsorted(totals[-1], side="left"))  # rounding may carry the draw past the end
    return min(drawn, last)


def best(log_probs: LogProbs) -> int:
    """The index of the likeliest move; the first of equals."""
    return int(np.argmax(log_probs))


def entropy(log_probs: LogProbs) -> float:
    """In nats."""
    values = log_probs[~np.isneginf(log_probs)].astype(np.float64)
    return float(-(np.exp(values) * values).sum())


def kl(p: LogProbs, q: LogProbs) -> float:
    """KL(p || q) in nats; infinite where p has mass and q has none."""
    held = ~np.isneginf(p)
    values = p[held].astype(np.float64)
    return float((np.exp(values) * (values - q[held])).sum())


def expected_score(wdl: Wdl) -> float:
    """Win + draw / 2, of the side that the chances belong to."""
    return float(wdl[0] + 0.5 * wdl[1])


def reverse_wdl(wdl: Wdl) -> Wdl:
    """The same chances as the other side sees them."""
    return wdl[..., ::-1]


def calibrate(
    wdl: ArrayLike, temperature: ArrayLike = 1.0, lean: ArrayLike = 0.0, draws: ArrayLike = 0.0
) -> NDArray[np.float64]:
    """[..., 3] chances tempered and shifted: log p / temperature + (lean / 2, draws, -lean / 2), normalised.

    Without draws and shifts this is V^(1/T) / (V^(1/T) + (1-V)^(1/T)). `lean` moves the odds of winning against losing,
    `draws` those of a draw against its neighbours. A draw without a chance is given none; a win or a loss counts as a
    millionth at least, because engines round to nothing what they only find unlikely.
    """
    chances = np.maximum(np.asarray(wdl, dtype=np.float64), _LEAST_CHANCES)
    shift = np.stack(np.broadcast_arrays(np.asarray(lean) / 2.0, draws, np.asarray(lean) / -2.0), axis=-1)
    with np.errstate(divide="ignore"):
        scores = np.log(chances) / np.asarray(temperature, dtype=np.float64)[..., None] + shift
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True)
