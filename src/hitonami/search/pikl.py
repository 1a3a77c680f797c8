"""The KL-regularised policy of a root.

π = argmax Σ π(a)·Q(a) − λ·KL(π ‖ prior) has the closed form π ∝ prior · exp(Q / λ) (Jacob et al. 2022, "Modeling strong
and human-like gameplay with KL-regularized search"). A large λ is the prior, a small one the best move. The values have
to come from visits, so a search that is read this way first visits every root move that the prior does not exclude.
"""

import numpy as np
from numpy.typing import NDArray

from hitonami import dist
from hitonami.core import LogProbs


def regularise(prior: LogProbs, utilities: NDArray[np.float64], kl_lambda: float) -> LogProbs:
    """prior · exp(Q / λ), normalised; Q in -1..1 of the mover. What the prior excludes stays excluded.

    >>> prior = np.log(np.array([0.8, 0.2], dtype=np.float32))
    >>> np.exp(regularise(prior, np.array([0.0, 0.5]), 0.25)).astype(float).round(3).tolist()
    [0.351, 0.649]
    """
    return dist.normalise(prior.astype(np.float64) + utilities / kl_lambda)
