"""Games that are like one person's, and people who play like them: exact search over vectors of games.

A person is the mean of their games. By *features* a game is its traits, each in spreads over all games at hand, and
near is Euclidean; by *embedding* it is its signature, and near is the cosine (S0 §5.4). A game is looked at from each
of its two sides; the person's own games are left out. Who plays like them is told by the signature's own model.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player, open_game
from hitonami.dataset.columns import Columns, columns_of, join, read_columns
from hitonami.dataset.reading import Tally, open_data
from hitonami.dataset.shards import table_of
from hitonami.errors import BadInput
from hitonami.progress import Watching
from hitonami.style.learn_signature import Lesson, choose_seats, learn_signature, people_of
from hitonami.style.person import Person
from hitonami.style.portrait import read_person
from hitonami.style.signature import Signature, packaged_signature, standardise
from hitonami.traits import measure_traits

By = Literal["features", "embedding"]
Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
_ROWS: Final = 1 << 16
_ON_THE_SPOT: Final = Lesson(turns=512, dimensions=24, least_games=5)
"""For a game whose signature does not come with the package."""
_GAMES_A_TURN: Final = 10
"""With fewer a map fits the games that taught it and no others."""


@dataclass(frozen=True)
class SimilarWish:
    """What is asked for."""

    game: str
    player: str = ""
    """Whose games; else of who is in nearly all of them."""
    own: int = 500
    """The latest ones, at most."""
    by: By = "features"
    games: int = 20
    """How many are wanted, of games or of people."""
    people: bool = False
    least_games: int = 5
    """Of a person who comes into question."""


@dataclass(frozen=True)
class Like:
    """A game that is like the person's, from one side."""

    player: Player
    side: str
    date: str
    content: int
    nearness: float
    """A distance by features, a cosine by embedding."""


@dataclass(frozen=True)
class Candidate:
    """Somebody who may be the person."""

    player: Player
    games: int
    log_odds: float
    """That it is this person rather than somebody that nobody knows."""
    share: float
    """The chance that it is this one, were it one of those at hand and each as likely before."""


@dataclass(frozen=True)
class Found:
    """What was found among so many games of others."""

    wish: SimilarWish
    person: Person
    own: int
    searched: int
    likes: tuple[Like, ...]
    candidates: tuple[Candidate, ...]
    remarks: tuple[str, ...]


def find_similar(wish: SimilarWish, own: Sequence[str], data: Sequence[str], watch: Watching) -> Found:
    """Read the person's games and the others, and search. Raises BadInput."""
    game = open_game(wish.game).name
    person = read_person(game, wish.player, own, watch)
    latest = person.games[-wish.own :]
    mine = columns_of(table_of([each.record for each in latest], [""] * len(latest)), game)
    games, tally = _read_others(game, data, {each.content for each in person.games}, watch)
    sides = np.array([each.side for each in latest])
    remarks = [*person.tally.complaints(), *tally.complaints()]
    seats = np.arange(2 * len(games))
    if wish.by == "features" and not wish.people:
        vectors, query = _by_features(games, mine, sides)
        order, near = nearest(vectors, query, wish.games, "features")
    else:
        signature, traits = packaged_signature(game), measure_traits(games)
        if signature is None:
            signature = _learn_on_the_spot(games, traits)
            remarks.append(f"no signature of {game} comes with the package: learned from these games")
        vectors = signature.embed(games, traits).reshape(len(seats), -1)
        query = signature.embed(mine)[np.arange(len(latest)), sides].mean(axis=0)
        if wish.people:
            found = rank_people(signature, (query, len(latest)), games, vectors, wish.least_games)
            told = tuple(found[: wish.games])
            return Found(wish, person, len(latest), len(games), (), told, tuple(remarks))
        order, near = nearest(vectors, query, wish.games, "embedding")
    likes = tuple(_like(games, int(seat), float(value)) for seat, value in zip(order, near, strict=True))
    return Found(wish, person, len(latest), len(games), likes, (), tuple(remarks))


