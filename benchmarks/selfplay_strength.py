"""How strong networks of self-play are. One thread; every figure with a 95% interval.

    selfplay_strength.py solve FILE [--positions 1000]                          positions for `optimal`, solved once (half an hour)
    selfplay_strength.py optimal MODEL [--solved FILE] [--simulations 200]      Connect Four against the solver
    selfplay_strength.py playout MODEL [--games 200] [--simulations 100]        against `playout` with 10 × the simulations;
                                                                                `--seed` for other openings and games
    selfplay_strength.py duel MODEL --other MODEL [--games 40] [--simulations 12] [--contempt 0.2] [--again-drawn] [--rho 3]
                                                                                two networks, both so; what was drawn
    selfplay_strength.py curve RUN [--every 5] [--games 32] [--simulations 50]  Elo over a run's networks, `uniform` = 0;
                                                                                with 0 simulations they draw from their own chances

`optimal`: positions after 8 to 34 moves at random whose legal moves do not all lead to the same result; a move is optimal
if it keeps the result of best play. `playout` is the mind of that name in lockstep (selfplay/rollouts.py). Games begin with
random moves, the same for both games of a pair.
"""  # noqa: E501

import argparse
import json
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np

from _four_solver import UNKNOWN, Solver
from hitonami.core import Position, lineage, open_game
from hitonami.customs import customs_of
from hitonami.matches.elo import Anchor, Tally, fit_elo
from hitonami.models.encoders.cells import Cells
from hitonami.selfplay import rollouts
from hitonami.selfplay.arena import Arena, Entrant, best_move
from hitonami.selfplay.boards import open_lanes
from hitonami.selfplay.forest import Forest, Looking
from hitonami.selfplay.network import Network
from hitonami.selfplay.recipe import Recipe

_PAIRS_AT_ONCE = 50


