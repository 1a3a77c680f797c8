"""Tails of the normal and the chi-square distribution, for tests of results. Pure functions, no tables.

Written here and not taken from a library: they are the only two that the package needs of one.
"""

import math

Z = 1.959963984540054
"""Standard errors on either side of a 95% interval."""


def normal_below(z: float) -> float:
    """The share of a standard normal below z."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def chi_square_above(statistic: float, degrees: int) -> float:
    """The chance of a statistic at least as large where the hypothesis holds.

    Q(a, x) of half the degrees by its recurrence from Q(1/2, x) or Q(1, x) on (DLMF 8.8.6): all terms are positive.
    """
    if degrees < 1 or statistic <= 0.0:
        return 1.0
    a, x = 0.5 if degrees % 2 else 1.0, statistic / 2.0
    tail = math.erfc(math.sqrt(x)) if degrees % 2 else math.exp(-x)
    while a < degrees / 2.0:
        tail += math.exp(a * math.log(x) - x - math.lgamma(a + 1.0))
        a += 1.0
    return min(1.0, tail)
