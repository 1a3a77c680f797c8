"""Games of a person who has habits, against people who have none."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from hitonami.core import Player, Position, Setup, index_of, open_game
from hitonami.records import Record, write_record

PERSON = "Hana Example"


def _likes(position: Position, rng: np.random.Generator) -> int:
    """Always the same first moves; then queens above all."""
    game = position.game
    if position.ply < 2:
        wish = "e2e4" if position.ply == 0 else "c7c5"
        move = (
            game.parse(position, wish)
            if wish in {game.format(position, int(each)) for each in position.legal}
            else None
        )
        if move is not None and index_of(position, move) >= 0:
            return move
    named = [(game.describe(position, int(each)), int(each)) for each in position.legal]
    queens = [move for name, move in named if name.startswith("Q")]
    return int(rng.choice(queens)) if queens and rng.random() < 0.8 else int(rng.choice(position.legal))


@pytest.fixture
def own_games(tmp_path: Path) -> Callable[..., Path]:
    """A PGN with so many games of a person with habits, each against somebody else."""

    def write(count: int, name: str = PERSON, plies: int = 24, first: int = 0) -> Path:
        records = []
        for at in range(first, first + count):
            rng, side = np.random.default_rng(at), at % 2
            position = open_game("chess").start(Setup())
            moves: list[int] = []
            while len(moves) < plies and len(position.legal):
                own = position.to_move == side
                moves.append(_likes(position, rng) if own else int(rng.choice(position.legal)))
                position = position.play(moves[-1])
            people = [Player(1500.0, "lichess", name), Player(1500.0, "lichess", f"Other {at}")]
            pair = (people[0], people[1]) if side == 0 else (people[1], people[0])
            records.append(Record("chess", Setup(), tuple(moves), pair, 0.5, date=f"2026-01-{at % 28 + 1:02d}"))
        path = tmp_path / f"games-{first}-{count}.pgn"
        path.write_text("\n\n".join(write_record(record, "pgn") for record in records), encoding="utf-8")
        return path

    return write


@pytest.fixture(autouse=True)
def _own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HITONAMI_TWINS", str(tmp_path / "twins"))
