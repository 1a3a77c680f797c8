"""What moves are called, where games turn, what phases come to."""

from dataclasses import replace

import pytest

from hitonami.review.labels import find_turning_points, label_of, summarise
from hitonami.review.measures import main_span
from hitonami.review.steps import ReviewedMove

QUIET = ReviewedMove(
    ply=0,
    side=0,
    move="e2e4",
    name="e4",
    squares=(),
    rating=1500.0,
    probability=0.5,
    rank=1,
    by_rating=(0.5, 0.5),
    main_from=1000.0,
    main_to=2000.0,
    candidates=(),
    chance_before=0.5,
    chance_after=0.5,
    equal_before=0.5,
    equal_after=0.5,
    loss=0.0,
    judge_chance=0.5,
    judge_after=0.5,
    best_move="e2e4",
    best_name="e4",
    best_squares=(),
    phase="opening",
    label="usual",
)


@pytest.mark.parametrize(
    ("probability", "loss", "usual_loss", "given", "label"),
    [
        (0.01, 0.30, None, None, "rare blunder"),
        (0.10, 0.30, None, None, "blunder"),
        (0.40, 0.30, None, None, "typical mistake"),
        (0.15, 0.10, None, None, "typical mistake"),
        (0.14, 0.10, None, None, "mistake"),
        (0.40, 0.30, None, 0.2, "missed chance"),
        (0.40, 0.07, None, 0.2, "inaccuracy"),
        (0.05, 0.01, 0.20, None, "hard to find"),
        (0.05, 0.01, 0.01, None, ""),
        (0.04, 0.01, None, None, "unusual"),
        (0.60, 0.01, None, None, "usual"),
        (0.60, None, None, None, "usual"),
        (0.01, None, None, None, "unusual"),
        (0.20, None, None, None, ""),
    ],
)
def test_labels(
    probability: float, loss: float | None, usual_loss: float | None, given: float | None, label: str
) -> None:
    assert label_of(probability, loss, usual_loss, given=given) == label


def test_turning_points_are_the_costliest_moves_in_order() -> None:
    losses = [0.0, 0.3, 0.09, 0.11, 0.5, 0.2, 0.12, 0.4]
    steps = [replace(QUIET, ply=at, loss=loss) for at, loss in enumerate(losses)]
    assert find_turning_points(steps) == (1, 4, 5, 6, 7)
    unjudged = [replace(step, loss=None, chance_before=0.8, chance_after=0.8 - (step.loss or 0)) for step in steps]
    assert find_turning_points(unjudged) == (1, 4, 5, 6, 7)


def test_phases_are_summed_up_by_side() -> None:
    mine = [replace(QUIET, loss=0.06), replace(QUIET, loss=0.25, rank=2, probability=0.1, phase="ending")]
    opening, ending, whole = summarise([*mine, replace(QUIET, side=1, loss=0.9)], 0)
    assert (opening.moves, opening.inaccuracies, opening.blunders) == (1, 1, 0)
    assert (ending.phase, ending.matched, ending.blunders) == ("ending", 0.0, 1)
    assert whole.moves == 2
    assert whole.mean_loss == pytest.approx(0.155)
    assert summarise([], 1)[-1].matched is None


def test_the_span_of_the_main_choice_is_straight_between_ratings() -> None:
    ratings = (1000.0, 1500.0, 2000.0)
    assert main_span(ratings, (-1.0, 1.0, 2.0)) == (1250.0, 2000.0)
    assert main_span(ratings, (3.0, 1.0, -1.0)) == (1000.0, 1750.0)
    assert main_span(ratings, (-1.0, -1.0, -0.1)) == (None, None)
