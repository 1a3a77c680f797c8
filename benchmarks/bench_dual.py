"""Decisions a second of `dual` against `puct` over the same intuition, at equal nodes.

Both look at exactly as many positions for each decision (doubt does not shorten it here), from the same positions of
random games, for every game that the package has an intuition of. Time is this process's own. Where the package has
`dual` go along intuition's own line, up to four more positions are judged for each that is looked at: a second row
tells what that costs, and is held to no bar.
"""

from collections.abc import Callable
from time import process_time

import numpy as np

from _measure import Row, ratio_of, show
from hitonami.core import Effort, Mind, Query, open_game
from hitonami.intuition.knowledge import load, packaged
from hitonami.minds.dual import Dual
from hitonami.minds.intuition import Intuition
from hitonami.minds.puct import Puct

NODES, POSITIONS = 200, 6


def positions_of(game: str) -> list[Query]:
    rng = np.random.default_rng(3)
    found = []
    for plies in range(4, 4 + 3 * POSITIONS, 3):
        here = open_game(game).start()
        while here.ply < plies:
            after = here.play(int(rng.choice(here.legal)))
            if not len(after.legal):
                break
            here = after
        found.append(Query(here))
    return found


def deciding(mind: Mind, queries: list[Query]) -> Callable[[], int]:
    def decide() -> int:
        for query in queries:
            mind([query], Effort(np.random.default_rng(0), simulations=NODES))
        return len(queries)

    return decide


def run() -> list[Row]:
    rows = []
    for game in packaged():
        queries = positions_of(game)
        plain = deciding(Dual(epsilon=1e6, by_doubt=False, along=0), queries)
        puct = deciding(Puct(Intuition(), root_force=0.0), queries)
        name = f"dual / puct, {NODES} nodes, {game}"
        rows.append(ratio_of(name, plain, puct, at_least=0.5, clock=process_time))
        if along := load("", game).along:
            further = deciding(Dual(epsilon=1e6, by_doubt=False), queries)
            rows.append(ratio_of(f"{name}, {along} along", further, puct, at_least=None, clock=process_time))
    return rows


if __name__ == "__main__":
    show(run())
