"""A review as one self-contained page: a board to click through, a graph, bars. Loads nothing, computes nothing.

The data stand in the page as JSON and a small script draws them; style and script are in `templates/`. The page works
from a file, without a network and without a server.
"""

import json
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any, Final

from hitonami import __version__
from hitonami.core import Diagram
from hitonami.customs import customs_of
from hitonami.report.review import apart, estimate_text, level_text, number_text
from hitonami.review.labels import cost_of
from hitonami.review.steps import Review, ReviewedMove

_TEMPLATES: Final = Path(__file__).with_name("templates")
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_PARTS: Final = ("pieces", "board", "graph", "main")
"""The script's files, in their order."""


def as_page(review: Review) -> str:
    """The whole document."""
    title = " – ".join(player.name or player.side for player in review.players)
    script = "\n".join(_read(f"review_{part}.js") for part in _PARTS)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: review</title><style>{_read('review.css')}</style></head><body>"
        f"{_read('review.html')}"
        f'<script type="application/json" id="review">{_as_data(review)}</script>'
        f"<script>(() => {{\n'use strict';\n{script}\n}})();</script></body></html>\n"
    )


def _read(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _as_data(review: Review) -> str:
    """JSON that may stand inside HTML: nothing in it can close the element or open a comment."""
    text = json.dumps(_data(review), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _data(review: Review) -> dict[str, Any]:
    pieces = _pieces(review.diagrams)
    first = review.diagrams[0]
    return {
        "pairs": customs_of(review.game).pairs,
        "light": int(review.sides[0] != "White"),
        "style": first.style,
        "columns": first.columns,
        "ranks": first.ranks,
        "pieces": [{"glyph": glyph, "side": side} for glyph, side in pieces],
        "letters": _LETTERS,
        "boards": [_board(diagram, pieces) for diagram in review.diagrams],
        "ground": first.ground,
        "off": [(row, column) for row, cells in enumerate(first.rows) for column, cell in enumerate(cells) if cell.off],
        "edges": first.edges,
        "dots": sorted(first.dots),
        "lines": first.lines,
        "gaps": sorted(first.gaps),
        "texts": [diagram.text for diagram in review.diagrams] if first.text else [],
        "hands": [diagram.hands for diagram in review.diagrams],
        "marked": [sorted(diagram.marked) for diagram in review.diagrams],
        "sides": review.sides,
        "players": [_player(review, side) for side in (0, 1)],
        "mind": review.mind,
        "ratings": review.ratings,
        "levels": [level_text(rating) for rating in review.ratings],
        "steps": [_step(review, step) for step in review.steps],
        "turns": review.turning_points,
        "judge": review.judge,
        "equals": level_text(review.equal_rating),
        "notes": list(_notes(review)),
        "footer": f"hitonami {__version__}",
    }


def _pieces(diagrams: Iterable[Diagram]) -> list[tuple[str, int | None]]:
    """Every kind of piece that is ever on the board; a stone has no glyph of its own."""
    kinds = {
        (cell.glyph, cell.side): None
        for diagram in diagrams
        for row in diagram.rows
        for cell in row
        if cell.side is not None or cell.glyph
    }
    return list(kinds)


def _board(diagram: Diagram, pieces: list[tuple[str, int | None]]) -> str:
    """One letter a square, a dot for an empty one, row after row."""
    letters = dict(zip(pieces, _LETTERS, strict=False))
    return "".join(letters.get((cell.glyph, cell.side), ".") for row in diagram.rows for cell in row)


def _player(review: Review, side: int) -> dict[str, Any]:
    player, told = review.players[side], review.told
    return {
        "side": player.side,
        "name": player.name,
        "rated": "" if player.rating is None or told is None else level_text(player.rating),
        "level": ""
        if told is None
        else f"taken as {level_text(told[side])}, played like {estimate_text(player.estimate)}",
        "phases": [
            [part.phase, part.moves, part.matched, part.mean_loss, part.inaccuracies, part.mistakes, part.blunders]
            for part in player.phases
        ],
    }


def _step(review: Review, step: ReviewedMove) -> dict[str, Any]:
    return {
        "side": step.side,
        "number": number_text(review, step),
        "name": step.name,
        "squares": step.squares,
        "level": level_text(step.rating),
        "rating": step.rating,
        "p": round(step.probability, 4),
        "curve": [round(share, 4) for share in step.by_rating],
        "main": _main_text(review, step),
        "candidates": [
            {
                "name": each.name,
                "p": round(each.probability, 4),
                "squares": each.squares,
                "played": each.move == step.move,
            }
            for each in step.candidates
        ],
        "before": _share(step.chance_before),
        "after": _share(step.chance_after),
        "equal": _share(step.equal_after) if apart(review) else None,
        "judge": _share(step.judge_after),
        "loss": _share(step.loss),
        "cost": round(cost_of(step), 4),
        "best": None if not step.best_name or step.best_move == step.move else [step.best_name, step.best_squares],
        "phase": step.phase,
        "label": step.label,
    }


def _share(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _main_text(review: Review, step: ReviewedMove) -> str:
    """At which levels it is the main choice."""
    if not review.ratings:
        return ""
    if step.main_from is None or step.main_to is None:
        return "at no level the main choice"
    weakest, strongest = step.main_from <= review.ratings[0], step.main_to >= review.ratings[-1]
    if weakest and strongest:
        return "the main choice at every level"
    if strongest:
        return f"the main choice from {level_text(step.main_from)} up"
    if weakest:
        return f"the main choice up to {level_text(step.main_to)}"
    return f"the main choice from {level_text(step.main_from)} to {level_text(step.main_to)}"


def _notes(review: Review) -> Iterable[str]:
    where = ", ".join(part for part in (review.event, review.date, review.result) if part)
    if where:
        yield where
    judge = f"judge: {review.judge}" if review.judge else "no judge"
    nodes = f", {review.judge_nodes:,} nodes a position" if review.judge_nodes else ""
    scale = f"Levels on the scale of {review.pool or 'an unknown pool'}" if review.told else f"Asked: {review.mind}"
    yield f"{scale} ({review.told_because}); {judge}{nodes}"
    if review.broken:
        yield f"The record breaks after {len(review.steps)} moves: {review.broken}"
    if review.unfinished:
        yield "The review was interrupted: later moves are missing."
