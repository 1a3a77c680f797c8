"""Minimising a rough function on a lattice: a finite-difference descent, and Nelder–Mead for comparison.

Losses of a search are made of integer visits: they are flat between jumps, so a small step measures nothing. Places are
therefore whole numbers (of steps that the caller gives a meaning), differences are taken over several of them, and a
move is kept only where the loss falls. The caller remembers what it has worked out; the same place may be asked twice.
Nothing here knows what it minimises.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Place = tuple[int, ...]
Loss = Callable[[Place], float]
Box = tuple[Place, Place]
"""The lowest and the highest place, both allowed."""

FIRST_DIFFERENCE: Final = 4
_FIRST_RADIUS: Final = 8.0
_LARGEST_RADIUS: Final = 16.0
_FIRST_SIZE: Final = 6.0
"""Of a simplex, in places."""
_LEAST_GAIN: Final = 1e-9


@dataclass(frozen=True)
class Stride:
    """One step: where it ended, and the loss there."""

    place: Place
    loss: float
    moved: bool


def descend(loss: Loss, start: Place, box: Box, steps: int, report: Callable[[Stride], None] = lambda _: None) -> Place:
    """Follow finite differences downhill: one perturbed loss a coordinate, then a move of the radius along them.

    A move that does not descend is taken back, and differences are taken to the other side; where that fails as well,
    the radius and the difference are halved. It ends at `steps`, or when a radius below one place has gained nothing.
    """
    here, radius, difference, side = start, _FIRST_RADIUS, FIRST_DIFFERENCE, 1
    found, failed = loss(here), False
    for _ in range(steps):
        slope = _slope(loss, here, found, side * difference, box)
        tried = _moved(here, slope, radius, box)
        reached = loss(tried)
        moved = reached < found - _LEAST_GAIN
        if moved:
            here, found, radius, failed = tried, reached, min(1.5 * radius, _LARGEST_RADIUS), False
        else:
            if failed:
                radius, difference = radius / 2, max(difference // 2, 1)
            side, failed = -side, not failed
        report(Stride(here, found, moved))
        if radius < 0.5:
            break
    return here


def _slope(loss: Loss, here: Place, found: float, difference: int, box: Box) -> NDArray[np.float64]:
    """One perturbed loss a coordinate; at the edge of the box, to the inside."""
    slope = np.zeros(len(here))
    for at, value in enumerate(here):
        inside = box[0][at] <= value + difference <= box[1][at]
        step = difference if inside else -difference
        slope[at] = (loss(_clip([*here[:at], value + step, *here[at + 1 :]], box)) - found) / step
    return slope


def _moved(here: Place, slope: NDArray[np.float64], radius: float, box: Box) -> Place:
    """Downhill by the radius in the steepest coordinate, by less in the others."""
    steepest = float(np.abs(slope).max())
    if steepest == 0.0:
        return here
    return _clip([value - radius * part / steepest for value, part in zip(here, slope.tolist(), strict=True)], box)


def nelder_mead(loss: Loss, start: Place, box: Box, evaluations: int) -> Place:
    """The best place that a simplex finds; begun anew, smaller, where it collapsed, as long as that gains something."""
    here, found, left, size = start, loss(start), evaluations, _FIRST_SIZE
    while left > len(start) and size >= 1.0:
        place, reached, asked = _collapse(loss, here, box, left, size)
        gained = reached < found - _LEAST_GAIN
        here, found, left = (place, reached, left - asked) if gained else (here, found, left - asked)
        size = size if gained else size / 2
    return here


def _collapse(loss: Loss, start: Place, box: Box, evaluations: int, size: float) -> tuple[Place, float, int]:
    """One simplex until it is smaller than a place (Nelder and Mead 1965: reflect 1, expand 2, contract, shrink ½)."""
    simplex = np.array([start, *(_corner(start, at, size, box) for at in range(len(start)))], dtype=np.float64)
    losses = np.array([_at(loss, row, box) for row in simplex])
    asked = len(simplex)
    while asked < evaluations and np.ptp(simplex, axis=0).max() >= 1.0:
        order = np.argsort(losses, kind="stable")
        simplex, losses = simplex[order], losses[order]
        centre, worst = simplex[:-1].mean(axis=0), simplex[-1]
        tried = np.clip(centre + (centre - worst), *box)
        reached = _at(loss, tried, box)
        asked += 1
        if losses[0] <= reached < losses[-2]:
            simplex[-1], losses[-1] = tried, reached
            continue
        other = np.clip(centre + (2.0 * (centre - worst) if reached < losses[0] else 0.5 * (worst - centre)), *box)
        further = _at(loss, other, box)
        asked += 1
        if min(reached, further) < losses[-1]:
            simplex[-1], losses[-1] = (other, further) if further < reached else (tried, reached)
        else:
            simplex[1:] = 0.5 * (simplex[1:] + simplex[0])
            losses[1:] = [_at(loss, row, box) for row in simplex[1:]]
            asked += len(simplex) - 1
    best = int(losses.argmin())
    return _clip(simplex[best].tolist(), box), float(losses[best]), asked


def _corner(start: Place, at: int, size: float, box: Box) -> list[float]:
    step = size if start[at] + size <= box[1][at] else -size
    return [value + (step if here == at else 0.0) for here, value in enumerate(start)]


def _at(loss: Loss, place: NDArray[np.float64], box: Box) -> float:
    return loss(_clip(place.tolist(), box))


def _clip(place: list[float] | list[int], box: Box) -> Place:
    return tuple(min(max(round(value), low), high) for value, low, high in zip(place, *box, strict=True))
