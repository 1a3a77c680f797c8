"""Chess `human`, `blend`, `ahead`, Go `human` and a tournament of levels against code and networks of an old commit.

Each side is a process of its own on one thread: this tree, and commit 824fb6a in a worktree (HITONAMI_OLD names one
that is there, else one is made and taken away again). They take turns, round by round, on the same positions of
people's games, another lot each round, so that no cache knows them; processor time counts, so that others' work
beside it does not. HITONAMI_NETWORK names a folder whose chess network stands for the packaged one on our side: curves
that were fitted to the packaged one are then used with it, because speed is what is measured. What a model opens only
after enough work (docs/models.md) is open before the clock starts. HITONAMI_MINDS names some
of the rows ("human ahead"); without git, or the commit, there is nothing to compare with and no row.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from _measure import Row, show

OLD_COMMIT = "824fb6a"
ROUNDS = 3
WARM_LOT = 31
"""Far from the lots that are measured, which would be known already."""
BARS = {"human": 3.0, "blend": 5.0, "ahead": 5.0, "go": 2.0, "tournament": 5.0}
SIZES = {"human": 512, "blend": 64, "ahead": 64, "go": 32, "tournament": 64}
"""Positions of a round, searches of a round, games."""
NAMES = {
    "human": "minds: chess human",
    "blend": "minds: chess blend, over the board",
    "ahead": "minds: chess ahead",
    "go": "minds: Go human, 19×19",
    "tournament": "minds: a tournament of levels",
}


def queries_of(game: str, pool: str, begin: int, count: int) -> list[Any]:
    """Positions of people's games, of players from 1000 to 2600 (Go: the ranks of the games)."""
    from hitonami.core import Player, Query
    from hitonami.dataset.reading import sample_games
    from hitonami.dataset.shards import read_records, shards_in, start_of

    records = [record for path in shards_in(sample_games(game)) for record in read_records(path)]
    found: list[Any] = []
    for record in records:
        position = start_of(game, record.setup)
        if game == "go" and getattr(position, "size", 19) != 19:
            continue
        for move in record.moves:
            if position.ply >= 8:
                rating = 1000.0 + 1600.0 * (len(found) * 7919 % 1000) / 1000
                players = (Player(rating, pool), Player(rating + 50.0, pool))
                found.append(Query(position, *players) if game == "chess" else Query(position, *record.players))
            position = position.play(move)
    step = next(each for each in (7919, 7907, 7901) if len(found) % each)  # every position once, in no order of games
    return [found[at * step % len(found)] for at in range(begin, begin + count)]


def ask(mind: Any, game: str, pool: str, lot: int, count: int) -> float:
    from hitonami.core import Effort

    queries = queries_of(game, pool, lot * count, count)
    begin = process_time()
    mind(queries, Effort.seeded())
    return process_time() - begin


def play(lot: int, count: int) -> float:
    """Two levels, sixty plies from openings of the book."""
    from hitonami.core import Setup, open_game
    from hitonami.matches.entrants import read_entrants
    from hitonami.matches.openings import deal, read_openings
    from hitonami.matches.pairing import Schedule
    from hitonami.matches.tournament import run_tournament

    book = read_openings("book", open_game("chess"), Setup())
    assert isinstance(book, tuple)
    entrants = read_entrants(("human@1300", "human@1900"), "lichess", "chess")
    plan = Schedule("chess", entrants, count, deal(book, lot), seed=lot, max_plies=60, resigns=False)
    begin = process_time()
    run_tournament(plan)
    return process_time() - begin


def serve() -> None:
    """One side: a line names what to do and which lot, the answer is the processor time in seconds."""
    if network := os.environ.get("HITONAMI_NETWORK", ""):
        use_network(Path(network))
    from hitonami.specs import open_mind

    open_at_once()

    asked = {"human": ("human", "chess", "lichess"), "ahead": ("ahead", "chess", "lichess")}
    asked |= {"blend": ("blend", "chess", "fide"), "go": ("human", "go", "")}
    for line in sys.stdin:
        name, lot, size = line.split()
        if name == "tournament":
            spent = play(int(lot), int(size))
        else:
            with open_mind(asked[name][0]) as mind:
                ask(mind, *asked[name][1:], WARM_LOT, 64 if name == "human" else 2)  # all is loaded and compiled
                spent = ask(mind, *asked[name][1:], int(lot), int(size))
        print(json.dumps(spent), flush=True)


