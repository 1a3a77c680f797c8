"""The price of giving up, against a simulation that really draws."""

import numpy as np

from hitonami.fits.prices import price_bounds
from hitonami.fits.turns import NUMBERS, WORDS, Turns


def _turns(rng: np.random.Generator, games: int) -> tuple[Turns, np.ndarray, np.ndarray]:
    """Games of both sides, the first of which may save the game, with chances to give up and to save at each turn."""
    rows, chance, saved = [], [], []
    for game in range(games):
        first = float(rng.choice([0.0, 0.5, 1.0]))
        plies = int(rng.integers(4, 9))
        for ply in range(plies):
            side = ply % 2
            resigned = ply == plies - 1 and abs(side - first) == 0.0
            rows.append((game, ply, side, float(resigned), abs(side - first)))
            chance.append(rng.uniform(0.0, 0.5))
            saved.append(rng.choice([0.01, 0.07, 0.3]))
    columns = {name: np.zeros(len(rows)) for name in NUMBERS} | {name: np.full(len(rows), "") for name in WORDS}
    for at, name in enumerate(("game", "ply", "side", "resigned", "score")):
        columns[name] = np.array([row[at] for row in rows])
    return Turns(columns), np.array(chance), np.array(saved)


def test_expected_prices_are_those_of_an_agent_that_draws() -> None:
    rng = np.random.default_rng(3)
    turns, chance, saved = _turns(rng, 12)
    tight, loose, none = price_bounds(turns, chance, saved, bounds=(0.07, 1.0, 0.0))
    for price in (tight, loose):
        stops, thrown, ended = np.zeros(3)
        for _ in range(3_000):
            gone: set[tuple[float, float]] = set()
            draws = rng.random(len(chance))
            for at in range(len(chance)):
                who = turns["game"][at], turns["side"][at]
                if who in gone or turns["resigned"][at] or saved[at] > price.bound or draws[at] >= chance[at]:
                    continue
                gone.add(who)
                stops += 1
                thrown += turns["score"][at] > 0
                ended += turns["score"][at] == 0
        lost = len(
            {(g, s) for g, s, score in zip(turns["game"], turns["side"], turns["score"], strict=True) if score == 0}
        )
        assert abs(price.given_up - stops / 3_000) < 0.3
        assert abs(price.saved.value - thrown / stops) < 0.02
        assert abs(price.ends.value - ended / 3_000 / lost) < 0.03
    assert none.given_up == 0
    assert none.saved.value == 0.0


def test_the_order_of_rows_changes_nothing() -> None:
    turns, chance, saved = _turns(np.random.default_rng(5), 6)
    mixed = np.random.default_rng(1).permutation(len(chance))
    other = Turns({name: column[mixed] for name, column in turns.columns.items()})
    one, two = price_bounds(turns, chance, saved)[5], price_bounds(other, chance[mixed], saved[mixed])[5]
    assert abs(one.given_up - two.given_up) < 1e-9
    assert abs(one.saved.value - two.saved.value) < 1e-12
