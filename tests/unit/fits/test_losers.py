"""The published threshold: what losers had at best, where games are cut, and what that throws away."""

from pathlib import Path

import pytest

from hitonami.dataset.reading import sample_games
from hitonami.errors import BadInput
from hitonami.evaluate.selection import Selection
from hitonami.fits.losers import MARGIN, NEVER, has_gross_error, measure_level
from hitonami.fits.losers_run import LosersWish, PeopleWish, run_people, scale_of
from hitonami.matches.skilled import ScoredGame
from hitonami.terminal.progress import Meter


def game(scores: list[float], score: float) -> ScoredGame:
    """Sides alternate; `scores` are of the first player at every turn."""
    sides = [at % 2 for at in range(len(scores))]
    own = [value if side == 0 else -value for value, side in zip(scores, sides, strict=True)]
    return ScoredGame(tuple(sides), tuple(own), (30,) * len(scores), score, "")


def test_the_threshold_is_the_best_of_losers_in_games_without_gross_errors() -> None:
    steady = game([0, 50, 100, 150, 120, 0, -100, -200, -300, -400, -500, -600], 0.0)
    thrown = game([0, 100, 300, 600, 900, 900, -900, -900, -900, -900], 0.0)
    won = game([0, 40, 90, 150, 220, 300, 400, 600], 1.0)
    assert has_gross_error(thrown, 300)
    assert not has_gross_error(steady, 300)
    level = measure_level("x", [steady, thrown, won], 300)
    assert (level.games, level.decided, level.clean) == (3, 3, 2)
    assert level.best.value == 150
    assert level.threshold == 150 + MARGIN
    assert level.to_the_end.value == pytest.approx(30 / 3)
    # Behind by more than 200 at an own turn: 8 of the first, 5 of the second (Black, who won it), 5 of the third.
    assert level.after.value == pytest.approx((8 + 3 + 5) / 3)
    assert level.before.value == level.to_the_end.value, "nobody was lost beyond 99.99%"
    assert level.given_up == 3
    assert level.saved.value == pytest.approx(1 / 3)
    assert level.breadth.value == 30
    assert level.v_after.value == pytest.approx(30 / 2 / level.after.value)


def test_where_all_games_have_gross_errors_nobody_gives_up_short_of_a_mate() -> None:
    level = measure_level("x", [game([0, 900, 900, -900, -900, -900], 0.0)], 300)
    assert level.threshold == NEVER
    assert level.given_up == 0
    mated = measure_level("x", [game([0, 900, 900, -900, -900, -39_970, -39_970], 0.0)], 300)
    assert mated.given_up == 1


def test_people_are_scored_by_any_mind_and_kept(tmp_path: Path) -> None:
    wish = LosersWish("chess", 3, "uniform", None, 0, tmp_path)
    plan = Selection("chess", "none", 3, "none")
    with pytest.raises(BadInput, match="20 games"):
        run_people(PeopleWish(wish, plan), (str(sample_games("chess")),), Meter)
    assert scale_of("uci:stockfish") == 272
    assert scale_of("usi:fairy-stockfish") == 600
