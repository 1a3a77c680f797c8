"""Whose games these are: the games of one person among records with names."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from hitonami.core import Player
from hitonami.dataset.names import is_same_person
from hitonami.dataset.reading import Data, Found, Tally
from hitonami.errors import BadInput, quote
from hitonami.progress import Report, unheard
from hitonami.records import Record

OWN_SHARE: Final = 0.8
"""Of the games: who sits in so many of them is the one they are about."""
_RECENT: Final = 20


@dataclass(frozen=True)
class OwnGame:
    """A game, and the side on which the person sits."""

    content: int
    record: Record
    side: int

    @property
    def player(self) -> Player:
        return self.record.players[self.side]


@dataclass(frozen=True)
class Person:
    """The person's games, the oldest first."""

    games: tuple[OwnGame, ...]
    others: int
    """Games of other people, which were left out."""
    tally: Tally

    @property
    def player(self) -> Player:
        """Rating (of the latest games) and pool, without a name."""
        pool = Counter(game.player.pool for game in self.games).most_common(1)[0][0]
        rated = [
            game.player.rating for game in self.games if game.player.rating is not None and game.player.pool == pool
        ]
        return Player(float(np.median(rated[-_RECENT:])) if rated else None, pool)


def find_person(data: Data, handle: str, report: Report = unheard) -> Person:
    """The games of one person in `data`, which keeps names: of who is called `handle`, else of who is in nearly all.

    A game that comes twice counts once. Raises BadInput that says who is there.
    """
    tally, found = Tally(), dict[int, Found]()
    for each in data.games(tally, report=lambda done: report(done, tally.games)):
        if each.record.moves:
            found.setdefault(each.content, each)
    games = list(found.values())
    names = Counter(name for each in games for name in {name_of(player) for player in each.record.players} if name)
    wanted = handle.strip() or _most_named(names, len(games))
    own = [each for game in games for each in _sides(game, wanted)]
    if not own:
        raise BadInput(f"none of {len(games):,} games is of {quote(wanted)}; {_who(names)}")
    own.sort(key=lambda each: each.record.date)  # the order of the files where dates are missing or the same
    return Person(tuple(own), len(games) - len(own), tally)


def _sides(game: Found, wanted: str) -> Sequence[OwnGame]:
    return [
        OwnGame(game.content, game.record, side)
        for side, player in enumerate(game.record.players)
        if is_same_person(player, wanted)
    ][:1]


def name_of(player: Player) -> str:
    """As a record names the player, with single spaces; "" where it does not."""
    return re.sub(r"\s+", " ", player.name or "").strip()


def _most_named(names: Counter[str], games: int) -> str:
    if not names:
        raise BadInput("the games name no players: say which are one person's with --player, in records that do")
    (first, most), *rest = names.most_common(2)
    if most < OWN_SHARE * games or (rest and rest[0][1] == most):
        raise BadInput(f"these are games of several people: say whose they are with --player; {_who(names)}")
    return first


def _who(names: Counter[str]) -> str:
    if not names:
        return "the games name no players"
    return "most games have: " + ", ".join(f"{quote(name)} ({count:,})" for name, count in names.most_common(5))
