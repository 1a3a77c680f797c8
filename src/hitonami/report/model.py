"""A model's card as people read it. Computes nothing."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from hitonami.models.card import Card, Metric
from hitonami.models.fitted import FittedCurve, describe_curves
from hitonami.models.store import Listed, Model

_LEFT = 12


def as_lines(model: Model, origin: str, curves: Sequence[FittedCurve] = ()) -> Iterator[str]:
    """What it is, where it comes from and how good it is; and what of the package's levels was fitted to it."""
    card = model.card
    yield _row("name", f"{card.name} ({origin})")
    yield _row("game", card.game)
    yield _row("heads", heads_of(card))
    if card.rating_range is not None:
        yield _row("ratings", f"{card.rating_range[0]:g} to {card.rating_range[1]:g}")
    fields = ", ".join(f"{name} {_listed(value)}" for name, value in card.encoder.fields.items())
    yield _row("encoder", card.encoder.name + (f" ({fields})" if fields else ""))
    yield _row("size", f"{size_of(len(model.onnx))}, sha256 {card.model_sha256}")
    yield _row("licence", card.licence)
    for name, text in (("recipe", card.recipe), ("commit", card.commit), ("notes", card.notes)):
        if text:
            yield from _block(name, text.strip().splitlines())
    if card.provenance:
        sources = (
            " · ".join(filter(None, (each.what, each.licence, each.sha256 and f"sha256 {each.sha256[:12]}…")))
            for each in card.provenance
        )
        yield from _block("made from", sources)
    if card.metrics:
        width = max(map(len, card.metrics))
        yield from _block("measured", (f"{name:<{width}}  {metric_of(it)}" for name, it in card.metrics.items()))
    if curves:
        yield from _block("levels", describe_curves(curves))


def list_line(listed: Listed) -> str:
    """One line for `models list`; what comes with the package is marked with a star."""
    mark = "*" if listed.origin == "embedded" else " "
    begin = f"{mark} {listed.name:<20} {listed.origin:<9}"
    if listed.card is None:
        return f"{begin} broken: {listed.problem}"
    return f"{begin} {listed.card.game:<8} {heads_of(listed.card)}"


def listed_json(listed: Listed) -> dict[str, Any]:
    """What a listed model is; `problem` says why it cannot be used."""
    found = {"name": listed.name, "origin": listed.origin, "path": str(listed.path)}
    if listed.card is None:
        return found | {"problem": listed.problem}
    return found | {"game": listed.card.game, "heads": list(listed.card.heads.model_dump(exclude_none=True))}


def heads_of(card: Card) -> str:
    """The names of its heads."""
    return ", ".join(card.heads.model_dump(exclude_none=True))


def size_of(count: int) -> str:
    """Bytes as people say them."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"


def metric_of(metric: Metric) -> str:
    """A figure with its interval and the number of cases."""
    interval = "" if metric.low is None or metric.high is None else f"  ({metric.low:.4g} – {metric.high:.4g})"
    return f"{metric.value:.4g}{interval}" + ("" if metric.n is None else f"  n = {metric.n:,}")


def _row(name: str, text: str) -> str:
    return f"{name:<{_LEFT}}{text}"


def _block(name: str, lines: Iterable[str]) -> Iterator[str]:
    for at, line in enumerate(lines):
        yield _row("" if at else name, line)


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
