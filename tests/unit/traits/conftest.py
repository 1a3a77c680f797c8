"""Random games of any kind, laid out as traits read them."""

from collections.abc import Callable

import numpy as np
import pytest

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.columns import Columns, columns_of
from hitonami.dataset.shards import table_of
from hitonami.records import Record

Drawn = tuple[Columns, list[Record]]


@pytest.fixture
def draw_games() -> Callable[..., Drawn]:
    def draw(game: str, count: int, most_plies: int = 120, setups: tuple[Setup, ...] = (Setup(),)) -> Drawn:
        rng, records = np.random.default_rng(7), []
        for at in range(count):
            setup = setups[at % len(setups)]
            position = open_game(game).start(setup)
            moves: list[int] = []
            while len(position.legal) and len(moves) < most_plies:
                moves.append(int(rng.choice(position.legal)))
                position = position.play(moves[-1])
            records.append(Record(game, setup, tuple(moves), (Player(), Player())))
        return columns_of(table_of(records, [""] * count), game), records

    return draw
