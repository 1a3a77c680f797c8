"""Twins in words and as figures."""

from collections.abc import Iterator, Sequence
from typing import Any

from hitonami.evaluate.intervals import Interval
from hitonami.style.making import Made, Worth
from hitonami.twins.store import Kept
from hitonami.twins.twin import Twin

CONSENT = (
    "A twin is a model of a person. Make one of yourself, of somebody who agreed, or from games that were published "
    "for such use. It stays on this machine; `hitonami twin forget NAME` removes all of it."
)


def made_lines(made: Made) -> Iterator[str]:
    """What became of the games, and what the twin is worth."""
    twin = made.twin
    left_out = f"; {made.person.others:,} games of others were left out" if made.person.others else ""
    yield f"{twin.name}: {made.games:,} games, {made.decisions:,} decisions{left_out}"
    yield from made.person.tally.complaints()
    yield f"over {twin.provenance['mind']}{_level(twin)}: {_parts(twin)}; {made.size_bytes / 1000:.0f} KB"
    yield f"on games held back, all plies: {_worth(made.worth)}"
    if made.late is not None:
        yield f"from ply 10 on: {_worth(made.late)}"
    if made.ready.lost and made.ready.others_lost:
        yield f"gave up {_of(made.ready.given_up, made.ready.lost)} lost games, opponents {_of(*_others(made))}"
    yield f"play it with --mind twin:{twin.name}"
    yield CONSENT


def _others(made: Made) -> tuple[int, int]:
    return made.ready.others_given_up, made.ready.others_lost


def _of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}"


def _level(twin: Twin) -> str:
    rating, pool = twin.player.rating, twin.player.pool
    return "" if rating is None else f", told {rating:.0f}{' ' + pool if pool else ''}"


def _parts(twin: Twin) -> str:
    parts = ["leanings"] if twin.leanings is not None else []
    parts += [f"what was played before in the same {scene}" for scene in twin.memories]
    return " + ".join(parts) or "nothing helped on games held back, so it is the base as it is"


def _worth(worth: Worth) -> str:
    return f"{_signed(worth.points, 1)} points, {_signed(worth.nats, 3)} nats (n = {worth.n:,})"


def _signed(each: Interval, digits: int) -> str:
    return f"{each.value:+.{digits}f} ({each.low:+.{digits}f} … {each.high:+.{digits}f})"


def made_json(made: Made) -> dict[str, Any]:
    return {
        "name": made.twin.name,
        "game": made.twin.game,
        "mind": f"twin:{made.twin.name}",
        "base": made.twin.provenance["mind"],
        "rating": made.twin.player.rating,
        "pool": made.twin.player.pool,
        "games": made.games,
        "games_of_others": made.person.others,
        "decisions": made.decisions,
        "size_bytes": made.size_bytes,
        "chosen": made.twin.provenance["chosen"],
        "gives_up": {
            "games": [made.ready.given_up, made.ready.lost],
            "opponents": list(_others(made)),
            "log_odds": made.twin.readiness,
        },
        "held_back": {
            "all": _worth_json(made.worth),
            "from_ply_10": None if made.late is None else _worth_json(made.late),
        },
    }


def _worth_json(worth: Worth) -> dict[str, Any]:
    told = {"points": worth.points, "nats": worth.nats}
    return {name: {"value": each.value, "low": each.low, "high": each.high} for name, each in told.items()} | {
        "n": worth.n
    }


def kept_lines(kept: Sequence[Kept]) -> Iterator[str]:
    for each in kept:
        if each.twin is None:
            yield f"{each.name:<20} cannot be read: {each.problem}"
            continue
        made = each.twin.provenance
        games = f"{made.get('games', 0):,} games"
        yield f"{each.name:<20} {each.twin.game:<8} {games}{_level(each.twin)}, {each.size_bytes / 1000:.0f} KB"


def kept_json(kept: Sequence[Kept]) -> dict[str, Any]:
    return {
        "twins": [
            {"name": each.name, "size_bytes": each.size_bytes, "problem": each.problem or None}
            | ({} if each.twin is None else {"game": each.twin.game, "made": dict(each.twin.provenance)})
            for each in kept
        ]
    }
