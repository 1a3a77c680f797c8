"""Descent and simplex on functions whose least place is known, smooth and as rough as a search's loss."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hitonami.fits._descent import Box, Place, Stride, descend, nelder_mead

BOX: Box = ((-20, -20, -20), (20, 20, 20))
coordinates = st.integers(-18, 18)
places = st.tuples(coordinates, coordinates, coordinates)


def bowl(centre: Place, scale: Place = (1, 1, 1)) -> Callable[[Place], float]:
    return lambda at: float(sum(s * (x - c) ** 2 for x, c, s in zip(at, centre, scale, strict=True)))


def stairs(centre: Place) -> Callable[[Place], float]:
    """Flat for three places, then a jump: small differences see nothing."""
    return lambda at: float(sum(abs((x - c) // 3) for x, c in zip(at, centre, strict=True)))


@settings(max_examples=25, deadline=None)
@given(places, places)
def test_a_bowl_is_descended_to_its_ground(start: Place, centre: Place) -> None:
    loss = bowl(centre)
    assert loss(descend(loss, start, BOX, 200)) <= 12
    assert loss(nelder_mead(loss, start, BOX, 200)) <= 12


def test_coordinates_of_different_steepness_both_arrive() -> None:
    loss = bowl((7, -9, 3), (10, 1, 1))
    assert loss(descend(loss, (0, 0, 0), BOX, 200)) <= 30


def test_stairs_are_descended_though_small_differences_are_flat() -> None:
    loss = stairs((9, -8, 4))
    assert loss(descend(loss, (0, 0, 0), BOX, 100)) <= 2
    assert loss(nelder_mead(loss, (0, 0, 0), BOX, 100)) <= 3


@settings(max_examples=25, deadline=None)
@given(places, places)
def test_no_step_climbs_and_none_leaves_the_box(start: Place, centre: Place) -> None:
    asked: list[Place] = []
    outside = tuple(3 * value for value in centre)

    def loss(at: Place) -> float:
        asked.append(at)
        return bowl(outside)(at)

    steps: list[Stride] = []
    end = descend(loss, start, BOX, 60, steps.append)
    nelder_mead(loss, start, BOX, 60)
    losses = [bowl(outside)(start), *(step.loss for step in steps)]
    assert losses == sorted(losses, reverse=True)
    assert all(low <= x <= high for at in asked for x, low, high in zip(at, *BOX, strict=True))
    assert end == steps[-1].place


@pytest.mark.parametrize("steps", [1, 5])
def test_it_ends_after_so_many_steps(steps: int) -> None:
    taken: list[Stride] = []
    descend(bowl((18, 18, 18)), (-18, -18, -18), BOX, steps, taken.append)
    assert len(taken) == steps


def test_a_flat_function_is_given_up() -> None:
    taken: list[Stride] = []
    assert descend(lambda at: 1.0, (1, 2, 3), BOX, 100, taken.append) == (1, 2, 3)
    assert len(taken) < 15
    assert not any(step.moved for step in taken)
