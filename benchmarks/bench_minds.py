"""Minds that people play against, in batches: large passes by tiles against ONNX Runtime alone, in the same run.

Units are answers a second of the processor's time on one thread. Every position is new: sixteen random moves of as many
games as are asked about.

    python benchmarks/bench_minds.py --against OTHER/src     the same work in another checkout, ours / theirs
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np

from _measure import Row, ratio_of, show
from hitonami.core import Effort, Player, Position, Query, Setup, open_game
from hitonami.matches.entrants import Entrant
from hitonami.matches.openings import Opening
from hitonami.matches.pairing import Schedule
from hitonami.matches.tournament import run_tournament
from hitonami.models import runtime
from hitonami.specs import mind_spec, open_mind

ROUNDS, TURNS = 3, 3
PLAYERS = {"chess": ("lichess", (1000.0, 1600.0, 2200.0)), "go": ("ogs", (15.0, 25.0, 30.0))}


def positions(game: str, count: int, seed: int, size: int = 0) -> list[Position]:
    """New ones, after sixteen random moves."""
    rng, found = np.random.default_rng(seed), list[Position]()
    while len(found) < count:
        position = open_game(game).start(Setup(size=size))
        while position.ply < 16 and len(position.legal):
            position = position.play(int(rng.choice(position.legal)))
        found += [position] if len(position.legal) else []
    return found


def queries(game: str, count: int, seed: int, size: int = 0) -> list[Query]:
    pool, ratings = PLAYERS[game]
    return [
        Query(each, Player(ratings[at % 3], pool), Player(ratings[at % 3], pool))
        for at, each in enumerate(positions(game, count, seed, size))
    ]


def asking(name: str, game: str, count: int, size: int = 0) -> Callable[[], int]:
    """Ask a mind about so many new positions at a time."""
    mind = open_mind(name).__enter__()
    fresh = [queries(game, count, seed, size) for seed in range(2 * ROUNDS + 4)]
    return lambda: len(mind(fresh.pop(), Effort.seeded()))


def event() -> int:
    """A tournament of two levels, the first plies of 32 games; units are plies."""
    entrants = tuple(Entrant(f"human@{rating:g}", mind_spec("human"), rating, "lichess") for rating in (1200.0, 1600.0))
    plan = Schedule("chess", entrants, 32, (Opening(Setup()),), max_plies=16)
    return sum(len(game.moves) for game in run_tournament(plan).games)


WORK: dict[str, Callable[[], Callable[[], int]]] = {
    "chess human, batches of 128": lambda: asking("human", "chess", 128),
    "chess ahead, 16 searches at once": lambda: asking("ahead", "chess", 16),
    "chess blend, 16 searches at once": lambda: asking("blend", "chess", 16),
    "go human 19×19, batches of 16": lambda: asking("human", "go", 16, 19),
    "chess tournament of two levels, 32 games": lambda: event,
}


def run() -> list[Row]:
    """Ours against passes by ONNX Runtime alone."""
    rows = []
    for name, open_work in WORK.items():
        work = open_work()

        def plain(work: Callable[[], int] = work) -> int:
            large, runtime._LARGE = runtime._LARGE, sys.maxsize  # type: ignore[misc]
            try:
                return work()
            finally:
                runtime._LARGE = large  # type: ignore[misc]

        rows.append(ratio_of(f"minds: {name}", work, plain, at_least=None, rounds=ROUNDS, clock=process_time))
    return rows


def speeds(names: list[str]) -> dict[str, list[float]]:
    """Units a second of each, round by round, the first left out."""
    found: dict[str, list[float]] = {}
    for name in names:
        work, told = WORK[name](), []
        for _ in range(ROUNDS + 1):
            begin = process_time()
            told.append(work() / (process_time() - begin))
        found[name] = told[1:]
    return found


def compare_with(source: Path, names: list[str]) -> list[Row]:
    """Above 1: this checkout is faster. Processes of both take turns."""
    rows, here = [], Path(__file__).resolve()
    for name in names:
        told: dict[Path, list[float]] = {here.parents[1] / "src": [], source: []}
        for _ in range(TURNS):
            for each in told:
                own = os.environ | {"PYTHONPATH": str(each), "HITONAMI_THREADS": "1"}
                made = subprocess.run(
                    [sys.executable, str(here), "--tell", name], env=own, capture_output=True, text=True, check=True
                )
                told[each] += json.loads(made.stdout)[name]
        ours, theirs = told.values()
        ratios = [one / other for one, other in zip(ours, theirs, strict=True)]
        note = f"{median(ours):,.1f}/s against {median(theirs):,.1f}/s of the processor here"
        rows.append(Row(f"minds: {name}", median(ours) / median(theirs), min(ratios), max(ratios), None, note))
    return rows


if __name__ == "__main__":
    os.environ.setdefault("HITONAMI_THREADS", "1")
    if sys.argv[1:2] == ["--tell"]:
        print(json.dumps(speeds(sys.argv[2:])))
    elif sys.argv[1:2] == ["--against"]:
        show(compare_with(Path(sys.argv[2]).resolve(), sys.argv[3:] or list(WORK)))
    else:
        show(run())
