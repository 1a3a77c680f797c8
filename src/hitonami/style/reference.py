"""How people of a level play: each trait's distribution over people, by pool and rating, as small files of data.

A person counts once, by the mean over their games; what chance adds to a mean of few games is taken out of the spread.
The files hold numbers of groups and of nobody: no group has fewer than `LEAST_PEOPLE`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hitonami.core import Player
from hitonami.dataset.columns import Columns
from hitonami.errors import BadData, alternatives, quote
from hitonami.evaluate.grouping import is_rank
from hitonami.style.learn_signature import people_of
from hitonami.traits import traits_of

Floats = NDArray[np.float64]
PROBABILITIES: Final = (0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95)
_RANKS, _POINTS = 2.0, 200.0
"""Widths of the bands."""
LEAST_GAMES: Final = 10
LEAST_PEOPLE: Final = 20
_FOLDER: Final = Path(__file__).with_name("references")
_LAYOUT: Final = 1
_DIGITS: Final = 4


@dataclass(frozen=True)
class Group:
    """People of one level. NaN where too few of them show a trait."""

    rating: float | None
    """The middle of the band; None where nobody has a rating."""
    people: int
    quantiles: Floats
    """[traits, probabilities] of people's own means."""
    spread: Floats
    """[traits] how much people differ."""
    noise: Floats
    """[traits] how much the games of one person differ."""


Reference = dict[str, list[Group]]
"""By pool, the groups, weakest first."""


def make_reference(parts: Sequence[tuple[Columns, NDArray[np.float32]]], least_games: int = LEAST_GAMES) -> Reference:
    """From games and their traits. Who has fewer games than that is nobody here."""
    found: dict[str, list[tuple[float, Floats, Floats, Floats]]] = {}
    for games, traits in parts:
        people = people_of(games)
        order = np.argsort(people, kind="stable")
        order = order[people[order] >= 0]
        firsts = np.flatnonzero(np.diff(people[order], prepend=-1))
        flat, ratings, pools = traits.reshape(len(people), -1), games.ratings.ravel(), games.pools.ravel()
        for own in np.split(order, firsts[1:]):
            if len(own) >= least_games:
                told = ratings[own][~np.isnan(ratings[own])]
                rating = float(np.median(told)) if len(told) else np.nan
                found.setdefault(str(pools[own[0]]), []).append((rating, *_moments(flat[own])))
    return {pool: groups for pool, held in sorted(found.items()) if (groups := _groups(held))}


def _moments(values: NDArray[np.float32]) -> tuple[Floats, Floats, Floats]:
    """Of each trait over games: the mean, the variance, and how many games tell it."""
    known = ~np.isnan(values)
    count = known.sum(axis=0).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(known, values, 0.0).sum(axis=0) / count
        variance = np.where(known, np.square(values - mean), 0.0).sum(axis=0) / (count - 1)
    return mean, variance, count


def _groups(held: Sequence[tuple[float, Floats, Floats, Floats]]) -> list[Group]:
    ratings = np.array([each[0] for each in held])
    if np.isnan(ratings).mean() > 0.5:
        members: list[tuple[float | None, Any]] = [(None, np.arange(len(held)))]
    else:
        width = _RANKS if is_rank(float(np.nanmedian(ratings))) else _POINTS
        bands = np.floor(ratings / width)
        members = [
            (float(width * (band + 0.5)), np.flatnonzero(bands == band)) for band in np.unique(bands[~np.isnan(bands)])
        ]
    means, variances, counts = (np.stack([each[at] for each in held]) for at in (1, 2, 3))
    return [
        describe_people(rating, means[rows], variances[rows], counts[rows])
        for rating, rows in members
        if len(rows) >= LEAST_PEOPLE
    ]


