"""Games that advance together against games one after the other, in the same run, on one thread.

Both play the same plan with the same code; only the number of games in a block differs. A small network (1×32, random,
made here) gains most, since a single pass costs it more in calls than in arithmetic; one of Maia's size (6×64) gains
what its passes gain from batches, which on one core of a CPU is little. The first is held to a bar, the other is told.
The rules, the drawing of moves and the record are in both measures.
"""

import tempfile
from dataclasses import replace
from pathlib import Path

from _measure import Row, ratio_of, show
from bench_serving import make_model, random_network
from hitonami.core import Setup, open_game
from hitonami.evaluate._pairing import Plan
from hitonami.evaluate.entrants import Entrant
from hitonami.evaluate.openings import deal, read_openings
from hitonami.evaluate.tournament import run_tournament
from hitonami.models.importers.lc0 import to_onnx
from hitonami.models.store import Model, write_model
from hitonami.specs import mind_spec

TOGETHER, PLIES = 32, 40


def make_plan(folder: Path, games: int) -> Plan:
    network = {"kind": "neural", "model": str(folder), "threads": 1, "cache": 0}
    spec = mind_spec(network)
    book = read_openings("book", open_game("chess"), Setup())
    assert isinstance(book, tuple)
    entrants = Entrant("a@1100", spec, 1100.0), Entrant("b@1900", spec, 1900.0)
    return Plan("chess", entrants, games, deal(book, 0), max_plies=PLIES, resigns=False)


def measure(name: str, folder: Path, games: int, bar: float | None) -> Row:
    plan = make_plan(folder, games)
    together, alone = replace(plan, block_games=TOGETHER), replace(plan, games=games // 4, block_games=1)
    return ratio_of(
        f"tournament: {TOGETHER} games at once against one by one, {name}",
        lambda: len(run_tournament(together).games),
        lambda: len(run_tournament(alone).games),
        at_least=bar,
        rounds=3,
    )


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as name:
        large = make_model(Path(name))
        small = replace(large, onnx=to_onnx(random_network(width=32, blocks=1)))
        write_small(small, Path(name) / "small")
        return [
            measure("a small network", Path(name) / "small", 32, 2.0),
            measure("Maia's size", Path(name) / "random", 32, None),
        ]


def write_small(model: Model, folder: Path) -> None:
    import hashlib

    card = model.card.model_copy(update={"model_sha256": hashlib.sha256(model.onnx).hexdigest(), "name": "small"})
    write_model(replace(model, card=card), folder)


if __name__ == "__main__":
    show(run())
