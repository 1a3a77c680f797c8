"""Levels of a game that was learned by self-play: rungs played against each other, Elo with moves at random = 0.

    python recipes/selfplay/ladder.py recipes/selfplay/heian-ladder.toml RUN --out levels.json [--games 200]

The TOML file names the recipe of the run and the rungs from the weakest up: a generation of the run, or by name a model
that is packaged already, how many positions it looks ahead (0: the network alone), the power that its chances, or
visits, are drawn by, and the contempt of its search for draws. Every rung meets the two above it, half of the games
with each side, on openings of random moves that both sides get. One thread, in lockstep.
"""

import argparse
import hashlib
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from hitonami.customs import customs_of
from hitonami.levels.ladders import Ladder, Rung, write_ladder
from hitonami.matches.elo import Anchor, Tally, fit_elo
from hitonami.models.encoders.cells import Cells
from hitonami.models.store import load_model
from hitonami.selfplay.arena import Arena, Entrant
from hitonami.selfplay.forest import Looking
from hitonami.selfplay.network import Network
from hitonami.selfplay.recipe import read_recipe

_REACH = 2
"""How many rungs up a rung is held against."""
_AT_ONCE = 25


def read_rungs(path: Path) -> tuple[Path, list[dict[str, Any]]]:
    held = tomllib.loads(path.read_text(encoding="utf-8"))
    usual = {"simulations": 0, "rho": 1.0, "contempt": 0.0}
    return path.parent / held["recipe"], [usual | rung for rung in ({"generation": -1}, *held["rungs"])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rungs", type=Path)
    parser.add_argument("run", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--games", type=int, default=200, help="of a pair")
    parser.add_argument("--opening-plies", type=int, default=4)
    asked = parser.parse_args()
    path, rungs = read_rungs(asked.rungs)
    recipe = read_recipe(path)
    encoder = recipe.network.open_encoder()
    assert isinstance(encoder, Cells)
    last = max(int(each.get("generation", 0)) for each in rungs)
    entrants, names, networks = [], [], {}
    for rung in rungs:
        number, looks = int(rung.get("generation", 0)), int(rung["simulations"])
        if number < 0:
            entrants.append(Entrant(None))
            names.append("")
            continue
        if "model" in rung:
            name, onnx = rung["model"], load_model(rung["model"]).onnx
        else:
            name = recipe.name if number == last else f"{recipe.name}-{number}"
            onnx = (asked.run / "nets" / f"{number:05d}.onnx").read_bytes()
        network = Network.open(encoder, onnx, 1, recipe.model.symmetries)
        contempt = float(rung["contempt"])
        looking = Looking(looks, contempt=contempt, again_drawn=contempt > 0.0) if looks else None
        entrants.append(Entrant(network, looking, float(rung["rho"])))
        names.append(name)
        networks[names[-1]] = hashlib.sha256(onnx).hexdigest()
    arena = Arena(encoder, asked.opening_plies, customs_of(encoder.game).ply_limit(encoder.size), ())
    tallies, told = [], {}
    for below, above in combinations(range(len(rungs)), 2):
        if above - below > _REACH:
            continue
        scores = np.concatenate(
            [
                arena.play_pairs(entrants[above], entrants[below], min(_AT_ONCE, asked.games // 2 - at),
                                 np.random.default_rng([11, below, above, at]))
                for at in range(0, asked.games // 2, _AT_ONCE)
            ]
        )  # fmt: skip
        for first, second, found in ((above, below, scores[:, 0]), (below, above, 1.0 - scores[:, 1])):
            tallies.append(Tally(first, second, *(float((found == each).sum()) for each in (1.0, 0.5, 0.0))))
        told[f"{above}-{below}"] = f"{scores.mean():.3f} of {scores.size}"
        print(f"rung {above} {rungs[above]} against {below}: {scores.mean():.1%} of {scores.size}", flush=True)
    fit = fit_elo(len(rungs), tallies, {0: Anchor(0.0)})
    made = tuple(
        Rung(round(float(fit.ratings[at])), *(round(float(end)) for end in fit.interval(at)), names[at],
             int(rung["simulations"]), float(rung["rho"]), float(rung["contempt"]))
        for at, rung in enumerate(rungs)
    )  # fmt: skip
    for rung in made:
        print(rung)
    about = f"{asked.games} games a pair, {asked.opening_plies} random moves first, moves at random = 0"
    write_ladder(Ladder(made, {"measured": about, "scores": told, "networks": networks}), asked.out)


if __name__ == "__main__":
    main()
