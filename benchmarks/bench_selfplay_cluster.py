"""Self-play on a Ray cluster of two processors against one of one: the games of a generation a second.

A cluster is started for each, as anybody would (`ray start --head --num-cpus N`), and used by its address. What starts
once (processes, imports, compiled rules) is warm before anything is timed. Both processors must be free.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

from _measure import Row, show
from bench_selfplay import make_network
from hitonami.cluster import Workers
from hitonami.models.encoders.cells import Cells
from hitonami.selfplay.recipe import PlaySpec
from hitonami.selfplay.whole import Part, play_part

PARTS, GAMES, ROUNDS = 8, 24, 3
PORT = 26379


@contextmanager
def cluster(processors: int) -> Iterator[str]:
    ray = str(Path(sys.executable).parent / "ray")
    flags = [
        "--head",
        f"--num-cpus={processors}",
        f"--port={PORT}",
        "--include-dashboard=false",
        "--disable-usage-stats",
    ]
    subprocess.run([ray, "start", *flags], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield "auto"
    finally:
        subprocess.run([ray, "stop"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def games_a_second(processors: int, parts: Iterator[list[Part]]) -> float:
    with cluster(processors) as address, Workers(1, address) as workers:
        list(workers.map(play_part, next(parts)))  # warm
        begin = perf_counter()
        played = list(workers.map(play_part, next(parts)))
        return sum(len(each.scores) for each in played) / (perf_counter() - begin)


def run() -> list[Row]:
    network = make_network("connect-four")
    spec = PlaySpec(games=GAMES, simulations=48)

    def parts() -> Iterator[list[Part]]:
        for number in count():
            yield [Part(Cells("connect-four"), spec, network, (number, at), 0.0, 1, False) for at in range(PARTS)]

    drawn = parts()
    speeds = [(games_a_second(1, drawn), games_a_second(2, drawn)) for _ in range(ROUNDS)]
    ratios = [two / one for one, two in speeds]
    one, two = (median(each) for each in zip(*speeds, strict=True))
    note = f"{two:,.1f} games/s against {one:,.1f} here"
    return [Row("self-play by two workers of Ray against one", median(ratios), min(ratios), max(ratios), 1.7, note)]


if __name__ == "__main__":
    show(run())
