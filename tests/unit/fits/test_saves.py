"""How often games are saved: which form of it the games themselves speak for."""

import numpy as np
import pytest

from hitonami.fits.resign_sample import columns_of
from hitonami.fits.saves import fit_saves
from hitonami.fits.turns import NUMBERS, Turns
from hitonami.manners.additive import Additive
from hitonami.manners.resignation import Resignation, resign_features

COUNT = 6000


def lost_turns(sureness: float, seed: int, peril: float = 0.0) -> Turns:
    """One turn a game, with expected scores up to a half: a mind that is `sureness` times too sure of what it says.

    Under peril the game is lost.
    """
    rng = np.random.default_rng(seed)
    hope = rng.uniform(0.004, 0.5, COUNT)
    rating = rng.choice([900.0, 2100.0], COUNT)
    threat = np.where(rng.random(COUNT) < peril, 4.0, 0.0)
    chance = np.minimum(sureness * hope, 0.95)
    score = np.where((rng.random(COUNT) < chance) & (threat == 0), 0.5, 0.0)
    columns = {name: np.full(COUNT, np.nan) for name in NUMBERS}
    columns |= {
        "game": np.arange(COUNT, dtype=np.float64), "side": np.zeros(COUNT), "ply": np.full(COUNT, 50.0),
        "hope": hope, "score": score, "resigned": np.zeros(COUNT), "rating": rating, "opponent": rating,
        "balance": -10 * (0.5 - hope), "peril": threat,
    }  # fmt: skip
    texts = {"pool": np.array(["lichess"] * COUNT), "ending": np.array(["checkmate"] * COUNT)}
    return Turns(columns | texts)


def said(turns: Turns, found_from: Turns) -> np.ndarray:
    found = fit_saves(found_from)
    model = Resignation(Additive(0.0, {}), found.curves, is_capped=found.is_capped)
    return model.saved(resign_features(columns_of(turns)))


def test_a_mind_that_is_too_sure_of_its_loss_does_not_bound_what_is_saved() -> None:
    turns, unseen = lost_turns(6.0, 1), lost_turns(6.0, 2)
    assert not fit_saves(turns).is_capped
    low = unseen["hope"] < 0.06
    assert said(unseen, turns)[low].mean() == pytest.approx((unseen["score"][low] > 0).mean(), abs=0.04)


def test_a_mind_that_is_right_does() -> None:
    """Few are saved at 1%: curves alone, which are drawn to the middle, say more."""
    few = lost_turns(1.0, 3).where(np.arange(COUNT) < 2000)
    unseen = lost_turns(1.0, 4)
    low = unseen["hope"] < 0.03
    assert said(unseen, few)[low].mean() == pytest.approx((unseen["score"][low] > 0).mean(), abs=0.03)


def test_peril_counts_where_levels_are_not_known() -> None:
    """Mates are missed at some levels and not at others: it says nothing of its own where they are told."""
    turns, unseen = lost_turns(2.0, 5, peril=0.3), lost_turns(2.0, 6, peril=0.3)
    assert "peril" not in fit_saves(turns).curves.terms
    unknown = [Turns(each.columns | {"rating": np.full(COUNT, np.nan)}) for each in (turns, unseen)]
    assert "peril" in fit_saves(unknown[0]).curves.terms
    in_peril = unseen["peril"] == 4
    found = said(unknown[1], unknown[0])
    assert found[in_peril].mean() < 0.1 * found[~in_peril].mean()
