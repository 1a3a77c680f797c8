"""Learn a signature from games of many people: Fisher's discriminant of turns and traits, in numpy alone.

People who are to be studied must not be among those who teach: the caller gives the games of others.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hitonami.dataset.columns import Columns
from hitonami.errors import BadInput
from hitonami.progress import Report, unheard
from hitonami.style.signature import Bags, Hashes, Signature, list_turns, standardise
from hitonami.traits import traits_of

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
_BLOCK: Final = 2_000
_LEAST_TIMES: Final = 20
"""Of a turn: what was played less often tells nothing of people in general."""


@dataclass(frozen=True)
class Lesson:
    """How a signature is learned."""

    turns: int = 2_048
    """How many are counted: those in which people differ most."""
    dimensions: int = 96
    least_games: int = 20
    """Of a person who teaches."""
    most_games: int = 60
    ridge: float = 0.2
    """Of the mean variance, added to each: what is rare must not look certain."""


@dataclass(frozen=True)
class Taught:
    """Seats by person: the games of one follow each other."""

    seats: Whole
    person: Whole
    """[seats] numbered from 0."""
    counts: Whole
    """[people]."""


def people_of(games: Columns) -> Whole:
    """[2 · games] a number for each person that is named and no bot, -1 for the others."""
    known: dict[tuple[str, str], int] = {}
    names, pools, kinds = (each.ravel().tolist() for each in (games.names, games.pools, games.kinds))
    return np.array(
        [
            known.setdefault((pool, name), len(known)) if name and kind != "bot" else -1
            for name, pool, kind in zip(names, pools, kinds, strict=True)
        ],
        dtype=np.int64,
    )


def choose_seats(people: Whole, lesson: Lesson) -> Taught:
    """Of each person with enough games so many, from the first to the last at even distances."""
    order = np.argsort(people, kind="stable")
    order = order[people[order] >= 0]
    numbers, firsts, counts = np.unique(people[order], return_index=True, return_counts=True)
    taken = [
        order[first + np.unique(np.linspace(0, count - 1, min(count, lesson.most_games)).astype(np.int64))]
        for _, first, count in zip(numbers, firsts, counts, strict=True)
        if count >= lesson.least_games
    ]
    if len(taken) < 2:
        raise BadInput(f"a signature is learned from people with {lesson.least_games} games each: there are not two")
    sizes = np.array([len(each) for each in taken], dtype=np.int64)
    return Taught(np.concatenate(taken), np.repeat(np.arange(len(taken)), sizes), sizes)


def choose_turns(games: Columns, taught: Taught, count: int) -> Hashes:
    """The turns by which people differ most beyond chance: variance between people of whether a game has them."""
    place = np.full(2 * len(games), -1)
    place[taught.seats] = np.arange(len(taught.seats))
    seats, hashes = list_turns(games)
    kept = place[seats] >= 0
    rows, hashes = place[seats[kept]], hashes[kept]
    known, times = np.unique(hashes, return_counts=True)
    known = known[times >= _LEAST_TIMES]
    if not len(known):
        return known
    turn = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
    common = known[turn] == hashes
    in_game = np.unique(rows[common] * len(known) + turn[common])
    person, turn = taught.person[in_game // len(known)], in_game % len(known)
    of_person, held = np.unique(person * len(known) + turn, return_counts=True)
    squares = np.square(held) / taught.counts[of_person // len(known)]
    share = np.bincount(turn, minlength=len(known)) / len(taught.seats)
    between = np.bincount(of_person % len(known), squares, len(known)) - np.square(share) * len(taught.seats)
    excess = between - (len(taught.counts) - 1) * share * (1.0 - share)
    return np.sort(known[np.argsort(-excess, kind="stable")[:count]])


def learn_signature(
    games: Columns, traits: Floats, taught: Taught, lesson: Lesson, report: Report = unheard
) -> Signature:
    """From the games of the people in `taught`. `traits` [games, 2, traits] are those of `games`."""
    flat = traits.reshape(2 * len(games), -1)
    own = flat[taught.seats]
    known = ~np.isnan(own)
    count = np.maximum(known.sum(axis=0), 1)
    shift = np.where(known, own, 0.0).sum(axis=0) / count
    scale = np.sqrt(np.where(known, np.square(own - shift), 0.0).sum(axis=0) / count)
    scale = np.where(scale > 1e-6, scale, 1.0).astype(np.float32)
    shift = shift.astype(np.float32)
    turns = choose_turns(games, taught, lesson.turns)
    bags, wide = Bags(games, turns), len(turns) + flat.shape[1]
    scatter, sums = np.zeros((wide, wide)), np.zeros((len(taught.counts), wide))
    for first in range(0, len(taught.seats), _BLOCK):
        rows = slice(first, first + _BLOCK)
        seats = taught.seats[rows]
        x = np.concatenate([bags.dense(seats), standardise(flat[seats], shift, scale)], axis=1)
        scatter += x.T @ x
        np.add.at(sums, taught.person[rows], x)
        report(min(first + _BLOCK, len(taught.seats)), len(taught.counts))
    means = sums / taught.counts[:, None]
    within = (scatter - (sums.T @ means)) / (len(taught.seats) - len(taught.counts))
    empty = Signature(
        games.game,
        turns,
        traits_of(games.game).names,
        shift,
        scale,
        *(np.zeros(0, np.float32),) * 3,
    )
    return discriminate(empty, within, means, taught.counts, lesson)


def discriminate(
    empty: Signature, within: NDArray[np.float64], means: NDArray[np.float64], counts: Whole, lesson: Lesson
) -> Signature:
    """The directions in which people differ most, where the games of one person differ by 1 in each."""
    stiff = within + lesson.ridge * np.trace(within) / len(within) * np.eye(len(within))
    root = np.linalg.cholesky(stiff)
    centre = means.mean(axis=0)
    white = np.linalg.solve(root, (means - centre).T) / np.sqrt(len(means))
    axes = np.linalg.svd(white, full_matrices=False)[0][:, : lesson.dimensions]
    projection = np.linalg.solve(root.T, axes)
    noise = np.einsum("fd,fg,gd->d", projection, within, projection, optimize=True)
    projection /= np.sqrt(noise)
    spread = np.square((means - centre) @ projection).mean(axis=0) - (1.0 / counts).mean()
    kept = spread > 0
    return replace(
        empty,
        centre=centre.astype(np.float32),
        projection=projection[:, kept].astype(np.float32),
        between=spread[kept].astype(np.float32),
    )
