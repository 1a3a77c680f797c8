"""Curves of strength over experience and over each knob of `dual`, as one picture.

    python recipes/intuition/curves.py GAME --work FOLDER [--size N] [--games 40] --out docs/pictures/intuition-GAME.svg

Learns the game once, as `hitonami learn` does with the same seed, and keeps what is known after each number of games in
FOLDER (what is there already is not learned again). Every point is a mind against the same opponent, `dual` of 8 looks
over the last of them: games from four random moves, each opening from both sides, intervals by bootstrap over openings.
What was found is kept beside the picture's data in FOLDER/curves-GAME.json: points found before are not played again.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from duel import duel, open_player
from matplotlib.figure import Figure

from hitonami import disk
from hitonami.core import Setup, open_game
from hitonami.evaluate.intervals import Interval
from hitonami.intuition.knowledge import begin, write
from hitonami.intuition.learning import Learner
from hitonami.report.plots import ACCENT, GRID, dress, to_svg

EXPERIENCE = (60, 120, 240, 480)
KNOBS: dict[str, tuple[float, ...]] = {
    "size": (1, 2, 3, 4, 6),
    "memory": (2, 4, 8, 16, 64),
    "epsilon": (0, 0.1, 0.3, 1, 3),
    "backup_noise": (0, 0.1, 0.2, 0.4),
    "selection_noise": (0, 0.1, 0.2, 0.4),
    "simulations": (0, 4, 8, 16, 32, 64),
}
NAMES = {
    "experience": "games learned from",
    "size": "conditions of a pattern, at most",
    "memory": "positions remembered",
    "epsilon": "ε, doubt",
    "backup_noise": "noise in what is carried up",
    "selection_noise": "noise in what is looked at",
    "simulations": "looks, at most",
}
OPPONENT = 8
LOOKS = 16
SEED = 1


def learn(game: str, setup: Setup, work: Path) -> dict[int, Path]:
    """What is known after each number of games."""
    files = {games: work / f"{game}-{games}.json.gz" for games in EXPERIENCE}
    if not all(path.exists() for path in files.values()):
        learner = Learner(begin(game, setup), setup)
        while learner.knowledge.experience.games < EXPERIENCE[-1]:
            learner.play_and_learn()
            if (known := learner.knowledge.experience.games) in files:
                write(learner.knowledge, files[known])
                print(f"{game}: {known} games", flush=True)
    return files


def points(files: dict[int, Path]) -> Iterator[tuple[str, float, str, dict[str, Any]]]:
    """Knob, its value, the file of patterns and the fields of `dual`."""
    last = str(files[EXPERIENCE[-1]])
    for games, path in files.items():
        yield "experience", games, str(path), {}
    for knob, values in KNOBS.items():
        for value in values:
            yield knob, value, last, {knob: value}


def draw(game: str, found: dict[str, dict[str, list[float]]]) -> Figure:
    figure = Figure(figsize=(11.0, 5.2), layout="constrained")
    panels = figure.subplots(2, 4, sharey=True).ravel()
    for axes, (knob, name) in zip(panels, NAMES.items(), strict=False):
        dress(axes, "", name, f"score in {game}" if axes in panels[::4] else "")
        rows = found[knob]
        places = np.arange(len(rows))
        values, lows, highs = (np.array([each[at] for each in rows.values()]) for at in range(3))
        axes.axhline(0.5, color=GRID, linewidth=1.2)
        axes.errorbar(places, values, [values - lows, highs - values], fmt="o-", color=ACCENT, markersize=4)
        axes.set_xticks(places, list(rows))
        axes.set_ylim(-0.03, 1.03)
    panels[-1].set_visible(False)
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    asked.work.mkdir(parents=True, exist_ok=True)
    setup = Setup(size=asked.size)
    files = learn(asked.game, setup, asked.work)
    kept = asked.work / f"curves-{asked.game}.json"
    found: dict[str, dict[str, list[float]]] = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
    start = open_game(asked.game).start(setup)
    for knob, value, file, fields in points(files):
        rows = found.setdefault(knob, {})
        if f"{value:g}" in rows:
            continue
        told = "".join(f":{key}={json.dumps(each)}" for key, each in fields.items())
        one = open_player(f"dual{told}", file, LOOKS)
        other = open_player("dual", str(files[EXPERIENCE[-1]]), OPPONENT)
        score: Interval = duel(one, other, start, asked.games, SEED)
        rows[f"{value:g}"] = [score.value, score.low, score.high]
        print(f"{asked.game} {knob} {value:g}: {score.value:.1%} ({score.low:.1%}–{score.high:.1%})", flush=True)
        disk.write_text(kept, json.dumps(found, indent=1))
    disk.write_text(asked.out, to_svg(draw(asked.game, found)))


if __name__ == "__main__":
    main()
