"""Similar games and people, in words and as figures."""

from collections.abc import Iterator
from typing import Any

from hitonami.core import Player
from hitonami.style.similar import Candidate, Found, Like


def as_lines(found: Found) -> Iterator[str]:
    yield f"{found.own:,} games of one person, {found.searched:,} games of others"
    yield from found.remarks
    if found.wish.people:
        yield f"{'who':<28} {'games':>7} {'log-odds':>9}  chance, were it one of them"
        for each in found.candidates:
            yield f"{_who(each.player):<28} {each.games:>7,} {each.log_odds:>+9.1f}  {100 * each.share:.1f}%"
        if found.candidates and found.candidates[0].log_odds < 0:
            yield "none of them plays like this: more likely somebody else"
        return
    near = "cosine" if found.wish.by == "embedding" else "distance"
    yield f"{near:>9}  {'side':<8} {'who':<28} date"
    for like in found.likes:
        yield f"{like.nearness:>9.3f}  {like.side:<8} {_who(like.player):<28} {like.date}".rstrip()


def _who(player: Player) -> str:
    rated = "" if player.rating is None else f"{player.rating:.0f}"
    return " ".join(each for each in (player.name or "?", rated, player.pool) if each)


def as_json(found: Found) -> dict[str, Any]:
    told: dict[str, Any] = {"game": found.wish.game, "own_games": found.own, "searched_games": found.searched}
    if found.wish.people:
        return told | {"people": [_candidate(each) for each in found.candidates]}
    return told | {"by": found.wish.by, "games": [_like(each) for each in found.likes]}


def _candidate(each: Candidate) -> dict[str, Any]:
    return _player(each.player) | {"games": each.games, "log_odds": each.log_odds, "share": each.share}


def _like(each: Like) -> dict[str, Any]:
    told = {"side": each.side, "date": each.date, "content": each.content, "nearness": each.nearness}
    return _player(each.player) | told


def _player(player: Player) -> dict[str, Any]:
    return {"name": player.name, "rating": player.rating, "pool": player.pool}
