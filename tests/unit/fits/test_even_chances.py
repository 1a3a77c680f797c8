"""The exponent with even chances, from scores made by a known curve."""

import numpy as np
import pytest

from hitonami.fits.even_chances import find_even_chances

_VALUES = np.array([1.0, 1.2, 1.5, 2.0])


def test_a_known_curve_is_found_again() -> None:
    chances = 1 / (1 + np.exp(-2.5 * np.log(_VALUES / 1.3)))
    games = np.full(4, 400.0)
    found = find_even_chances(_VALUES, chances * games, games)
    assert found.value.value == pytest.approx(1.3, rel=0.01)
    assert found.value.low < 1.3 < found.value.high
    assert found.slope == pytest.approx(2.5, rel=0.02)
    few = find_even_chances(_VALUES, chances * 20, np.full(4, 20.0))
    assert few.value.high - few.value.low > found.value.high - found.value.low


@pytest.mark.parametrize(("share", "end"), [(0.0, 8.0), (1.0, 0.25)])
def test_a_player_who_always_loses_or_wins_is_told_by_an_end(share: float, end: float) -> None:
    games = np.full(4, 10.0)
    assert find_even_chances(_VALUES, share * games, games).value.value == end
