"""The boards of a game under equal conditions, and what their games are like.

    python recipes/selfplay/variants.py recipes/selfplay/heian-variant.toml --runs RUNS --out study.json [--page study.html]
    python recipes/selfplay/variants.py recipes/selfplay/heian-variant.toml --mind recipes/selfplay/fairy/varied.toml --games 100 --out study.json

Game Refinement, length, draws, what moving first is worth and first moves. With `--runs` each board is learned by self-play with
one recipe, and the generations that were played by the rules alone (after `counted`) are counted; a run that is there is not
played again, an interrupted one goes on. With `--mind` a mind plays each of them against itself; boards that it does not know are
left out. Games that came to the limit of plies count with that length and as drawn. Intervals resample games. Boards
that stand in the file of `--out` already are not studied again.
"""  # noqa: E501

import argparse
import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from hitonami.core import Player, Query, Setup, lineage, open_game
from hitonami.customs import customs_of
from hitonami.errors import BadInput
from hitonami.evaluate.intervals import Interval, interval_of, resample_means, sum_by_game
from hitonami.evaluate.refinement import COMFORT, Span, play_alone, refine
from hitonami.models.encoders.cells import Cells
from hitonami.report.page import page, plots, section, table
from hitonami.report.plots import ACCENT, SECOND, draw_axes, to_svg
from hitonami.selfplay.pieces import piece_path, read_piece
from hitonami.selfplay.playing import Played
from hitonami.selfplay.recipe import Recipe
from hitonami.selfplay.whole import News, play_recipe
from hitonami.specs import open_mind, read_toml

_FIRST_MOVES = 5


def learn(template: Path, variant: str, runs: Path) -> tuple[Path, Recipe]:
    """The run of one variant, played to its end."""
    held = read_toml(template)
    held["network"]["encoder"]["fields"]["variant"] = variant
    folder = runs / (variant.replace(" ", "-") or "usual")
    path = runs / f"{folder.name}.toml"
    runs.mkdir(parents=True, exist_ok=True)
    path.write_text(_to_toml(held), encoding="utf-8")

    def told(news: News) -> None:
        if news.row is not None:
            print(f"{folder.name}, generation {news.generation + 1}: {news.row['length']:.0f} plies", flush=True)

    play_recipe(path, folder, told, resume=(folder / "run.json").exists())
    return folder, Recipe(**held)


def _to_toml(held: dict[str, Any]) -> str:
    lines = [f"{key} = {json.dumps(value)}" for key, value in held.items() if not isinstance(value, dict)]
    for name, part in held.items():
        if isinstance(part, dict):
            lines += [f"[{name}]", *(f"{key} = {_value(value)}" for key, value in part.items())]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    if not isinstance(value, dict):
        return json.dumps(value)
    return "{ " + ", ".join(f"{key} = {_value(each)}" for key, each in value.items()) + " }"


def share(values: Any) -> Interval:
    """The mean of a figure of each game."""
    sums = sum_by_game(np.arange(len(values)), values[:, None].astype(np.float64))
    return interval_of(float(np.mean(values)), resample_means([sums], len(values), 0)[0][:, 0])


def first_moves(encoder: Cells, pieces: list[Played]) -> list[tuple[str, float]]:
    """How often each first move was made."""
    start = open_game(encoder.game).start(encoder.setup)
    after = {encoder.read_states([start.play(int(move))])[0][: encoder.shape[0] * encoder.shape[1]].tobytes(): int(move)
             for move in start.legal}  # fmt: skip
    seen: Counter[int] = Counter()
    for piece in pieces:
        starts = np.concatenate([[0], np.cumsum(piece.lengths)[:-1]])
        for at in starts[piece.lengths > 1].tolist():
            seen[after[piece.states[at + 1, : encoder.shape[0] * encoder.shape[1]].tobytes()]] += 1
    total = sum(seen.values())
    return [(start.game.format(start, move), count / total) for move, count in seen.most_common(_FIRST_MOVES)]


def describe(title: str, spans: list[Span], scores: Any, openings: list[tuple[str, float]]) -> dict[str, Any]:
    return {
        "title": title,
        "games": len(spans),
        "figures": {name: asdict(found) for name, found in refine(title, spans).figures.items()},
        "drawn": asdict(share(scores == 0.5)),
        "first": asdict(share(scores)),
        "openings": openings,
    }


