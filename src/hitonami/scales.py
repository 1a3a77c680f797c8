"""On which scale the levels of a game are told: that of the packaged human network, of measured levels, or the usual
one; and what is to be said of a rating or a pool that lies outside it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from hitonami.customs import Scale, customs_of
from hitonami.errors import quote
from hitonami.intuition.knowledge import measured_ladder
from hitonami.models.card import Card, read_card
from hitonami.models.self_played import packaged_ladder
from hitonami.models.shipped import shipped_models

_NINTH_DAN, _FIRST_PROFESSIONAL = 38.0, 40.0


def doubts_of(game: str, ratings: Sequence[float], pool: str) -> Iterator[str]:
    """What is to be said to somebody who asks the packaged human network about such people; nothing where it knows
    them. Ranks of servers differ too much to be held against one range."""
    if levels_of_people(game) is None:
        return
    scale = scale_of(game)
    if pool and pool not in scale.pools:
        known = ", ".join(scale.pools)
        yield f"the network of {game} knows no pool {quote(pool)} and takes it for none; it knows {known}"
    if scale.kind == "rating" and (beyond := [each for each in ratings if not scale.low <= each <= scale.high]):
        told = ", ".join(f"{each:g}" for each in beyond)
        span = f"{scale.low:g} to {scale.high:g}"
        yield f"the network of {game} learned from players of {span}: {told} is taken for the nearer end"


@cache
def scale_of(game: str) -> Scale:
    """The scale of the packaged human network, else of the measured levels, else the usual one of the game."""
    card, ladder = _human_card(game), packaged_ladder(game) or measured_ladder(game)
    usual, learned = customs_of(game).scale, levels_of_people(game)
    if card is not None:
        usual = replace(usual, pools=tuple(map(str, card.encoder.fields.get("pools", ()))) or usual.pools)
    if ladder is not None and learned is None:
        low, high = (round(ladder.rungs[at].rating / usual.step) * usual.step for at in (0, -1))
        return replace(usual, low=low, high=high, default=round((low + high) / 2 / usual.step) * usual.step)
    if learned is None:
        return usual
    low, high = learned
    if usual.kind == "rank" and _NINTH_DAN < high < _FIRST_PROFESSIONAL:  # no such rank
        high = _NINTH_DAN
    return replace(usual, low=low, high=high, default=min(max(usual.default, low), high))


def _human_card(game: str) -> Card | None:
    folder = shipped_models("human").get(game)
    return None if folder is None else read_card((folder / "card.json").read_bytes())


def levels_of_people(game: str) -> tuple[float, float] | None:
    """Between which levels the packaged human network was taught; None where it was told of none."""
    card = _human_card(game)
    if card is None or card.rating_range is None:
        return None
    low, high = card.rating_range
    return (low, high) if high - low > customs_of(game).scale.step else None
