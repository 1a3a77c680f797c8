"""A prediction as a table and as JSON. Computes nothing."""

from collections.abc import Iterator
from typing import Any

from hitonami.predict import Prediction, View


def as_lines(prediction: Prediction, top: int) -> Iterator[str]:
    """A table of the likeliest moves, a column a rating, then the chances of the side to move."""
    heads = ["any" if view.rating is None else f"{view.rating:g}" for view in prediction.views]
    order = prediction.order()
    shown = order if top <= 0 else order[:top]
    width = max(len(prediction.names[at]) for at in shown)
    left = max(width, len("expected score"))
    yield f"{prediction.side} to move: {prediction.position}"
    yield f"{'':<{left}}" + "".join(f"{head:>9}" for head in heads)
    for at in shown:
        yield f"{prediction.names[at]:<{left}}" + "".join(_percent(view.probabilities[at]) for view in prediction.views)
    if rest := len(order) - len(shown):
        sums = [sum(view.probabilities[at] for at in order[len(shown) :]) for view in prediction.views]
        yield f"{f'{rest} others':<{left}}" + "".join(map(_percent, sums))
    if any(view.wdl for view in prediction.views):
        for at, name in enumerate(("win", "draw", "loss")):
            yield f"{name:<{left}}" + "".join(_percent(view.wdl[at] if view.wdl else None) for view in prediction.views)
        yield f"{'expected score':<{left}}" + "".join(_percent(view.expected_score) for view in prediction.views)


def _percent(share: float | None) -> str:
    return f"{'–':>9}" if share is None else f"{100 * share:>8.1f}%"


def as_json(prediction: Prediction, mind: str, pool: str) -> dict[str, Any]:
    """The documented JSON (docs/models.md): every legal move, the likeliest first for each rating."""
    return {
        "game": prediction.game,
        "position": prediction.position,
        "to_move": prediction.side,
        "mind": mind,
        "pool": pool,
        "predictions": [_view_json(prediction, view) for view in prediction.views],
    }


def _view_json(prediction: Prediction, view: View) -> dict[str, Any]:
    order = sorted(range(len(prediction.moves)), key=lambda at: -view.probabilities[at])
    chances = None if view.wdl is None else dict(zip(("win", "draw", "loss"), view.wdl, strict=True))
    return {
        "rating": view.rating,
        "result": chances,
        "expected_score": view.expected_score,
        "moves": [
            {"move": prediction.moves[at], "name": prediction.names[at], "probability": view.probabilities[at]}
            for at in order
        ],
    }