def measure_play(game: str, variant: str, title: str, mind: str, games: int) -> dict[str, Any]:
    """Games that a mind plays with itself on a board. Raises BadInput where it does not know it."""
    start = open_game(game).start(Setup(variant=variant))

    def told(done: int, _: int) -> None:
        print(f"{title}: {done} of {games} games are over", end="\r", flush=True)

    with open_mind(mind) as player:
        ended = play_alone(Query(start, Player(), Player()), player, games, seed=1, report=told)
    scores = np.array([0.5 if each.position.score is None else each.position.score for each in ended])
    seen = Counter(start.game.format(start, lineage(each.position)[1][0]) for each in ended)
    openings = [(move, n / games) for move, n in seen.most_common(_FIRST_MOVES)]
    return describe(title, [each.span for each in ended], scores, openings)


def measure(folder: Path, recipe: Recipe, title: str) -> dict[str, Any]:
    pieces = [read_piece(piece_path(folder, at)) for at in range(recipe.play.counted, recipe.learn.generations)]
    spans = []
    for piece in pieces:
        choices, at = (piece.places >= 0).sum(1), 0
        for length in piece.lengths.tolist():
            spans.append(Span(int(choices[at : at + length].sum()), length, ""))
            at += length
    scores = np.concatenate([piece.scores for piece in pieces])
    encoder = recipe.network.open_encoder()
    assert isinstance(encoder, Cells)
    return describe(title, spans, scores, first_moves(encoder, pieces))


def draw(rows: list[dict[str, Any]], name: str, title: str, unit: str, band: tuple[float, float] | None = None) -> str:
    figure, axes = draw_axes(title, "", unit)
    if band is not None:
        axes.axhspan(*band, color=SECOND, alpha=0.2, lw=0)
    for at, row in enumerate(rows):
        found = row["figures"].get(name) or row[name]
        low, high = found["value"] - found["low"], found["high"] - found["value"]
        axes.errorbar([at], [found["value"]], yerr=[[low], [high]], fmt="o", color=ACCENT)
    axes.set_xticks(range(len(rows)), [row["title"] for row in rows], fontsize=8)
    axes.set_xlim(-0.5, len(rows) - 0.5)
    return to_svg(figure)


def as_page(rows: list[dict[str, Any]]) -> str:
    pictures = [
        draw(rows, "GR", "Game Refinement (band: games that have been played for long)", "√B / D", COMFORT),
        draw(rows, "D", "Length of games", "plies"),
        draw(rows, "B", "Legal moves", "moves"),
        draw(rows, "drawn", "Drawn", "share"),
        draw(rows, "first", "Score of the side that moves first", "share"),
    ]
    cells = [[row["title"], ", ".join(f"{move} {part:.0%}" for move, part in row["openings"])] for row in rows]
    lead = f"{rows[0]['games']} games each, under equal conditions"
    return page("Boards of one game", lead, section("Figures", plots(pictures)),
                section("First moves", table(["board", "most played"], cells)))  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("template", type=Path)
    how = parser.add_mutually_exclusive_group(required=True)
    how.add_argument("--runs", type=Path, help="learn each board by self-play, in this folder")
    how.add_argument("--mind", help="who plays each board instead")
    parser.add_argument("--games", type=int, default=100, help="of a mind on each board")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--svg", type=Path, help="the lengths of games as a picture")
    parser.add_argument("--variants", help="comma-separated; else all that the game offers")
    asked = parser.parse_args()
    game = read_toml(asked.template)["network"]["encoder"]["fields"]["game"]
    chosen = None if asked.variants is None else [each.strip() for each in asked.variants.split(",")]
    rows = json.loads(asked.out.read_text(encoding="utf-8")) if asked.out.exists() else []
    for variant in customs_of(game).variants:
        if (chosen is not None and variant.name not in chosen) or any(row["title"] == variant.title for row in rows):
            continue
        try:
            if asked.mind:
                rows.append(measure_play(game, variant.name, variant.title, asked.mind, asked.games))
            else:
                rows.append(measure(*learn(asked.template, variant.name, asked.runs), variant.title))
        except BadInput as unknown:
            print(f"{variant.title} is left out: {unknown}", flush=True)
            continue
        asked.out.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    if asked.page is not None:
        asked.page.write_text(as_page(rows), encoding="utf-8")
    if asked.svg is not None:
        asked.svg.write_text(draw(rows, "D", "Length of games", "plies"), encoding="utf-8")


if __name__ == "__main__":
    main()
