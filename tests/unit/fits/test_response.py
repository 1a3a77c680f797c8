"""Strength as a surface over rating and exponent: players of known Elo are found again, and the dial is solved for."""

import math

import numpy as np
import pytest

from hitonami.errors import BadInput, WorkFailed
from hitonami.fits.response import BEYOND, Node, fit_surface, range_at, solve
from hitonami.fits.spacing import measure_spacing, neighbours
from hitonami.matches.elo import Tally, outcome_chances

LEVELS = (800.0, 1100.0, 1400.0, 1700.0, 2000.0, 2300.0)
ANCHOR = Node(1500.0, 1.2)


def elo_of(node: Node) -> float:
    """Not of the surface's own form: a saturating strength over log ρ, steeper for the strong; the dial too narrow."""
    return 0.55 * (node.rating - 1500.0) + (480.0 + 0.1 * (node.rating - 1500.0)) * math.tanh(math.log(node.rho) / 1.4)


def play(nodes: list[Node], meetings: list[tuple[int, int]], games: int, seed: int = 0) -> list[Tally]:
    """Games by chance, half of them with each colour; moving first is worth 35 points."""
    rng, tallies = np.random.default_rng(seed), []
    for one, other in meetings:
        for first, second in ((one, other), (other, one)):
            chances = outcome_chances(elo_of(nodes[first]) - elo_of(nodes[second]) + 35.0, 0.3)
            tallies.append(Tally(first, second, *rng.multinomial(games // 2, chances).tolist()))
    return tallies


def grid() -> tuple[list[Node], list[tuple[int, int]]]:
    nodes = [Node(level, math.exp((level - 1400.0) / 900.0) * factor) for level in LEVELS for factor in (0.5, 1.0, 2.0)]
    own = [(3 * at + low, 3 * at + low + 1) for at in range(len(LEVELS)) for low in (0, 1)]
    between = [(3 * at + one, 3 * at + 3 + other) for at in range(len(LEVELS) - 1) for one, other in ((1, 1), (2, 0))]
    return nodes, own + between


def test_the_dial_is_right_by_games_after_few_of_them() -> None:
    """64 games a meeting, eight times: steps are 40 Elo off in the mean, and intervals hold ρ as it should be."""
    nodes, meetings = grid()
    off, held = [], []
    for seed in range(8):
        surface = fit_surface(nodes, play(nodes, meetings, 64, seed))
        found = solve(surface, nodes, ANCHOR, LEVELS, seed=seed)
        strengths = [elo_of(Node(each.rating, each.rho.value)) for each in found]
        off += (np.diff(strengths) - 300.0).tolist()
        held += [_true_rho(each.rating) for each in found if each.rho.low <= _true_rho(each.rating) <= each.rho.high]
    assert np.abs(off).mean() < 40.0
    assert np.abs(off).max() < 110.0
    assert len(held) >= 0.75 * 8 * len(LEVELS)


def _true_rho(rating: float) -> float:
    wanted = elo_of(ANCHOR) + rating - ANCHOR.rating
    tries = np.geomspace(0.05, 50.0, 4001)
    return float(tries[np.argmin([abs(elo_of(Node(rating, rho)) - wanted) for rho in tries])])


def test_many_games_leave_the_error_of_the_form_alone() -> None:
    nodes, meetings = grid()
    surface = fit_surface(nodes, play(nodes, meetings, 20_000))
    found = solve(surface, nodes, ANCHOR, LEVELS)
    strengths = [elo_of(Node(each.rating, each.rho.value)) for each in found]
    assert np.abs(np.diff(strengths) - 300.0).max() < 45.0
    assert (surface.slope(LEVELS) > 0.0).all()


def test_the_anchor_keeps_its_exponent() -> None:
    nodes, meetings = grid()
    surface = fit_surface(nodes, play(nodes, meetings, 64))
    [kept] = solve(surface, nodes, ANCHOR, [ANCHOR.rating])
    assert (kept.rho.value, kept.rho.low, kept.rho.high) == (1.2, 1.2, 1.2)


def test_a_span_that_cannot_be_reached_is_said() -> None:
    """Only exponents near the mind's own were played: the lowest level would have to be far weaker."""
    nodes = [Node(level, rho) for level in LEVELS for rho in (0.95, 1.05)]
    tallies = play(nodes, [(one, other) for one in range(12) for other in range(one + 1, min(one + 4, 12))], 4000)
    found = solve(fit_surface(nodes, tallies), nodes, Node(1500.0, 1.0), LEVELS)
    assert not found[0].reached
    assert found[0].short > 50.0  # too strong
    assert found[-1].short < -50.0  # too weak
    assert found[0].rho.value == pytest.approx(0.95 / BEYOND)
    assert found[-1].rho.value == pytest.approx(1.05 * BEYOND)


def test_what_may_be_used_between_levels_lies_between() -> None:
    nodes = [Node(1000.0, 0.5), Node(1000.0, 1.0), Node(2000.0, 2.0), Node(2000.0, 4.0)]
    middle = range_at(nodes, 1500.0)
    assert middle.low == pytest.approx(1.0 / BEYOND)
    assert middle.high == pytest.approx(2.0 * BEYOND)


def test_a_knob_that_does_nothing_is_refused() -> None:
    nodes = [Node(level, rho) for level in (1000.0, 1500.0, 2000.0) for rho in (0.5, 2.0)]
    tallies = [Tally(2 * at, 2 * at + 1, 600, 0, 400) for at in range(3)]  # the flatter one is the stronger
    tallies += [Tally(2 * at + 1, 2 * at, 400, 0, 600) for at in range(3)]
    tallies += [Tally(2 * at, 2 * at + 2, 200, 0, 800) for at in range(2)]
    with pytest.raises(WorkFailed, match="a sharper draw is not stronger"):
        fit_surface(nodes, tallies)


@pytest.mark.parametrize(
    ("nodes", "wrong"),
    [
        ([Node(1000.0, 0.5), Node(1000.0, 1.0)], "two ratings or more"),
        ([Node(1000.0, 1.0), Node(2000.0, 1.0)], "two exponents or more"),
        ([Node(1000.0, 0.0), Node(2000.0, 1.0)], "above 0"),
    ],
)
def test_what_cannot_tell_is_refused(nodes: list[Node], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong):
        fit_surface(nodes, [Tally(0, 1, 3, 0, 3)])


def test_a_surface_needs_games() -> None:
    with pytest.raises(BadInput, match="none was played"):
        fit_surface([Node(1000.0, 0.5), Node(2000.0, 1.0)], [])


def test_spacing_of_a_dial_that_is_half_as_wide() -> None:
    gap = outcome_chances(150.0, 0.2)
    tallies = [Tally(high, low, *(1000.0 * each for each in gap)) for low, high in neighbours(4)]
    found = measure_spacing((1000.0, 1300.0, 1600.0, 1900.0), tallies)
    assert [each.elo.value for each in found.steps] == pytest.approx([150.0] * 3, abs=1.0)
    assert found.error == pytest.approx(150.0, abs=1.0)
    assert found.slope.value == pytest.approx(0.5, abs=0.01)
    assert found.slope.low < 0.5 < found.slope.high
    assert found.span.value == pytest.approx(450.0, abs=2.0)
    assert found.steps[0].games == 1000
    assert found.steps[0].score == pytest.approx(gap[0] + gap[1] / 2, abs=1e-3)
    assert 5.0 < found.by_chance < 15.0
