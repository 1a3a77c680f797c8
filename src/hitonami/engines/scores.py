"""From an engine's scores to probabilities of moves and of results. Pure functions."""

import math
from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator

from hitonami import dist
from hitonami.core import Line, LogProbs, Position, Wdl, index_of
from hitonami.errors import BadSpec, quote

OptionValue = str | int | float | bool

_MOST_CENTIPAWNS = 30_000
_MATE = 40_000
_MATE_STEP = 10
_LONGEST_MATE = 500


def as_options(given: Any) -> tuple[tuple[str, OptionValue], ...]:
    """Options of an engine as sorted pairs, from a table or from such pairs."""
    pairs = given.items() if isinstance(given, Mapping) else given
    try:
        options = dict(pairs)
    except (TypeError, ValueError):
        raise BadSpec(f"options must be a table of names and values, got {quote(repr(given))}") from None
    for name, value in options.items():
        if not isinstance(name, str) or not isinstance(value, str | int | float):
            raise BadSpec(
                f"option {quote(str(name))} must be text, a number or true or false, got {quote(repr(value))}"
            )
    return tuple(sorted(options.items()))


Options = Annotated[
    Mapping[str, OptionValue] | tuple[tuple[str, OptionValue], ...],
    BeforeValidator(as_options),
]
"""A table in TOML; frozen to pairs in a spec, so that specs stay hashable."""


def centipawns_of(line: Line) -> float:
    """One scale for scores and mates: every mate is beyond every score, and short ones are further."""
    if line.mate_in is not None:
        distance = _MATE - _MATE_STEP * min(abs(line.mate_in), _LONGEST_MATE)
        return float(distance if line.mate_in > 0 else -distance)
    return float(np.clip(line.centipawns or 0, -_MOST_CENTIPAWNS, _MOST_CENTIPAWNS))


def spread_scores(position: Position, scores: Mapping[int, float], temperature: float, floor: float) -> LogProbs:
    """Softmax of scores / temperature over the scored moves, and `floor` spread evenly over all legal moves.

    Evenly over all, so that a move that was judged bad is never less likely than one that was not judged.
    """
    logits = np.full(len(position.legal), -np.inf)
    for move, score in scores.items():
        logits[index_of(position, move)] = score / temperature
    return dist.floor(dist.normalise(logits), floor)


def result_of(line: Line, scale: float, draw_share: float) -> Wdl:
    """The engine's own chances where it gives them, else a logistic of the score.

    e = 1 / (1 + exp(-centipawns / scale)) is the expected score; draws are draw_share · 4e(1 - e), which is
    draw_share at equality and leaves room for win and loss as long as draw_share is at most 1/2.
    """
    if line.wdl is not None:
        return line.wdl
    expected = 0.5 + 0.5 * math.tanh(centipawns_of(line) / scale / 2)  # the same, and cannot overflow
    draw = draw_share * 4.0 * expected * (1.0 - expected)
    return np.array([expected - draw / 2, draw, 1.0 - expected - draw / 2], dtype=np.float32)