def open_at_once() -> None:
    """Sessions that are only opened once there was enough work for them: they are opened while we warm up."""
    try:
        sessions = importlib.import_module("hitonami.models.sessions")
    except ImportError:  # the old commit has none
        return
    sessions.__dict__.update(LEAN_AFTER=1, TILED_AFTER=1)


def use_network(folder: Path) -> None:
    """The folder's network in place of the packaged one, with all that was fitted to that."""
    from hitonami.minds import _embedded, human

    def shipped(head: str, serves: str = "moves") -> dict[str, Path]:
        found: dict[str, Path] = real(head, serves)
        return found | ({"chess": folder} if (head, serves) == ("human", "moves") else {})

    real: Any = human.__dict__["shipped_models"]
    for module in (_embedded, human):
        module.__dict__.update(shipped_models=shipped, is_fitted_to=lambda *_: True)


class Side:
    """A process that serves one tree."""

    def __init__(self, tree: Path, network: str) -> None:
        environment = os.environ | {"PYTHONPATH": str(tree / "src"), "HITONAMI_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment |= {"OPENBLAS_NUM_THREADS": "1", "HITONAMI_NETWORK": network}
        self._process = subprocess.Popen(
            [sys.executable, __file__, "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            env=environment,
            cwd=Path(__file__).parent,
        )

    def spend(self, name: str, lot: int, size: int) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name} {lot} {size}\n")
        told = self._process.stdout.readline()
        if not told:
            raise RuntimeError(f"{name}: a side has ended")
        return float(json.loads(told))

    def close(self) -> None:
        self._process.communicate()


@contextmanager
def old_tree() -> Iterator[Path | None]:
    """The old commit's files; None where they cannot be had."""
    if given := os.environ.get("HITONAMI_OLD"):
        yield Path(given)
        return
    with tempfile.TemporaryDirectory(prefix="hitonami-old-") as name:
        tree, here = Path(name) / "tree", Path(__file__).parent
        made = subprocess.run(["git", "worktree", "add", "--detach", str(tree), OLD_COMMIT], cwd=here, check=False)
        try:
            yield tree if made.returncode == 0 else None
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(tree)], cwd=here, check=False)


def measure(name: str, ours: Side, theirs: Side) -> Row:
    """A small lot warms both sides up, kernels included."""
    size = SIZES[name]
    for side in (ours, theirs):
        side.spend(name, WARM_LOT, min(size, 8))
    spent = [(ours.spend(name, lot, size), theirs.spend(name, lot, size)) for lot in range(ROUNDS)]
    ratios = [old / new for new, old in spent]
    speeds = [size / median(each) for each in zip(*spent, strict=True)]
    note = f"{speeds[0]:,.1f}/s against {speeds[1]:,.1f}/s here"
    return Row(NAMES[name], median(ratios), min(ratios), max(ratios), BARS[name], note)


def run(names: Sequence[str] = ()) -> list[Row]:
    wanted = names or os.environ.get("HITONAMI_MINDS", "").split() or list(NAMES)
    with old_tree() as tree:
        if tree is None:
            print(f"minds: left out, commit {OLD_COMMIT} is not here", file=sys.stderr)
            return []
        ours = Side(Path(__file__).parents[1], os.environ.get("HITONAMI_NETWORK", ""))
        theirs = Side(tree, "")
        try:
            return [measure(name, ours, theirs) for name in wanted]
        finally:
            ours.close()
            theirs.close()


if __name__ == "__main__":
    serve() if sys.argv[1:] == ["serve"] else show(run(sys.argv[1:]))
