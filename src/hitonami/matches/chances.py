"""Tails of the normal and the chi-square distribution, for tests of results. Pure functions, no tables.

Written here and not taken from a library: they are the only two that the package needs of one.
"""

import math

CONFIDENCE = 0.95
"""Of every interval in this folder that does not say otherwise."""
Z = 1.959963984540054
"""Standard errors on either side of a 95% interval."""
_STEPS = 10_000


def normal_below(z: float) -> float:
    """The share of a standard normal below z."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def chi_square_above(statistic: float, degrees: int) -> float:
    """The chance of a statistic at least as large where the hypothesis holds."""
    if degrees < 1 or statistic <= 0.0:
        return 1.0
    return _upper_gamma(degrees / 2.0, statistic / 2.0)


def _upper_gamma(a: float, x: float) -> float:
    """Q(a, x), regularised: by its series below the mean, by Lentz's continued fraction above (DLMF 8.7.1, 8.9.2)."""
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1.0:
        term = total = 1.0 / a
        for step in range(1, _STEPS):
            term *= x / (a + step)
            total += term
            if term < total * 1e-16:
                break
        return max(0.0, 1.0 - scale * total)
    b = x + 1.0 - a
    c, d = 1e300, 1.0 / b
    fraction = d
    for step in range(1, _STEPS):
        numerator = -step * (step - a)
        b += 2.0
        d = 1.0 / (numerator * d + b)
        c = b + numerator / c
        fraction *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return min(1.0, scale * fraction)