def describe_people(rating: float | None, means: Floats, variances: Floats, counts: Floats) -> Group:
    """The distribution of people's means [people, traits], less what chance adds."""
    wide = means.shape[1]
    quantiles, spread, noise = np.full((wide, len(PROBABILITIES)), np.nan), np.full(wide, np.nan), np.full(wide, np.nan)
    for at in range(wide):
        rows = counts[:, at] >= 2
        if rows.sum() < LEAST_PEOPLE // 2:
            continue
        own, within = means[rows, at], variances[rows, at]
        noise[at] = np.sqrt(within.mean())
        raw = own.var(ddof=1)
        true = max(raw - (within / counts[rows, at]).mean(), 0.1 * raw)
        spread[at] = np.sqrt(true)
        middle = np.median(own)
        quantiles[at] = middle + (np.quantile(own, PROBABILITIES) - middle) * np.sqrt(true / raw if raw > 0 else 1.0)
    return Group(rating, len(means), quantiles, spread, noise)


def level_of(reference: Reference, player: Player) -> tuple[str, Group]:
    """The pool and people like this player: between two groups as their ratings say. Raises BadData for no group."""
    pool = (
        player.pool
        if player.pool in reference
        else max(reference, key=lambda each: _people(reference[each]), default="")
    )
    if not pool:
        raise BadData("nobody to compare with: no group of people has enough games")
    groups = reference[pool]
    if player.rating is None or pool != player.pool or any(each.rating is None for each in groups):
        return pool, max(groups, key=lambda each: each.people)
    ratings = np.array([each.rating for each in groups], dtype=np.float64)
    at = float(np.clip(player.rating, ratings[0], ratings[-1]))
    high = int(np.clip(np.searchsorted(ratings, at), 1, max(len(groups) - 1, 1)))
    if len(groups) == 1:
        return pool, groups[0]
    low, share = high - 1, (at - ratings[high - 1]) / (ratings[high] - ratings[high - 1])
    near = groups[high if share > 0.5 else low]
    mixed = [
        _between(getattr(groups[low], name), getattr(groups[high], name), share)
        for name in ("quantiles", "spread", "noise")
    ]
    return pool, replace(near, rating=at, quantiles=mixed[0], spread=mixed[1], noise=mixed[2])


def _between(low: Floats, high: Floats, share: float) -> Floats:
    """What one of them does not know is the other's."""
    mixed = (1.0 - share) * low + share * high
    return np.where(np.isnan(mixed), np.where(np.isnan(low), high, low), mixed)


def _people(groups: Sequence[Group]) -> int:
    return sum(each.people for each in groups)


@cache
def packaged_reference(game: str) -> Reference:
    """The one that comes with the package. Raises BadData that says what else can be done."""
    path = _FOLDER / f"{game}.json"
    if not path.is_file():
        there = sorted(each.stem for each in _FOLDER.glob("*.json"))
        raise BadData(
            f"no people of {quote(game)} to compare with come with the package ({alternatives(game, there)}): "
            "give games of others with --among"
        )
    return read_reference(path, game)


def read_reference(path: Path, game: str) -> Reference:
    """Raises BadData where the file is of other traits."""
    held = json.loads(path.read_text(encoding="utf-8"))
    if held.get("layout") != _LAYOUT or tuple(held["traits"]) != traits_of(game).names:
        raise BadData(f"{path}: made for other traits of {game} than this version has: make it again")
    return {
        pool: [
            Group(each["rating"], each["people"], *(_array(each[name]) for name in ("quantiles", "spread", "noise")))
            for each in groups
        ]
        for pool, groups in held["pools"].items()
    }


def reference_json(game: str, reference: Reference, provenance: Mapping[str, Any]) -> dict[str, Any]:
    """What a file holds."""
    return {
        "layout": _LAYOUT,
        "game": game,
        "traits": list(traits_of(game).names),
        "probabilities": list(PROBABILITIES),
        "provenance": dict(provenance),
        "pools": {pool: [_group_json(each) for each in groups] for pool, groups in reference.items()},
    }


def _group_json(group: Group) -> dict[str, Any]:
    told = {name: _short(getattr(group, name)) for name in ("quantiles", "spread", "noise")}
    return {"rating": group.rating, "people": group.people, **told}


def _short(values: Floats) -> Any:
    if values.ndim > 1:
        return [_short(each) for each in values]
    return [None if np.isnan(each) else float(f"{each:.{_DIGITS}g}") for each in values.tolist()]


def _array(held: Any) -> Floats:
    return np.array(held, dtype=np.float64)
