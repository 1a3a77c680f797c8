"""Other people, among whom a person's likes are looked for: who they are, and what they teach before own games do."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from hitonami.dataset.reading import Data, Tally
from hitonami.progress import Report, unheard
from hitonami.style.decisions import Decisions
from hitonami.style.learning import Prior, plain_prior
from hitonami.style.person import OwnGame, Person, name_of
from hitonami.style.prior import fit_prior, lean_on_similar, nearest

LEAST_OF_OTHERS: Final = 20
"""Games of a person who is learned from."""
OF_OTHERS: Final = 160
"""Decisions of each."""
_MOST_GAMES: Final = 80
_MOST_PEOPLE: Final = 40
_SIMILAR: Final = 8


def find_others(data: Data, person: Person, report: Report = unheard) -> list[list[OwnGame]]:
    """The games of people with games enough, those nearest in level first. Who is in the person's own games is none."""
    own = {game.content for game in person.games}
    tally, held = Tally(), defaultdict[tuple[str, str], dict[int, OwnGame]](dict)
    known: set[tuple[str, str]] = {(each.player.pool, name_of(each.player).casefold()) for each in person.games}
    for found in data.games(tally, report=lambda done: report(done, tally.games)):
        for side, player in enumerate(found.record.players):
            who = player.pool, name_of(player).casefold()
            if found.content in own and side == _side_of(person, found.content):
                known.add(who)  # the same person under a pseudonym
            elif who[1] and player.kind != "bot" and found.record.moves:
                held[who][found.content] = OwnGame(found.content, found.record, side)
    people = [list(games.values())[-_MOST_GAMES:] for who, games in sorted(held.items()) if who not in known]
    enough = [games for games in people if len(games) >= LEAST_OF_OTHERS]
    return sorted(enough, key=lambda games: _distance(person, games))[:_MOST_PEOPLE]


def _side_of(person: Person, content: int) -> int:
    return next(game.side for game in person.games if game.content == content)


def _distance(person: Person, games: Sequence[OwnGame]) -> float:
    """Of levels; who has none on the same scale is far."""
    own, pool = person.player.rating, person.player.pool
    rated = [game.player.rating for game in games if game.player.rating is not None and game.player.pool == pool]
    return np.inf if own is None or not rated else abs(float(np.median(rated)) - own)


def priors_among(own: Decisions, others: Sequence[Decisions], sizes: Sequence[int]) -> tuple[Prior, ...]:
    """What to begin from, each to be proved over the one before: nothing, what people are like, who is alike."""
    many = fit_prior(others, sizes)
    near = [others[at] for at in nearest(own, others, many, sizes, _SIMILAR)]
    return plain_prior(own, sizes), many, lean_on_similar(many, near, sizes)
