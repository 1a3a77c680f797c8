"""Games to measure on: random play, the same everywhere."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np

from hitonami.core import Player, Setup, open_game
from hitonami.dataset.shards import table_of, write_shard
from hitonami.records import Record, write_record


@cache
def games(name: str, count: int, most: int = 80, size: int = 0) -> tuple[Record, ...]:
    """`count` games of up to `most` plies."""
    rng = np.random.default_rng(7)
    made = []
    for number in range(count):
        setup = Setup(size=size)
        position = open_game(name).start(setup)
        moves: list[int] = []
        while len(position.legal) and len(moves) < most:
            moves.append(int(rng.choice(position.legal)))
            position = position.play(moves[-1])
        players = (Player(1500.0, "lichess", f"p{number % 50}"), Player(1600.0, "lichess", f"q{number % 40}"))
        made.append(Record(name, setup, tuple(moves), players, 1.0, "resignation", "300+3", date="2026-01-01"))
    return tuple(made)


def pgn_text(count: int) -> str:
    return "\n\n".join(write_record(game, "pgn").strip() for game in games("chess", count)) + "\n"


@contextmanager
def dataset(name: str, count: int, most: int = 80, size: int = 0) -> Iterator[Path]:
    """A dataset of such games, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="hitonami-bench-") as folder:
        made = games(name, count, most, size)
        write_shard(table_of(made, ["made up"] * len(made)), Path(folder) / "shard-00000.parquet")
        yield Path(folder)
