"""Noise at the root, fitted with Θ: the published gradient ranges over τ, t, c_puct and the noise (ACE, HAI 2019).

The descent goes on from the best Θ without noise, over five knobs: those three, the noise's share ε in sixteenths and
its concentration α in powers of 2^(1/8), which is the sum of the Dirichlet's parameters over all moves. A move's chance
is the mean over several draws of the noise. What is found stands beside the fit without noise, with its gain on the
same decisions; where that is nothing, the search stays without.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.evaluate.intervals import Interval, interval_of, resample_parts
from hitonami.evaluate.metrics import surprise
from hitonami.fits._descent import Box, Place, descend
from hitonami.fits._searches import Noise, Searches
from hitonami.fits.theta import BOX, OCTAVE, Theta

_SHARES: Final = 16
_FIRST: Final[Place] = (4, 27)
"""A quarter of noise with a concentration of about ten, as AlphaZero has for chess: a share of 0 has no slope in α."""
_OWN: Final[Box] = ((0, 0), (12, 48))
"""ε from 0 to 3/4, α from 1 to 64."""
_ALL: Final[Box] = ((*BOX[0], *_OWN[0]), (*BOX[1], *_OWN[1]))


@dataclass(frozen=True)
class NoiseFit:
    """The best knobs with noise, and what the noise is worth."""

    theta: Theta
    noise: Noise
    loss: float
    gain: Interval
    """Nats a move over the best without noise, on the decisions of the fit."""
    tried: int
    """Places that were looked at with noise."""

    @property
    def is_better(self) -> bool:
        """Than what was found without; the descent may have found its way back to no noise."""
        return self.gain.value > 0


def fit_noise(searches: Searches, best: Theta, game: NDArray[np.int64], steps: int, seed: int) -> NoiseFit:
    """Descend over five knobs from the best without noise; `game` [n] says which decisions hang together."""
    tried: dict[Place, float] = {}

    def loss(place: Place) -> float:
        if place not in tried:
            tried[place] = float(surprise(_log_prob(searches, place)).mean())
        return tried[place]

    start = tuple(round(OCTAVE * float(np.log2(value))) for value in best.values)
    descend(loss, (*start, *_FIRST), _ALL, steps)
    chosen = min(tried, key=lambda place: (tried[place], place))
    losses = np.stack([surprise(searches.log_prob(*best.values)), surprise(_log_prob(searches, chosen))], axis=1)
    [part] = resample_parts(game, losses, [np.arange(len(losses))], seed)
    gain = interval_of(float(part.sums.means @ [1.0, -1.0]), part.draws[:, 0] - part.draws[:, 1])
    return NoiseFit(Theta.at(chosen[:3]), _noise_at(chosen), tried[chosen], gain, len(tried))


def _log_prob(searches: Searches, place: Place) -> NDArray[np.float64]:
    return searches.log_prob(*Theta.at(place[:3]).values, _noise_at(place))


def _noise_at(place: Place) -> Noise:
    return Noise(place[3] / _SHARES, 2.0 ** (place[4] / OCTAVE))
