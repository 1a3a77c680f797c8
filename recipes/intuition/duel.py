"""Two minds over the same intuition held against each other at equal nodes.

    python recipes/intuition/duel.py GAME [--file LEARNED] [--size N] [--games 200] [--nodes 64] --pair dual,uct …

The players: `dual`, `intuition`, `uct` (search whose leaves are games that the same intuition plays on: S2's
comparator), `puct` (the same search over the same intuition and its values, without doubt), `uniform`; fields of a mind
after colons (`dual:epsilon=1:simulations=90`). Every opening of random moves is played from both sides; after it each
side plays the move that it likes best. Intervals by bootstrap over openings.

    python recipes/intuition/duel.py GAME --ladder recipes/intuition/hex-ladder.toml --out ladder-hex.json [--games 60]

plays minds over the packaged intuition against each other, moves drawn from their chances as on the page, and writes
the levels of the game: Elo with moves at random = 0, each mind against the two above it, the weakest first.
"""

import argparse
import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from hitonami import dist
from hitonami.core import Effort, Mind, Position, Query, Setup, open_game, size_of
from hitonami.customs import customs_in
from hitonami.evaluate.intervals import Interval, interval_of, resample_means, sum_by_game
from hitonami.intuition.knowledge import hash_of, packaged
from hitonami.intuition.learning import final_score
from hitonami.levels.ladders import Ladder, Rung, write_ladder
from hitonami.matches.elo import Anchor, Tally, fit_elo
from hitonami.minds.dual import Dual
from hitonami.minds.intuition import Intuition
from hitonami.minds.playout import Playout
from hitonami.minds.puct import Puct
from hitonami.minds.uniform import Uniform
from hitonami.specs import Room

_PLIES = 4
"""Random moves of an opening."""
_REACH = 2
"""How many rungs up a mind is held against."""


@dataclass
class Player:
    """A mind, and what it has spent."""

    mind: Mind
    draws: bool = False
    """Draws from its chances, else it plays the likeliest."""
    decisions: int = 0
    nodes: int = 0
    seconds: float = 0.0

    def choose(self, here: Position, effort: Effort) -> int:
        begun = process_time()
        [opinion] = self.mind([Query(here)], effort)
        self.seconds += process_time() - begun
        self.decisions += 1
        self.nodes += sum(line.visits or 0 for line in opinion.lines)
        if self.draws:
            return int(here.legal[dist.sample(opinion.log_probs, effort.rng)])
        return int(here.legal[int(opinion.log_probs.argmax())])

    @property
    def spent(self) -> str:
        count = max(self.decisions, 1)
        return f"{self.nodes / count:.0f} nodes, {1000 * self.seconds / count:.1f} ms"


def open_player(name: str, file: str, nodes: int) -> Player:
    """`name`, or `name:KEY=VALUE:…` with fields of the mind."""
    kind, *fields = name.split(":")
    knobs: dict[str, Any] = {key: json.loads(value) for key, value in (each.split("=") for each in fields)}
    intuition = Intuition(file)
    makers: dict[str, Callable[[], Mind]] = {
        "uniform": Uniform,
        "intuition": lambda: Intuition(**{"file": file, **knobs}),
        "dual": lambda: Dual(**{"file": file, "simulations": nodes, "tau": 0.0, **knobs}),
        "puct": lambda: Puct(**{"mind": intuition, "simulations": nodes, "tau": 0.0, **knobs}),
        "uct": lambda: Playout(**{"simulations": nodes, "mind": intuition, "tau": 0.0, **knobs}),
    }
    return Player(makers[kind](), draws=kind == "uniform")  # its likeliest move would be the first of the list


def play(first: Player, second: Player, start: Position, effort: Effort) -> float:
    """The score of `first`, who moves for player 0."""
    here = start
    for _ in range(customs_in(start.game).ply_limit(size_of(start))):
        if not len(here.legal):
            break
        here = here.follow((first, second)[here.to_move].choose(here, effort))
    return final_score(here)


def open_with(start: Position, rng: np.random.Generator) -> Position:
    """A position after random moves, where the game goes on."""
    while True:
        here = start
        for _ in range(_PLIES):
            if len(here.legal):
                here = here.follow(int(rng.choice(here.legal)))
        if len(here.legal):
            return here


def play_pairs(one: Player, other: Player, start: Position, games: int, seed: int) -> list[tuple[float, float]]:
    """The scores of `one`, as player 0 and as player 1 from the same opening."""
    found = []
    for at in range(games // 2):
        opening, effort = open_with(start, np.random.default_rng([seed, at])), Effort.seeded(seed + at)
        found.append((play(one, other, opening, effort), 1 - play(other, one, opening, effort)))
    return found


def duel(one: Player, other: Player, start: Position, games: int, seed: int) -> Interval:
    """The score of `one`."""
    scores = np.array(play_pairs(one, other, start, games, seed)).ravel()
    by_opening = sum_by_game(np.arange(len(scores)) // 2, scores[:, None])
    [draws] = resample_means([by_opening], games // 2, seed)
    return interval_of(float(by_opening.means[0]), draws[:, 0])


def climb(start: Position, minds: list[dict[str, Any]], games: int) -> Ladder:
    """Play the minds of a file against each other; the first is moves at random."""
    game = start.game.name
    with Room() as room:
        players = [Player(room.open(spec), draws=True) for spec in minds]
        tallies, told = [], {}
        for below, above in combinations(range(len(minds)), 2):
            if above - below > _REACH:
                continue
            scores = np.array(play_pairs(players[above], players[below], start, games, above))
            for first, second, found in ((above, below, scores[:, 0]), (below, above, 1.0 - scores[:, 1])):
                tallies.append(Tally(first, second, *(float((found == each).sum()) for each in (1.0, 0.5, 0.0))))
            told[f"{above}-{below}"] = f"{scores.mean():.3f} of {scores.size}"
            print(f"{game} {minds[above]} against {minds[below]}: {told[f'{above}-{below}']}", flush=True)
    fit = fit_elo(len(minds), tallies, {0: Anchor(0.0)})
    rungs = [
        Rung(
            round(float(fit.ratings[at])),
            *(round(float(end)) for end in fit.interval(at)),
            mind=spec,
        )
        for at, spec in enumerate(minds)
    ]
    about = f"{games} games a pair, {_PLIES} random moves first, moves at random = 0, size {size_of(start)}"
    return Ladder(tuple(rungs), {"measured": about, "scores": told, "intuition": hash_of(packaged()[game])})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--file", default="", help="what `hitonami learn` wrote; else the package's own")
    parser.add_argument("--size", type=int)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pair", action="append", default=[], metavar="ONE,OTHER")
    parser.add_argument("--ladder", type=Path, help="a TOML file of minds, the weakest first")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    start: Position = open_game(asked.game).start(Setup(size=asked.size))
    if asked.ladder:
        minds = [{"kind": "uniform"}, *tomllib.loads(asked.ladder.read_text(encoding="utf-8"))["minds"]]
        write_ladder(climb(start, minds, asked.games), asked.out)
    for pair in asked.pair:
        one, other = (open_player(name, asked.file, asked.nodes) for name in pair.split(","))
        found = duel(one, other, start, asked.games, asked.seed)
        print(
            f"{asked.game} {Path(asked.file).name} {pair.replace(',', ' against ')}: {found.value:.1%} "
            f"({found.low:.1%}–{found.high:.1%}), n = {asked.games}; {one.spent} against {other.spent}",
            flush=True,
        )


if __name__ == "__main__":
    main()
