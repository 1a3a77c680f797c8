"""An explanation as lines, as JSON, and as a page with a small board for each pattern. Computes nothing."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from hitonami.core import Position
from hitonami.intuition.explaining import Explained, Reason
from hitonami.report.page import page, section
from hitonami.report.small_board import draw_board

_STYLE = (
    "<style>.reasons{display:flex;flex-wrap:wrap;gap:1rem}.reasons figure{margin:0;width:12rem}"
    ".reasons svg{width:12rem;height:auto}.reasons figcaption{font-size:.85rem;color:var(--soft)}"
    ".for{color:#1f7a4d;font-weight:600}.against{color:#b3392f;font-weight:600}</style>"
)


def as_lines(position: Position, explained: Sequence[Explained], looked: Sequence[int] | None) -> Iterator[str]:
    """A move a paragraph: its chance, then what speaks for it and against it."""
    game = position.game
    yield f"{game.sides[position.to_move]} to move: {game.write(position)}"
    if looked is not None:
        names = " ".join(game.describe(position, move) for move in looked)
        yield f"in doubt: {names}" if len(looked) > 1 else f"no doubt: {names}"
    for each in explained:
        name = game.describe(position, each.move)
        yield f"{name:<8} {100 * each.chance:5.1f}%  expected score {100 * each.expected:.0f}%"
        for reason in each.reasons:
            times = f" ×{reason.times}" if reason.times > 1 else ""
            yield f"    {reason.effect:+6.2f}  {reason.pattern}{times}"


def as_json(
    position: Position, mind: str, explained: Sequence[Explained], looked: Sequence[int] | None
) -> dict[str, Any]:
    """The documented JSON (docs/intuition.md)."""
    game = position.game
    return {
        "game": game.name,
        "position": game.write(position),
        "to_move": game.sides[position.to_move],
        "mind": mind,
        "doubtful": None if looked is None else [game.format(position, move) for move in looked],
        "moves": [
            {
                "move": game.format(position, each.move),
                "name": game.describe(position, each.move),
                "probability": each.chance,
                "expected_score": each.expected,
                "patterns": [_reason_json(reason) for reason in each.reasons],
            }
            for each in explained
        ],
    }


def _reason_json(reason: Reason) -> dict[str, Any]:
    return {
        "pattern": reason.pattern,
        "weight": reason.weight,
        "times": reason.times,
        "effect": reason.effect,
        "cells": [{"row": cell.square[0], "column": cell.square[1], "is": cell.test} for cell in reason.cells],
    }


def as_page(position: Position, mind: str, explained: Sequence[Explained], looked: Sequence[int] | None) -> str:
    """A section a move; each pattern as a board on which only what it is about stands out."""
    game = position.game
    diagram = game.diagram(position)
    sections = []
    for each in explained:
        touched = game.touches(position, each.move)
        figures = "".join(
            f"<figure>{draw_board(diagram, touched, reason.cells)}<figcaption>{_caption(reason)}</figcaption></figure>"
            for reason in each.reasons
        )
        name = game.describe(position, each.move)
        lead = f"{100 * each.chance:.1f}% of the choice, expected score {100 * each.expected:.0f}%"
        body = f"<p>{lead}</p><div class='reasons'>{figures}</div>"
        sections.append(
            section(
                name,
                body if figures else f"<p>{lead}. No pattern of its own: what speaks against others speaks for it.</p>",
            )
        )
    doubt = "" if looked is None else _doubt(position, looked)
    lead = f"{game.sides[position.to_move]} to move. {doubt}"
    whole = f"<div style='max-width:20rem'>{draw_board(diagram, (), None)}</div>"
    footer = "Solid: what the pattern asks for. Ringed: where the move lands. Faded: what it does not look at."
    return page("What speaks for a move", lead, _STYLE, whole, *sections, footer=f"{footer} Mind: {mind}")


def _doubt(position: Position, looked: Sequence[int]) -> str:
    names = [position.game.describe(position, move) for move in looked]
    if len(names) == 1:
        return f"No doubt: {names[0]}."
    if len(names) == len(position.legal):
        return "Nothing stands out: every move is looked at."
    return f"In doubt: {', '.join(names)}."


def _caption(reason: Reason) -> str:
    word = "for" if reason.effect > 0 else "against"
    times = f" ({reason.times} times)" if reason.times > 1 else ""
    return f"<span class='{word}'>{reason.effect:+.2f} {word}</span>{times}<br><code>{escape(reason.pattern)}</code>"
