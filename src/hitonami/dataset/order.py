"""Orders of games and moves that depend on hashes and a seed alone: the same from whatever files they come."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

GOLDEN: Final = 0x9E3779B97F4A7C15
_64_BITS: Final = (1 << 64) - 1


def scramble(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014): one to one, and every bit depends on every bit."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def scatter(contents: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """A place for each game, other for each seed. One to one for a seed: equal places are equal games."""
    return scramble(contents.astype(np.uint64) + np.uint64(seed * GOLDEN & _64_BITS))
