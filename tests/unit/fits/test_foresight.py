"""The weights of foresight are found again in choices that were drawn with them."""

import numpy as np
import pytest

from hitonami.core import Effort, Player, Position, Query, open_game
from hitonami.errors import BadInput
from hitonami.evaluate.decisions import Facts
from hitonami.evaluate.grouping import Group
from hitonami.evaluate.selection import Selection
from hitonami.fits.foresight import ForesightWish, _Seen, fit_lines, run_foresight
from hitonami.minds.foresight import NEUTRAL, look_ahead, weigh
from hitonami.minds.uniform import Uniform
from hitonami.terminal.progress import Meter

CHESS = open_game("chess")
TRUE = np.array([[0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0, 3.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]])
"""At 1000 and at 2000, in the order of NEUTRAL."""


def positions(count: int, rng: np.random.Generator) -> list[Position]:
    found: list[Position] = []
    position = CHESS.start()
    while len(found) < count:
        position = position.play(int(rng.choice(position.legal)))
        if len(position.legal) < 2 or position.ply > 80:
            position = CHESS.start()
        elif position.ply > 8:
            found.append(position)
    return found


def choices(count: int, seed: int) -> _Seen:
    """Decisions of players between 1000 and 2000 who weigh what they see by TRUE."""
    rng = np.random.default_rng(seed)
    ratings = rng.uniform(1000, 2000, count)
    queries = [
        Query(position, Player(rating, "lichess"), Player(rating, "lichess"))
        for position, rating in zip(positions(count, rng), ratings, strict=True)
    ]
    inner = [opinion.log_probs for opinion in Uniform()(queries, Effort(rng))]
    sights, played = look_ahead(queries, inner), []
    for log_probs, sight, rating in zip(inner, sights, ratings, strict=True):
        share = (rating - 1000) / 1000
        chances = np.exp(weigh(log_probs, sight, TRUE[0] * (1 - share) + TRUE[1] * share).astype(np.float64))
        played.append(int(rng.choice(len(chances), p=chances / chances.sum())))
    whole = np.arange(count)
    facts = Facts(
        game=whole.astype(np.uint64),
        group=np.zeros(count, dtype=np.int32),
        groups=(Group("lichess", 0.0, "all"),),
        ply=whole.astype(np.int32),
        rating=ratings,
        opponent_rating=ratings,
        pool=("lichess",) * count,
        legal=np.array([len(query.position.legal) for query in queries], dtype=np.int32),
        score=np.full(count, np.nan),
    )
    return _Seen(facts, inner, sights, played)


def test_weights_are_found_again() -> None:
    (line,) = fit_lines(choices(900, seed=1))
    told = np.stack([[line.curves()[name](np.array([rating]))[0] for name in NEUTRAL] for rating in (1100, 1900)])
    meant = np.stack([TRUE[0] * 0.9 + TRUE[1] * 0.1, TRUE[0] * 0.1 + TRUE[1] * 0.9])
    # the three scales of what is lost say nearly the same: their sum is what the data tell
    losses = [list(NEUTRAL).index(name) for name in ("slip", "loss", "ruin")]
    assert told[:, losses].sum(axis=1) == pytest.approx(meant[:, losses].sum(axis=1), abs=1.0)
    assert told[:, 5] == pytest.approx(meant[:, 5], abs=0.7)
    assert told[1, losses].sum() > told[0, losses].sum() + 1


def test_few_decisions_and_other_games_are_refused() -> None:
    with pytest.raises(BadInput, match="no pool has 800 rated decisions"):
        fit_lines(choices(40, seed=2))
    with pytest.raises(BadInput, match="there is none for shogi"):
        run_foresight(Selection("shogi"), ForesightWish(), [], Meter)
