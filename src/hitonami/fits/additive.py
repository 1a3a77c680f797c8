"""Sums of curves fitted to people's turns: weights of hat functions between knots, by Newton's method.

Curves are held smooth by a penalty on their second differences, and small by one on their values: what the data do not
tell stays at nothing. Knots are given; beyond the outer ones a curve is constant.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.knobs import Curve
from hitonami.manners.additive import Additive, Features, Floats

SMOOTH: Final = 3.0
SMALL: Final = 0.3
_STEPS: Final = 40
_DONE: Final = 1e-6


@dataclass(frozen=True)
class Design:
    """Which knots each feature has, and which pools have offsets."""

    knots: Mapping[str, Sequence[float]]
    pools: Sequence[str] = ()
    smooth: float = SMOOTH
    small: float = SMALL

    def matrix(self, features: Features, pools: NDArray[np.str_] | None) -> Floats:
        """[n, columns] a one, the hats of each feature, a column a pool."""
        n = len(next(iter(features.values())))
        blocks = [np.ones((n, 1)), *(hats(features[name], knots) for name, knots in self.knots.items())]
        if pools is not None:
            blocks += [(pools == pool).astype(np.float64)[:, None] for pool in self.pools]
        return np.hstack(blocks)

    def penalty(self) -> Floats:
        """[columns, columns]"""
        sizes = [1, *(len(knots) for knots in self.knots.values()), *(1 for _ in self.pools)]
        out = np.zeros((sum(sizes), sum(sizes)))
        at = 1
        for size in sizes[1:]:
            block = self.small * np.eye(size)
            if size > 2:
                bend = np.diff(np.eye(size), 2, axis=0)
                block += self.smooth * bend.T @ bend
            out[at : at + size, at : at + size] = block
            at += size
        out[0, 0] = 1e-6
        return out

    def read(self, weights: Floats) -> Additive:
        """The weights as curves."""
        at, terms = 1, {}
        for name, knots in self.knots.items():
            own = weights[at : at + len(knots)]
            terms[name] = Curve(tuple(zip(map(float, knots), map(float, own), strict=True)))
            at += len(knots)
        return Additive(float(weights[0]), terms, dict(zip(self.pools, map(float, weights[at:]), strict=True)))


def hats(values: Floats, knots: Sequence[float]) -> Floats:
    """[n, knots] how much of each knot a value is; nothing where it is not known."""
    known = np.where(np.isnan(values), 0.0, values)
    out = np.column_stack([np.interp(known, knots, row) for row in np.eye(len(knots))])
    out[np.isnan(values)] = 0.0
    return out


def fit_chances(  # noqa: PLR0913  (what happened, and all that it is weighed by)
    design: Design,
    features: Features,
    happened: Floats,
    pools: NDArray[np.str_] | None = None,
    *,
    weights: Floats | None = None,
    known: Floats | float = 0.0,
) -> Additive:
    """Log-odds of something that happened (1) or not (0), or in part. `weights` [n], else all count alike.

    `known` [n] are log-odds to which those that are found come on top.
    """
    count = np.ones(len(happened)) if weights is None else weights
    matrix, penalty = design.matrix(features, pools), design.penalty()
    found = np.zeros(matrix.shape[1])
    rate = float(np.clip(np.average(happened, weights=count), 1e-5, 1 - 1e-5))
    found[0] = np.log(rate / (1 - rate)) if np.ndim(known) == 0 else 0.0
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(known + matrix @ found, -30, 30)))
        slope = matrix.T @ (count * (happened - chance)) - penalty @ found
        bend = (matrix * (count * chance * (1 - chance))[:, None]).T @ matrix + penalty
        step = np.linalg.solve(bend, slope)
        found += step * min(1.0, 3.0 / max(np.abs(step).max(), 1e-9))
        if np.abs(step).max() < _DONE:
            break
    return design.read(found)


def fit_means(design: Design, features: Features, values: Floats, pools: NDArray[np.str_] | None = None) -> Additive:
    """The expectation of a value, by least squares."""
    matrix = design.matrix(features, pools)
    spread = max(float(values.var()), 1e-9)
    weights = np.linalg.solve(matrix.T @ matrix / spread + design.penalty(), matrix.T @ values / spread)
    return design.read(weights.astype(np.float64))


def add_sums(one: Additive, other: Additive) -> Additive:
    """Both sums as one. A term of both has the same knots in both."""
    terms = dict(one.terms)
    for name, curve in other.terms.items():
        held = terms.get(name)
        both = zip(curve.points, held.points if held is not None else curve.points, strict=True)
        terms[name] = curve if held is None else Curve(tuple((x, y + more) for (x, y), (_, more) in both))
    pools = {pool: one.pools.get(pool, 0.0) + other.pools.get(pool, 0.0) for pool in {**one.pools, **other.pools}}
    return Additive(one.base + other.base, terms, pools)


def centred(model: Additive, features: Features) -> Additive:
    """The same sum with each curve's mean over these features in the base: what is not known then counts as usual."""
    base, terms = model.base, {}
    for name, curve in model.terms.items():
        known = features[name][~np.isnan(features[name])]
        mean = float(curve(known).mean()) if len(known) else 0.0
        terms[name] = Curve(tuple((x, y - mean) for x, y in curve.points))
        base += mean
    return Additive(base, terms, model.pools)


def rising(model: Additive, name: str, features: Features, *, falls: bool = False) -> Additive:
    """The same sum with one curve that never falls: values that do are joined, each counting by its turns.

    With `falls` it never rises instead.
    """
    sign = -1 if falls else 1
    xs, ys = zip(*((x, sign * y) for x, y in model.terms[name].points), strict=True)
    blocks: list[tuple[float, float, int]] = []
    for value, count in zip(ys, hats(features[name], xs).sum(axis=0) + 1e-3, strict=True):
        blocks.append((value, float(count), 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            (one, many, some), (other, more, rest) = blocks.pop(), blocks.pop()
            blocks.append(((one * many + other * more) / (many + more), many + more, some + rest))
    joined = [sign * value for value, _, knots in blocks for _ in range(knots)]
    return Additive(model.base, {**model.terms, name: Curve(tuple(zip(xs, joined, strict=True)))}, model.pools)
