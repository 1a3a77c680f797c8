"""Search against its own network, and against Lc0 with the same network, in the same run; memory of a node.

The first rows hold simulations a second of `puct` against positions a second of the network alone: batches of the same
size, fresh positions, encoding included, one thread, no cache. The network is Maia-1500 where the shared data lies
beside the repository (or HITONAMI_SHARED names it), else a random one of its size. Lc0 is the program named by
HITONAMI_LC0, else `lc0` of the path; it needs Maia's file, gets one thread and the same batch. It keeps its cache,
without which it is half as fast, and may not end early. Builds differ: the Eigen backend is about five times slower
than BLAS, so only a BLAS build is a reference to be held to. Rows that cannot be measured are left out with the reason.
Bytes are those of Python's allocations, positions included. A fit of Θ searches the same positions again and again: its
memory of evaluations is held against searches without one.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from _measure import Row, ratio_of, show
from bench_serving import make_model, replay
from hitonami.core import Effort, Mind, Query, lineage
from hitonami.fits._searches import Memory, Searches
from hitonami.minds.puct import Puct
from hitonami.minds.search import ace_search
from hitonami.minds.uniform import Uniform
from hitonami.search.rounds import Budget, plant, search
from hitonami.search.tree import Tree
from hitonami.specs import open_mind

BATCH, SIMULATIONS, ROUNDS = 16, 256, 5
MAIA = Path(os.environ.get("HITONAMI_SHARED", Path(__file__).parents[2] / "shared")) / "data/nets/maia-1500.pb.gz"


@contextmanager
def open_network() -> Iterator[Mind]:
    with tempfile.TemporaryDirectory() as name:
        if not MAIA.exists():
            make_model(Path(name))
        model = str(MAIA if MAIA.exists() else Path(name) / "random")
        with open_mind({"kind": "neural", "model": model, "threads": 1, "cache": 0}) as mind:
            yield mind


def openings(count: int, seed: int) -> list[Query]:
    """Positions from the middle of random games."""
    found = replay(60 * count, seed)
    return [found[at] for at in range(20, len(found), 60)][:count]


def measure_against_network(mind: Mind, searches: int) -> Row:
    """Simulations of `searches` queries at once against positions in batches."""
    roots = [openings(searches, seed) for seed in range(ROUNDS + 1)]
    fresh = [replay(SIMULATIONS, 100 + seed) for seed in range(ROUNDS + 1)]
    puct, effort = Puct(mind, simulations=SIMULATIONS // searches, batch=BATCH), Effort.seeded()

    def ours() -> int:
        opinions = puct(roots.pop(), effort)
        return sum(1 + sum(line.visits or 0 for line in opinion.lines) for opinion in opinions)

    def network() -> int:
        queries = fresh.pop()
        return sum(len(mind(queries[at : at + BATCH], effort)) for at in range(0, len(queries), BATCH))

    what = "one search" if searches == 1 else f"{searches} searches at once"
    return ratio_of(f"search: {what} against the network", ours, network, at_least=0.7, rounds=ROUNDS)


def as_command(query: Query) -> str:
    """The `position` command of a query."""
    _, moves = lineage(query.position)
    position, words = query.position.game.start(), []
    for move in moves:
        words.append(position.game.format(position, move))
        position = position.play(move)
    return f"position startpos moves {' '.join(words)}"


class Lc0:
    """Lc0 on one thread, ready to search."""

    def __init__(self, program: str) -> None:
        command = [program, f"--weights={MAIA}", "--threads=1", f"--minibatch-size={BATCH}"]
        command.append("--smart-pruning-factor=0")
        shown = subprocess.run([program, "--help"], capture_output=True, text=True, check=False).stdout
        self.backend = shown.partition("UCI: Backend  DEFAULT: ")[2].split(" ")[0] or "unknown"
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
        )
        self._say("isready", "readyok")

    def search(self, position: str, nodes: int) -> int:
        """The nodes that it says it searched."""
        told = self._say(f"ucinewgame\n{position}\ngo nodes {nodes}", "bestmove")
        counts = [int(line.split(" nodes ")[1].split()[0]) for line in told if " nodes " in line]
        return max(counts, default=0)

    def close(self) -> None:
        self._process.communicate("quit\n")

    def _say(self, text: str, until: str) -> list[str]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{text}\n")
        heard: list[str] = []
        while not heard or not heard[-1].startswith(until):
            heard.append(self._process.stdout.readline())
            if not heard[-1]:
                raise RuntimeError("lc0 has ended")
        return heard


def measure_against_lc0(mind: Mind) -> list[Row]:
    program = os.environ.get("HITONAMI_LC0") or shutil.which("lc0")
    if not program or not MAIA.exists():
        reason = "no Maia network" if program else "no lc0: name it in HITONAMI_LC0"
        print(f"search: against lc0: left out, {reason}", file=sys.stderr)
        return []
    lc0 = Lc0(program)
    roots = [openings(1, 200 + seed)[0] for seed in range(ROUNDS + 1)]
    own, others = list(roots), [as_command(query) for query in roots]
    puct, effort = Puct(mind, simulations=SIMULATIONS, batch=BATCH), Effort.seeded()

    def ours() -> int:
        [opinion] = puct([own.pop()], effort)
        return 1 + sum(line.visits or 0 for line in opinion.lines)

    try:
        name = f"search: against lc0 ({lc0.backend}), same network, one thread"
        bar = 0.8 if lc0.backend == "blas" else None
        return [ratio_of(name, ours, lambda: lc0.search(others.pop(), SIMULATIONS), at_least=bar, rounds=ROUNDS)]
    finally:
        lc0.close()


def measure_memory(cap: int = 1500) -> list[Row]:
    """Bytes a stored node, and memory at the cap after many more simulations against that when it was reached."""
    [query] = openings(1, 300)
    puct = Puct(Uniform(), nodes=cap)
    [settings], _ = puct.read_knobs([query])
    effort = Effort.seeded()
    Puct(Uniform(), simulations=20)([query], effort)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tree = Tree(query, settings)
        plant([tree], puct.mind, effort)
        search([tree], puct.mind, Budget(2 * cap, None, effort))
        full = tracemalloc.get_traced_memory()[0] - before
        search([tree], puct.mind, Budget(10 * cap, None, effort))
        later = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    each = full / tree.size
    note = f"{each:,.0f} bytes a node, of them {tree.bytes / tree.size:,.0f} in arrays; {tree.size:,} nodes"
    moves = float(np.mean(tree.nodes["count"][: tree.size]))
    return [
        Row("search: kilobytes a node", each / 1000, each / 1000, each / 1000, None, f"{note}, {moves:.0f} moves each"),
        Row("search: memory at the cap, then 5× the simulations", full / later, full / later, full / later, 0.95),
    ]


def measure_memory_of_a_fit(mind: Mind, positions: int = 16, simulations: int = 64) -> Row:
    """Searches of the same roots under other knobs, as a fit makes them, against searches that remember nothing."""
    queries, effort = openings(positions, 400), Effort.seeded()
    memory = Memory(mind, [query.position for query in queries])
    searches = Searches(queries, np.zeros(positions, dtype=np.int64), memory, simulations)
    searches.visits(1.0, 1.5)
    knobs = iter([(1.0 + 0.1 * at, 1.5 + 0.2 * at) for at in range(1, 100)])

    def ours() -> int:
        searches.visits(*next(knobs))
        return positions * simulations

    def fresh() -> int:
        temperature, c_puct = next(knobs)
        ace_search(mind, simulations, (1.0, temperature, c_puct))(queries, effort)
        return positions * simulations

    return ratio_of("search: a fit that remembers against one that does not", ours, fresh, at_least=2.0, rounds=ROUNDS)


def run() -> list[Row]:
    with open_network() as mind:
        rows = [measure_against_network(mind, 1), measure_against_network(mind, 8), *measure_against_lc0(mind)]
        rows.append(measure_memory_of_a_fit(mind))
    return rows + measure_memory()


if __name__ == "__main__":
    show(run())