def nearest(vectors: Floats, query: Floats, count: int, by: By) -> tuple[Whole, Floats]:
    """The rows nearest to the query, nearest first, and how near: exactly, block by block. Ties go by row."""
    rows, values = np.zeros(0, np.int64), np.zeros(0, np.float32)
    for first in range(0, len(vectors), _ROWS):
        block = vectors[first : first + _ROWS]
        if by == "embedding":
            lengths = np.sqrt(np.einsum("nd,nd->n", block, block)) * np.linalg.norm(query)
            far = -(block @ query) / np.maximum(lengths, 1e-12)
        else:
            far = np.einsum("nd,nd->n", block, block) - 2.0 * (block @ query)
        kept = np.argpartition(far, count - 1)[:count] if len(far) > count else np.arange(len(far))
        rows, values = np.concatenate([rows, first + np.sort(kept)]), np.concatenate([values, far[np.sort(kept)]])
        if len(rows) > count:
            best = np.sort(np.argpartition(values, count - 1)[:count])
            rows, values = rows[best], values[best]
    order = np.argsort(values, kind="stable")
    rows, values = rows[order], values[order]
    near = -values if by == "embedding" else np.sqrt(np.maximum(values + query @ query, 0.0))
    return rows, near.astype(np.float32)


def rank_people(
    signature: Signature, query: tuple[Floats, int], games: Columns, vectors: Floats, least_games: int
) -> list[Candidate]:
    """Who of the people in `games` the query (a mean of so many games) may be, the likeliest first. Raises BadInput."""
    people = people_of(games)
    known = np.flatnonzero(people >= 0)
    count = np.bincount(people[known])
    kept = np.flatnonzero(count >= least_games)
    if not len(kept):
        raise BadInput(f"nobody in these games is named and has {least_games} games: there is nobody to tell apart")
    sums = np.zeros((len(count), vectors.shape[1]))
    np.add.at(sums, people[known], vectors[known])
    means = (sums[kept] / count[kept, None]).astype(np.float32)
    odds = signature.match(query[0][None], np.array([query[1]]), means, count[kept])[0]
    shares = np.exp(odds - odds.max())
    shares /= shares.sum()
    first = np.full(len(count), -1)
    first[people[known][::-1]] = known[::-1]
    order = np.argsort(-odds, kind="stable")
    return [
        Candidate(
            games.player(*divmod(int(first[kept[at]]), 2)), int(count[kept[at]]), float(odds[at]), float(shares[at])
        )
        for at in order
    ]


def _learn_on_the_spot(games: Columns, traits: Floats) -> Signature:
    taught = choose_seats(people_of(games), _ON_THE_SPOT)
    turns = min(len(taught.seats) // _GAMES_A_TURN, _ON_THE_SPOT.turns)
    return learn_signature(games, traits, taught, replace(_ON_THE_SPOT, turns=turns))


def _by_features(games: Columns, mine: Columns, sides: Whole) -> tuple[Floats, Floats]:
    traits = measure_traits(games).reshape(2 * len(games), -1)
    known = ~np.isnan(traits)
    count = np.maximum(known.sum(axis=0), 1)
    shift = (np.where(known, traits, 0.0).sum(axis=0) / count).astype(np.float32)
    spread = np.sqrt(np.where(known, np.square(traits - shift), 0.0).sum(axis=0) / count)
    scale = np.where(spread > 1e-6, spread, 1.0).astype(np.float32)
    own = standardise(measure_traits(mine)[np.arange(len(sides)), sides], shift, scale)
    return standardise(traits, shift, scale), own.mean(axis=0)


def _read_others(game: str, data: Sequence[str], own: set[int], watch: Watching) -> tuple[Columns, Tally]:
    opened, tally = open_data(data, game, named=True), Tally()
    with watch(opened.bytes_total, "games") as meter:
        parts = list(read_columns(opened, tally, report=lambda done: meter.show(done, tally.games)))
    if not parts:
        raise BadInput("no game could be used of where to look: " + "; ".join(tally.complaints()))
    games = join(parts)
    others = games.keep(~np.isin(games.content, np.array(sorted(own), dtype=np.uint64)))
    if not len(others):
        raise BadInput("the games to look in are all the person's own")
    return others, tally


def _like(games: Columns, seat: int, nearness: float) -> Like:
    at, side = divmod(seat, 2)
    named = open_game(games.game).sides[side]
    return Like(games.player(at, side), named, str(games.dates[at]), int(games.content[at]), nearness)
