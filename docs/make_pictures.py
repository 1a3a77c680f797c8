"""Draw the pictures of the README and the docs from the program and from `results/`: `python docs/make_pictures.py`."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from hitonami.agent import Agent
from hitonami.core import Effort, Player, Setup, open_game
from hitonami.evaluate.intervals import Interval
from hitonami.minds.uniform import Uniform
from hitonami.play.table import Table
from hitonami.report.interval_plots import over_groups
from hitonami.report.plots import draw_axes, to_svg
from hitonami.terminal.talk import Talk

HERE = Path(__file__).parent / "pictures"
SEARCH_FIT = HERE / "search-fit.json"
KNOBS = {"tau": "τ", "prior_temperature": "t", "c_puct": "c_puct"}
PREDICTION = Path(__file__).parent / "results" / "prediction.json"
LEAST = 50
"""Moves of a group that is worth a point."""
GAMES = {
    "chess": (Setup(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7"),
    "shogi": (Setup(), "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d"),
    "go": (Setup(size=9), "E5 G3 C3 D7 F7 E7 F6 C5 G4 F3 H3"),
}


def main() -> None:
    HERE.mkdir(exist_ok=True)
    fit = json.loads(SEARCH_FIT.read_bytes())
    (HERE / "search-fit.svg").write_text(draw_search_fit(fit), encoding="utf-8")
    (HERE / "search-theta.svg").write_text(draw_search_theta(fit), encoding="utf-8")
    outcome = json.loads(PREDICTION.read_bytes())
    (HERE / "blend-gain.svg").write_text(draw_blend_gain(outcome, "accuracy", "points"), encoding="utf-8")
    nats = draw_blend_gain(outcome, "cross-entropy", "nats, below 0 is better")
    (HERE / "blend-gain-nats.svg").write_text(nats, encoding="utf-8")
    for name, (setup, moves) in GAMES.items():
        console = Console(record=True, width=64, force_terminal=True, color_system="truecolor", file=StringIO())
        position = open_game(name).start(setup)
        for text in moves.split():
            position = position.play(position.game.parse(position, text))
        side = position.to_move
        table = Table(position, Agent(Uniform()), side, Player(name="You"), Player(name="uniform"), Effort.seeded(1))
        talk = Talk(table, console, human_pace=False)
        talk.flipped = False
        talk._show_board()
        console.print(f"[bold]{position.game.sides[side]}[/] to move > hint")
        talk.hear("hint")
        svg = console.export_svg(title=f"hitonami play {name}")
        (HERE / f"play-{name}.svg").write_text(svg, encoding="utf-8")


def draw_blend_gain(outcome: dict[str, Any], figure: str, label: str) -> str:
    """What `blend` gains over `human` by rating, a series a pool."""
    held = {step["name"]: step["figures"] for step in outcome["steps"]}
    gains = {
        pool: {
            each["group"]: Interval(each["value"], each["low"], each["high"])
            for each in held[name]
            if (each["series"], each["name"]) == ("blend − human", figure) and each["n"] >= LEAST
        }
        for pool, name in (("FIDE", "chess-fide-blend"), ("Lichess", "chess-lichess-blend"))
    }
    groups = sorted({group for found in gains.values() for group in found} - {"all"}, key=float)
    series = [(pool, [found.get(group) for group in groups]) for pool, found in gains.items()]
    title = "blend over human, on games that no fit saw"
    return over_groups(title, groups, series, label, percent=figure == "accuracy")


def draw_search_fit(found: dict[str, Any]) -> str:
    """The best loss after each search of all positions: the descent a line, the simplex dashed, a colour a level."""
    figure, axes = draw_axes("Fit of a search", "searches of all positions", "best cross-entropy, nats", high=4.0)
    for level in found["levels"]:
        low, high = level["band"]
        for method, style in (("descent", "-"), ("simplex", "--")):
            losses = level[method]["best_after"]
            colour = axes.lines[-1].get_color() if method == "simplex" else None
            label = f"{low:g}–{high - 1:g}" if method == "descent" else None
            axes.plot(range(1, len(losses) + 1), losses, style, color=colour, drawstyle="steps-post", label=label)
    axes.legend(frameon=False, fontsize=8, title="rating: descent; dashed: simplex", title_fontsize=8)
    return to_svg(figure) + "\n"


def draw_search_theta(found: dict[str, Any]) -> str:
    """The knobs of a search over rating, with intervals: a colour a knob."""
    figure, axes = draw_axes("Θ by level", "rating", "value", high=4.0)
    ratings = [level["rating"] for level in found["levels"]]
    for knob, name in KNOBS.items():
        held = [level["theta"][knob] for level in found["levels"]]
        values = [each["value"] for each in held]
        reach = [[each["value"] - each["low"] for each in held], [each["high"] - each["value"] for each in held]]
        axes.errorbar(ratings, values, yerr=reach, fmt="o-", capsize=2, ms=4, lw=1.2, label=name)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter("{x:g}")
    axes.legend(frameon=False, fontsize=8, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.18))
    return to_svg(figure) + "\n"


if __name__ == "__main__":
    main()
