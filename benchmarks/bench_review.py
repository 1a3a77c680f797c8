"""A review against its judge alone: a chess game of 60 moves (120 plies), 50,000 nodes a position.

The bar is 1.5 times the judge's own time. Both start without a cache and ask the judge the same questions; they take
turns, so a noisy neighbour hits both.
"""

import resource
import shutil
from statistics import median
from time import perf_counter, process_time

import numpy as np

from _measure import Row, show
from hitonami.core import Player, Setup, open_game
from hitonami.judging.judge import Judge, open_judge
from hitonami.records import Record
from hitonami.review.reading import Chosen
from hitonami.review.walk import AskedLevel, Minds, Reviewing
from hitonami.specs import Room

PLIES = 120
NODES = 50_000
ROUNDS = 3
LEVEL = AskedLevel("lichess", (1500.0, 1500.0), (900.0, 1200.0, 1500.0, 1800.0, 2100.0, 2500.0))


def _record(human: object) -> Record:
    """A game by the human mind against itself, so that it looks like one."""
    from hitonami.core import Effort, Query

    rng, player = np.random.default_rng(3), Player(1500.0, "lichess")
    while True:
        position = open_game("chess").start()
        moves: list[int] = []
        while len(moves) < PLIES and len(position.legal):
            [opinion] = human([Query(position, player, player)], Effort.seeded())  # type: ignore[operator]
            probabilities = np.exp(opinion.log_probs.astype(np.float64))
            moves.append(int(rng.choice(position.legal, p=probabilities / probabilities.sum())))
            position = position.play(moves[-1])
        if len(moves) == PLIES:
            return Record("chess", Setup(), tuple(moves), (player, player))


class _Listening(Judge):
    """The judge, and what it was asked."""

    def __init__(self, judge: Judge) -> None:
        self.__dict__ = judge.__dict__
        self.heard: list[list[tuple[object, object]]] = []

    def __call__(self, asked, report=lambda done, total: None):  # type: ignore[no-untyped-def]
        self.heard.append(list(asked))
        return super().__call__(asked, report)


def _engine_seconds() -> float:
    """Of a processor, by all engines that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(plies: int = PLIES, nodes: int = NODES, rounds: int = ROUNDS) -> list[Row]:
    program = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    if program is None:
        return []
    room = Room()
    try:
        human, expert = room.open("human"), room.open("expert")
        record = _record(human)
        chosen = Chosen(Record("chess", Setup(), record.moves[:plies], record.players), 1, 1)
        ratios, work = [], []
        for _ in range(rounds):
            with open_judge("chess", f"uci:{program}", nodes=nodes) as judge:
                listening = _Listening(judge)
                begin, spent = perf_counter(), process_time()
                steps = list(Reviewing(chosen, Minds(human, expert, listening), LEVEL))
                whole, own = perf_counter() - begin, process_time() - spent
            engines = _engine_seconds()
            with open_judge("chess", f"uci:{program}", nodes=nodes) as judge:
                begin = perf_counter()
                for asked in listening.heard:
                    judge(asked)  # type: ignore[arg-type]
                ratios.append((perf_counter() - begin) / whole)
            work.append(own / (_engine_seconds() - engines))
    finally:
        room.close()
    ratio = median(ratios)
    note = (
        f"{len(steps)} plies; the review took {1 / ratio:.2f} times the judge's own time; "
        f"our own work is {median(work):.2f} of the judge's, in seconds of a processor"
    )
    return [Row("review against its judge alone, speed", ratio, min(ratios), max(ratios), 1 / 1.5, note)]


if __name__ == "__main__":
    show(run())