def wilson(score: float, n: int) -> str:
    z = 1.96
    middle = (score + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(score * (1 - score) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{score:.1%} ({middle - half:.1%} … {middle + half:.1%}), n = {n}"


def draw_positions(count: int, solver: Solver, seed: int) -> list[tuple[Position, set[int]]]:
    """Undecided positions with their optimal moves."""
    rng = np.random.default_rng(seed)
    found: list[tuple[Position, set[int]]] = []
    game = open_game("connect-four")
    while len(found) < count:
        if len(found) % 50 == 0:
            print(f"{len(found)} of {count} positions are solved", file=sys.stderr, flush=True)
        position, plies = game.start(), int(rng.integers(8, 35))
        while len(position.legal) and position.ply < plies:
            position = position.play(int(rng.choice(position.legal)))
        if not len(position.legal):
            continue
        results = solver.judge(position.own, position.taken)
        known = results[results != UNKNOWN]
        if known.min() < known.max():
            found.append((position, set(np.flatnonzero(results == known.max()).tolist())))
    return found


def solve(file: Path, count: int) -> None:
    """The positions, as their moves, with their optimal moves."""
    drawn = draw_positions(count, Solver(), 1)
    file.write_text(json.dumps([[list(lineage(position)[1]), sorted(best)] for position, best in drawn]) + "\n")


def read_solved(file: Path) -> list[tuple[Position, set[int]]]:
    found = []
    for moves, best in json.loads(file.read_text()):
        position = open_game("connect-four").start()
        for move in moves:
            position = position.play(move)
        found.append((position, set(best)))
    return found


def measure_optimal(model: Path, drawn: list[tuple[Position, set[int]]], simulations: int) -> None:
    network, count = Network.load(model), len(drawn)
    lanes = open_lanes(network.encoder)
    for name, looking in (("network alone", Looking(2)), (f"{simulations} simulations", Looking(simulations))):
        hits, begun = [], 0
        for begun in range(0, count, 100):
            block = drawn[begun : begun + 100]
            forest = Forest(lanes, len(block), looking)
            legal = np.zeros((len(block), lanes.most_moves), np.int32)
            counts = np.array([len(position.legal) for position, _ in block], np.int32)
            for row, (position, _) in zip(legal, block, strict=True):
                row[: len(position.legal)] = position.legal
            states = np.stack([lanes.state_of(position) for position, _ in block])
            forest.plant(np.arange(len(block), dtype=np.int32), states, legal, counts, network)
            if name != "network alone":
                forest.search(np.ones(len(block), np.bool_), network)
            hits += [best_move(forest, at) in best for at, (_, best) in enumerate(block)]
        print(f"{name}: optimal in {wilson(float(np.mean(hits)), count)}")
        early = [hit for hit, (position, _) in zip(hits, drawn, strict=True) if position.ply < 16]
        print(f"  before ply 16: {wilson(float(np.mean(early)), len(early))}")


def measure_playout(model: Path, games: int, looking: Looking, seed: int) -> None:
    network = Network.load(model)
    encoder = network.encoder
    plies = customs_of(encoder.game).ply_limit(encoder.size)
    judge = rollouts.Rollouts(open_lanes(encoder), plies, np.random.default_rng([5, seed]))
    simulations = looking.simulations
    other = Entrant(judge, rollouts.looking(10 * simulations))
    arena = Arena(encoder, 4, plies, ())
    scores = []
    for block in range(0, games // 2, _PAIRS_AT_ONCE):
        pairs = min(_PAIRS_AT_ONCE, games // 2 - block)
        rng = np.random.default_rng([seed, block])
        found = arena.play_pairs(Entrant(network, looking), other, pairs, rng)
        scores += found.ravel().tolist()
        told, drawn = wilson(float(np.mean(scores)), len(scores)), sum(score == 0.5 for score in scores)
        print(f"{simulations} simulations against playout with {10 * simulations}: {told}, {drawn} drawn", flush=True)


def measure_duel(one: Path, other: Path, games: int, looking: Looking | None, rho: float) -> None:
    """Two networks against each other, moves drawn by visits, or by the networks' own chances, to the power rho."""
    networks = [Network.load(model) for model in (one, other)]
    encoder = networks[0].encoder
    arena = Arena(encoder, 4, customs_of(encoder.game).ply_limit(encoder.size), ())
    entrants = [Entrant(network, looking, rho) for network in networks]
    rng = np.random.default_rng([31, looking.simulations if looking else 0])
    pairs = arena.play_pairs(entrants[0], entrants[1], games // 2, rng)
    half = 1.96 * float(pairs.mean(1).std(ddof=1)) / np.sqrt(len(pairs))
    won, drawn, lost = (int((pairs == each).sum()) for each in (1.0, 0.5, 0.0))
    print(f"{pairs.mean():.1%} ± {half:.1%}, n = {pairs.size}: {won} won, {drawn} drawn, {lost} lost")


def measure_curve(run: Path, every: int, games: int, simulations: int) -> None:
    recipe = Recipe(**json.loads((run / "run.json").read_text())["recipe"])
    encoder = recipe.network.open_encoder()
    assert isinstance(encoder, Cells)
    nets = sorted((run / "nets").glob("*.onnx"))
    chosen = [*nets[::every], *([nets[-1]] if (len(nets) - 1) % every else [])]
    how = (Looking(simulations), None) if simulations else (None, 1.0)
    entrants = [Entrant(None), *(Entrant(Network.open(encoder, path.read_bytes(), 1), *how) for path in chosen)]
    names = ["uniform", *(path.stem for path in chosen)]
    tallies = []
    arena = Arena(encoder, 4, recipe.play.most_plies, (9,))
    for one, other in pairwise(range(len(entrants))):
        found = arena.play_pairs(entrants[other], entrants[one], games // 2, np.random.default_rng([9, one]))
        for first, second, scores in ((other, one, found[:, 0]), (one, other, 1.0 - found[:, 1])):
            counted = [float((scores == each).sum()) for each in (1.0, 0.5, 0.0)]
            tallies.append(Tally(first, second, *counted))
        print(f"{names[other]} against {names[one]}: {wilson(float(found.mean()), games)}", flush=True)
    fit = fit_elo(len(names), tallies, {0: Anchor(0.0)})
    for at, name in enumerate(names):
        low, high = fit.interval(at)
        print(f"{name}: {fit.ratings[at]:.0f} ({low:.0f} … {high:.0f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["solve", "optimal", "playout", "duel", "curve"])
    parser.add_argument("path", type=Path)
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--solved", type=Path, help="what `solve` wrote")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--simulations", type=int)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--seed", type=int, default=7, help="of the openings and games of `playout`")
    parser.add_argument("--other", type=Path, help="the second network of `duel`")
    parser.add_argument("--contempt", type=float, default=0.0, help="of both in `duel`, of the network in `playout`")
    parser.add_argument("--again-drawn", action="store_true", help="to them a position that stood before is a draw")
    parser.add_argument("--rho", type=float, default=1.0, help="how sharply both draw their moves in `duel`")
    asked = parser.parse_args()
    if asked.what == "solve":
        solve(asked.path, asked.positions)
    elif asked.what == "optimal":
        drawn = read_solved(asked.solved) if asked.solved else draw_positions(asked.positions, Solver(), 1)
        measure_optimal(asked.path, drawn, 200 if asked.simulations is None else asked.simulations)
    elif asked.what == "playout":
        looking = Looking(asked.simulations or 100, contempt=asked.contempt, again_drawn=asked.again_drawn)
        measure_playout(asked.path, asked.games or 200, looking, asked.seed)
    elif asked.what == "duel":
        if asked.other is None:
            parser.error("duel needs --other")
        looking = Looking(asked.simulations or 2, contempt=asked.contempt, again_drawn=asked.again_drawn)
        how = looking if asked.simulations else None
        measure_duel(asked.path, asked.other, asked.games or 40, how, asked.rho)
    else:
        measure_curve(
            asked.path, asked.every, asked.games or 32, 50 if asked.simulations is None else asked.simulations
        )


if __name__ == "__main__":
    main()
